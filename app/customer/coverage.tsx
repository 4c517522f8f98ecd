import { Button, Text } from "@mantine/core";
import { Link } from "react-router";
import { brand } from "../../contract/brand.ts";
import { PageTitle } from "../components/page-title.tsx";
import { addToEstimate } from "../coverage/add-to-estimate.ts";
import { CoverageView } from "../coverage/coverage-view.tsx";
import { useSession } from "../session.ts";

export const meta = () => [{ title: `Coverage – ${brand.name}` }];

/** What the organisation pays for, and how much of it is really watched. */
export default function CustomerCoverage() {
  const { role } = useSession();
  return (
    <>
      <PageTitle title="Coverage" hint="What you pay for, and how much of it is really watched." />
      <CoverageView
        of={{ reader: "user", email: null }}
        addTo={role === "user" ? (devices) => addToEstimate("/user/estimator", devices) : null}
        nothing={
          <>
            <Text c="var(--site-muted)">
              After your first order, each device type is listed here with what is connected, silent or missing, and
              whose move it is.
            </Text>
            <Button component={Link} to="/user/myquote" variant="default" mt="sm">
              Open my quotes
            </Button>
          </>
        }
      />
    </>
  );
}
