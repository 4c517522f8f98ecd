import type { EntityClass } from "../../../contract/entity-classes.ts";
import type { ObligationWords } from "../../../contract/obligation-kinds.ts";
import type { EditableObligation } from "../../../contract/obligations.ts";
import {
  factKindNames,
  factKinds,
  type RegulatorFactKind,
  type TimeFact,
} from "../../../contract/regulator-fact-words.ts";

/** An obligation as the form holds it: each rule in its own field. */
export interface TypedObligation {
  key: string;
  on: boolean;
  instrument: string;
  paragraph: string;
  title: string;
  classes: EntityClass[];
  exceptClasses: EntityClass[];
  types: "any" | "listed" | "none" | "some";
  typeNumbers: string;
  personalData: "" | "yes" | "no";
  material: "" | "yes" | "no";
  severity: string[];
  origin: string[];
  kind: ObligationWords["deadline"]["kind"];
  hours: number | string;
  anchors: TimeFact[];
  months: string;
  days: string;
  recipient: string;
  form: string;
  formSeen: boolean;
  isReportToSebi: boolean;
  validFrom: string;
  validTo: string;
  confidence: ObligationWords["confidence"];
  source: string;
  note: string;
}

const empty: TypedObligation = {
  key: "",
  on: true,
  instrument: "",
  paragraph: "",
  title: "",
  classes: [],
  exceptClasses: [],
  types: "any",
  typeNumbers: "",
  personalData: "",
  material: "",
  severity: [],
  origin: [],
  kind: "relative",
  hours: 6,
  anchors: [],
  months: "3, 6, 9, 12",
  days: "",
  recipient: "",
  form: "",
  formSeen: false,
  isReportToSebi: false,
  validFrom: "",
  validTo: "",
  confidence: "U",
  source: "",
  note: "",
};

/** The fields' initial values. */
export function typedOf(edited: EditableObligation | "new"): TypedObligation {
  if (edited === "new") return empty;
  const { words } = edited;
  const { deadline } = words;
  return {
    ...empty,
    ...typedRequirements(words.requires),
    key: edited.key,
    on: words.on,
    instrument: words.instrument,
    paragraph: words.paragraph,
    title: words.title,
    classes: words.classes,
    exceptClasses: words.exceptClasses,
    kind: deadline.kind,
    ...(deadline.kind === "relative" && { hours: deadline.minutes / 60 }),
    ...(deadline.kind === "calendar"
      ? { months: deadline.afterMonths.join(", "), days: deadline.days === null ? "" : String(deadline.days) }
      : { anchors: deadline.anchors }),
    recipient: words.recipient,
    form: words.form.map(({ label, fact }) => (fact ? `${label} | ${factKinds[fact].label}` : label)).join("\n"),
    formSeen: words.formSeen,
    isReportToSebi: words.filingIs !== null,
    validFrom: words.validFrom ?? "",
    validTo: words.validTo ?? "",
    confidence: words.confidence,
    source: words.source,
    note: words.note,
  };
}

function typedRequirements(requires: ObligationWords["requires"]): Partial<TypedObligation> {
  const typed: Partial<TypedObligation> = {};
  for (const requirement of requires) {
    if (requirement.fact === "types") {
      const { any } = requirement;
      Object.assign(typed, typeof any === "string" ? { types: any } : { types: "some", typeNumbers: any.join(", ") });
    } else if ("is" in requirement)
      typed[requirement.fact === "material" ? "material" : "personalData"] = requirement.is ? "yes" : "no";
    else if (requirement.fact === "severity") typed.severity = requirement.any;
    else typed.origin = requirement.any;
  }
  return typed;
}

const numbersIn = (text: string) =>
  text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map(Number);

/** The words to send: only those that belong to the chosen kind of deadline. */
export function wordsOf(typed: TypedObligation): unknown {
  const { kind, anchors } = typed;
  return {
    on: typed.on,
    instrument: typed.instrument,
    paragraph: typed.paragraph,
    title: typed.title,
    classes: typed.classes,
    exceptClasses: typed.exceptClasses,
    requires: [
      ...(typed.types === "any"
        ? []
        : [{ fact: "types", any: typed.types === "some" ? numbersIn(typed.typeNumbers) : typed.types }]),
      ...(typed.personalData ? [{ fact: "personal data", is: typed.personalData === "yes" }] : []),
      ...(typed.material ? [{ fact: "material", is: typed.material === "yes" }] : []),
      ...(typed.severity.length > 0 ? [{ fact: "severity", any: typed.severity }] : []),
      ...(typed.origin.length > 0 ? [{ fact: "origin", any: typed.origin }] : []),
    ],
    deadline:
      kind === "calendar"
        ? { kind, afterMonths: numbersIn(typed.months), days: typed.days.trim() === "" ? null : Number(typed.days) }
        : kind === "immediate"
          ? { kind, anchors }
          : { kind, minutes: Math.round(Number(typed.hours) * 60), anchors },
    recipient: typed.recipient,
    form: typed.form
      .split("\n")
      .filter((line) => line.trim())
      .map((line) => {
        const [label = "", fact = ""] = line.split("|").map((part) => part.trim());
        return { label, fact: factNamed(fact) };
      }),
    formSeen: typed.formSeen,
    filingIs: typed.isReportToSebi ? "reported to sebi" : null,
    validFrom: typed.validFrom || null,
    validTo: typed.validTo || null,
    confidence: typed.confidence,
    source: typed.source,
    note: typed.note.trim(),
  };
}

const factNamed = (label: string): RegulatorFactKind | null =>
  factKindNames.find((kind) => factKinds[kind].label.toLowerCase() === label.toLowerCase()) ?? null;
