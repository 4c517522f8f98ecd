import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import type { AuditEntry, AuditFact } from "../../contract/audit-log.ts";
import type { Unfolded } from "../components/unfold.tsx";
import classes from "./audit-facts.module.css";

/** What an entry holds besides its sentence: the values before and after, and its place in the hash chain. */
export function unfoldFacts(entry: AuditEntry): Unfolded {
  const { number, action, at } = entry;
  const about = number === null ? `${action} at ${at}` : `entry ${number}`;
  return { label: "Details", about, content: <AuditFacts entry={entry} /> };
}

function AuditFacts({ entry: { facts, subject, number, hash } }: { entry: AuditEntry }) {
  return (
    <dl className={classes.facts}>
      {facts.map((fact) => (
        <div key={fact.name}>
          <dt>{fact.name}</dt>
          <dd>
            {fact.before !== null && (
              <>
                <del>
                  <bdi>{fact.before}</bdi>
                </del>{" "}
                <span aria-hidden>→</span>{" "}
              </>
            )}
            <bdi>{fact.value}</bdi>
          </dd>
        </div>
      ))}
      <div>
        <dt>About</dt>
        <dd>
          <code>{subject}</code>
          {"; "}
          <Anchor component={Link} to={`?subject=${encodeURIComponent(subject)}`} fz="inherit" td="underline">
            all entries about it
          </Anchor>
        </dd>
      </div>
      <div>
        <dt>Seal</dt>
        <dd>{hash === null ? "Sealed within a minute" : <code>{`${number}:${hash}`}</code>}</dd>
      </div>
    </dl>
  );
}

/** The facts on one line, for a file. */
export function factsAsText(facts: readonly AuditFact[]): string {
  return facts.map(({ name, before, value }) => `${name}: ${before === null ? "" : `${before} → `}${value}`).join("; ");
}
