import { isLoopback } from "./ip-address.ts";
import type { Variables } from "./variables.ts";

/**
 * The sentence that refuses a start with these settings, or null if they are safe together. `pgHost` is the host that
 * the driver uses for a database address without one.
 */
export function findUnsafeSetting(variables: Variables, pgHost: string | undefined): string | null {
  const live = variables.DATABASE_URL !== undefined;
  const demo = variables.DEMO ?? !live;
  const refusals = [
    ...refusalsOfDemo(variables, demo),
    ...refusalsOfPublic(variables, demo, live),
    ...refusalsOfPayments(variables, demo, live),
    ...refusalsOfEInvoices(variables, demo),
    ...refusalsOfOnCall(variables, demo),
    ...refusalsOfFiles(variables),
    ...refusalsOfDatabases(variables, pgHost),
  ];
  return refusals.find(([unsafe]) => unsafe)?.[1] ?? null;
}

/** Likewise, only for the settings that lead to the data, which is all that commands need. */
export const findUnsafeWayToData = (variables: Variables, pgHost: string | undefined): string | null =>
  [...refusalsOfFiles(variables), ...refusalsOfDatabases(variables, pgHost)].find(([unsafe]) => unsafe)?.[1] ?? null;

type Refusal = [unsafe: boolean, sentence: string];

/** Demo passwords are published and its mail is open to read, so it is for this machine only, and for no real money. */
function refusalsOfDemo({ HOST, PUBLIC_URL, ALLOW_PUBLIC_DEMO, ...variables }: Variables, demo: boolean): Refusal[] {
  const closed = demo && !ALLOW_PUBLIC_DEMO;
  const remedy =
    "Its passwords are published and its mail is open to read. Set DEMO=0, or ALLOW_PUBLIC_DEMO=1 to open it knowingly.";
  return [
    [closed && !isLoopback(HOST), `Demo mode listens on this machine only, and HOST is ${HOST}. ${remedy}`],
    [
      closed && PUBLIC_URL !== undefined && !isLoopback(hostOf(PUBLIC_URL)),
      `Demo mode is for this machine only, and PUBLIC_URL is ${PUBLIC_URL}. ${remedy}`,
    ],
    [
      closed && variables.TRUST_PROXY > 0,
      `Demo mode is for this machine only, and TRUST_PROXY says that others come to it by a proxy. ${remedy}`,
    ],
    [
      demo && variables.PAYU_KEY !== undefined && [variables.PAYU_URL, variables.PAYU_API_URL].some(takesMoney),
      "Demo mode takes no real money. Leave PAYU_KEY and PAYU_SALT out for the sandbox, or set PAYU_URL and PAYU_API_URL to PayU's test addresses (https://test.payu.in/…).",
    ],
  ];
}

function refusalsOfPublic(variables: Variables, demo: boolean, live: boolean): Refusal[] {
  const { HOST, PUBLIC_URL } = variables;
  return [
    [live && !variables.TOKEN_SECRET, "TOKEN_SECRET must be set (32 characters or more) when DATABASE_URL is."],
    [
      variables.METRICS_TOKEN !== undefined && variables.METRICS_TOKEN === variables.TOKEN_SECRET,
      "METRICS_TOKEN must differ from TOKEN_SECRET: whoever reads metrics could sign in as anybody.",
    ],
    [!demo && !variables.SMTP_URL, "SMTP_URL must be set outside demo mode: sign-in codes go out by e-mail."],
    [
      !demo && !variables.MAIL_FROM,
      "MAIL_FROM must be set outside demo mode, for example 'Prahari <soc@your.domain>'.",
    ],
    [
      !demo && !PUBLIC_URL && (live || !isLoopback(HOST)),
      "PUBLIC_URL must be set when DATABASE_URL is, or when HOST is more than this machine: links in mails start with it.",
    ],
    [
      PUBLIC_URL !== undefined && isReadableOnTheWay(PUBLIC_URL),
      "PUBLIC_URL must begin with https: passwords and sessions travel to it. Put a proxy with a certificate in front.",
    ],
  ];
}

function refusalsOfDatabases(variables: Variables, pgHost: string | undefined): Refusal[] {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_READ_URL, DATABASE_ALLOW_CLEARTEXT } = variables;
  const addresses = Object.entries({ DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_READ_URL });
  return [
    [
      DATABASE_URL === undefined && (DATABASE_DIRECT_URL ?? DATABASE_READ_URL) !== undefined,
      "DATABASE_DIRECT_URL and DATABASE_READ_URL go with DATABASE_URL, which is missing.",
    ],
    ...addresses.map(([name, address]): Refusal => [
      address !== undefined && isDatabaseInClear(address, pgHost) && !DATABASE_ALLOW_CLEARTEXT,
      `${name} must end with ?sslmode=verify-full (or require) where the database is on another machine: its password and all data travel to it. DATABASE_ALLOW_CLEARTEXT=1 lets them travel in clear text, for a network of your own.`,
    ]),
  ];
}

