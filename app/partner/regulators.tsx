import { brand } from "../../contract/brand.ts";
import { RegulatorsPage } from "../obligations/regulators-page.tsx";

export const meta = () => [{ title: `Regulators’ clocks – ${brand.name}` }];

/** The regulators' clocks of an incident of one of the partner's customers. */
export default function PartnerRegulators() {
  return <RegulatorsPage reader="partner" />;
}
