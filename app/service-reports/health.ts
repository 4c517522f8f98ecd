import { formatCount } from "../../contract/format-count.ts";
import { showTime } from "../components/display.ts";
import type { ServiceTotals, ServiceView } from "../../contract/service-view.ts";
import type { Tone } from "../components/state-badge.tsx";

/** The state of the service in a word and in one sentence. */
export interface Health {
  tone: Tone;
  word: string;
  says: string;
}

type Open = ServiceView["incidents"]["bySeverity"];

/** The health of one customer's service; an unknown state is never called good. */
export function healthOf({ coverage, incidents, actions, moreActions }: ServiceView): Health {
  const { asOf, contracted, connected, unknown, unknownSince } = coverage;
  const toDo = actions.length + moreActions;
  const yours = toDo > 0 ? ` ${toDo === 1 ? "One thing waits" : `${toDo} things wait`} for you.` : "";
  const rest = `${incidentsSay(incidents.bySeverity)}${yours}`;
  if (hasUrgent(incidents.bySeverity))
    return { tone: "bad", word: "Urgent", says: `${coverageSays(coverage)} ${rest}` };
  if (asOf === null || contracted === 0)
    return { tone: "neutral", word: "Nothing contracted yet", says: `No devices are contracted yet. ${rest}` };
  if (unknownSince !== null || unknown > 0)
    return {
      tone: "warning",
      word: "Not all is known",
      says: `${coverageSays(coverage)} ${unknownSince ? `Part of it has not been known since ${showTime(unknownSince)}.` : ""} ${rest}`,
    };
  const isWell = connected === contracted && sumOf(incidents.bySeverity) === 0 && toDo === 0;
  return {
    tone: isWell ? "good" : "warning",
    word: isWell ? "All is well" : "Needs a look",
    says: `${coverageSays(coverage)} ${rest}`,
  };
}

/** The health over several customers. */
export function healthOfMany(totals: ServiceTotals): Health {
  const { customers, unknownCustomers, contracted, connected, bySeverity, broken } = totals;
  if (customers === 0)
    return { tone: "neutral", word: "Nobody yet", says: "No customer has a contract or an engine yet." };
  const late = broken > 0 ? ` ${broken} of them ${broken === 1 ? "has" : "have"} a broken promise.` : "";
  const unknown =
    unknownCustomers > 0
      ? ` ${unknownCustomers} of ${customers} ${customers === 1 ? "customer is" : "customers are"} not fully known.`
      : "";
  const says = `${coverageSays(totals)} ${incidentsSay(bySeverity)}${late}${unknown}`;
  if (hasUrgent(bySeverity) || broken > 0) return { tone: "bad", word: "Urgent", says };
  const isWell = unknownCustomers === 0 && connected === contracted && sumOf(bySeverity) === 0;
  return { tone: isWell ? "good" : "warning", word: isWell ? "All is well" : "Needs a look", says };
}

type Counts = Pick<ServiceTotals, "contracted" | "connected" | "silent" | "neverConnected" | "unknown" | "missing">;

function coverageSays({ contracted, connected, silent, neverConnected, unknown, missing }: Counts): string {
  if (contracted === 0) return "No devices are contracted.";
  const absent = neverConnected + missing;
  const rest = [
    silent > 0 && `${formatCount(silent)} ${silent === 1 ? "is" : "are"} silent`,
    absent > 0 && `${formatCount(absent)} ${absent === 1 ? "is" : "are"} not connected yet`,
    unknown > 0 && `${formatCount(unknown)} ${unknown === 1 ? "is" : "are"} not known`,
  ].filter(Boolean);
  const says = `${formatCount(connected)} of ${formatCount(contracted)} contracted devices are watched`;
  return rest.length > 0 ? `${says}; ${rest.join(", ")}.` : `${says}.`;
}

function incidentsSay(open: Open): string {
  const all = sumOf(open);
  if (all === 0) return "No incident is open.";
  const worst = open.find((each) => each.open > 0);
  const told = all === 1 ? "One incident is open" : `${all} incidents are open`;
  if (!worst) return `${told}.`;
  const severity = worst.severity === "unknown" ? "severity not known" : worst.severity;
  return all === 1 ? `${told} (${severity}).` : `${told} (worst: ${severity}).`;
}

const hasUrgent = (open: Open) =>
  open.some((each) => (each.severity === "P1" || each.severity === "unknown") && each.open > 0);
const sumOf = (open: Open) => open.reduce((sum, each) => sum + each.open, 0);
