import { formatRupees } from "../../contract/money.ts";
import { paperDay } from "../outside/documents/paper.ts";
import type { Telling } from "./kinds.ts";
import { found } from "./kinds-of-refunds.ts";

interface OfContract {
  organizationName: string;
  contractNumber: string;
  /** As 2027-11-21. */
  endsOn: string;
}

interface OfRenewal extends OfContract {
  quoteNumber: string;
  /** What the customer pays, including tax if there is any. */
  totalPaise: number;
  isTaxed: boolean;
}

/** The facts in each kind of notice about contracts. */
export interface NoticeFactsOfContracts {
  "rates to confirm": OfContract & { quoteNumber: string };
  "less asked": OfContract & { devices: string; byUs: boolean };
  "less agreed": OfContract & { devices: string; from: string; isCredited: boolean };
  "less refused": OfContract & { devices: string; answer: string };
  "renewal due": OfRenewal;
  "renewal accepted": OfRenewal;
  "true-up announced": OfContract & { devices: string; billOn: string };
  "true-up disputed": OfContract & { devices: string };
  "true-up decided": OfContract & { devices: string; billed: boolean };
}

/** The note for a sum that includes tax. */
export const gstIn = ({ isTaxed }: { isTaxed: boolean }) => (isTaxed ? ", GST included" : "");

const ownContract = ({ contractNumber }: OfContract) => `/user/contract?contract=${contractNumber}`;
const contractsOfPartner = ({ contractNumber }: OfContract) => found("/partner/contracts", contractNumber);
const contractsOfProvider = ({ contractNumber }: OfContract) => found("/admin/contracts", contractNumber);

/** Who is told what about contracts; part of `noticeKinds`. */
export const noticesOfContracts: {
  [Kind in keyof NoticeFactsOfContracts]: readonly Telling<NoticeFactsOfContracts[Kind]>[];
} = {
  "rates to confirm": [
    {
      to: "provider",
      title: ({ organizationName }) => `${organizationName} adds devices typed in by hand`,
      text: ({ quoteNumber, contractNumber }) => `${quoteNumber} in ${contractNumber} waits for their rates.`,
      link: contractsOfProvider,
    },
  ],
  "less asked": [
    {
      to: "provider",
      title: ({ organizationName, byUs }) =>
        byUs ? `Devices of ${organizationName} are to be taken away` : `${organizationName} asks for fewer devices`,
      text: ({ devices, contractNumber }) => `${devices} less in ${contractNumber}.`,
      link: contractsOfProvider,
    },
  ],
  "less agreed": [
    {
      to: "customer",
      title: ({ contractNumber }) => `${contractNumber} holds fewer devices`,
      text: ({ devices, from, isCredited }) =>
        `${devices} less from ${paperDay(from)} on.${isCredited ? " The credit note follows by e-mail." : ""}`,
      link: ownContract,
    },
    {
      to: "partner",
      title: ({ organizationName }) => `${organizationName} has fewer devices`,
      text: ({ devices, from, contractNumber }) => `${devices} less in ${contractNumber} from ${paperDay(from)} on.`,
      link: contractsOfPartner,
    },
  ],
  "less refused": [
    {
      to: "customer",
      title: ({ contractNumber }) => `Fewer devices in ${contractNumber} were refused`,
      text: ({ devices, answer }) => `${devices}: ${answer}`,
      link: ownContract,
    },
  ],
  "renewal due": [
    {
      to: "customer",
      title: ({ contractNumber, endsOn }) => `${contractNumber} ends on ${paperDay(endsOn)}`,
      text: ({ quoteNumber, totalPaise, isTaxed }) =>
        `${quoteNumber} renews it for ${formatRupees(totalPaise)}${gstIn({ isTaxed })}.`,
      link: ownContract,
    },
    {
      to: "partner",
      title: ({ organizationName, endsOn }) => `The contract of ${organizationName} ends on ${paperDay(endsOn)}`,
      text: ({ contractNumber, quoteNumber }) => `${quoteNumber} renews ${contractNumber}.`,
      link: contractsOfPartner,
    },
  ],
  "renewal accepted": [
    {
      to: "customer",
      title: ({ quoteNumber }) => `${quoteNumber} is accepted, as was chosen`,
      text: ({ contractNumber, totalPaise }) =>
        `It renews ${contractNumber} for ${formatRupees(totalPaise)} once it is paid. Nothing was charged.`,
      link: ({ quoteNumber }) => found("/user/myquote", quoteNumber),
    },
    {
      to: "partner",
      title: ({ organizationName }) => `${organizationName} renews, as was chosen`,
      text: ({ contractNumber, quoteNumber }) => `${quoteNumber} renews ${contractNumber} once it is paid.`,
      link: contractsOfPartner,
    },
    {
      to: "provider",
      title: ({ organizationName }) => `${organizationName} renews, as was chosen`,
      text: ({ contractNumber, quoteNumber }) => `${quoteNumber} renews ${contractNumber} once it is paid.`,
      link: contractsOfProvider,
    },
  ],
  "true-up announced": [
    {
      to: "customer",
      title: ({ contractNumber }) => `More devices are connected than ${contractNumber} holds`,
      text: ({ devices, billOn }) =>
        `${devices} more. A quote for them follows on ${paperDay(billOn)}; you can dispute it.`,
      link: ownContract,
    },
    {
      to: "partner",
      title: ({ organizationName }) => `${organizationName} has more devices connected than its contract holds`,
      text: ({ devices, contractNumber }) => `${devices} more than in ${contractNumber}.`,
      link: contractsOfPartner,
    },
  ],
  "true-up disputed": [
    {
      to: "provider",
      title: ({ organizationName }) => `${organizationName} disputes a true-up`,
      text: ({ devices, contractNumber }) =>
        `${devices} in ${contractNumber}. It is not billed before one of us decides.`,
      link: contractsOfProvider,
    },
  ],
  "true-up decided": [
    {
      to: "customer",
      title: ({ contractNumber }) => `The true-up of ${contractNumber} is decided`,
      text: ({ devices, billed }) => (billed ? `${devices} are billed.` : `${devices} are not billed.`),
      link: ownContract,
    },
  ],
};
