import type { ReactNode } from "react";
import { Link } from "react-router";
import site from "../site.module.css";
import { BehaviourSketch, CloudsSketch, GroupingSketch, PlaybookSketch, SearchSketch } from "./feature-sketches.tsx";
import classes from "./features.module.css";

export function Features() {
  return (
    <section className={`${site.container} ${site.section}`} aria-labelledby="features">
      <div className={site.head}>
        <h2 id="features" className={site.title}>
          Everything a SOC is made of, in one subscription
        </h2>
        <p className={site.lead}>
          The tools, the people who work with them and the reports they produce. There are no modules to choose from.
        </p>
      </div>
      <div className={classes.bento}>
        <Feature title="SIEM: every log in one place" className={classes.wide} sketch={<SearchSketch />}>
          Unlimited log ingestion, hot for 365 days and stored in India. A question about last winter is answered as
          fast as one about this morning.
        </Feature>
        <Feature title="UEBA: what is usual, and what is not" sketch={<BehaviourSketch />}>
          Each person and machine has habits. We learn them, and look twice when one breaks with its own.
        </Feature>
        <Feature title="SOAR: agreed steps, taken at once" sketch={<PlaybookSketch />}>
          What you have approved runs in seconds; what you have not, waits for your word.
        </Feature>
        <Feature title="An AI-driven SOC, led by people" className={classes.wide} sketch={<GroupingSketch />}>
          Models put related alerts together, rank them and write the first summary. An analyst reads it, checks it
          against the logs and decides.
        </Feature>
        <Feature title="Wherever your systems are" className={classes.full} sketch={<CloudsSketch />}>
          Hybrid, on-premises, SaaS and the major clouds, side by side.{" "}
          <Link to="/LogInjection" className={site.link}>
            See the supported log types
          </Link>
        </Feature>
        <ul className={classes.list}>
          <li>
            <h3>24x7 detection and response</h3>
            <p>Analysts in three tiers and a SOC manager, in shifts, on every day of the year.</p>
          </li>
          <li>
            <h3>SLA-driven</h3>
            <p>Response times by severity are in your contract, and are reported each month, missed ones too.</p>
          </li>
          <li>
            <h3>Compliance reports</h3>
            <p>
              Drawn from your logs, arranged by <Link to="/GCPSecurity">the framework your auditor asks about</Link>.
            </p>
          </li>
        </ul>
      </div>
    </section>
  );
}

interface FeatureProps {
  title: string;
  sketch: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}

function Feature({ title, sketch, className, children }: FeatureProps) {
  return (
    <div className={`${classes.feature} ${className ?? ""}`}>
      <div className={classes.words}>
        <h3 className={site.subtitle}>{title}</h3>
        <p className={site.muted}>{children}</p>
      </div>
      <div className={classes.sketch}>{sketch}</div>
    </div>
  );
}
