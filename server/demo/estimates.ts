import type { SelectedDevice } from "../../contract/quotes.ts";

/** A demo estimate and what became of it. */
export interface DemoEstimate {
  /** The customer's name; otherwise the estimate is a visitor's. */
  customer?: string;
  visitor?: { organizationName: string; userName: string; email: string };
  daysAgo: number;
  users: number;
  message: string;
  devices: SelectedDevice[];
  /** Days from the estimate to its payment, or to its purchase by bank. */
  paidAfterDays?: number;
  /** Bought by transfer, which is still due or came net of tax, or against invoice. */
  byBank?: { way: "proforma" | "transfer" | "invoice"; deducts?: true };
  /** The state of an order that was started and not paid. */
  unpaid?: "failure" | "pending" | "review";
  /** Whether an attempt failed before the one that paid. */
  failedFirst?: boolean;
}

const servers = (number: number): SelectedDevice => ({ service: "Server", deviceType: "Prod Server", number });
const firewalls = (number: number): SelectedDevice => ({
  service: "Network & Security Solutions",
  deviceType: "Firewall",
  number,
});
const cloud = (number: number): SelectedDevice => ({ service: "Cloud", deviceType: "AWS", number });
const workstations = (number: number): SelectedDevice => ({ service: "Other", deviceType: "Workstation", number });
const databases = (number: number): SelectedDevice => ({ service: "Databases", deviceType: "Oracle", number });

/** Oldest first, so that lists show the newest on top. */
export const demoEstimates: DemoEstimate[] = [
  {
    ...paid("Sample Textiles", 345, 60, "our first plant and its office.", [
      servers(6),
      firewalls(4),
      workstations(30),
    ]),
    failedFirst: true,
  },
  paid("Sample Logistics", 318, 90, "one warehouse and its yard gates.", [servers(12), firewalls(2)]),
  paid("Sample Hospitals", 290, 420, "three wards, the laboratory and the imaging archive.", [
    servers(36),
    databases(4),
  ]),
  paid("Sample Foods", 255, 70, "the bottling line and the head office.", [servers(9), workstations(40)]),
  paid("Sample Steel", 228, 260, "two mills; the furnace network stays apart.", [servers(22), firewalls(6)]),
  paid("Sample Insurance", 196, 310, "claims servers and the agents' portal.", [servers(30), cloud(12)]),
  paid("Sample Pharma", 170, 180, "production, quality and the cold store.", [servers(18), databases(3)]),
  byBank("Sample Foods", 150, 30, "the cold chain.", [servers(5), workstations(20)], {
    way: "transfer",
    deducts: true,
  }),
  paid("Sample Schools", 141, 55, "eleven schools behind one firewall pair.", [servers(6), firewalls(2)]),
  paid("Sample Software", 112, 140, "everything we run is in the cloud.", [cloud(64)]),
  paid("Sample Logistics", 84, 120, "the second warehouse.", [servers(14), firewalls(2), workstations(60)]),
  paid("Sample Motors", 61, 230, "forty showrooms over one VPN.", [servers(16), firewalls(10)]),
  byBank("Sample Insurance", 58, 90, "the branch offices.", [firewalls(4), workstations(60)], { way: "invoice" }),
  of("Sample Textiles", 45, 80, "our first office only.", [servers(6)]),
  lead("Sample Dairy", "Gurpreet Kaur", 41, 65, "cooling plants in four districts.", [servers(7), firewalls(4)]),
  paid("Sample Hospitals", 33, 120, "the new wing.", [servers(10), workstations(90)], 4),
  lead("Sample Ports", "Rakesh Nambiar", 27, 500, "terminals and the gate cameras.", [servers(40), firewalls(12)]),
  byBank("Sample Logistics", 24, 40, "a third warehouse.", [servers(4), firewalls(2)], {
    way: "invoice",
    deducts: true,
  }),
  { ...of("Sample Hotels", 20, 75, "nine hotels, one booking system.", [servers(11)]), unpaid: "failure" },
  lead("Sample Ceramics", "Hetal Shah", 14, 45, "kilns and a small office.", [servers(4), workstations(20)]),
  paid("Sample Credit Union", 10, 95, "core banking in two data centres.", [servers(20), databases(6)], 2),
  byBank("Sample Pharma", 9, 25, "the research building.", [servers(6), databases(1)], { way: "proforma" }),
  { ...of("Sample Retail", 8, 150, "tills in sixty shops.", [servers(10), workstations(180)]), unpaid: "review" },
  lead("Sample Solar", "Devika Nair", 6, 30, "inverters report to the cloud.", [cloud(20)]),
  paid("Sample Software", 4, 160, "two more regions.", [cloud(28)], 1),
  of("Sample Textiles", 3, 140, "two plants and a head office, with the cloud accounts.", [
    servers(24),
    firewalls(4),
    cloud(18),
    workstations(120),
  ]),
  { ...of("Sample Shipping الخليج", 2, 60, "offices in Kochi and Dubai.", [servers(8)]), unpaid: "pending" },
  of("Sample Textiles", 1, 140, "the same with our SCADA gateways.", [
    servers(24),
    { service: "Customization", deviceType: "SCADA gateway", number: 3 },
  ]),
  lead("Sample Airways", "Kabir Anand", 0, 800, "ground systems at six airports.", [servers(55), firewalls(14)]),
];

function of(
  customer: string,
  daysAgo: number,
  users: number,
  message: string,
  devices: SelectedDevice[],
): DemoEstimate {
  return { customer, daysAgo, users, message: `Sample: ${message}`, devices };
}

function paid(
  customer: string,
  daysAgo: number,
  users: number,
  message: string,
  devices: SelectedDevice[],
  paidAfterDays = 5,
): DemoEstimate {
  return { ...of(customer, daysAgo, users, message, devices), paidAfterDays };
}

function byBank(
  ...[customer, daysAgo, users, message, devices, how]: [...Parameters<typeof of>, DemoEstimate["byBank"]]
) {
  return { ...paid(customer, daysAgo, users, message, devices), byBank: how };
}

function lead(
  organizationName: string,
  userName: string,
  daysAgo: number,
  users: number,
  message: string,
  devices: SelectedDevice[],
): DemoEstimate {
  const email = `${(userName.split(" ")[0] ?? "").toLowerCase()}@lead.example`;
  return { visitor: { organizationName, userName, email }, daysAgo, users, message: `Sample: ${message}`, devices };
}
