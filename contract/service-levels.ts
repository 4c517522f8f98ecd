import { shownTexts } from "./shown-texts.ts";

export interface ServiceLevel {
  severity: "P1" | "P2" | "P3" | "P4";
  name: string;
  /** What makes an incident one of this severity. */
  means: string;
  acknowledgeMinutes: number;
  /** null: there is nothing to contain. */
  containMinutes: number | null;
  resolveMinutes: number;
}

export interface ServiceLevels {
  isSample: boolean;
  levels: readonly ServiceLevel[];
}

const hours = 60;
const days = 24 * hours;

/**
 * The promised times by severity, in minutes, at any hour.
 * SAMPLE: an operator enters what its contracts say, under Site texts in the menu.
 */
export const shippedServiceLevels: ServiceLevels = {
  isSample: true,
  levels: [
    {
      severity: "P1",
      name: "Critical",
      means:
        "Somebody is inside and acts: files are being encrypted, data are leaving, an administrator’s account is used by a stranger",
      acknowledgeMinutes: 15,
      containMinutes: 1 * hours,
      resolveMinutes: 4 * hours,
    },
    {
      severity: "P2",
      name: "High",
      means: "One account or machine is taken, or an attack has begun that would become critical",
      acknowledgeMinutes: 30,
      containMinutes: 4 * hours,
      resolveMinutes: 8 * hours,
    },
    {
      severity: "P3",
      name: "Medium",
      means: "Against your policy or out of habit, with no sign of a stranger so far",
      acknowledgeMinutes: 4 * hours,
      containMinutes: 24 * hours,
      resolveMinutes: 5 * days,
    },
    {
      severity: "P4",
      name: "Low",
      means: "A weakness to be mended, a source that fell silent, a question of yours",
      acknowledgeMinutes: 8 * hours,
      containMinutes: null,
      resolveMinutes: 14 * days,
    },
  ],
};

/** The service levels in force. */
export const serviceLevels = (): ServiceLevels => shownTexts.serviceLevels ?? shippedServiceLevels;

/** 15 min, 4 h, 5 days; a period that is not a whole number of the larger unit stays in the smaller. */
export function showPeriod(minutes: number): string {
  if (minutes % days === 0 && minutes > days) return `${minutes / days} days`;
  return minutes % hours === 0 ? `${minutes / hours} h` : `${minutes} min`;
}
