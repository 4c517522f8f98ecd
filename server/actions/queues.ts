import { and, eq, inArray } from "drizzle-orm";
import type { ActionQueue } from "../../contract/action-queues.ts";
import type { ActionDetails } from "../../contract/actions.ts";
import { engineStreams as streamNames } from "../../contract/engine-kinds.ts";
import { formatRupees } from "../../contract/money.ts";
import { isChild, roles } from "../../contract/roles.ts";
import type { Scope } from "../access/scope.ts";
import type { Database, Transaction } from "../database/database.ts";
import { isUuid } from "../database/is-uuid.ts";
import {
  creditNotes,
  eInvoices,
  engineBindings,
  engineStreams,
  invoices,
  leads,
  mails,
  people,
  refunds,
  writeOffRequests,
} from "../database/schema/index.ts";
import { askAgain, canAskAgain } from "../orders/ask-again.ts";
import { findOrder } from "../orders/queries.ts";
import { reasonSentence } from "../e-invoices/reasons.ts";
import { askAgainAbout, whyNotAgain } from "../e-invoices/ask-again.ts";
import { checkRefundSoon } from "../refunds/settle-refunds.ts";
import type { Services } from "../services.ts";
import { lastFailure } from "./last-failure.ts";

type Fact = ActionDetails["facts"][number];
/** What an entry is about, besides what its row says. */
export type About = Pick<ActionDetails, "facts" | "customer" | "lead_id" | "order">;

/** The server's side of an action queue. */
interface Queue {
  about(services: Services, scope: Scope<"any">, subjectId: string): Promise<About>;
  /** How the software retries; null where only a person can act. */
  retry: {
    /** The sentence for the person who asked. */
    done: string;
    /** Why a retry can't help; null if it can. */
    refused(database: Database | Transaction, subjectId: string): Promise<string | null>;
    /**
     * Queues the retry in the transaction that records who asked. May run twice and takes effect once. Takes no locks.
     */
    ask?(services: Services, transaction: Transaction, subjectId: string): Promise<void>;
    /** Runs immediately after the commit; if it is lost, the clock does it later. */
    after?(services: Services, subjectId: string): Promise<void>;
  } | null;
}

const nothing: About = { facts: [], customer: null, lead_id: null, order: null };
const never = async () => null;

/** The queues of `actionQueues`: the type demands an entry for each. */
export const queues: Record<ActionQueue, Queue> = {
  payments: {
    about: aboutOrder,
    retry: {
      done: "The gateway is being asked again. What it confirms leaves the queue.",
      refused: async (database, orderId) =>
        (await canAskAgain(database, orderId))
          ? null
          : "Asking the gateway again would change nothing. Look the payment up there, and note here what you found.",
      after: askAgain,
    },
  },
  refunds: {
    async about(services, scope, refundId) {
      const [refund] = await services.database.select().from(refunds).where(eq(refunds.id, refundId));
      return aboutSum(services, scope, "Refund", refund);
    },
    retry: {
      done: "The gateway is being asked again. What it has done leaves the queue.",
      refused: async (database, refundId) => {
        const [refund] = await database.select().from(refunds).where(eq(refunds.id, refundId));
        if (refund?.state === "approved" && refund.attemptId === null)
          return "It has to be transferred by hand. When that is done, note the bank reference in the order below.";
        if (refund?.state === "asked")
          return "It waits for another main administrator: agree to it, or refuse it, in the order below.";
        return refund?.state === "failed" || refund?.state === "done"
          ? "This refund has ended. Where money still has to go back, ask for another one in the order below."
          : null;
      },
      after: checkRefundSoon,
    },
  },
  writeOffs: {
    async about(services, scope, requestId) {
      const [asked] = await services.database.select().from(writeOffRequests).where(eq(writeOffRequests.id, requestId));
      return aboutSum(services, scope, "Write-off", asked);
    },
    retry: null,
  },
  mails: {
    about: aboutMail,
    retry: {
      done: "The mail is being sent again. Once sent, it leaves the queue.",
      refused: async (database, mailId) => {
        const [mail] = await database.select().from(mails).where(eq(mails.id, mailId));
        return mail?.content || mail?.sentAt
          ? null
          : "This mail was given up, and its content was deleted with it: Last failure says why. Where the address is wrong, correct it where it comes from. Where it did not come, have the mail written anew there.";
      },
      ask: ({ jobs }, transaction, mailId) => jobs.add(transaction, "send-mail", { mailId }),
    },
  },
  proposals: {
    about: aboutQuote,
    retry: {
      done: "The proposal is being made again. Once ready, it is mailed and leaves the queue.",
      refused: never,
      ask: ({ jobs }, transaction, quoteId) => jobs.add(transaction, "render-proposal", { quoteId }),
    },
  },
  invoices: {
    async about(services, scope, invoiceId) {
      const [invoice] = await services.database.select().from(invoices).where(eq(invoices.id, invoiceId));
      const about = invoice ? await aboutOrder(services, scope, invoice.orderId) : nothing;
      const failure = await lastFailure(services, "render-invoice", "invoiceId", invoiceId);
      return { ...about, facts: [...about.facts, text("Last failure", failure)] };
    },
    retry: {
      done: "The invoice is being made again. Once ready, it is mailed and leaves the queue.",
      refused: never,
      ask: ({ jobs }, transaction, invoiceId) => jobs.add(transaction, "render-invoice", { invoiceId }),
    },
  },
  eInvoices: {
    about: aboutEInvoice,
    retry: {
      done: "The portal is being asked again. What it registers is mailed and leaves the queue.",
      refused: whyNotAgain,
      after: askAgainAbout,
    },
  },
  engines: {
    async about(services, _scope, bindingId) {
      const [binding] = await services.database.select().from(engineBindings).where(eq(engineBindings.id, bindingId));
      if (!binding) return nothing;
      const streams = await services.database
        .select()
        .from(engineStreams)
        .where(eq(engineStreams.bindingId, bindingId));
      return {
        ...nothing,
        facts: [
          text("Address", binding.address),
          ...streams.flatMap(({ stream, sentence, lastAnswerAt, failingSince }) =>
            failingSince
              ? [text(streamNames[stream], sentence), instant(`${streamNames[stream]}: last answer`, lastAnswerAt)]
              : [],
          ),
        ],
        customer: await customerBy(services, eq(people.organisationId, binding.organisationId)),
      };
    },
    retry: {
      done: "The engine is being asked again. Once it answers, it leaves the queue.",
      refused: never,
      // Not in `ask`, which runs with the entry locked: changing an engine locks its streams before the entry.
      async after({ database, jobs }, bindingId) {
        await database.transaction(async (transaction) => {
          await transaction.update(engineStreams).set({ retryAt: null }).where(eq(engineStreams.bindingId, bindingId));
          await jobs.add(transaction, "poll-engine", { bindingId });
        });
      },
    },
  },
  dashboards: {
    about: async (services, _scope, organisationId) => ({
      ...nothing,
      customer: await customerBy(services, eq(people.organisationId, organisationId)),
    }),
    retry: null,
  },
};

