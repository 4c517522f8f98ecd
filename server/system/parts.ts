import packageJson from "../../package.json" with { type: "json" };
import type { SystemPart } from "../../contract/system.ts";
import { findLastBackup } from "../backup/note-backup.ts";
import { type Database, readMigrations } from "../database/database.ts";
import { readUnsent } from "../mail/unsent.ts";
import type { Services } from "../services.ts";
import { describeSigning } from "../settings/signing-pem.ts";
import { fact, instantFact, tellPart, writeBytes, writeSpan } from "./part.ts";

/** Mails and jobs that wait longer are late. */
export const lateSeconds = 600;
const backupDaysMax = 7;
const certificateDaysMin = 30;
const freeBytesMin = 1024 ** 3;
/** With less room than the largest uploads take, files are already being refused. */
const freeBytesUsable = 10 * 1024 ** 2;
/** A larger share of the database server's connections in use is a warning. */
const connectionsShareMax = 0.8;

export async function productPart({ env, now }: Services): Promise<SystemPart> {
  const uptime = process.uptime();
  const signing = env.documentSigningPem ? describeSigning(env.documentSigningPem) : null;
  const daysLeft = signing ? Math.floor((signing.ends.getTime() - now().getTime()) / 86_400_000) : Infinity;
  const ended = daysLeft < 0 ? "has ended: invoices go out without a signature." : `ends in ${daysLeft} days.`;
  const isEnding = daysLeft < certificateDaysMin;
  return {
    name: "product",
    state: isEnding ? "warning" : "good",
    says: `Prahari ${packageJson.version} runs${env.demo ? " as a demonstration" : ""}${isEnding ? `, and the certificate that signs invoices ${ended}` : "."}`,
    remedy: isEnding ? "Put a new key and certificate into DOCUMENT_SIGNING_PEM, and start it anew." : null,
    facts: [
      fact("Version", packageJson.version),
      fact("Node.js", process.versions.node),
      instantFact("Started", new Date(now().getTime() - uptime * 1000)),
      fact("Processes on this machine", env.workers),
      fact("Memory of this process", writeBytes(process.memoryUsage.rss())),
      ...(signing ? [fact("Signs invoices", signing.subject), instantFact("Its certificate ends", signing.ends)] : []),
    ],
  };
}

interface DatabaseRow {
  version: string;
  bytes: number;
  connections: number;
  max: number;
  migrations: number;
}

/** `heavy` has its own few connections, so that this takes none from requests. */
export const databasePart = ({ database }: Services, heavy: Database) =>
  tellPart("database", "Look at the log of PostgreSQL, and whether its machine has memory and disk left.", async () => {
    const from = performance.now();
    const { rows } = await heavy.$client.query<DatabaseRow>(
      `select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes,
        (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
        current_setting('max_connections')::int as max,
        (select count(*)::int from drizzle.__drizzle_migrations) as migrations`,
    );
    const milliseconds = Math.round(performance.now() - from);
    const [row] = rows;
    if (!row) throw new Error("The database told nothing of itself");
    const known = readMigrations().length;
    const { waitingCount } = database.$client;
    const isFull = row.connections > row.max * connectionsShareMax;
    const isOther = row.migrations !== known;
    const warning = isFull
      ? `It answers, and ${row.connections} of its ${row.max} connections are in use.`
      : `It answers, and has ${row.migrations} migrations where this version has ${known}.`;
    return {
      state: isFull || isOther ? "warning" : "good",
      says: isFull || isOther ? warning : "It answers.",
      remedy: isFull
        ? "Raise max_connections of PostgreSQL, or run fewer processes and copies."
        : isOther
          ? "Another version of Prahari was started on this database: run the same one everywhere."
          : null,
      facts: [
        fact("PostgreSQL", row.version.split(" ")[0] ?? ""),
        fact("Size", writeBytes(row.bytes)),
        fact("Connections", `${row.connections} of ${row.max}`),
        fact("Waiting for a connection here", waitingCount),
        fact("Migrations", `${row.migrations} of ${known}`),
        fact("Answered in", `${milliseconds} ms`),
      ],
    };
  });

export const filesPart = ({ files }: Services) =>
  tellPart(
    "files",
    "Proposals and invoices can be neither made nor opened. Check the S3 variables and the bucket, or the folder under DATA_DIR and its owner.",
    async () => {
      const { place, freeBytes } = await files.check();
      const isShort = freeBytes !== null && freeBytes < freeBytesMin;
      const isFull = freeBytes !== null && freeBytes < freeBytesUsable;
      const says = isFull ? "It is full" : "It answers";
      return {
        state: isFull ? "bad" : isShort ? "warning" : "good",
        says: isShort ? `${says}, and has ${writeBytes(freeBytes)} left.` : `${says}.`,
        remedy: isFull
          ? "Make room on this disk: until then no document is made and nothing can be attached. Documents that wait are made by themselves then."
          : isShort
            ? "Make room on this disk before documents can't be kept any more."
            : null,
        facts: [fact("Place", place), ...(freeBytes === null ? [] : [fact("Room left", writeBytes(freeBytes))])],
      };
    },
  );

/** Waiting mails are shown even if the mail server does not answer: both are asked in parallel. */
export async function mailPart({ mail }: Services, heavy: Database): Promise<SystemPart> {
  const waiting = readUnsent(heavy).catch(() => null);
  const part = await tellPart(
    "mail",
    "No mail goes out: what is written waits, and is sent once the server takes it. Check SMTP_URL and the mail server.",
    async () => {
      const { place } = await mail.check();
      return { state: "good", says: "The mail server takes mail.", remedy: null, facts: [fact("Server", place)] };
    },
  );
  const unsent = await tellWithin(waiting);
  if (!unsent) return part;
  const facts = [...part.facts, fact("Mails that wait", unsent.unsent)];
  if (part.state === "bad" || unsent.oldestSeconds <= lateSeconds) return { ...part, facts };
  return {
    ...part,
    state: "warning",
    says: `The mail server answers, and the oldest of ${unsent.unsent} mails waits for ${writeSpan(unsent.oldestSeconds)}.`,
    remedy: "Open the queue of failed mails under Actions: it says why each did not go out.",
    facts,
  };
}

/** By now the mail server has answered or timed out, so the count gets only one more second. */
const tellWithin = <Result>(waiting: Promise<Result | null>) =>
  Promise.race([waiting, new Promise<null>((done) => setTimeout(done, 1000, null).unref())]);

export const backupPart = ({ now }: Services, heavy: Database) =>
  tellPart("backup", "It could not be read when the last backup was made.", async () => {
    const last = await findLastBackup(heavy);
    const remedy = "Run “npm run backup -- FILE.tar.gz” every day, and keep the files on another machine.";
    if (!last)
      return {
        state: "warning",
        says: "No backup by “npm run backup” is known. One made otherwise, such as by your database’s host, is not seen here.",
        remedy,
        facts: [],
      };
    const { rows, files } = last.detail as { rows?: number; files?: number };
    const seconds = (now().getTime() - last.at.getTime()) / 1000;
    const isOld = seconds > backupDaysMax * 86_400;
    return {
      state: isOld ? "warning" : "good",
      says: `The last backup is ${writeSpan(Math.max(seconds, 0))} old.`,
      remedy: isOld ? remedy : null,
      facts: [instantFact("Made", last.at), fact("Rows", rows ?? "–"), fact("Files", files ?? "–")],
    };
  });
