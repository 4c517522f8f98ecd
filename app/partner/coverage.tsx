import { brand } from "../../contract/brand.ts";
import { CustomersCoverage } from "../coverage/customers-coverage.tsx";

export const meta = () => [{ title: `Coverage – ${brand.name}` }];

/** The partner's customers with contracted devices that are not watched, the worst first. */
export default function PartnerCoverage() {
  return (
    <CustomersCoverage
      reader="partner"
      hint="How many of your customers’ contracted devices are really connected; the worst first."
    />
  );
}
