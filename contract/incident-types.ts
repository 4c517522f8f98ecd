/** The twenty kinds of incident of Annexure I to the CERT-In Directions of 28 April 2022, by their number. */
export const incidentTypes = {
  1: "Targeted scanning or probing of critical networks or systems",
  2: "Compromise of critical systems or information",
  3: "Unauthorised access to IT systems or data",
  4: "Defacement of a website, or intrusion into one",
  5: "Malicious code: virus, worm, trojan, bot, spyware, ransomware, cryptominer",
  6: "Attack on servers such as database, mail and DNS, or on network devices",
  7: "Identity theft, spoofing and phishing",
  8: "Denial of service (DoS), also distributed (DDoS)",
  9: "Attack on critical infrastructure, SCADA, operational technology or wireless networks",
  10: "Attack on applications such as e-governance and e-commerce",
  11: "Data breach",
  12: "Data leak",
  13: "Attack on the Internet of Things: devices, systems, networks, software, servers",
  14: "Attack or incident affecting digital payment systems",
  15: "Attack through malicious mobile apps",
  16: "Fake mobile apps",
  17: "Unauthorised access to social-media accounts",
  18: "Attack or malicious activity affecting cloud computing",
  19: "The same affecting big data, blockchain, virtual assets, robotics, 3D or 4D printing, drones",
  20: "The same affecting artificial intelligence and machine learning",
} as const;

export type IncidentType = keyof typeof incidentTypes;

export const incidentTypeNumbers = Object.keys(incidentTypes).map(Number) as IncidentType[];
