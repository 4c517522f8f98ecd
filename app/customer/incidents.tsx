import { Box } from "@mantine/core";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { brand } from "../../contract/brand.ts";
import type { ShownFinding } from "../../contract/incident-findings.ts";
import { openedLater, shownLater } from "../components/later.tsx";
import { ListLoading } from "../lists/list-state.tsx";
import { IncidentsPage } from "../incidents/incidents-page.tsx";
import { PagesOfIncidents } from "../incidents/pages-of-incidents.tsx";

export const meta = () => [{ title: `Incidents – ${brand.name}` }];

const GlassBox = shownLater(
  async () => ({ default: (await import("../incidents/customer-glass-box.tsx")).CustomerGlassBox }),
  () => <ListLoading rows={5} />,
);
const DisputeDialog = openedLater<{ finding: ShownFinding | null; onClose: () => void }>(
  () => import("../incidents/dispute-dialog.tsx"),
  { finding: null },
);

/** The organisation's incidents, and what became of every alert. */
export default function Incidents() {
  const [address] = useSearchParams();
  const [disputed, setDisputed] = useState<ShownFinding | null>(null);
  const shows = address.get("show") === "findings" ? "findings" : "incidents";
  const above = (
    <Box mb="md">
      <PagesOfIncidents shows={shows} />
    </Box>
  );
  return (
    <>
      {shows === "findings" ? (
        <GlassBox above={above} onDispute={setDisputed} />
      ) : (
        <IncidentsPage reader="user" above={above} />
      )}
      <DisputeDialog finding={disputed} onClose={() => setDisputed(null)} />
    </>
  );
}
