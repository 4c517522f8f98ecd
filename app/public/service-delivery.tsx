import { brand } from "../../contract/brand.ts";
import { Reveal } from "./reveal.tsx";
import { pageMeta } from "../content/page-meta.ts";
import { AlertPath } from "./service-delivery/alert-path.tsx";
import { Analysis, Automation } from "./service-delivery/analysis.tsx";
import { Improvement } from "./service-delivery/improvement.tsx";
import { Incident } from "./service-delivery/incident.tsx";
import { Duties, Rhythm } from "./service-delivery/rhythm.tsx";
import { Roles } from "./service-delivery/roles.tsx";
import site from "./site.module.css";

export const handle = { reads: true };

export const meta = () =>
  pageMeta(
    "/ServiceDelivery",
    `Service Delivery – ${brand.name}`,
    "How an alert passes through analyst tiers 1 to 3, what the SOC manager answers for, how incidents are handled, and who does what.",
  );

export default function ServiceDelivery() {
  return (
    <main id="main">
      <section className={`${site.container} ${site.section}`}>
        <div className={site.head}>
          <p className={site.eyebrow}>Service Delivery</p>
          <h1 className={site.display}>What becomes of an alert, and who answers for it</h1>
          <p className={site.lead}>
            A SOC is not a screen but a way of working: who looks first, who decides, who calls you, and what is learnt
            from it. This is ours.
          </p>
        </div>
        <AlertPath />
      </section>
      <Reveal>
        <Roles />
      </Reveal>
      <Reveal>
        <Incident />
      </Reveal>
      <Reveal>
        <Analysis />
      </Reveal>
      <Reveal>
        <Automation />
      </Reveal>
      <Reveal>
        <Improvement />
      </Reveal>
      <Reveal>
        <Rhythm />
      </Reveal>
      <Reveal>
        <Duties />
      </Reveal>
    </main>
  );
}
