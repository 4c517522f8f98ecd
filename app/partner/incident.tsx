import { brand } from "../../contract/brand.ts";
import { IncidentRoom } from "../incidents/incident-room.tsx";

export const meta = () => [{ title: `Incident – ${brand.name}` }];

/** An incident of one of the partner's customers. */
export default function Incident() {
  return <IncidentRoom reader="partner" />;
}
