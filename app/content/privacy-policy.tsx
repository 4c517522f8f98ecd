import type { ReactNode } from "react";
import { brand } from "../../contract/brand.ts";
import { storedData } from "./stored-data.ts";

/** A section of the page at /privacy-policy; `id` is its anchor. */
export interface PolicySection {
  id: string;
  title: string;
  text: ReactNode;
}

const privacyMail = <a href={`mailto:${brand.emails.privacy}`}>{brand.emails.privacy}</a>;

/** How personal data is handled; what is stored stands in stored-data.ts. */
export const privacyPolicy: readonly PolicySection[] = [
  {
    id: "who-we-are",
    title: "Who is responsible",
    text: (
      <>
        <p>
          {brand.legalName}, {brand.address} (“we”), decides why and how the personal data described here is used. In
          the words of the Digital Personal Data Protection Act, 2023 (the “DPDP Act”) we are the Data Fiduciary for it,
          and you are the Data Principal. The Act is being brought into force in stages; this policy is written to it
          throughout.
        </p>
        <p>
          This page is about people who use this site and its portals. Log data that a customer sends to the monitoring
          service is another matter: there the customer is the Data Fiduciary, we process on its instructions under the
          service contract, and requests about such data go to the customer first.
        </p>
      </>
    ),
  },
  {
    id: "what-we-store",
    title: "What we store, and what for",
    text: (
      <div role="region" aria-label="What we store, and what for" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Data</th>
              <th scope="col">What for</th>
              <th scope="col">How long</th>
            </tr>
          </thead>
          <tbody>
            {storedData.map(({ data, purpose, kept }) => (
              <tr key={data}>
                <th scope="row">{data}</th>
                <td>{purpose}</td>
                <td>{kept}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    ),
  },
  {
    id: "grounds",
    title: "On which grounds",
    text: (
      <>
        <p>Under the DPDP Act we rely on:</p>
        <ul>
          <li>
            <strong>Your consent</strong> (section 6), given when you send a form or register, for the purpose the form
            names. You may withdraw it at any time, as easily as you gave it, by writing to {privacyMail}. What was done
            before stays lawful; what depends on it, such as your account, then ends.
          </li>
          <li>
            <strong>Data you volunteer for a purpose</strong> (section 7(a)), such as a phone number in a request to be
            called, where you have not objected to that use.
          </li>
          <li>
            <strong>Duties under law</strong>: tax invoices and books of account, disclosure to the State where a law
            demands it (section 7(d)), and orders of courts (section 7(e)).
          </li>
          <li>
            <strong>Security safeguards</strong> (section 8(5)): sessions, audit entries, counters and the server log
            are how we protect personal data against breaches.
          </li>
        </ul>
        <p>We do not sell personal data, build advertising profiles or decide about people by machine alone.</p>
      </>
    ),
  },
  {
    id: "retention",
    title: "How long invoices are kept",
    text: (
      <p>
        Section 128(5) of the Companies Act, 2013 asks for books of account of at least eight financial years, and
        section 36 of the Central Goods and Services Tax Act, 2017 for records until 72 months after the due date of the
        year’s annual return. We therefore keep invoices, and the orders and payment records that prove them, for at
        least eight financial years, and longer where proceedings are pending. A request for erasure does not shorten
        these periods (section 12(3) of the DPDP Act).
      </p>
    ),
  },
  {
    id: "sharing",
    title: "Who else sees it",
    text: (
      <>
        <ul>
          <li>
            <strong>Within your organisation</strong>, people with an account see its quotes and orders as their role
            allows. A partner who looks after your organisation sees its contact data, orders and tools.
          </li>
          <li>
            <strong>PayU</strong> takes payments. When you press Pay, your browser takes your name, e-mail address,
            phone number, the amount and our reference to PayU’s page. What you enter there is under PayU’s own policy.
          </li>
          <li>
            <strong>Processors</strong> who work for us under contract: providers of hosting and storage, of e-mail
            delivery and of telephone lines. They may use the data only for us. We name the current ones on request.
          </li>
          <li>
            <strong>Authorities</strong>, where a law or an order binds us to disclose.
          </li>
        </ul>
        <p>
          Logs ingested by the monitoring service are stored in India. Account data is processed in India and, where our
          office in the United Arab Emirates serves you, seen from there; we follow any restriction that the Central
          Government notifies under section 16 of the DPDP Act.
        </p>
      </>
    ),
  },
  {
    id: "security",
    title: "How we protect it",
    text: (
      <p>
        Passwords are stored as argon2id hashes, codes and links as hashes only. Signing in takes a password and a code
        sent by mail. Every record is bound to an organisation and every request is checked against its role. Should a
        breach of personal data occur all the same, we tell the Data Protection Board of India and each person affected,
        in the form and time the law sets, and report to CERT-In where its directions ask for it.
      </p>
    ),
  },
  {
    id: "rights",
    title: "Your rights",
    text: (
      <>
        <ul>
          <li>to a summary of your data, what is done with it and with whom it was shared (section 11);</li>
          <li>to have it corrected, completed, updated or erased (section 12);</li>
          <li>to have a grievance redressed (section 13);</li>
          <li>to name someone who exercises these rights if you die or become incapable (section 14);</li>
          <li>to withdraw consent (section 6(4)).</li>
        </ul>
        <p>
          Write to {privacyMail} from the address we know, or prove in another way that it is you. There is no fee. We
          are a service for businesses; we do not knowingly take data of children.
        </p>
      </>
    ),
  },
  {
    id: "grievances",
    title: "Grievances",
    text: (
      <p>
        Grievance contact: {brand.legalName}, {brand.address}, {privacyMail}, {brand.phones[0]}. Tell us what happened
        and what you want done; we answer within 30 days. If you are not content with the answer, you may complain to
        the Data Protection Board of India.
      </p>
    ),
  },
  {
    id: "changes",
    title: "Changes",
    text: (
      <p>
        When this policy changes, the date at its head changes. If a change asks for more of your data or uses it in a
        new way, we ask you first.
      </p>
    ),
  },
];
