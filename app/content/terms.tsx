import { brand } from "../../contract/brand.ts";
import type { PolicySection } from "./privacy-policy.tsx";

const SalesMail = () => <a href={`mailto:${brand.emails.sales}`}>{brand.emails.sales}</a>;
const SupportAddress = () => brand.emails.support;
const LegalName = () => brand.legalName;

/** Terms for using the site and its portals; the service itself is under its own contract. */
export const termsOfService: readonly PolicySection[] = [
  {
    id: "terms-scope",
    title: "What these terms cover",
    text: (
      <p>
        They cover this site, its estimator and the portals for customers, partners and administrators. The monitoring
        service you buy is governed by the service contract you sign with <LegalName />, with its own service levels,
        data processing and liability clauses. Where the two differ, the service contract prevails.
      </p>
    ),
  },
  {
    id: "terms-accounts",
    title: "Accounts",
    text: (
      <p>
        You register for a business and must be entitled to act for it. Keep your password and the codes we mail to you
        to yourself, give each person an account of their own, and tell us at once at <SupportAddress /> if you suspect
        that someone else uses yours. We may suspend an account to stop misuse, and say so to its owner unless the law
        forbids it.
      </p>
    ),
  },
  {
    id: "terms-quotes",
    title: "Quotes and orders",
    text: (
      <>
        <p>
          The estimator prices the devices you count. A quote is valid to the end of the day that it names, in India, at
          the prices it shows, with goods and services tax as stated. Lines marked “subject to confirmation” stand at a
          default rate, and a quote that has any can’t be bought yet: we confirm their rates and send the proposal anew,
          with a new day to which it is valid. Each quote can be bought once. Paid online, it is bought when the payment
          gateway confirms payment of its total, and we then send a tax invoice. By bank transfer it is bought when what
          its proforma invoice asks for has arrived, and the tax invoice follows then. Against invoice, where we offer
          that, it is bought when you choose so; the tax invoice comes at once and says by which day to pay.
        </p>
        <p>
          Standard contracts start at 12 months. Renewal, early ending and refunds follow the service contract; a
          payment taken twice or without an order is returned in full to where it came from.
        </p>
      </>
    ),
  },
  {
    id: "terms-use",
    title: "Fair use",
    text: (
      <ul>
        <li>Do not try to reach other organisations’ data, or to get round limits and checks.</li>
        <li>
          Do not test the security of the site without our written consent; report weaknesses to <SupportAddress />.
        </li>
        <li>Do not send us content that is unlawful, or data of people who have not been told about it.</li>
        <li>
          Articles and texts here are ours. Please link to them; copying them needs our consent, except where the law
          allows it.
        </li>
      </ul>
    ),
  },
  {
    id: "terms-claims",
    title: "What is said here",
    text: (
      <p>
        Descriptions of the service are given in good faith and are not promises of a result: no monitoring finds every
        attack. Names of products belong to their makers; a log source in our catalogue means that a parser exists, not
        that its maker endorses us. Certifications of the infrastructure are those of its operator, not ours; ours,
        where there are any, stand in the Buyer’s guide.
      </p>
    ),
  },
  {
    id: "terms-liability",
    title: "Liability",
    text: (
      <p>
        The site is offered as it is, and may be interrupted for maintenance. Nothing here limits liability that the law
        does not let us limit, such as for fraud. For use of the free parts of the site we are otherwise not liable for
        indirect loss; for the paid service, the service contract says what applies.
      </p>
    ),
  },
  {
    id: "terms-law",
    title: "Law and questions",
    text: (
      <p>
        The laws of India apply, and the courts in Bengaluru decide. Please ask us first: <SalesMail />. If we change
        these terms, the date at the head of this page changes; orders made before stay under the terms of their day.
      </p>
    ),
  },
];
