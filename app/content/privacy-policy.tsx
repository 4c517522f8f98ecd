import type { ReactNode } from "react";
import { brand } from "../../contract/brand.ts";
import { noticeDay, notices, noticeVersions } from "../../contract/privacy-notice.ts";
import { keptFor, otherData, sweptData } from "../../contract/retention.ts";
import { KeptTable } from "./kept-table.tsx";

/** A section of the page at /privacy-policy; `id` is its anchor. */
export interface PolicySection {
  id: string;
  title: string;
  text: ReactNode;
}

const PrivacyMail = () => <a href={`mailto:${brand.emails.privacy}`}>{brand.emails.privacy}</a>;
const Withdrawal = () => (
  <a href={`mailto:${brand.emails.privacy}?subject=${encodeURIComponent("I withdraw my consent")}`}>
    write “I withdraw my consent”
  </a>
);
const AnswerDays = () => brand.promises.privacyAnswerDays;
const LegalName = () => brand.legalName;
const Address = () => brand.address;
const Phone = () => brand.phones[0];
const Versions = () => (
  <>
    {noticeVersions.toReversed().map((version) => (
      <li key={version}>
        <time dateTime={version}>{noticeDay(version)}</time>: {notices[version]}
      </li>
    ))}
  </>
);

/** How personal data is handled. What is stored and how long: contract/retention.ts, which the server enforces. */
export const privacyPolicy: readonly PolicySection[] = [
  {
    id: "who-we-are",
    title: "Who is responsible",
    text: (
      <>
        <p>
          <LegalName />, <Address /> (“we”), decides why and how the personal data described here is used. In the words
          of the Digital Personal Data Protection Act, 2023 (Act 22 of 2023, the “DPDP Act”) we are the Data Fiduciary
          for it, and you are the Data Principal.
        </p>
        <p>
          This notice is about people who use this site and its portals. Log data that a customer sends to the
          monitoring service is another matter: there the customer is the Data Fiduciary, we process on its instructions
          under the service contract, and requests about such data go to the customer first.
        </p>
      </>
    ),
  },
  {
    id: "what-ends",
    title: "What is deleted by the clock",
    text: (
      <>
        <p>The software looks once a day for what has passed its time, and deletes it:</p>
        <KeptTable
          label="What is deleted by the clock"
          rows={Object.values(sweptData).map((row) => ({ ...row, kept: keptFor(row) }))}
        />
      </>
    ),
  },
  {
    id: "what-stays",
    title: "What stays until somebody ends it",
    text: <KeptTable label="What stays until somebody ends it" rows={otherData} />,
  },
  {
    id: "consent",
    title: "Your consent, and taking it back",
    text: (
      <>
        <p>
          You agree by pressing the button of a form: directly above it stands what the details are for, with a link to
          this notice. What a form asks for is what its purpose needs, and nothing else is tied to it. With what you
          sent we note when you did and which version of this notice was on your screen.
        </p>
        <p>
          You may take your consent back at any time: <Withdrawal /> to <PrivacyMail /> from the address we know; no
          reason is needed. What was done before stays lawful. What rests on it, such as your account, then ends, and
          what no law makes us keep is deleted.
        </p>
        <p>
          If somebody else gave us your details, by inviting you or by sending an estimate in your name, the mail you
          get says so and leads here.
        </p>
      </>
    ),
  },
  {
    id: "grounds",
    title: "On which grounds",
    text: (
      <>
        <p>The DPDP Act knows two kinds of grounds (section 4). We rely on:</p>
        <ul>
          <li>
            <strong>Your consent</strong> (section 6), for accounts, estimates and contact requests. Sign-ins, audit
            entries and logs are part of running them safely: safeguards are a duty of ours (section 8(5)), not a ground
            of their own.
          </li>
          <li>
            <strong>Certain legitimate uses</strong> (section 7), and of these only: what you give us of your own accord
            for a purpose you name, as in a mail or a call, unless you tell us that you do not agree (7(a)); disclosure
            to the State where a law binds us (7(d)); judgments and orders (7(e)).
          </li>
        </ul>
        <p>
          What a law makes us keep stays after you have withdrawn or asked for erasure (sections 8(7) and 12(3)). We do
          not sell personal data, build advertising profiles or decide about people by machine alone.
        </p>
      </>
    ),
  },
  {
    id: "in-force",
    title: "What is not in force yet",
    text: (
      <>
        <p>
          The Act comes into force in steps, set by notifications of 13 November 2025; the DPDP Rules, 2025 (G.S.R.
          846(E)) were published on that day. The Data Protection Board of India came first. The main duties, among them
          notice, consent, safeguards, breach notices, your rights and the penalties, follow eighteen months later, on
          13 May 2027. Until then section 43A of the Information Technology Act, 2000 and the rules of 2011 under it
          apply.
        </p>
        <p>
          This notice is written to the whole Act, and we keep to it now. But what it says about rights under the Act
          and complaints to the Board can be enforced from 13 May 2027 only. From that day you may also ask to read this
          notice in any language of the Eighth Schedule to the Constitution; so far there is English.
        </p>
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
        these periods.
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
            allows. A partner who looks after your organisation sees its contact data and billing details, the quotes
            that the partner made for it, its contracts, orders, payments, onboarding and sites, the addresses of its
            dashboards, which of its devices are watched, its incidents with text and files, and its reports.
          </li>
          <li>
            <strong>PayU</strong> takes payments. When you press Pay, your browser takes your name, e-mail address,
            phone number, the amount and our reference to PayU’s page. What you enter there is under PayU’s own policy.
          </li>
          <li>
            <strong>The invoice registration portal</strong> of the government, where the law binds us to register
            invoices and credit notes with it: it gets what stands in them, with your organisation’s legal name, address
            and GSTIN. They go there directly or through a GST Suvidha Provider, whom we name on request.
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
      <>
        <p>
          Passwords are stored as argon2id hashes, codes and links as hashes only. Signing in takes a password and a
          code sent by mail. Every record is bound to an organisation and every request is checked against its role.
        </p>
        <p>
          Should a breach of personal data occur all the same, we tell each person affected without delay, and report to
          CERT-In within six hours of noticing it or being told of it, where its Directions of 28 April 2022 ask for
          that. From 13 May 2027 we also tell the Data Protection Board without delay, with the details within 72 hours
          (rule 7 of the DPDP Rules).
        </p>
      </>
    ),
  },
  {
    id: "rights",
    title: "Your rights, and how they are met",
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
          By yourself, in your account, you see your profile, quotes and orders, change your password, and see and end
          your sessions. For everything else write to <PrivacyMail /> from the address we know, or prove in another way
          that it is you: there is no button for it yet, and a person of ours does by hand what you ask for and answers
          within <AnswerDays /> days. There is no fee. We are a service for businesses; we do not knowingly take data of
          children.
        </p>
      </>
    ),
  },
  {
    id: "grievances",
    title: "Grievances",
    text: (
      <p>
        Grievance contact: <LegalName />, <Address />, <PrivacyMail />, <Phone />. Tell us what happened and what you
        want done; we answer within <AnswerDays /> days. If you are not content with the answer, you may from 13 May
        2027 complain to the Data Protection Board of India.
      </p>
    ),
  },
  {
    id: "changes",
    title: "Versions of this notice",
    text: (
      <>
        <ul>
          <Versions />
        </ul>
        <p>
          Whatever changes here makes a new version. If a change asks for more of your data or uses it in a new way, we
          ask you first. We send you the text of an earlier version on request.
        </p>
      </>
    ),
  },
];
