import { Link } from "react-router";
import { limits } from "../../../contract/limits.ts";
import site from "../site.module.css";
import classes from "./log-handling.module.css";

const stages = [
  [
    "Sent encrypted",
    "From a collector inside your network, or read from your clouds with read-only rights. Nothing connects to you from outside.",
    0,
  ],
  ["Stored in India", `Ingested logs stay in India, hot and searchable for ${limits.logRetentionDays} days.`, 1],
  [
    "Read for one purpose",
    "To find and handle attacks on you, by analysts whose role allows it. Never sold, never lent.",
    2,
  ],
  [
    "Deleted on time",
    "When their time is over, or after the contract ends and you have taken what you want to keep.",
    3,
  ],
] as const;

export function LogHandling() {
  return (
    <section className={site.tinted} aria-labelledby="handling">
      <div className={`${site.container} ${site.section}`}>
        <div className={site.head}>
          <h2 id="handling" className={site.title}>
            How we handle what you entrust to us
          </h2>
          <p className={site.lead}>
            Logs tell who worked when, from where and with whom. They are yours, and we treat them as such.
          </p>
        </div>
        <ol className={classes.stages}>
          {stages.map(([title, text, drawing]) => (
            <li key={title}>
              <Stage drawing={drawings[drawing]} />
              <h3 className={site.subtitle}>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
        <p className={classes.more}>
          What this site itself stores about you is in the{" "}
          <Link to="/privacy-policy" className={site.link}>
            privacy policy
          </Link>
          .
        </p>
      </div>
    </section>
  );
}

/** Outlines, and how far each is shifted to align with the text's edge. */
const drawings = [
  ["M4 34h30M52 20h20v28H52zM56 20v-6a6 6 0 0 1 12 0v6M62 31v6M82 34h32m-8-7 8 7-8 7", 0],
  [
    "M30 18c0-5 13-9 30-9s30 4 30 9-13 9-30 9-30-4-30-9v32c0 5 13 9 30 9s30-4 30-9V18M30 34c0 5 13 9 30 9s30-4 30-9",
    -26,
  ],
  ["M24 34c10-15 22-22 36-22s26 7 36 22c-10 15-22 22-36 22s-26-7-36-22ZM60 25a9 9 0 1 1 0 18 9 9 0 0 1 0-18Z", -20],
  ["M60 8a26 26 0 1 1-25 19M35 12v16h16M60 20v14l9 8", -31],
] as const;

function Stage({ drawing: [outline, shift] }: { drawing: (typeof drawings)[number] }) {
  return (
    <svg viewBox="0 0 120 68" aria-hidden="true" focusable="false" className={classes.drawing}>
      <path d={outline} transform={`translate(${shift} 0)`} />
    </svg>
  );
}

/** The open parts of the product, drawn as the repository's tree. */
export function OpenProduct() {
  const tree = [
    ["contract/", "what browser and server agree on"],
    ["app/", "this page, and the customer area"],
    ["server/", "quotes, orders, invoices, sign-in"],
    ["tests/", "the whole way from quote to invoice"],
    ["LICENSE", "Apache-2.0"],
  ] as const;
  return (
    <section className={`${site.container} ${site.section}`} aria-labelledby="open">
      <div className={site.split}>
        <div className={classes.words}>
          <h2 id="open" className={site.title}>
            This site is open source, all of it
          </h2>
          <p>
            From this page to the tax invoice, the software you are using is published under the Apache License 2.0. Who
            wants to know how a price is reckoned, how a password is stored or what a partner may see can read it, and
            does not have to take our word.
          </p>
          <p>
            Another provider may run it under a name of its own. The name, the addresses and the numbers on this site
            can be changed in the product for that reason.
          </p>
          <div className={site.actions}>
            <Link to="/ServiceDelivery" className={site.button}>
              See how the service is delivered
            </Link>
            <Link to="/contact" className={site.quiet}>
              Write to us
            </Link>
          </div>
        </div>
        <div className={classes.window}>
          <p className={classes.title}>prahari</p>
          <dl>
            {tree.map(([name, what]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
    </section>
  );
}
