CREATE TABLE "audit_chain" (
	"only_one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"last_number" bigint DEFAULT 0 NOT NULL,
	"last_hash" text DEFAULT '' NOT NULL,
	CONSTRAINT "audit_chain_only_one" CHECK (only_one)
);
--> statement-breakpoint
DROP INDEX "audit_entries_at_index";--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "address" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "customer_id" uuid;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "partner_id" uuid;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "number" bigint;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "previous_hash" text;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "hash" text;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "searched" text GENERATED ALWAYS AS (lower(action || ' ' || subject)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "audit_entries_by_at" ON "audit_entries" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "audit_entries_of_customer" ON "audit_entries" USING btree ("customer_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_entries_of_partner" ON "audit_entries" USING btree ("partner_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_entries_by_actor" ON "audit_entries" USING btree ("actor_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_entries_by_action" ON "audit_entries" USING btree ("action","at","id");--> statement-breakpoint
CREATE INDEX "audit_entries_by_subject" ON "audit_entries" USING btree ("subject","at","id");--> statement-breakpoint
CREATE INDEX "audit_entries_searched" ON "audit_entries" USING gin ("searched" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "audit_entries_to_seal" ON "audit_entries" USING btree ("id") WHERE "audit_entries"."number" is null;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_number_unique" UNIQUE("number");--> statement-breakpoint
-- by hand
insert into audit_chain default values;--> statement-breakpoint
-- Where an entry came from was told in its detail, for sign-ins and denials only.
update audit_entries set address = detail->>'address', detail = detail - 'address' where detail ? 'address';--> statement-breakpoint
-- As server/audit/audit.ts does for new ones: whose it was done to, or else whose person did it.
with subjects as (
  select id, actor_id, split_part(subject, ':', 1) as kind, subject,
    case when subject ~ '^[a-z]+:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then split_part(subject, ':', 2)::uuid end as subject_id
  from audit_entries
), owners as (
  select id, case kind
      when 'organisation' then subject_id
      when 'person' then (select organisation_id from people where people.id = subject_id)
      when 'session' then (select organisation_id from sessions join people on people.id = person_id where sessions.id = subject_id)
      when 'quote' then (select organisation_id from quotes where quotes.id = subject_id)
      when 'order' then (select organisation_id from orders where orders.id = subject_id)
      when 'invoice' then (select organisation_id from invoices join orders on orders.id = order_id where invoices.number = substr(subject, 9))
    end as done_to,
    (select organisation_id from people where people.id = actor_id) as done_by
  from subjects
)
update audit_entries set
  customer_id = coalesce(
    (select id from organisations where kind = 'customer' and id = done_to),
    (select id from organisations where kind = 'customer' and id = done_by)
  ),
  partner_id = coalesce(
    (select id from organisations where kind = 'partner' and id = done_by),
    (select id from organisations where kind = 'partner' and id = done_to)
  )
from owners where owners.id = audit_entries.id;--> statement-breakpoint
-- Entries are added, sealed once, and deleted when their time has passed; a day less than contract/retention.ts says, for
-- clocks that differ. What the books need, and what tells of deletions, is never deleted.
create function audit_entries_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if old.number is null and new.number is not null and new.previous_hash is not null and new.hash is not null
      and (new.id, new.at, new.action, new.subject, new.detail, new.address)
        = (old.id, old.at, old.action, old.subject, old.detail, old.address)
      and (new.actor_id, new.customer_id, new.partner_id)
        is not distinct from (old.actor_id, old.customer_id, old.partner_id)
    then return new;
    end if;
  elsif tg_op = 'DELETE' then
    if old.number is not null and old.at < now() - interval '1094 days'
      and old.subject !~ '^(order|invoice):' and old.subject <> 'audit log'
    then return old;
    end if;
  end if;
  raise exception 'audit entries are neither changed nor deleted' using errcode = 'insufficient_privilege';
end
$$;--> statement-breakpoint
create trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function audit_entries_guard();--> statement-breakpoint
create trigger audit_entries_never_emptied before truncate on audit_entries
  for each statement execute function audit_entries_guard();
