import type { Catalogue, DeviceKey } from "./rates.ts";

/**
 * The estimator's groups and device types from the specification, section 2. They fill a new database, and the
 * estimator shows them until it has loaded the catalogue of the rate card in force.
 */
export const deviceCatalogue = [
  { service: "Server", deviceTypes: ["Prod Server", "Non-Prod Server", "Hypervisor", "Web Servers", "Email Servers"] },
  { service: "Databases", deviceTypes: ["Oracle", "MySQL", "MSSQL", "Database Activity Monitoring"] },
  {
    service: "Cloud",
    deviceTypes: ["Azure", "AWS", "Google Cloud", "Cloud Security Posture Management", "Cloud Workload Protection"],
  },
  {
    service: "Network & Security Solutions",
    deviceTypes: [
      "Firewall",
      "IPS/IDS",
      "VPN",
      "AntiVirus/EDR",
      "DLP",
      "Web Application Firewall",
      "NDR",
      "NBAD",
      "MDM",
      "Email Security Gateway",
      "PAM",
      "Web Proxy",
    ],
  },
  {
    service: "Network",
    deviceTypes: ["Router", "Managed Switch", "Wifi Devices", "Wifi Controller", "Load Balancers"],
  },
  { service: "Other", deviceTypes: ["SAN/NAS", "Backup Monitoring", "Dockers", "Kubernetes", "Workstation"] },
] as const;

/** The same in the form that `catalogue` answers. */
export const shippedCatalogue: Catalogue = {
  groups: deviceCatalogue.map(({ service, deviceTypes }) => ({
    name: service,
    types: deviceTypes.map((deviceType) => ({ service, deviceType, name: deviceType })),
  })),
};

/** A type's key as one string, for look-ups and comparison. */
export const keyOf = ({ service, deviceType }: DeviceKey) => `${service}|${deviceType}`;

/** The service under which devices typed in by hand are listed. */
export const customService = "Customization";
