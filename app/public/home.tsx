import { brand } from "../../contract/brand.ts";
import { Reveal } from "./reveal.tsx";
import { faqTopics } from "../../contract/faq.ts";
import { Consultant } from "./home/consultant.tsx";
import { Features } from "./home/features.tsx";
import { Figures } from "./home/figures.tsx";
import { Hero } from "./home/hero.tsx";
import { Need } from "./home/need.tsx";
import { Principle } from "./home/principle.tsx";
import { Questions } from "./home/questions.tsx";
import { Why } from "./home/why.tsx";
import { pageMeta, siteAddress } from "../content/page-meta.ts";
import { organization, service } from "../content/structured-data.ts";

export const handle = { reads: true };

export const meta = () => [
  ...pageMeta("/", brand.name, brand.name),
  { "script:ld+json": organization(siteAddress()) },
  { "script:ld+json": service(siteAddress()) },
  { "script:ld+json": faqPage() },
];

const faqPage = () => ({
  "@context": "https://schema.org",
  "@type": "FAQPage",
  mainEntity: faqTopics()
    .flatMap(({ faqs }) => faqs)
    .map(({ question, answer }) => ({
      "@type": "Question",
      name: question,
      acceptedAnswer: { "@type": "Answer", text: answer },
    })),
});

export default function Home() {
  return (
    <main id="main">
      <Hero />
      <Figures />
      <Reveal>
        <Need />
      </Reveal>
      <Reveal>
        <Features />
      </Reveal>
      <Reveal>
        <Why />
      </Reveal>
      <Reveal>
        <Consultant />
      </Reveal>
      <Reveal>
        <Principle />
      </Reveal>
      <Reveal>
        <Questions />
      </Reveal>
    </main>
  );
}
