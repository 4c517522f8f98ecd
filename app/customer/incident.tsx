import { brand } from "../../contract/brand.ts";
import { IncidentRoom } from "../incidents/incident-room.tsx";

export const meta = () => [{ title: `Incident – ${brand.name}` }];

/** An incident of the user's own organisation. */
export default function Incident() {
  return <IncidentRoom reader="user" />;
}
