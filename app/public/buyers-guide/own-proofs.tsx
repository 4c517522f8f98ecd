import type { ShownProof } from "../../../contract/proofs.ts";
import { showDay } from "../../components/display.ts";
import classes from "../buyers-guide.module.css";
import site from "../site.module.css";

/** The operator's own certificates, and customers that may be named; nothing at all if there are none. */
export function OwnProofs({ proofs }: { proofs: readonly ShownProof[] }) {
  if (proofs.length === 0) return null;
  return (
    <section className={`${site.container} ${site.section}`} aria-labelledby="proofs">
      <h2 id="proofs" className={`${site.title} ${classes.title}`}>
        {proofsHeading(proofs)}
      </h2>
      <ul className={`${site.grid} ${classes.cards}`}>
        {proofs.map((proof) => (
          <li key={proof.id} className={classes.card}>
            <p className={classes.week}>{proof.kind === "certificate" ? "Certificate" : "Reference"}</p>
            <h3 className={site.subtitle}>{proof.name}</h3>
            {proof.kind === "certificate" ? <Certificate proof={proof} /> : <Reference proof={proof} />}
            {proof.link && (
              <p>
                <a href={proof.link} rel="noopener" className={classes.link}>
                  {proof.kind === "certificate" ? "See the certificate" : "Read more"}
                  <span className="visually-hidden"> of {proof.name}</span>
                </a>
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The section's heading, by the kinds of proofs there are. */
export function proofsHeading(proofs: readonly ShownProof[]): string {
  const kinds = new Set(proofs.map(({ kind }) => kind));
  if (kinds.size > 1) return "Our certificates and references";
  return kinds.has("certificate") ? "Our certificates" : "Our references";
}

function Certificate({ proof: { statement, issuer, validUntil } }: { proof: ShownProof }) {
  return (
    <p className={site.muted}>
      {statement}. Issued by {issuer}
      {validUntil && <>, valid until {showDay(validUntil)}</>}.
    </p>
  );
}

function Reference({ proof: { statement, issuer } }: { proof: ShownProof }) {
  return (
    <blockquote className={classes.quote}>
      <p className={site.muted}>{statement}</p>
      <footer>{issuer}</footer>
    </blockquote>
  );
}
