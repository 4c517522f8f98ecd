import { Anchor, Text } from "@mantine/core";
import { Link, useParams } from "react-router";
import { brand } from "../../contract/brand.ts";
import { addToEstimate } from "../coverage/add-to-estimate.ts";
import { CoverageView } from "../coverage/coverage-view.tsx";
import { CustomerTitle } from "../coverage/customer-title.tsx";
import { estimatePath } from "./estimate-path.ts";

export const meta = () => [{ title: `Coverage of a customer – ${brand.name}` }];

/** What one of the partner's customers pays for, and how much of it is really watched. */
export default function CoverageOfCustomer() {
  const { email = "" } = useParams();
  return (
    <>
      <CustomerTitle reader="partner" email={email}>
        <Anchor component={Link} to="/partner/coverage">
          All customers
        </Anchor>
      </CustomerTitle>
      <CoverageView
        key={email}
        of={{ reader: "partner", email }}
        addTo={(devices) => addToEstimate(estimatePath(email), devices)}
        nothing={<Text c="var(--site-muted)">It begins with the customer’s first order.</Text>}
      />
    </>
  );
}
