import { and, eq, gt, or, sql } from "drizzle-orm";
import { isOneOf } from "../database/is-one-of.ts";
import {
  actionItems,
  announcements,
  attempts,
  auditEntries,
  auditValues,
  consents,
  dataRequests,
  emailCorrections,
  invoices,
  leadNotes,
  leads,
  leadViews,
  mails,
  mailsTurnedOff,
  notices,
  orders,
  organisations,
  paymentEvents,
  people,
  quoteDecisions,
  quotes,
  refunds,
  sessions,
  singleUseLinks,
} from "../database/schema/index.ts";
import { addressSince } from "./address-since.ts";
import { contractSections } from "./contract-sections.ts";
import { type DataSection, whole } from "./data-section.ts";
import { areRequestsOf } from "./queries.ts";
import { incidentSections } from "./incident-sections.ts";
import { moneySections } from "./money-sections.ts";
import { serviceSections } from "./service-sections.ts";

/** Everything that is kept about people, in reading order. Every new table with personal data needs a section here. */
export const dataSections: readonly DataSection[] = [
  {
    name: "accounts",
    title: "Accounts and invitations",
    rows: whole(people, (owner) => isOneOf(people.id, owner.people)),
    without: ["passwordHash"],
  },
  {
    name: "organizations",
    title: "Organizations",
    rows: whole(organisations, (owner) => isOneOf(organisations.id, owner.organisations)),
  },
  {
    name: "consents",
    title: "Consents",
    rows: whole(consents, (owner) =>
      or(
        isOneOf(consents.personId, owner.people),
        isOneOf(consents.leadId, owner.leads),
        isOneOf(consents.quoteId, owner.quotes),
      ),
    ),
  },
  {
    name: "sessions",
    title: "Sign-ins",
    rows: whole(sessions, (owner) => isOneOf(sessions.personId, owner.people)),
  },
  {
    name: "links",
    title: "Links that we mailed",
    rows: whole(singleUseLinks, (owner) => isOneOf(singleUseLinks.personId, owner.people)),
    without: ["secretHash"],
  },
  {
    name: "emailCorrections",
    title: "Corrections of the e-mail address",
    rows: whole(emailCorrections, (owner) =>
      or(isOneOf(emailCorrections.personId, owner.people), eq(emailCorrections.email, owner.email)),
    ),
    without: ["secretHash"],
  },
  {
    name: "contacts",
    title: "Contact requests and estimates, as our staff deal with them",
    rows: whole(leads, (owner) => isOneOf(leads.id, owner.leads)),
    without: ["requestKey"],
  },
  {
    name: "notes",
    title: "Notes of our staff about them",
    rows: whole(leadNotes, (owner) =>
      or(isOneOf(leadNotes.leadId, owner.leads), isOneOf(leadNotes.authorId, owner.people)),
    ),
  },
  {
    name: "quotes",
    title: "Quotes",
    rows: whole(quotes, (owner) => isOneOf(quotes.id, owner.quotes)),
    without: ["requestKey"],
  },
  {
    // Whom a partner or one of ours made it for, and what it costs them, is the customer's.
    name: "quotesMade",
    title: "Quotes that the person made for customers",
    rows: (transaction, owner) =>
      transaction
        .select({ id: quotes.id, serial: quotes.serial, createdAt: quotes.createdAt })
        .from(quotes)
        .where(isOneOf(quotes.madeBy, owner.people)),
  },
  {
    name: "decisions",
    title: "Proposals that the person accepted or declined",
    rows: whole(quoteDecisions, (owner) => isOneOf(quoteDecisions.personId, owner.people)),
  },
  {
    name: "orders",
    title: "Orders",
    rows: whole(orders, (owner) => isOneOf(orders.id, owner.orders)),
  },
  {
    name: "payments",
    title: "Payments",
    rows: whole(attempts, (owner) => isOneOf(attempts.id, owner.attempts)),
    // Signed with one of our secrets.
    without: ["form"],
  },
  {
    name: "paymentMessages",
    title: "Messages of the payment gateway",
    rows: (transaction, owner) =>
      transaction
        .select({
          source: paymentEvents.source,
          outcome: paymentEvents.outcome,
          message: sql`${paymentEvents.raw} - 'hash' - 'key'`,
          receivedAt: paymentEvents.receivedAt,
        })
        .from(paymentEvents)
        .where(isOneOf(paymentEvents.attemptId, owner.attempts)),
  },
  {
    name: "refunds",
    title: "Refunds",
    rows: whole(refunds, (owner) =>
      or(
        isOneOf(refunds.orderId, owner.orders),
        isOneOf(refunds.askedBy, owner.people),
        isOneOf(refunds.approvedBy, owner.people),
        isOneOf(refunds.paidOutBy, owner.people),
      ),
    ),
    // The gateway tells requests apart by it.
    without: ["token"],
  },
  ...contractSections,
  ...serviceSections,
  {
    name: "invoices",
    title: "Invoices",
    rows: whole(invoices, (owner) => isOneOf(invoices.orderId, owner.orders)),
  },
  ...moneySections,
  ...incidentSections,
  {
    name: "mails",
    title: "Mails that we sent",
    // Includes mails to an address that was corrected since, and none to whoever had the present one before.
    rows: whole(mails, (owner) =>
      or(
        and(
          eq(sql`lower(${mails.recipient})`, owner.email),
          gt(mails.createdAt, addressSince(owner.email, owner.people)),
        ),
        isOneOf(mails.personId, owner.people),
      ),
    ),
    // An unsent mail may hold a code or link that opens the account.
    without: ["content", "eventKey"],
  },
  {
    name: "mailsTurnedOff",
    title: "Mails that the person turned off",
    rows: whole(mailsTurnedOff, (owner) => isOneOf(mailsTurnedOff.personId, owner.people)),
  },
  {
    name: "notices",
    title: "Notices of the bell",
    rows: whole(notices, (owner) => isOneOf(notices.personId, owner.people)),
    without: ["eventKey", "searched"],
  },
  {
    name: "actions",
    title: "What our staff dealt with by hand",
    rows: whole(actionItems, (owner) =>
      and(
        eq(sql`lower(${actionItems.who})`, owner.email),
        gt(actionItems.since, addressSince(owner.email, owner.people)),
      ),
    ),
  },
  {
    name: "announcements",
    title: "Announcements that the person wrote",
    rows: whole(announcements, (owner) => isOneOf(announcements.createdBy, owner.people)),
    without: ["deliveredUpTo"],
  },
  {
    name: "savedViews",
    title: "Saved views",
    rows: whole(leadViews, (owner) => isOneOf(leadViews.personId, owner.people)),
  },
  {
    name: "dataRequests",
    title: "Requests about these data",
    rows: whole(dataRequests, (owner) => areRequestsOf(owner.email, owner.people)),
    without: ["file", "filesToRemove"],
  },
  {
    name: "auditEntries",
    title: "What the person did, and what was done to the account",
    rows: (transaction, owner) =>
      transaction
        .select({
          at: auditEntries.at,
          action: auditEntries.action,
          subject: auditEntries.subject,
          detail: auditEntries.detail,
          values: auditValues.values,
          // Other people's addresses at the time of their actions are their own data.
          address: sql<string>`case when ${isOneOf(auditEntries.actorId, owner.people)} then ${auditEntries.address} else '' end`,
        })
        .from(auditEntries)
        // Other people's former names, and what was typed about them, are their own data, whoever made the change.
        .leftJoin(
          auditValues,
          and(
            eq(auditValues.entryId, auditEntries.id),
            isOneOf(auditValues.aboutId, [...owner.people, ...owner.leads]),
          ),
        )
        .where(
          or(
            isOneOf(auditEntries.actorId, owner.people),
            isOneOf(auditEntries.subject, [
              ...owner.people.map((id) => `person:${id}`),
              ...owner.leads.map((id) => `lead:${id}`),
            ]),
          ),
        )
        .orderBy(auditEntries.at, auditEntries.id),
  },
];
