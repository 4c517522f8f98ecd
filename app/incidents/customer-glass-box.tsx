import type { ReactNode } from "react";
import type { ShownFinding } from "../../contract/incident-findings.ts";
import { FindingButton, GlassBox } from "./glass-box.tsx";

/** As the customer reads it: what they see differently they dispute. */
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
