/**
 * Who runs the product: the one file to change for another provider.
 * What is here is a sample: the legal entity, its numbers and addresses do not exist.
 */
export const brand = {
  isSample: true,
  name: "Prahari",
  meaning: "Hindi for sentinel",
  legalName: "Prahari Managed Security Private Limited",
  gstin: "29ABCDE1234F1ZW",
  /** GST state code of the registered office: Karnataka. */
  stateCode: "29",
  address: "4th Floor, 12 Residency Road, Bengaluru, Karnataka 560025, India",
  website: "https://prahari.example",
  emails: { sales: "sales@prahari.example", support: "support@prahari.example", privacy: "privacy@prahari.example" },
  phones: ["+91 80 5550 0100", "+971 4 555 0100"],
  offices: [
    { title: "Head office, India", lines: ["4th Floor, 12 Residency Road", "Bengaluru, Karnataka 560025", "India"] },
    {
      title: "United Arab Emirates",
      lines: ["Office 1408, Marasi Drive", "Business Bay, Dubai", "United Arab Emirates"],
    },
  ],
  /** Pages of the provider elsewhere, linked in the footer. */
  externalPages: [
    { label: "Provider's site", href: "https://prahari.example" },
    { label: "Service status", href: "https://status.prahari.example" },
    { label: "LinkedIn", href: "https://www.linkedin.com/company/prahari-example" },
  ],
  /** What the company promises in the privacy notice and people keep, not the software: change it to what yours does. */
  promises: { serverLogDays: 180, backupDays: 30, privacyAnswerDays: 30 },
  themeColour: "#4084f0",
} as const;

export type Brand = typeof brand;
