import { Button } from "@mantine/core";
import { Link } from "react-router";
import { brand } from "../../contract/brand.ts";
import { CustomersCoverage } from "../coverage/customers-coverage.tsx";

export const meta = () => [{ title: `Coverage – ${brand.name}` }];

/** Customers with contracted devices that are not watched, the worst first. */
export default function AdminCoverage() {
  return (
    <CustomersCoverage
      reader="admin"
      hint="How many of customers’ contracted devices are really connected; the worst first."
    >
      <Button component={Link} to="/admin/coverage-rules" variant="default">
        Rules and limits
      </Button>
    </CustomersCoverage>
  );
}
