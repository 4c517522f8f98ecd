import { brand } from "./brand.ts";
import { limits } from "./limits.ts";
import { shownTexts } from "./shown-texts.ts";

export interface Faq {
  id: string;
  question: string;
  answer: string;
}
interface FaqTopic {
  title: string;
  faqs: Faq[];
}

/** An operator's own answers, by the id of their question. */
export type FaqAnswers = Readonly<Record<string, string | undefined>>;

/** Buyers' questions in the order in which they arise, with the answers in force. */
export const faqTopics = (): FaqTopic[] =>
  shippedFaq.map(({ title, faqs }) => ({
    title,
    faqs: faqs.map((faq) => ({ ...faq, answer: shownTexts.faq?.[faq.id] ?? faq.answer })),
  }));

/** The same with the shipped answers. */
export const shippedFaq: readonly FaqTopic[] = [
  {
    title: "Price and contract",
    faqs: [
      {
        id: "price",
        question: "How is the service priced?",
        answer: `By the number and kind of devices we watch, per year. Count them in the estimator, from 0 to ${limits.deviceCountMax} of each kind, and the price follows as you count: lines, volume discount, GST and total. Send the estimate, and the proposal comes by e-mail as a PDF that says how long it is valid.`,
      },
      {
        id: "growth",
        question: "Do we pay more when our logs grow?",
        answer:
          "No. Log ingestion is unlimited: there is no extra charge for events per second or for daily volume, so nobody has to choose which logs to leave out. Within a contract the price changes only when the number of devices does.",
      },
      {
        id: "length",
        question: "How long is the contract?",
        answer: `Standard contracts start at ${limits.contractMonthsMin} months, because a centre that has learnt what is normal in your network is worth more in its tenth month than in its first. Longer terms are agreed with a consultant.`,
      },
      {
        id: "payment",
        question: "How do we pay, and do we get a GST invoice?",
        answer: `Sign in, open My Quotes and choose Buy Now. You pay on the payment gateway's own page, so no card details ever reach us. As soon as the payment is confirmed, the tax invoice with your GSTIN, ours and the split of the GST is made, mailed to you and kept in your order history. Where we offer them, Buy Now also has bank transfer, with a proforma invoice made at once, and payment against invoice; your purchase order number is printed on the invoice. The Buyer’s guide says more.`,
      },
      {
        id: "excluded",
        question: "What is not included?",
        answer:
          "Hardware, the licences of security products you own, rebuilding or repairing machines, penetration tests, legal advice and certification audits. We tell you what has to be done on a system that only you may touch, and stay with your people until it is done.",
      },
      {
        id: "partner",
        question: "Can we buy through a partner?",
        answer:
          "Yes. A partner can add you as their customer and see your contact and billing details, contracts, orders and payments, your onboarding with its sites, the addresses of your dashboards, your coverage, incidents and reports, in order to support you. Price, logs and analysts are the same either way.",
      },
    ],
  },
  {
    title: "Logs and data",
    faqs: [
      {
        id: "systems",
        question: "Which systems can you watch?",
        answer:
          "Hybrid, on-premises, SaaS and the major clouds: servers, databases, firewalls, identity providers, mail, endpoints, containers and more. The page Supported log Types lists each product that has a ready parser, with its category and log format; search it for yours.",
      },
      {
        id: "custom",
        question: "What if one of our systems is not on the list?",
        answer:
          "Type its name under Custom Devices in the estimator. It is priced at a default rate and marked as subject to confirmation. We confirm its rate and mail you the final proposal; from then on you can buy it. Before it is connected we look at a sample of its log and write the parser.",
      },
      {
        id: "collector",
        question: "Do we have to install anything on our premises?",
        answer:
          "Usually one small collector inside your network. It takes syslog and the events of your servers, and sends them on encrypted; no connection is opened from outside. Servers and workstations that cannot send their own events get an agent. Cloud and SaaS logs are read through the maker's interface with read-only rights.",
      },
      {
        id: "storage",
        question: "Where are our logs kept, and for how long?",
        answer: `Ingested logs are stored in India, those of customers in the UAE too, and stay hot for ${limits.logRetentionDays} days: searchable within the SIEM, with no archive to restore first. That is about twice the 180 days that the CERT-In Directions of 28 April 2022 ask for.`,
      },
      {
        id: "access",
        question: "Who can see our data?",
        answer:
          "The analysts who work for you, and the people you let in. In the customer area everyone has a role: you add your own colleagues, who see dashboards, quotes and orders but cannot add others. Signing in takes a password and a code sent by e-mail, and every session can be ended on the server at once.",
      },
      {
        id: "leaving",
        question: "What happens to our data when we leave?",
        answer:
          "Your logs are yours. Before the contract ends you can have what is still retained handed over in a common format; after that it is deleted, and we confirm it in writing. Format, dates and the period between are fixed in the contract. Invoices stay as long as tax law demands.",
      },
    ],
  },
  {
    title: "The service",
    faqs: [
      {
        id: "tools",
        question: "Do we get SIEM, SOAR and UEBA, or do we choose?",
        answer:
          "All three. SIEM collects the logs and matches them against detection rules; UEBA learns what is usual for each person and machine and points at what is not; SOAR carries out the steps of a response that have been agreed. You open the SIEM and SOAR dashboards from your customer area.",
      },
      {
        id: "ai",
        question: "What does AI do in your SOC, and what does it not do?",
        answer:
          "It puts related alerts together, ranks them by how far they are from usual, and writes a first summary for the analyst, with its sources. People decide. No account is blocked and no machine cut off on the word of a model alone: that takes an analyst, or a playbook you have approved.",
      },
      {
        id: "response-times",
        question: "Which response times do you commit to?",
        answer:
          "The service is SLA-driven: response times by severity are fixed in your contract, measured on every incident and reported to you each month, missed ones included. The Buyer’s guide shows the table, from acknowledged to resolved; yours depends on the sources you connect and on what you let us do on our own.",
      },
      {
        id: "onboarding",
        question: "How does onboarding go?",
        answer:
          "In five steps: a kick-off call that names people and systems; collectors and access; sources in order of risk, each checked for complete logs and a correct clock; a period of learning what is usual, in which rules are tuned; then round-the-clock watch. The Buyer’s guide has a plan week by week; your dates are agreed at kick-off and depend mostly on how quickly access is given.",
      },
      {
        id: "cert-in",
        question: "Will you help us to report to CERT-In within six hours?",
        answer:
          "Yes. The duty to report stays with you and cannot be handed over. The six hours run from noticing the incident or being told of it, not from its confirmation, so we begin at once: what happened, which systems, which indicators, what has been done, laid out in the order of CERT-In's form. At any hour there is an analyst to ask while you file it.",
      },
      {
        id: "reports",
        question: "Which compliance reports do we get?",
        get answer() {
          return `Reports drawn from your own logs, arranged by the framework your auditor asks about: who signed in with high rights, what was changed, which logs are complete, which incidents were handled and how. They are evidence for your audit, not a certificate; ${brand.name} certifies nobody. The page Compliance Certifications shows the frameworks.`;
        },
      },
    ],
  },
];
