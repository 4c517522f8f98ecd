import type { OwnProof } from "../../../contract/own-proofs.ts";
import classes from "../buyers-guide.module.css";
import site from "../site.module.css";

/** Certificates of the operator's own and customers who may be named; nothing at all as long as there are none. */
export function OwnProofs({ proofs }: { proofs: readonly OwnProof[] }) {
  if (proofs.length === 0) return null;
  return (
    <section className={`${site.container} ${site.section}`} aria-labelledby="proofs">
      <h2 id="proofs" className={`${site.title} ${classes.title}`}>
        Our certificates and references
      </h2>
      <ul className={`${site.grid} ${classes.cards}`}>
        {proofs.map(({ kind, title, text }) => (
          <li key={title} className={classes.card}>
            <p className={classes.week}>{kind === "certificate" ? "Certificate" : "Reference"}</p>
            <h3 className={site.subtitle}>{title}</h3>
            <p className={site.muted}>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
