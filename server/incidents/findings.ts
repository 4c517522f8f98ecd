import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { earlier } from "../../contract/durations.ts";
import { engineKinds } from "../../contract/engine-kinds.ts";
import {
  findingList,
  type FindingQuery,
  type GlassBox,
  type ShownFinding,
  type SuppressionRule,
} from "../../contract/incident-findings.ts";
import type { FindingFate } from "../../contract/incident-states.ts";
import { incidentNumber } from "../../contract/numbers.ts";
import { daysAfter } from "../../contract/proration.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import { dayIn, startOfDayIn, timeZoneOf } from "../accounts/time-zones.ts";
import type { Database, Transaction } from "../database/database.ts";
import { type Condition, listFrom, type RowOf } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { engineBindings, engineFindings, engineStreams, suppressionRules } from "../database/schema/index.ts";
import { staleAfter } from "../engines/pace.ts";
import { pageFor, pagesOfBinding } from "../engines/page-for.ts";
import type { Services } from "../services.ts";
import { closedInEngine } from "./decide-findings.ts";

/** A finding that the engine's own people closed before the customer disputed it (see `disputeFinding`). */
const isOfEngine = sql.raw(`(decision.person_id is null and decision.reason = '${closedInEngine}')`);

const findingsOfOrganisation = listFrom(findingList, {
  table: engineFindings,
  fields: {
    id: engineFindings.id,
    title: engineFindings.title,
    severity: engineFindings.severity,
    at: engineFindings.at,
    receivedAt: engineFindings.createdAt,
    device: engineFindings.deviceId,
    fate: engineFindings.fate,
    reason: sql<string | null>`decision.reason`,
    by: sql<string | null>`case when decision.rule_id is not null then rule.on_word_of
      when (decision.id is null and engine_findings.state = 'closed') or ${isOfEngine} then 'In the engine'
      else person.first_name || ' ' || person.last_name end`,
    decidedAt: sql<Date | null>`decision.decided_at`,
    incidentId: sql<string | null>`incident.id`,
    incidentSerial: sql<string | null>`incident.serial::text`,
    dispute: sql<string | null>`decision.dispute`,
    externalId: engineFindings.externalId,
    pages: pagesOfBinding,
  },
  joins: sql`left join finding_decisions as decision on decision.finding_id = engine_findings.id and decision.holds
    left join suppression_rules as rule on rule.id = decision.rule_id
    left join people as person on person.id = decision.person_id
    left join incidents as incident on incident.id = decision.incident_id
    left join engine_bindings on engine_bindings.id = engine_findings.binding_id`,
  where: sql`${engineFindings.organisationId} = $1`,
  id: engineFindings.id,
  newest: "arrived_at",
  searched: engineFindings.searched,
  sorts: { arrived_at: engineFindings.createdAt },
});

type Row = RowOf<(typeof findingsOfOrganisation)["fields"]>;

/** The findings that arrived on one day of the customer, what became of each, and the sums. */
export async function listFindings(
  services: Services,
  scope: Scope<"organisation"> | null,
  { day, fate, ...query }: FindingQuery,
) {
  const organisationId = organisationOf(scope);
  const { database } = services;
  const zone = await timeZoneOf(database, organisationId);
  const shown = day ?? dayIn(zone, services.now());
  const [from, to] = [startOfDayIn(zone, shown), startOfDayIn(zone, daysAfter(shown, 1))];
  const narrowed: Condition[] = [
    { column: engineFindings.createdAt, compared: ">=", value: from },
    { column: engineFindings.createdAt, compared: "<", value: to },
    ...(fate ? [{ column: engineFindings.fate, compared: "=" as const, value: fate }] : []),
  ];
  const { rows, ...rest } = await listPage(database, findingsOfOrganisation, organisationId, query, narrowed);
  return {
    about: { day: shown, told_by: await enginesOf(database, organisationId, services.now()) },
    glass_box: await countGlassBox(database, organisationId, from, to),
    findings: rows.map((row) => presentFinding(row, scope)),
    ...rest,
  };
}

const presentFinding = (row: Row, scope: Scope<"organisation"> | null): ShownFinding => ({
  id: row.id,
  title: row.title,
  severity: row.severity,
  at: row.at.toISOString(),
  arrived_at: row.receivedAt.toISOString(),
  device: row.device,
  fate: row.fate,
  reason: row.reason ?? "",
  by: row.by ?? "",
  decided_at: row.decidedAt?.toISOString() ?? null,
  incident: row.incidentId ? { id: row.incidentId, number: incidentNumber(Number(row.incidentSerial)) } : null,
  dispute: row.dispute,
  link: scope && pageFor(scope, row.pages, { kind: "finding", id: row.externalId }),
});

