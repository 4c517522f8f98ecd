import { and, eq, sql } from "drizzle-orm";
import { earlier } from "../../contract/durations.ts";
import type { Transaction } from "../database/database.ts";
import { engineBindings, suppressionRules } from "../database/schema/index.ts";
import type { Services } from "../services.ts";

/** Five weeks of findings, and what became of each: suppressed by a rule, benign, or part of an incident. */
export async function insertFindings(
  services: Services,
  transaction: Transaction,
  organisationId: string,
  staff: string,
) {
  const now = services.now().toISOString();
  const [rule] = await transaction
    .insert(suppressionRules)
    .values({
      organisationId,
      title: "Sample: the nightly backup read every file share",
      reason: "It is the backup, from its own server and at its own hour",
      onWordOf: "Asha Rao, Head of IT",
      createdBy: staff,
      createdAt: earlier(services.now(), { days: 60 }),
    })
    .returning();
  const [binding] = await transaction
    .select({ id: engineBindings.id })
    .from(engineBindings)
    .where(and(eq(engineBindings.organisationId, organisationId), eq(engineBindings.kind, "wazuh4")));
  if (!binding || !rule) return;
  await transaction.execute(sql`
    insert into engine_findings (binding_id, organisation_id, external_id, title, severity, raw_severity, state, at, attack,
        created_at, decided)
      select ${binding.id}::uuid, ${organisationId}::uuid, 'sample-' || number,
          case number % 5 when 0 then ${rule.title} when 1 then 'Sample: several failed sign-ins'
            when 2 then 'Sample: a new service was installed' when 3 then 'Sample: a port was scanned from inside'
            else 'Sample: an account was added to a group' end,
          case number % 5 when 0 then 'low' when 2 then 'high' else 'medium' end, '5', 'open',
          ${now}::timestamptz - number * interval '2 hours', '{}', ${now}::timestamptz - number * interval '2 hours',
          case when number % 5 = 0 then 'suppressed' when number > 4 then 'benign' end
        from generate_series(1, 420) as number
      on conflict do nothing`);
  await transaction.execute(sql`
    insert into finding_decisions (finding_id, organisation_id, fate, rule_id, person_id, reason, decided_at)
      select id, organisation_id, decided, case when decided = 'suppressed' then ${rule.id}::uuid end,
          case when decided = 'benign' then ${staff}::uuid end,
          case when decided = 'suppressed' then ${rule.reason} else 'Sample: looked at, and expected' end,
          created_at + interval '20 minutes'
        from engine_findings
        where organisation_id = ${organisationId}::uuid and decided is not null`);
}
