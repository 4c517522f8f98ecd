import { brand } from "../../contract/brand.ts";
import { Reveal } from "./reveal.tsx";
import { Beliefs, HowWeWork } from "./about/beliefs.tsx";
import { LogHandling, OpenProduct } from "./about/log-handling.tsx";
import { NameStory } from "./about/name-story.tsx";
import { Offices } from "./about/offices.tsx";
import { pageMeta } from "../content/page-meta.ts";

export const handle = { reads: true };

export const meta = () =>
  pageMeta(
    "/about",
    `About – ${brand.name}`,
    "What we believe about logs and prices, how we work in shifts, where our offices are, how we handle logs, and why this site is open source.",
  );

export default function About() {
  return (
    <main id="main">
      <NameStory />
      <Reveal>
        <Beliefs />
      </Reveal>
      <Reveal>
        <HowWeWork />
      </Reveal>
      <Reveal>
        <Offices />
      </Reveal>
      <Reveal>
        <LogHandling />
      </Reveal>
      <Reveal>
        <OpenProduct />
      </Reveal>
    </main>
  );
}
