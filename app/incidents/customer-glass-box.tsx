import type { ReactNode } from "react";
import type { ShownFinding } from "../../contract/incident-findings.ts";
import { FindingButton, GlassBox } from "./glass-box.tsx";

/** A customer's own view of the findings, where each can be disputed. */
export function CustomerGlassBox({
  above,
  onDispute,
}: {
  above: ReactNode;
  onDispute: (finding: ShownFinding) => void;
}) {
  return (
    <GlassBox
      reader="user"
      above={above}
      actions={(finding) =>
        finding.fate !== "open" &&
        finding.dispute === null && (
          <FindingButton label="Dispute" finding={finding} onClick={() => onDispute(finding)} />
        )
      }
    />
  );
}
