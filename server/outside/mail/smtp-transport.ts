import { createTransport, type Transporter } from "nodemailer";
import { isLoopback } from "../../settings/ip-address.ts";
import { sharePlaces } from "./share-places.ts";
import { type Envelope, MayHaveCome, type MailTransport, NoSuchMailbox, NotAccepted } from "./transport.ts";
import { inSpan } from "../../tracing/span.ts";

/**
 * Time limit for sending one mail, all waits included. A server that scans for viruses may take minutes to confirm the
 * mail (RFC 5321 allows ten), and giving up earlier would send it twice. The surrounding transaction may be idle as
 * long.
 */
export const sendSeconds = 100;

/**
 * Time limit until the server asks for the mail itself, from when the mail has a connection. Before it decides about a
 * recipient, a relay may ask the recipient's own server, which may never answer: anybody can register such an address.
 * Nothing was sent by then, so giving up is safe.
 */
const acceptSeconds = 30;

/** Many providers refuse more connections than this. A mail's time limit starts before it has a connection. */
const connectionsMax = 4;

/** More connections, for urgent mail alone: the others may all hang. */
const urgentConnections = 2;

/**
 * Mails contain links that give access to accounts, so the connection must be encrypted and the certificate valid. On
 * loopback, or with `allowCleartext`, TLS is used if offered, with any certificate.
 */
export function smtpTransport(
  url: string,
  from: string,
  allowCleartext = false,
  sendMs = sendSeconds * 1000,
  acceptMs = acceptSeconds * 1000,
): MailTransport {
  const { hostname } = new URL(url);
  const isOwnWay = allowCleartext || isLoopback(hostname);
  const smtp = createTransport(
    {
      url,
      requireTLS: !isOwnWay,
      tls: { rejectUnauthorized: !isOwnWay, minVersion: "TLSv1.2" },
      pool: true,
      maxConnections: connectionsMax + urgentConnections,
      connectionTimeout: 5000,
      greetingTimeout: 5000,
      socketTimeout: sendMs,
    },
    { from, disableFileAccess: true, disableUrlAccess: true },
  );
  const places = sharePlaces(connectionsMax + urgentConnections, urgentConnections);
  const stages = watchStages(smtp);
  const closing = new AbortController();
  return {
    async send(envelope) {
      const { messageId, isUrgent = false } = envelope;
      // The socket timeout restarts with every byte; this limits the whole, so that it ends before the queue gives the
      // mail up.
      const whole = AbortSignal.any([closing.signal, AbortSignal.timeout(sendMs)]);
      const hanging = new AbortController();
      const mail = { ...mailOf(envelope), signal: AbortSignal.any([whole, hanging.signal]) };
      const span = { name: "send mail", kind: "client", attributes: { "server.address": hostname } } as const;
      const deliver = async () => {
        const leave = await places.enter(isUrgent, whole);
        // Aborting closes the connection as well, so that no other mail gets one that hangs.
        const limit = setTimeout(() => stages.has(messageId) || hanging.abort(), acceptMs);
        await smtp.sendMail(mail).finally(() => {
          clearTimeout(limit);
          leave();
        });
      };
      await inSpan(span, deliver)
        .catch((error: unknown) => {
          if (isNoSuchMailbox(error)) throw new NoSuchMailbox(error.response, { cause: error });
          if (hanging.signal.aborted) throw new NotAccepted({ cause: error });
          if (stages.get(messageId) === "written" && !isAnswer(error))
            throw new MayHaveCome(mayHaveCome, { cause: error });
          throw explain(error, hostname);
        })
        .finally(() => stages.delete(messageId));
    },
    check: sharedCheck(smtp, hostname),
    close() {
      closing.abort();
      smtp.close();
    },
  };
}

const mailOf = ({ messageId, to, replyTo, unsubscribe, subject, html, text, attachments }: Envelope) => ({
  messageId,
  // An address object, so that the value is never parsed as a list of recipients.
  to: { name: "", address: to },
  ...(replyTo && { replyTo: { name: "", address: replyTo } }),
  subject,
  html,
  text,
  headers: {
    "Auto-Submitted": "auto-generated",
    ...(unsubscribe && {
      "List-Unsubscribe": `<${unsubscribe}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }),
  },
  attachments: attachments.map(({ filename, content }) => ({
    filename,
    content: Buffer.from(content),
    contentType: "application/pdf",
  })),
});

/** Whoever asks meanwhile shares the check: each has a connection of its own, which a slow server keeps open for long. */
function sharedCheck(smtp: Pick<Transporter, "verify">, hostname: string): MailTransport["check"] {
  let checking: ReturnType<MailTransport["check"]> | null = null;
  return () => {
    checking ??= smtp
      .verify()
      .then(() => ({ place: hostname }))
      .catch((error: unknown) => {
        throw explain(error, hostname);
      })
      .finally(() => (checking = null));
    return checking;
  };
}

const mayHaveCome = "The mail server was given the whole mail and did not answer: it may have come, or not.";

/**
 * How far the mails in progress have come: "accepted" once the server has asked for the mail itself, as the connection
 * reads nothing of it before, and "written" when its last byte has been.
 */
function watchStages(smtp: Pick<Transporter, "use">): Map<string, "accepted" | "written"> {
  const stages: ReturnType<typeof watchStages> = new Map();
  smtp.use("stream", ({ data: { messageId = "" }, message }, done) => {
    message.processFunc((content) =>
      content
        .once("resume", () => stages.set(messageId, "accepted"))
        .once("end", () => stages.set(messageId, "written")),
    );
    done();
  });
  return stages;
}

/** Whether the error is an answer of the mail server, not a lost connection or a timeout. */
const isAnswer = (error: unknown) => error instanceof Error && "responseCode" in error;

/** Only what RFC 3463 calls a bad destination address: other permanent refusals may come from our own settings. */
function isNoSuchMailbox(error: unknown): error is Error & { response: string } {
  return (
    error instanceof Error &&
    "response" in error &&
    "command" in error &&
    error.command === "RCPT TO" &&
    /^5\d\d[ -]5\.1\.(1|2|3|6|10)\b/.test(String(error.response))
  );
}

/** Adds what an operator can do about an insecure connection; other errors stay as they are. */
function explain(error: unknown, host: string): unknown {
  if (!(error instanceof Error)) return error;
  const { command, originalCode = "" } = error as { command?: string; originalCode?: string };
  const remedy = "SMTP_ALLOW_CLEARTEXT=1 sends all the same, on a network of your own.";
  if (command === "STARTTLS")
    return new Error(`Nothing was sent: the mail server ${host} does not encrypt (STARTTLS, or smtps). ${remedy}`, {
      cause: error,
    });
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(originalCode))
    return new Error(
      `Nothing was sent: the certificate of the mail server ${host} is not good (${error.message}). ${remedy}`,
      { cause: error },
    );
  return error;
}
