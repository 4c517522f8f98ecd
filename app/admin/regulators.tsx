import { brand } from "../../contract/brand.ts";
import { RegulatorsPage } from "../obligations/regulators-page.tsx";

export const meta = () => [{ title: `Regulators’ clocks – ${brand.name}` }];

/** The regulators' clocks of a customer's incident. */
export default function AdminRegulators() {
  return <RegulatorsPage reader="admin" />;
}