const text = (name: string, value: string | null | undefined): Fact => ({ name, value: value ?? "", isInstant: false });
const instant = (name: string, value: Date | null): Fact => ({
  name,
  value: value?.toISOString() ?? "",
  isInstant: value !== null,
});

async function aboutOrder(services: Services, scope: Scope<"any">, orderId: string): Promise<About> {
  const order = await findOrder(services, scope, orderId);
  if (!order) return nothing;
  const { email, organization_name } = order;
  return { facts: [], customer: { email, organization_name }, lead_id: await leadOf(services, order.quote_id), order };
}

/** A sum of an order that somebody asked for, with the reason. */
async function aboutSum(
  services: Services,
  scope: Scope<"any">,
  name: string,
  asked: { orderId: string; amountPaise: number; reason: string } | undefined,
): Promise<About> {
  if (!asked) return nothing;
  const about = await aboutOrder(services, scope, asked.orderId);
  return { ...about, facts: [text(name, formatRupees(asked.amountPaise)), text("Reason", asked.reason)] };
}

async function aboutEInvoice(services: Services, scope: Scope<"any">, id: string): Promise<About> {
  const { database } = services;
  const [row] = await database.select().from(eInvoices).where(eq(eInvoices.id, id));
  if (!row) return nothing;
  const [of] = await database
    .selectDistinct({ orderId: invoices.orderId })
    .from(invoices)
    .leftJoin(creditNotes, eq(creditNotes.invoiceId, invoices.id))
    .where(row.invoiceId ? eq(invoices.id, row.invoiceId) : eq(creditNotes.id, row.creditNoteId ?? ""));
  const about = of ? await aboutOrder(services, scope, of.orderId) : nothing;
  const reasons = row.reasons.map(reasonSentence).join(" ");
  return { ...about, facts: [text("The portal says", reasons), instant("Last sent", row.sentAt)] };
}

async function aboutQuote(services: Services, _scope: Scope<"any">, quoteId: string): Promise<About> {
  const failure = await lastFailure(services, "render-proposal", "quoteId", quoteId);
  return { ...nothing, facts: [text("Last failure", failure)], lead_id: await leadOf(services, quoteId) };
}

async function aboutMail(services: Services, _scope: Scope<"any">, mailId: string): Promise<About> {
  const [mail] = await services.database.select().from(mails).where(eq(mails.id, mailId));
  if (!mail) return nothing;
  const [kind = "", subject = ""] = mail.eventKey.split(":");
  return {
    ...nothing,
    facts: [
      text("To", mail.recipient),
      text("Tries", String(mail.tries)),
      text("Last failure", mail.lastError),
      instant("Written", mail.createdAt),
      instant("Not sent after", mail.uselessAfter),
      text("Attached", mail.attachments.map(({ shownAs }) => shownAs).join(", ")),
    ],
    customer: await customerBy(services, eq(people.email, mail.recipient)),
    lead_id: kind === "proposal" && isUuid(subject) ? await leadOf(services, subject) : null,
  };
}

const customerRoles = roles.filter((role) => role === "user" || (role.startsWith("user") && isChild(role)));

async function customerBy({ database }: Services, who: ReturnType<typeof eq>): Promise<About["customer"]> {
  const [found] = await database
    .select({ email: people.email, organization_name: people.organisationName })
    .from(people)
    .where(and(who, inArray(people.role, customerRoles)))
    .orderBy(people.role, people.createdAt)
    .limit(1);
  return found ?? null;
}

async function leadOf({ database }: Services, quoteId: string): Promise<string | null> {
  const [lead] = await database.select({ id: leads.id }).from(leads).where(eq(leads.quoteId, quoteId));
  return lead?.id ?? null;
}
