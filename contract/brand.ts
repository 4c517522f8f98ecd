import { followTexts } from "./shown-texts.ts";

/** The brand texts that an operator edits under Site texts in the menu. */
export interface BrandTexts {
  /** Pages, mails and documents then say that the company does not exist. */
  isSample: boolean;
  name: string;
  legalName: string;
  gstin: string;
  address: string;
  website: string;
  emails: { sales: string; support: string; privacy: string };
  phones: readonly [string, ...string[]];
  offices: readonly { title: string; lines: readonly string[] }[];
  /** The provider's pages on other sites, linked in the footer. */
  externalPages: readonly { label: string; href: string }[];
}

export interface Brand extends BrandTexts {
  meaning: string;
  /** GST state code of the registered office: the first two digits of the GSTIN. */
  stateCode: string;
  /** Periods that the privacy notice promises and that people keep, not the software. */
  promises: { serverLogDays: number; backupDays: number; privacyAnswerDays: number };
  themeColour: string;
}

/**
 * The company that runs the product until an operator enters its own under Site texts.
 * It is a sample: the legal entity, its numbers and addresses do not exist.
 */
export const shippedBrand: Brand = {
  isSample: true,
  name: "Prahari",
  meaning: "Hindi for sentinel",
  legalName: "Prahari Managed Security Private Limited",
  gstin: "29ABCDE1234F1ZW",
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
  externalPages: [
    { label: "Provider’s site", href: "https://prahari.example" },
    { label: "Service status", href: "https://status.prahari.example" },
    { label: "LinkedIn", href: "https://www.linkedin.com/company/prahari-example" },
  ],
  promises: { serverLogDays: 180, backupDays: 30, privacyAnswerDays: 30 },
  themeColour: "#4084f0",
};

/** The company that runs the product now. */
export let brand: Brand = shippedBrand;
followTexts(({ brand: texts, legal }) => {
  brand = {
    ...shippedBrand,
    ...(texts && { ...texts, stateCode: texts.gstin.slice(0, 2) }),
    ...(legal && { promises: legal.promises }),
  };
});
