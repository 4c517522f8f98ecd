import { Link, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { brand } from "../../contract/brand.ts";
import { placeOfData, waysToPay } from "../content/buyers-guide.ts";
import { ask } from "../server-api.ts";
import { Onboarding } from "./buyers-guide/onboarding.tsx";
import { OwnProofs, proofsHeading } from "./buyers-guide/own-proofs.tsx";
import { Scope } from "./buyers-guide/scope.tsx";
import { ServiceLevels } from "./buyers-guide/service-levels.tsx";
import classes from "./buyers-guide.module.css";
import { pageMeta } from "../content/page-meta.ts";
import site from "./site.module.css";

export const handle = { reads: true };

export const meta = () =>
  pageMeta(
    "/buyers-guide",
    `Buyer’s guide – ${brand.name}`,
    "Service levels by severity, what is in and out of scope, onboarding week by week, where your data are, and how to pay by bank transfer or purchase order.",
  );

/** The number of log sources comes from the catalogue; if a call fails, the page does without its part. */
export async function loader({ context }: LoaderFunctionArgs) {
  const [logs, proofs] = await Promise.all([
    ask(context, "logs/count", {}).catch(() => null),
    ask(context, "proofs", {}).catch(() => []),
  ]);
  return { logs, proofs };
}

const parts = [
  ["levels", "Service levels"],
  ["scope", "In and out of scope"],
  ["onboarding", "Onboarding"],
  ["place", "Where your data are"],
  ["paying", "Ways to pay"],
  ["yourself", "Doing it yourself"],
] as const;

export default function BuyersGuide() {
  const { logs, proofs } = useLoaderData<typeof loader>();
  return (
    <main id="main">
      <section className={`${site.container} ${site.section}`}>
        <div className={site.head}>
          <p className={site.eyebrow}>Buyer’s guide</p>
          <h1 className={site.display}>What a buyer wants in writing</h1>
          <p className={site.lead}>
            Before the contract, and in the order in which it is asked for. What you sign says it again, with your names
            and dates.
          </p>
        </div>
        <nav aria-label="On this page" className={classes.parts}>
          {parts.map(([id, title]) => (
            <a key={id} href={`#${id}`}>
              {title}
            </a>
          ))}
          {proofs.length > 0 && <a href="#proofs">{proofsHeading(proofs)}</a>}
        </nav>
        <ServiceLevels />
      </section>
      <Scope logs={logs} />
      <Onboarding />
      <section className={site.tinted} aria-labelledby="place">
        <div className={`${site.container} ${site.section}`}>
          <h2 id="place" className={`${site.title} ${classes.title}`}>
            Where your data are
          </h2>
          <Cards cards={placeOfData} />
        </div>
      </section>
      <section className={`${site.container} ${site.section}`} aria-labelledby="paying">
        <h2 id="paying" className={`${site.title} ${classes.title}`}>
          Ways to pay
        </h2>
        <Cards cards={waysToPay} />
        <p className={classes.note}>
          Each of them begins with Buy Now in My Quotes, which shows those that we offer now. Amounts are in rupees and
          carry GST as the proposal shows it.
        </p>
      </section>
      <OwnProofs proofs={proofs} />
      <Yourself />
    </main>
  );
}

function Cards({ cards }: { cards: readonly { title: string; text: string }[] }) {
  return (
    <ul className={`${site.grid} ${classes.cards}`}>
      {cards.map(({ title, text }) => (
        <li key={title} className={classes.card}>
          <h3 className={site.subtitle}>{title}</h3>
          <p className={site.muted}>{text}</p>
        </li>
      ))}
    </ul>
  );
}

function Yourself() {
  return (
    <section className={site.tinted} aria-labelledby="yourself">
      <div className={`${site.container} ${site.section}`}>
        <div className={site.head}>
          <h2 id="yourself" className={site.title}>
            Or do it yourself?
          </h2>
          <p className={site.lead}>
            The home page has the sum of a centre of your own beside the subscription. Its nine assumptions are ours;
            put your own figures in, and it says when we are not the cheaper way.
          </p>
        </div>
        <div className={site.actions}>
          <Link to="/#sum" className={site.button}>
            Open the sum
          </Link>
          <Link to="/estimator" className={site.quiet}>
            Price your devices
          </Link>
          <Link to="/contact" className={site.quiet}>
            Ask a question
          </Link>
        </div>
      </div>
    </section>
  );
}
