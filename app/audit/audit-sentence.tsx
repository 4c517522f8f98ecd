import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import { auditActions } from "../../contract/audit.ts";
import type { AuditEntry } from "../../contract/audit-log.ts";

const phrases: Readonly<Record<string, string>> = auditActions;

/** Stands for a subject whose name is no longer known. */
const nameless = (entry: AuditEntry) =>
  entry.subject.startsWith("person:") ? "somebody who is not here any more" : "something that is not there any more";

const subjectOf = (entry: AuditEntry) =>
  entry.subject_name ?? (entry.subject.includes(":") ? nameless(entry) : entry.subject);

const partsOf = ({ action }: AuditEntry) => (phrases[action] ?? `${action}: {}`).split("{}");

/** The actor, as a sentence begins. */
export function whoDid({ actor_name, address }: AuditEntry): string {
  return actor_name ?? (address ? "Somebody" : "The software");
}

/** The action and its subject as plain text: "suspended Kaveri Textiles". */
export function whatWasDone(entry: AuditEntry): string {
  return partsOf(entry).join(subjectOf(entry));
}

/** The same, with a link to the subject's screen if there is one. */
export function AuditSentence({ entry, screen }: { entry: AuditEntry; screen: string | null }) {
  const [before, after] = partsOf(entry);
  const name = <bdi>{subjectOf(entry)}</bdi>;
  return (
    <span>
      {before}
      {after !== undefined &&
        (screen && entry.subject_name !== null ? (
          <Anchor component={Link} to={screen} fz="inherit" td="underline">
            {name}
          </Anchor>
        ) : (
          name
        ))}
      {after}
    </span>
  );
}
