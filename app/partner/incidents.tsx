import { Box } from "@mantine/core";
import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { brand } from "../../contract/brand.ts";
import { shownLater } from "../components/later.tsx";
import { ListLoading } from "../lists/list-state.tsx";
import { CustomerFilter, WhichCustomer } from "../incidents/customer-filter.tsx";
import { IncidentsPage } from "../incidents/incidents-page.tsx";
import { PagesOfIncidents } from "../incidents/pages-of-incidents.tsx";

export const meta = () => [{ title: `Incidents – ${brand.name}` }];

const GlassBox = shownLater<{ email: string; above: ReactNode }>(
  async () => {
    const { GlassBox: Shown } = await import("../incidents/glass-box.tsx");
    return { default: (props) => <Shown reader="partner" actions={() => null} {...props} /> };
  },
  () => <ListLoading rows={5} />,
);

/** The incidents of the partner's customers, or of one of them, the worst first. */
export default function Incidents() {
  const [address] = useSearchParams();
  const email = address.get("customer") ?? "";
  const shows = address.get("show") === "findings" ? "findings" : "incidents";
  const above = (
    <Box mb="md">
      <PagesOfIncidents shows={shows} />
      <CustomerFilter key={email} reader="partner" email={email} />
    </Box>
  );
  if (shows === "incidents") return <IncidentsPage reader="partner" email={email} above={above} />;
  return email ? <GlassBox email={email} above={above} /> : <WhichCustomer above={above} />;
}
