import type { DeviceKey } from "../../contract/rates.ts";

/** How a type of device is connected, step by step. */
interface Way {
  /** Categories in the catalogue of log sources that contain its products. */
  categories: readonly string[];
  steps: readonly string[];
}

const agent = [
  "Install the agent that we send you on each of them, with the enrolment key of your organization.",
  "Allow the agent to reach our collector at the address and ports in the same message.",
];
const syslog = [
  "Point its syslog at the collector that we name, over TLS where the product can, and set its clock by NTP.",
  "Log what the product calls informational and above, with the device's own name in each line.",
];
const cloud = [
  "Make a role or an application that can only read the audit logs, and give us its identifier.",
  "Switch on the audit log of every account and region that is to be watched.",
];
const api = [
  "Make an API client that can only read events, and enter its key where we ask for it.",
  ...syslog.slice(1),
];
const audited = ["Switch on the audit log of the database, for sign-ins, changes of rights and of schemas.", ...agent];

const byService: Record<string, Way> = {
  Server: { categories: ["Operating System"], steps: agent },
  Databases: { categories: ["Database"], steps: audited },
  Cloud: { categories: ["Cloud Security"], steps: cloud },
  "Network & Security Solutions": { categories: ["Firewall"], steps: syslog },
  Network: { categories: ["Switches and Routers"], steps: syslog },
  Other: { categories: ["Infrastructure Monitoring"], steps: agent },
};

const byType: Record<string, Partial<Way>> = {
  Hypervisor: { categories: ["Virtualization"], steps: syslog },
  "Web Servers": { categories: ["Web Server"] },
  "Email Servers": { categories: ["Email Security"] },
  "Database Activity Monitoring": { categories: ["Data Security"], steps: syslog },
  Azure: { categories: ["Azure"] },
  AWS: { categories: ["AWS"] },
  "Google Cloud": { categories: ["Google Cloud"] },
  "IPS/IDS": { categories: ["IDS/IPS"] },
  VPN: { categories: ["VPN and Remote Access"] },
  "AntiVirus/EDR": { categories: ["Endpoint Security"], steps: api },
  DLP: { categories: ["Data Loss Prevention"] },
  "Web Application Firewall": { categories: ["Web Application Firewall"] },
  NDR: { categories: ["Network Detection and Response"] },
  NBAD: { categories: ["Network Detection and Response"] },
  MDM: { categories: ["Mobile Device Management"], steps: api },
  "Email Security Gateway": { categories: ["Email Security"], steps: api },
  PAM: { categories: ["Privileged Access Management"] },
  "Web Proxy": { categories: ["Web Proxy"] },
  "Wifi Devices": { categories: ["Wireless"] },
  "Wifi Controller": { categories: ["Wireless"] },
  "Load Balancers": { categories: ["Load Balancer and ADC"] },
  "SAN/NAS": { categories: ["Storage and Backup"], steps: syslog },
  "Backup Monitoring": { categories: ["Storage and Backup"], steps: syslog },
  Dockers: { categories: ["Containers and Kubernetes"] },
  Kubernetes: { categories: ["Containers and Kubernetes"] },
};

/** How devices of a type are connected; for a type that an administrator added, by its service. */
export function wayOf({ service, deviceType }: DeviceKey): Way {
  const ofService = byService[service] ?? {
    categories: [],
    steps: ["Tell us the product: we say how it is connected."],
  };
  return { ...ofService, ...byType[deviceType] };
}
