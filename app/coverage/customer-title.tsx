import type { ReactNode } from "react";
import { PageTitle } from "../components/page-title.tsx";
import type { CoverageReader } from "./coverage-readers.ts";
import { useCoverage } from "./use-coverage.ts";

/** The heading of a customer's coverage, with the customer's name once it is known. */
export function CustomerTitle({
  reader,
  email,
  children,
}: {
  reader: CoverageReader;
  email: string;
  children: ReactNode;
}) {
  const { data } = useCoverage({ reader, email });
  return (
    <PageTitle title={data ? `Coverage of ${data.organization_name}` : "Coverage of a customer"} hint={email}>
      {children}
    </PageTitle>
  );
}
