import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { rupees } from "../../contract/money.ts";
import { type Finding, findingList, type FindingQuery, type SettlementFile } from "../../contract/reconcile.ts";
import { audit } from "../audit/audit.ts";
import type { Scope } from "../access/scope.ts";
import { listFrom, type RowOf } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { findings, people, settlementFiles, settlementLines } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";

const allFindings = listFrom(findingList, {
  table: findings,
  fields: {
    id: findings.id,
    kind: findings.kind,
    about: findings.about,
    who: findings.who,
    orderId: findings.orderId,
    says: findings.says,
    foundAt: findings.foundAt,
    resolvedAt: findings.resolvedAt,
    resolvedBy: sql<
      string | null
    >`(select first_name || ' ' || last_name from people where people.id = findings.resolved_by)`,
    resolution: findings.resolution,
  },
  id: findings.id,
  newest: "found_at",
  searched: findings.searched,
  sorts: { found_at: findings.foundAt },
});
const openFindings = { ...allFindings, where: sql`${findings.resolvedAt} is null` };
const resolvedFindings = { ...allFindings, where: sql`${findings.resolvedAt} is not null` };

/** Findings, newest first. */
export async function listFindings(services: Services, _scope: Scope<"any">, { state, ...query }: FindingQuery) {
  const list = state === "open" ? openFindings : resolvedFindings;
  const { rows, ...page } = await listPage(services.database, list, null, query);
  return { findings: rows.map(present), ...page };
}

const present = (row: RowOf<(typeof allFindings)["fields"]>): Finding => ({
  id: row.id,
  kind: row.kind,
  about: row.about,
  who: row.who,
  order_id: row.orderId,
  says: row.says,
  found_at: row.foundAt.toISOString(),
  resolved_at: row.resolvedAt && row.resolvedAt.toISOString(),
  resolved_by: row.resolvedBy,
  resolution: row.resolution,
});

/** Resolves a finding with a reason. @throws Failure conflict that names who was faster; not_found */
export async function resolveFinding(
  services: Services,
  { actor }: Scope<"any">,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const [resolved] = await transaction
      .update(findings)
      .set({ resolvedAt: services.now(), resolvedBy: actor.personId, resolution: reason })
      .where(and(eq(findings.id, id), isNull(findings.resolvedAt)))
      .returning();
    if (!resolved) {
      const [known] = await transaction
        .select({ resolution: findings.resolution, by: people.firstName })
        .from(findings)
        .leftJoin(people, eq(people.id, findings.resolvedBy))
        .where(eq(findings.id, id));
      if (!known) throw notFound("This");
      throw new Failure("conflict", `${known.by ?? "The software"} resolved this already: ${known.resolution}`);
    }
    const { kind, about } = resolved;
    await audit(transaction, actor.personId, "resolve finding", `finding:${id}`, { kind, about, reason });
  });
}

const filesShown = 50;

/** The newest settlement files with their sums. */
export async function listSettlementFiles({ database }: Services, _scope: Scope<"any">): Promise<SettlementFile[]> {
  const sumOf = (column: "amount_paise" | "fee_paise" | "tax_paise" | "net_paise", kind?: "payment" | "refund") =>
    sql<string>`coalesce(sum(${sql.identifier(column)}) ${kind ? sql`filter (where kind = ${sql.raw(`'${kind}'`)})` : sql``}, 0)`;
  const newest = database
    .select()
    .from(settlementFiles)
    .orderBy(desc(settlementFiles.uploadedAt))
    .limit(filesShown)
    .as("newest");
  const files = await database
    .select({
      id: newest.id,
      name: newest.name,
      uploadedAt: newest.uploadedAt,
      firstDay: newest.firstDay,
      lastDay: newest.lastDay,
      uploader: sql<string>`(select first_name || ' ' || last_name from people where people.id = newest.uploaded_by)`,
      payments: sql<number>`count(*) filter (where kind = 'payment')::int`,
      refunds: sql<number>`count(*) filter (where kind = 'refund')::int`,
      paid: sumOf("amount_paise", "payment"),
      refunded: sumOf("amount_paise", "refund"),
      other: sql<string>`coalesce(sum(fee_paise + tax_paise + net_paise) filter (where kind = 'other'), 0)`,
      fees: sumOf("fee_paise"),
      taxes: sumOf("tax_paise"),
      net: sumOf("net_paise"),
    })
    .from(newest)
    .leftJoin(settlementLines, eq(settlementLines.fileId, newest.id))
    .groupBy(newest.id, newest.name, newest.uploadedAt, newest.firstDay, newest.lastDay, newest.uploadedBy)
    .orderBy(desc(newest.uploadedAt));
  return files.map(({ payments, refunds, paid, refunded, other, fees, taxes, net, ...file }) => ({
    id: file.id,
    name: file.name,
    uploaded_at: file.uploadedAt.toISOString(),
    uploaded_by: file.uploader,
    first_day: file.firstDay,
    last_day: file.lastDay,
    sums: {
      payments,
      refunds,
      paid: rupees(Number(paid)),
      refunded: rupees(Number(refunded)),
      other: rupees(Number(other)),
      fees: rupees(Number(fees)),
      taxes: rupees(Number(taxes)),
      net: rupees(Number(net)),
    },
  }));
}
