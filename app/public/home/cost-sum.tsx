import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { countOf } from "../../components/count-of.ts";
import site from "../site.module.css";
import classes from "./cost-sum.module.css";
import {
  assumptions,
  type FigureName,
  figureNames,
  type Figures,
  hundredDevices,
  ourFigures,
  reckon,
  type Reckoning,
  verdictOn,
} from "./own-soc-cost.ts";

/**
 * The calculation behind "3-5X lower", with assumptions that a visitor can change. It is complete as HTML and uses the
 * browser's own fields, so that the script can adopt what was typed before it loaded.
 */
export function CostSum() {
  const form = useRef<HTMLFormElement>(null);
  const [figures, setFigures] = useState(ourFigures);
  const read = () => setFigures((before) => (form.current ? figuresOf(form.current, before) : before));
  useEffect(read, []);
  const sum = reckon(figures);
  return (
    <form
      ref={form}
      id="sum"
      className={classes.sum}
      aria-labelledby="sum-title"
      autoComplete="off"
      onInput={read}
      // The fields are reset only after this event.
      onReset={() => setTimeout(read)}
      onSubmit={(event) => event.preventDefault()}
    >
      <Verdict {...sum} />
      <fieldset className={classes.assumptions}>
        <legend id="sum-title">The sum, with our assumptions: put in your own figures</legend>
        {figureNames.map((name) => (
          <Assumption key={name} name={name} />
        ))}
        <noscript>
          <p className={classes.note}>Without JavaScript the sum stays with our assumptions.</p>
        </noscript>
        <button type="reset" className={site.quiet}>
          Back to our assumptions
        </button>
      </fieldset>
      <Lines figures={figures} sum={sum} />
    </form>
  );
}

/** The fields' values; an empty or invalid one keeps the previous value. */
function figuresOf(form: HTMLFormElement, before: Figures): Figures {
  const figures = { ...before };
  for (const name of figureNames) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement && field.value !== "" && field.validity.valid)
      figures[name] = field.valueAsNumber;
  }
  return figures;
}

function Assumption({ name }: { name: FigureName }) {
  const { label, unit, value, min, max } = assumptions[name];
  const id = `sum-${name}`;
  return (
    <div className={classes.assumption}>
      <label htmlFor={id}>{label}</label>
      <span className={classes.field}>
        <input
          id={id}
          name={name}
          type="number"
          inputMode="numeric"
          required
          defaultValue={value}
          min={min}
          max={max}
          step={1}
          aria-describedby={`${id}-unit ${id}-bounds`}
        />
        <span id={`${id}-unit`}>{unit}</span>
      </span>
      <span id={`${id}-bounds`} className={classes.bounds}>
        A whole number from {grouped(min)} to {grouped(max)}, please
      </span>
    </div>
  );
}

/** Comes first, so that it is visible on a phone without scrolling past the fields. */
function Verdict({ ownTotal, subscription, ratio }: Reckoning) {
  const longest = Math.max(ownTotal, subscription, 1);
  return (
    <div className={classes.verdict}>
      <output>
        <strong>{ratio < 1 ? "Not lower" : `${ratio.toFixed(1)}X lower`}</strong> {verdictOn(ratio)}
      </output>
      <div className={classes.bars} aria-hidden="true">
        <span>A SOC of your own</span>
        <i className={classes.own} style={{ inlineSize: `${(ownTotal / longest) * 100}%` }} />
        <span>The subscription</span>
        <i className={classes.ours} style={{ inlineSize: `${(subscription / longest) * 100}%` }} />
      </div>
    </div>
  );
}

function Lines({ figures, sum }: { figures: Figures; sum: Reckoning }) {
  const { perChair, people, own, ownTotal, subscription, discountPercent } = sum;
  const { chairs, dutyHours, others, gigabytes, devices } = figures;
  return (
    <div className={classes.result}>
      <dl className={classes.lines}>
        <Line
          what={`${people} people`}
          how={`${chairs} × ${perChair.toFixed(1)} for a chair that is never empty (168 h a week ÷ ${dutyHours}), and ${countOf(others, "other")}`}
          rupees={own.people}
        />
        <Line what="Hiring and training" rupees={own.training} />
        <Line what="SIEM licence" how={`${grouped(gigabytes)} GB × 365 days`} rupees={own.licence} />
        <Line what="Machines, storage, other tools" rupees={own.machines} />
        <Line what="A SOC of your own, a year" rupees={ownTotal} isTotal />
        <Line
          what="The subscription, a year"
          how={`${countOf(devices, "device")} by a sample rate card${discountPercent > 0 ? `, less ${discountPercent}% for their number` : ""}`}
          rupees={subscription}
          isTotal
        />
      </dl>
      <p className={classes.note}>
        Both before GST. None of these figures is a market statistic: they are assumptions of ours, and{" "}
        <Link to="/blog/soc-tiers-explained" className={site.link}>
          how 30 hours come about
        </Link>{" "}
        is in our blog.
      </p>
      <details className={classes.mix}>
        <summary>Which devices the price is for</summary>
        <p>
          In each hundred: {hundredDevices.map(({ deviceType, number }) => `${number} ${deviceType}`).join(", ")}. For
          your own list at the rates that hold today, <Link to="/estimator">open the estimator</Link>.
        </p>
      </details>
    </div>
  );
}

function Line({
  what,
  how,
  rupees,
  isTotal = false,
}: {
  what: string;
  how?: string;
  rupees: number;
  isTotal?: boolean;
}) {
  return (
    <div className={isTotal ? classes.total : undefined}>
      <dt>
        {what}
        {how && <small>{how}</small>}
      </dt>
      <dd>
        <span className={classes.sign}>₹</span>
        {grouped(rupees)}
      </dd>
    </div>
  );
}

const inIndia = new Intl.NumberFormat("en-IN", { maximumFractionDigits: 0 });
const grouped = (number: number) => inIndia.format(number);
