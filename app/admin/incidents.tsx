import { Box, Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useSearchParams } from "react-router";
import { brand } from "../../contract/brand.ts";
import { openedLater, shownLater } from "../components/later.tsx";
import { CustomerFilter, WhichCustomer } from "../incidents/customer-filter.tsx";
import { IncidentsPage } from "../incidents/incidents-page.tsx";
import { PagesOfIncidents } from "../incidents/pages-of-incidents.tsx";
import { ListLoading } from "../lists/list-state.tsx";
import type { OpenIncidentProps } from "./incidents/open-incident.tsx";

export const meta = () => [{ title: `Incidents – ${brand.name}` }];

const Findings = shownLater<{ email: string; above: ReactNode }>(
  async () => ({ default: (await import("./incidents/findings.tsx")).Findings }),
  () => <ListLoading rows={5} />,
);
const OpenIncident = openedLater<OpenIncidentProps>(() => import("./incidents/open-incident.tsx"), { of: null });

/** All customers' incidents, the worst first, or the decisions about one customer's findings. */
export default function Incidents() {
  const [address] = useSearchParams();
  const [opening, setOpening] = useState<OpenIncidentProps["of"]>(null);
  const email = address.get("customer") ?? "";
  const shows = address.get("show") === "findings" ? "findings" : "incidents";
  const above = (
    <Box mb="md">
      <PagesOfIncidents shows={shows} />
      <CustomerFilter key={email} reader="admin" email={email} />
    </Box>
  );
  return (
    <>
      {shows === "incidents" && (
        <IncidentsPage reader="admin" email={email} above={above}>
          <Button
            size="md"
            leftSection={<IconPlus size={18} aria-hidden />}
            onClick={() => setOpening({ email, findings: [] })}
          >
            Open an incident
          </Button>
        </IncidentsPage>
      )}
      {shows === "findings" &&
        (email ? <Findings key={email} email={email} above={above} /> : <WhichCustomer above={above} />)}
      <OpenIncident of={opening} onClose={() => setOpening(null)} />
    </>
  );
}
