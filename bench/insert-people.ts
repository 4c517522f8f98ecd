import type { Database } from "../server/database/database.ts";
import { organisations, people } from "../server/database/schema/index.ts";

/** Inserts five hundred customers' people who may sign in with the password of this hash. Answers their e-mails. */
export async function insertPeople(database: Database, passwordHash: string): Promise<string[]> {
  const [home] = await database
    .insert(organisations)
    .values({ kind: "customer", name: "Kaveri Textiles" })
    .returning({ id: organisations.id });
  const emails = Array.from({ length: 500 }, (_, index) => `person-${index}@example.in`);
  await database.insert(people).values(
    emails.map((email) => ({
      organisationId: home?.id ?? "",
      role: "user" as const,
      firstName: "Asha",
      lastName: "Rao",
      email,
      phone: "+919876543210",
      passwordHash,
      emailVerifiedAt: new Date(),
      joinedAt: new Date(),
    })),
  );
  await database.execute("analyze");
  return emails;
}
