import { brand } from "../../contract/brand.ts";
import { RegulatorsPage } from "../obligations/regulators-page.tsx";

export const meta = () => [{ title: `Regulators’ clocks – ${brand.name}` }];

/** The regulators' clocks of one of the organisation's incidents. */
export default function CustomerRegulators() {
  return <RegulatorsPage reader="user" />;
}
