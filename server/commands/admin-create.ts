import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { parseArgs } from "node:util";
import type { z } from "zod";
import { Email, FirstName, LastName, Password } from "../../contract/fields.ts";
import { createAdministrator } from "../accounts/administrators.ts";
import { hasCluster } from "../database/cluster.ts";
import { migrateDatabase, openDatabase } from "../database/database.ts";
import { reachDatabase } from "../database/reach-database.ts";
import { showTexts } from "../../contract/shown-texts.ts";
import { readSiteTexts } from "../site-texts/site-texts.ts";
import { readAdminPassword, readDataEnv, StartRefused } from "../settings/env.ts";
import { runCommand } from "./run-command.ts";

const usage = "Usage: npm run admin:create -- --email E --first-name F --last-name L";

/** `npm run admin:create`: creates an administrator, whether or not the product is running. */
async function run(): Promise<void> {
  const person = readPerson();
  const password = check(Password, readAdminPassword() ?? (await askForPassword()), "The password");
  const env = readDataEnv();
  const isNew = !env.databaseUrl && !hasCluster(env.dataDir);
  const { url, stop } = await reachDatabase(env);
  try {
    await migrateDatabase(url);
    const database = openDatabase(url, { max: 1 });
    try {
      showTexts(await readSiteTexts(database));
      await createAdministrator(database, { ...person, password });
    } finally {
      await database.$client.end();
    }
  } finally {
    await stop();
  }
  console.log(`${person.firstName} ${person.lastName} (${person.email}) can now sign in as an administrator.`);
  // The product may run with other settings than this shell has.
  if (isNew)
    console.log(
      `There was no database in ${env.dataDir}: one was made there. If the product has another, give DATABASE_URL or DATA_DIR as for the product and run this again.`,
    );
}

function readPerson() {
  const options = {
    email: { type: "string" },
    "first-name": { type: "string" },
    "last-name": { type: "string" },
  } as const;
  let values;
  try {
    ({ values } = parseArgs({ options }));
  } catch (error) {
    throw new StartRefused(`${error instanceof Error ? error.message.split(". ")[0] : "Wrong options"}. ${usage}`);
  }
  const { email, "first-name": firstName, "last-name": lastName } = values;
  if (!email || !firstName || !lastName)
    throw new StartRefused(`Please give the e-mail address and both names. ${usage}`);
  return {
    email: check(Email, email, "--email"),
    firstName: check(FirstName, firstName, "--first-name"),
    lastName: check(LastName, lastName, "--last-name"),
  };
}

function check(shape: z.ZodType<string>, given: string, name: string): string {
  const parsed = shape.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new StartRefused(`${name}: ${parsed.error.issues[0]?.message}.`);
}

async function askForPassword(): Promise<string> {
  if (!process.stdin.isTTY)
    throw new StartRefused("Please set ADMIN_PASSWORD, or run this on a terminal to be asked for it.");
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  const ask = async (question: string) => {
    process.stdout.write(question);
    const typed = await terminal.question("");
    process.stdout.write("\n");
    return typed;
  };
  // Ctrl+C at the prompt is a choice, not an error.
  terminal.once("SIGINT", () => process.exit(130));
  const password = await ask("Password (12 characters or more): ");
  const again = await ask("The same once more: ");
  terminal.close();
  if (password !== again) throw new StartRefused("The two passwords differ; nothing was made.");
  return password;
}

runCommand(run);
