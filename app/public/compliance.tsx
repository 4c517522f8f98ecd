import { Link } from "react-router";
import { brand } from "../../contract/brand.ts";
import certifications from "../content/certifications.json";
import classes from "./compliance.module.css";
import { CertificateLayers } from "./compliance/certificate-layers.tsx";
import { kinds, regionOf, regions } from "./compliance/selection.ts";
import { pageMeta } from "../content/page-meta.ts";
import site from "./site.module.css";

export const handle = { reads: true };

export const meta = () =>
  pageMeta(
    "/GCPSecurity",
    `Compliance Certifications – ${brand.name}`,
    "Certifications of the cloud infrastructure our service stands on, and the frameworks its compliance reports map to, by region.",
  );

export default function Compliance() {
  return (
    <main id="main">
      <section className={`${site.container} ${site.section} ${classes.opening}`}>
        <div className={site.split}>
          <div className={classes.intro}>
            <h1 className={site.display}>Compliance Certifications</h1>
            <p className={site.lead}>
              Your auditor asks two questions: is the ground certified, and does the evidence fit our framework? Here is
              what applies to the cloud infrastructure under our service, and what our compliance reports map to.
            </p>
            <p className={classes.caution}>
              <strong>These are not certificates of {brand.name}.</strong> The first kind is held by the infrastructure
              provider, Google Cloud, for its own services; the second kind is a yardstick your own organization is
              measured by.
            </p>
          </div>
          <CertificateLayers />
        </div>
      </section>
      <section className={`${site.tinted} ${site.section}`} aria-labelledby="catalogue">
        <div className={`${site.container} ${classes.catalogue}`}>
          <h2 id="catalogue" className={site.title}>
            Find what applies to you
          </h2>
          <Filters />
          <ul className={`${site.grid} ${classes.cards}`}>
            {certifications.map(({ name, kind, region, issuingBody, scope }) => (
              <li key={name} className={classes.card} data-kind={kind} data-region={regionOf(region)}>
                <p className={classes.kind} data-kind={kind}>
                  {kinds.find(({ id }) => id === kind)?.card}
                </p>
                <h3 className={site.subtitle}>{name}</h3>
                <p className={classes.scope}>{scope}</p>
                <dl className={classes.facts}>
                  <dt>Region</dt>
                  <dd>{region}</dd>
                  <dt>Issuing body</dt>
                  <dd>{issuingBody}</dd>
                </dl>
              </li>
            ))}
          </ul>
          <p className={classes.none}>Nothing of this kind is in our list for this region.</p>
          <p className={classes.count}> of {certifications.length} shown</p>
        </div>
      </section>
      <AsOf />
    </main>
  );
}

/** Radio buttons that the style sheet reads: they filter without script, and with the keyboard. */
function Filters() {
  return (
    <div className={classes.filters}>
      <fieldset className={classes.filter}>
        <legend>Kind</legend>
        <Choice group="kind" value="all" label="Both kinds" />
        {kinds.map(({ id, label }) => (
          <Choice key={id} group="kind" value={id} label={label} />
        ))}
      </fieldset>
      <fieldset className={classes.filter}>
        <legend>Region</legend>
        <Choice group="region" value="all" label="All regions" />
        {regions.map(({ id, label }) => (
          <Choice key={id} group="region" value={id} label={label} />
        ))}
      </fieldset>
    </div>
  );
}

function Choice({ group, value, label }: { group: string; value: string; label: string }) {
  return (
    <label className={classes.choice}>
      <input type="radio" name={group} value={value} defaultChecked={value === "all"} />
      <span>{label}</span>
    </label>
  );
}

function AsOf() {
  return (
    <section className={`${site.narrow} ${site.section} ${classes.asOf}`} aria-labelledby="as-of">
      <h2 id="as-of" className={site.subtitle}>
        As of November 2026
      </h2>
      <p>
        We wrote this list from public descriptions of the schemes. Certificates lapse, are renewed with another scope,
        and cover named services in named regions only. Check each entry with its issuing body before you rely on it,
        and ask the infrastructure provider for the current certificate or audit report: Google Cloud lists its own at{" "}
        <a className={site.link} href="https://cloud.google.com/security/compliance" rel="noopener">
          cloud.google.com/security/compliance
        </a>
        .
      </p>
      <p>
        A report that maps to a framework gives your auditor evidence: which logs were kept, what was detected, who
        acted and when. It does not make you compliant by itself, and we do not say so.
      </p>
      <p className={site.actions}>
        <Link className={site.button} to="/contact">
          Ask about your framework
        </Link>
      </p>
    </section>
  );
}