function refusalsOfPayments(variables: Variables, demo: boolean, live: boolean): Refusal[] {
  const { PAYU_KEY, PAYU_SALT, PAYU_URL, PAYU_API_URL, ALLOW_SANDBOX } = variables;
  return [
    [Boolean(PAYU_KEY) !== Boolean(PAYU_SALT), "PAYU_KEY and PAYU_SALT go together; one of them is missing."],
    [
      (live || !demo) && !PAYU_KEY && !ALLOW_SANDBOX,
      "PAYU_KEY and PAYU_SALT must be set outside demo mode and when DATABASE_URL is; ALLOW_SANDBOX=1 takes sandbox payments instead, which are not money.",
    ],
    [
      PAYU_KEY !== undefined && isPayuTest(PAYU_URL) !== isPayuTest(PAYU_API_URL),
      "PAYU_URL and PAYU_API_URL go together: one of them is PayU's test gateway and the other is not.",
    ],
    [
      PAYU_KEY !== undefined && !demo && !ALLOW_SANDBOX && isPayuTest(PAYU_URL),
      "PAYU_URL and PAYU_API_URL are PayU's test gateway, which takes no money: leave both out. ALLOW_SANDBOX=1 takes its payments all the same.",
    ],
    [isReadableOnTheWay(PAYU_URL), "PAYU_URL must begin with https: people's payments go there."],
    [isReadableOnTheWay(PAYU_API_URL), "PAYU_API_URL must begin with https: it says which payments succeeded."],
  ];
}

function refusalsOfEInvoices({ EINVOICE_URL, EINVOICE_HEADERS }: Variables, demo: boolean): Refusal[] {
  return [
    [
      (EINVOICE_URL === undefined) !== (EINVOICE_HEADERS === undefined),
      "EINVOICE_URL and EINVOICE_HEADERS go together; one of them is missing.",
    ],
    [
      EINVOICE_URL !== undefined && isReadableOnTheWay(EINVOICE_URL),
      "EINVOICE_URL must begin with https: invoices and the provider's credentials travel to it.",
    ],
    [
      demo && EINVOICE_URL !== undefined && !isLoopback(hostOf(EINVOICE_URL)),
      "Demo mode registers nothing with the government: its invoices are samples. Leave EINVOICE_URL and EINVOICE_HEADERS out for the stand-in.",
    ],
  ];
}

function refusalsOfOnCall({ ON_CALL_URL, ON_CALL_SECRET }: Variables, demo: boolean): Refusal[] {
  return [
    [
      (ON_CALL_URL === undefined) !== (ON_CALL_SECRET === undefined),
      "ON_CALL_URL and ON_CALL_SECRET go together; one of them is missing.",
    ],
    [
      ON_CALL_URL !== undefined && isReadableOnTheWay(ON_CALL_URL),
      "ON_CALL_URL must begin with https: it is told which customer is under attack.",
    ],
    [
      demo && ON_CALL_URL !== undefined && !isLoopback(hostOf(ON_CALL_URL)),
      "Demo mode wakes nobody: its attacks are samples. Leave ON_CALL_URL and ON_CALL_SECRET out.",
    ],
  ];
}

function refusalsOfFiles({ S3_ENDPOINT, S3_ALLOW_CLEARTEXT }: Variables): Refusal[] {
  return [
    [
      S3_ENDPOINT !== undefined && isReadableOnTheWay(S3_ENDPOINT) && !S3_ALLOW_CLEARTEXT,
      "S3_ENDPOINT must begin with https: proposals and invoices travel to it. S3_ALLOW_CLEARTEXT=1 lets them travel in clear text, for a network of your own.",
    ],
  ];
}

const hostOf = (address: string) => new URL(address).hostname;

const isReadableOnTheWay = (address: string) => new URL(address).protocol === "http:" && !isLoopback(hostOf(address));

const modesByTls = ["require", "verify-ca", "verify-full"];

/**
 * Follows the driver: of an option given twice the last counts. The option `host` overrides the address's host; without
 * both, PGHOST counts, and without that the database is on this machine.
 */
function isDatabaseInClear(address: string, pgHost = ""): boolean {
  const { hostname, searchParams } = new URL(address);
  const option = (name: string) => searchParams.getAll(name).at(-1);
  const host = option("host") || hostname || pgHost;
  const isHere = host === "" || host.startsWith("/") || isLoopback(host);
  return !isHere && !modesByTls.includes(option("sslmode") ?? "");
}

const isPayuTest = (address: string) => hostOf(address) === "test.payu.in";

const takesMoney = (address: string) => !isLoopback(hostOf(address)) && !isPayuTest(address);
