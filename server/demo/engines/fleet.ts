import { earlier } from "../../../contract/durations.ts";

/** The data behind the stand-ins: sample machines and incidents of a manufacturer that does not exist. */
export interface Fleet {
  devices: FleetDevice[];
  findings: FleetFinding[];
  incidents: FleetIncident[];
}

export interface FleetDevice {
  id: string;
  name: string;
  address: string;
  os: string;
  group: string;
  /** Null if it was never seen. */
  lastSeenAt: Date | null;
  /** Null if it has sent nothing recently. */
  lastEventAt: Date | null;
  firstSeenAt: Date;
  /** Its agent reported that it was stopping. */
  isOff?: boolean;
}

export interface FleetFinding {
  number: number;
  title: string;
  severity: "critical" | "high" | "medium" | "low";
  state: "open" | "acknowledged" | "closed";
  at: Date;
  deviceId: string;
  attack: string[];
}

export interface FleetIncident {
  number: number;
  title: string;
  severity: "critical" | "high" | "medium" | "low";
  openedAt: Date;
  firstResponseAt: Date | null;
  closedAt: Date | null;
  isFalseAlarm: boolean;
}

/** The tenant whose records the stand-ins show by default, and one whose records they hide. */
export const tenants = { own: "sample-textiles", other: "sample-steel" } as const;

const kinds = [
  { name: "fw-blr", count: 4, os: "FortiOS 7.4", silent: 2 },
  { name: "srv-erp", count: 4, os: "Red Hat Enterprise Linux 9.4", silent: 0 },
  { name: "srv-file", count: 4, os: "Microsoft Windows Server 2022", silent: 0 },
  { name: "srv-mes", count: 4, os: "Ubuntu 24.04", silent: 0 },
  { name: "pc-office", count: 24, os: "Microsoft Windows 11", silent: 1 },
] as const;

/** Each machine reports at its own pace, so that the clock alone decides when it was last seen. */
export function sampleFleet(now: Date, size = 40, tenant: string = tenants.own): Fleet {
  const all = kinds.flatMap(({ name, count, os, silent }) =>
    Array.from({ length: count }, (_, index) => ({ name: `${name}-${index + 1}`, os, isSilent: index < silent })),
  );
  const devices = Array.from({ length: size }, (_, index): FleetDevice => {
    const { name, os, isSilent } = all[index % all.length] ?? { name: "pc", os: "", isSilent: false };
    const round = Math.floor(index / all.length);
    const isNever = index === 39;
    return {
      id: String(index + 1).padStart(3, "0"),
      name: round === 0 ? name : `${name}-${round}`,
      address: `10.${20 + (round >> 6)}.${((round & 63) << 2) + (index % 4)}.${10 + (index % 40)}`,
      os,
      group: tenant,
      firstSeenAt: earlier(now, { days: 200 - (index % 40) }),
      lastSeenAt: isNever ? null : earlier(now, { seconds: 5 + (index % 50) }),
      // A silent device's agent is alive, but its log source is dead.
      lastEventAt: isNever ? null : earlier(now, isSilent ? { hours: 26 + index } : { seconds: 20 + (index % 300) }),
    };
  });
  return { devices, findings: findingsOf(now, devices), incidents: incidentsOf(now, Math.ceil(size / 40)) };
}

const sightings = [
  { title: "Several failed sign-ins, then one that succeeded", severity: "high", attack: ["T1110"] },
  { title: "A service was installed from a temporary folder", severity: "high", attack: ["T1543.003"] },
  { title: "Outbound connection to an address of a block list", severity: "medium", attack: ["T1071"] },
  { title: "An account was added to a group of administrators", severity: "medium", attack: ["T1098"] },
  { title: "The log of a firewall was cleared", severity: "critical", attack: ["T1070.001"] },
  { title: "A file share was read much more than usual", severity: "low", attack: ["T1039"] },
] as const;

/** One finding every twenty minutes, numbered by the clock, so that repeated answers agree. */
function findingsOf(now: Date, devices: FleetDevice[]): FleetFinding[] {
  const everyMs = 20 * 60_000;
  const last = Math.floor(now.getTime() / everyMs);
  return Array.from({ length: 60 }, (_, back) => {
    const number = last - 59 + back;
    const sighting = sightings[number % sightings.length] ?? sightings[0];
    return {
      ...sighting,
      number,
      attack: [...sighting.attack],
      state: back < 40 ? "closed" : back < 55 ? "acknowledged" : "open",
      at: new Date(number * everyMs),
      deviceId: devices[number % Math.max(devices.length, 1)]?.id ?? "001",
    };
  });
}

/** Three incidents; a larger fleet repeats them under other numbers. */
function incidentsOf(now: Date, rounds: number): FleetIncident[] {
  return Array.from({ length: rounds }, (_, round) =>
    incidentsOfRound(now).map((each) => ({ ...each, number: each.number + 3 * round })),
  ).flat();
}

function incidentsOfRound(now: Date): FleetIncident[] {
  const day = new Date(Math.floor(now.getTime() / 86_400_000) * 86_400_000);
  const at = (days: number, hours: number) => earlier(day, { days, hours });
  return [
    {
      number: 41,
      title: "Sign-ins from two countries within an hour",
      severity: "medium",
      openedAt: at(9, 3),
      firstResponseAt: at(9, 2.8),
      closedAt: at(8, 20),
      isFalseAlarm: true,
    },
    {
      number: 42,
      title: "Ransom note found on a file server, stopped before it spread",
      severity: "critical",
      openedAt: at(4, 6),
      firstResponseAt: at(4, 5.9),
      closedAt: at(3, 22),
      isFalseAlarm: false,
    },
    {
      number: 43,
      title: "Two firewalls send no logs",
      severity: "high",
      openedAt: earlier(day, { hours: 2 }),
      firstResponseAt: earlier(day, { hours: 1.5 }),
      closedAt: null,
      isFalseAlarm: false,
    },
  ];
}
