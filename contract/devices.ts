/** The estimator's groups and device types, specification section 2. */
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

/** The service under which devices typed in by hand are listed. */
export const customService = "Customization";
