CREATE TABLE "coverage_sums" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"partner_id" uuid,
	"customers" integer NOT NULL,
	"unknown_customers" integer NOT NULL,
	"contracted" integer NOT NULL,
	"connected" integer NOT NULL,
	"silent" integer NOT NULL,
	"never_connected" integer NOT NULL,
	"missing" integer NOT NULL,
	"unknown" integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX "coverage_sums_partner_id_index" ON "coverage_sums" USING btree ("partner_id");--> statement-breakpoint
-- by hand
create function keep_coverage_sums() returns trigger language plpgsql as $$ begin
  insert into coverage_sums (partner_id, customers, unknown_customers, contracted, connected, silent, never_connected,
      missing, unknown)
    select whose.partner_id, sum(sign), sum(sign * (unknown_since is not null)::int), sum(sign * contracted),
        sum(sign * connected), sum(sign * silent), sum(sign * never_connected), sum(sign * missing), sum(sign * unknown)
      from (
        select -1 as sign, (old).* where tg_op <> 'INSERT' union all select 1, (new).* where tg_op <> 'DELETE'
      ) as changed cross join lateral (
        select null::uuid as partner_id union all select changed.partner_id where changed.partner_id is not null
      ) as whose
      group by whose.partner_id;
  return null;
end $$;
--> statement-breakpoint
create trigger keep_sums after insert or delete on coverage_figures
  for each row execute function keep_coverage_sums();
--> statement-breakpoint
create trigger keep_sums_of_change after update on coverage_figures for each row
  when ((old.partner_id, old.unknown_since is null, old.contracted, old.connected, old.silent, old.never_connected,
      old.missing, old.unknown)
    is distinct from (new.partner_id, new.unknown_since is null, new.contracted, new.connected, new.silent,
      new.never_connected, new.missing, new.unknown))
  execute function keep_coverage_sums();
--> statement-breakpoint
insert into coverage_sums (partner_id, customers, unknown_customers, contracted, connected, silent, never_connected,
    missing, unknown)
  select whose.partner_id, count(*), count(unknown_since), sum(contracted), sum(connected), sum(silent),
      sum(never_connected), sum(missing), sum(unknown)
    from coverage_figures cross join lateral (
      select null::uuid as partner_id union all select coverage_figures.partner_id where coverage_figures.partner_id is not null
    ) as whose
    group by whose.partner_id;
