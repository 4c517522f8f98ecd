/** A figure of the calculation that a visitor may change; `value` is our assumption. */
interface Assumption {
  label: string;
  /** Shown behind the field. */
  unit: string;
  value: number;
  min: number;
  max: number;
}

/** Our assumptions, for the visitor to replace. Money is in whole rupees, as this is not a bill. */
export const assumptions = {
  devices: { label: "Devices to watch", unit: "devices", value: 300, min: 1, max: 5000 },
  chairs: { label: "Analysts on duty at any hour", unit: "chairs", value: 2, min: 1, max: 20 },
  dutyHours: { label: "Hours one analyst is on duty", unit: "a week", value: 30, min: 10, max: 48 },
  others: { label: "Others: tiers 2 and 3, engineer, manager", unit: "people", value: 3, min: 0, max: 50 },
  salary: { label: "Cost of one person", unit: "rupees a year", value: 700_000, min: 0, max: 10_000_000 },
  training: { label: "Hiring and training", unit: "rupees a person, a year", value: 40_000, min: 0, max: 1_000_000 },
  gigabytes: { label: "Logs", unit: "GB a day", value: 20, min: 0, max: 5000 },
  licence: { label: "SIEM licence", unit: "rupees a GB", value: 200, min: 0, max: 5000 },
  machines: {
    label: "Machines, storage, other tools",
    unit: "rupees a year",
    value: 800_000,
    min: 0,
    max: 100_000_000,
  },
} as const satisfies Record<string, Assumption>;
export type FigureName = keyof typeof assumptions;
export type Figures = Record<FigureName, number>;

export const figureNames = Object.keys(assumptions) as FigureName[];
export const ourFigures = Object.fromEntries(figureNames.map((name) => [name, assumptions[name].value])) as Figures;

/** Our claim: this many times lower. */
export const claim = { from: 3, to: 5 } as const;

/** A hundred devices, as a medium-sized company has them. */
export const hundredDevices = [
  { service: "Server", deviceType: "Prod Server", number: 20 },
  { service: "Server", deviceType: "Non-Prod Server", number: 10 },
  { service: "Server", deviceType: "Hypervisor", number: 1 },
  { service: "Server", deviceType: "Web Servers", number: 4 },
  { service: "Databases", deviceType: "Oracle", number: 1 },
  { service: "Databases", deviceType: "MSSQL", number: 3 },
  { service: "Cloud", deviceType: "Azure", number: 5 },
  { service: "Cloud", deviceType: "AWS", number: 10 },
  { service: "Network & Security Solutions", deviceType: "Firewall", number: 4 },
  { service: "Network & Security Solutions", deviceType: "VPN", number: 1 },
  { service: "Network & Security Solutions", deviceType: "AntiVirus/EDR", number: 1 },
  { service: "Network & Security Solutions", deviceType: "Web Application Firewall", number: 1 },
  { service: "Network", deviceType: "Router", number: 6 },
  { service: "Network", deviceType: "Managed Switch", number: 14 },
  { service: "Network", deviceType: "Wifi Devices", number: 15 },
  { service: "Network", deviceType: "Load Balancers", number: 1 },
  { service: "Other", deviceType: "SAN/NAS", number: 1 },
  { service: "Other", deviceType: "Backup Monitoring", number: 2 },
] as const;

/** The sample rate card's price for them, before discount and GST; tests/own-soc-cost.test.ts compares the two. */
const hundredDevicesRupees = 1_264_800;
const sampleDiscounts = [
  { fromDevices: 500, percent: 15 },
  { fromDevices: 250, percent: 12 },
  { fromDevices: 100, percent: 8 },
  { fromDevices: 50, percent: 5 },
] as const;

/** One year of an own SOC compared with one year of the subscription, both before GST. */
export function reckon(figures: Figures) {
  const perChair = 168 / figures.dutyHours;
  const people = Math.ceil(round1(perChair * figures.chairs)) + figures.others;
  const own = {
    people: people * figures.salary,
    training: people * figures.training,
    licence: Math.round(figures.gigabytes * 365 * figures.licence),
    machines: figures.machines,
  };
  const ownTotal = own.people + own.training + own.licence + own.machines;
  const { subscription, discountPercent } = sampleSubscription(figures.devices);
  // Rounded down to a tenth: never in our favour, and an own SOC that costs less never shows as "1.0X".
  const ratio = Math.floor((ownTotal * 10) / subscription) / 10;
  return { perChair, people, own, ownTotal, subscription, discountPercent, ratio };
}

export type Reckoning = ReturnType<typeof reckon>;

/** Whole rupees a year for this many devices of that mix, by the sample rate card, before GST. */
export function sampleSubscription(devices: number): { subscription: number; discountPercent: number } {
  const discountPercent = sampleDiscounts.find(({ fromDevices }) => devices >= fromDevices)?.percent ?? 0;
  return {
    subscription: Math.round((hundredDevicesRupees * devices * (100 - discountPercent)) / 10_000),
    discountPercent,
  };
}

/** The ratio compared with our claim, as a sentence. */
export function verdictOn(ratio: number): string {
  if (ratio < 1) return "With these figures a SOC of your own costs less than the subscription.";
  if (ratio < claim.from)
    return `With these figures it is not ${claim.from}-${claim.to}X lower: our claim does not hold for you.`;
  if (ratio <= claim.to) return `Within the ${claim.from}-${claim.to}X that we claim.`;
  return `More than the ${claim.from}-${claim.to}X that we claim.`;
}

const round1 = (number: number) => Math.round(number * 10) / 10;