/** The engines that report findings; `unknown_since` is set where one fails or has not been polled lately. */
async function enginesOf(database: Database, organisationId: string, now: Date) {
  const rows = await database
    .select({ kind: engineBindings.kind, since: engineStreams.failingSince, heardAt: engineStreams.lastAnswerAt })
    .from(engineBindings)
    .innerJoin(engineStreams, and(eq(engineStreams.bindingId, engineBindings.id), eq(engineStreams.stream, "findings")))
    .where(and(eq(engineBindings.organisationId, organisationId), isNull(engineBindings.removedAt)));
  const stale = earlier(now, staleAfter);
  return rows.map(({ kind, since, heardAt }) => ({
    name: engineKinds[kind].name,
    unknown_since: (since ?? (heardAt && heardAt < stale ? heardAt : null))?.toISOString() ?? null,
  }));
}

/** What became of every finding received in [from, to). Each has one fate, so the fates add up to `received`. */
export async function countGlassBox(
  database: Database | Transaction,
  organisationId: string,
  from: Date,
  to: Date,
): Promise<GlassBox> {
  const { rows } = await database.execute<{
    fate: FindingFate;
    rule: string | null;
    title: string | null;
    word: string | null;
    name: string | null;
    findings: number;
    disputed: number;
  }>(sql`
    select engine_findings.fate, rule.id as rule, rule.title, rule.on_word_of as word,
        case when decision.id is null or ${isOfEngine} then 'In the engine' else person.first_name || ' ' || person.last_name end as name,
        count(*)::integer as findings, (count(*) filter (where decision.disputed_at is not null))::integer as disputed
      from engine_findings
        left join finding_decisions as decision on decision.finding_id = engine_findings.id and decision.holds
        left join suppression_rules as rule on rule.id = decision.rule_id
        left join people as person on person.id = decision.person_id
      where engine_findings.organisation_id = ${organisationId}::uuid
        and engine_findings.created_at >= ${from.toISOString()}::timestamptz
        and engine_findings.created_at < ${to.toISOString()}::timestamptz
      group by 1, 2, 3, 4, 5`);
  const sum = (which?: FindingFate) =>
    rows.filter((row) => which === undefined || row.fate === which).reduce((total, row) => total + row.findings, 0);
  return {
    received: sum(),
    suppressed: sum("suppressed"),
    benign: sum("benign"),
    attached: sum("attached"),
    open: sum("open"),
    disputed: rows.reduce((total, row) => total + row.disputed, 0),
    by_rule: rows.flatMap(({ rule, title, word, findings }) =>
      rule ? [{ rule, title: title ?? "", on_word_of: word ?? "", findings }] : [],
    ),
    by_person: rows.flatMap(({ fate: which, name, findings }) =>
      which === "benign" ? [{ name: name ?? "Somebody whose account is gone", findings }] : [],
    ),
  };
}

/**
 * A customer's suppression rules with the number of findings each has kept back: active ones first, then newest first.
 */
export async function listRules(
  { database }: Services,
  scope: Scope<"organisation"> | null,
): Promise<SuppressionRule[]> {
  const rows = await database
    .select({
      rule: suppressionRules,
      name: sql<
        string | null
      >`(select first_name || ' ' || last_name from people where people.id = suppression_rules.created_by)`,
      // The column's table is spelt out because decisions have an id too.
      findings: sql<number>`(select count(*)::integer from finding_decisions where rule_id = suppression_rules.id)`,
    })
    .from(suppressionRules)
    .where(eq(suppressionRules.organisationId, organisationOf(scope)))
    .orderBy(desc(isNull(suppressionRules.endedAt)), desc(suppressionRules.createdAt))
    .limit(200);
  return rows.map(({ rule, name, findings }) => ({
    id: rule.id,
    title: rule.title,
    device_id: rule.deviceId,
    reason: rule.reason,
    on_word_of: rule.onWordOf,
    made_by: name,
    made_at: rule.createdAt.toISOString(),
    ended_at: rule.endedAt?.toISOString() ?? null,
    findings,
  }));
}
