ALTER TABLE "refunds" ALTER COLUMN "attempt_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "tax_deductions" ADD COLUMN "debt_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tax_deductions" ADD COLUMN "debt_by" uuid;--> statement-breakpoint
ALTER TABLE "tax_deductions" ADD COLUMN "debt_reason" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "reminded_due_on" date;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "reminded_days" integer;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "bank_reference" text;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "paid_on" date;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "paid_out_by" uuid;--> statement-breakpoint
ALTER TABLE "tax_deductions" ADD CONSTRAINT "tax_deductions_debt_by_people_id_fk" FOREIGN KEY ("debt_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_paid_out_by_people_id_fk" FOREIGN KEY ("paid_out_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_bank_reference_once" UNIQUE("bank_reference");--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_paid_out_with_reference" CHECK (attempt_id is not null or state in ('asked', 'approved', 'failed') or (bank_reference is not null and paid_on is not null and paid_out_by is not null));--> statement-breakpoint
-- by hand
-- Deducted tax that is owed again is due by itself; what was due before stays due from then on.
create or replace function show_owed() returns trigger language plpgsql as $$ begin
  update orders set owed_paise = owed_paise + new.amount_paise,
      due_on = case when owed_paise > 0 and new.due_on > due_on then due_on else coalesce(new.due_on, due_on) end
    where id = new.order_id;
  return null;
end $$;--> statement-breakpoint
create or replace function show_deducted() returns trigger language plpgsql as $$ begin
  update orders set tax_open_paise = case when new.state = 'matched' or new.debt_since is not null then 0 else new.amount_paise end
    where id = new.order_id;
  return null;
end $$;--> statement-breakpoint
drop trigger show_deducted on tax_deductions;--> statement-breakpoint
create trigger show_deducted after insert or update of state, debt_since on tax_deductions
  for each row execute function show_deducted();--> statement-breakpoint
-- What mails have reminded of so far.
update orders set reminded_due_on = told.due_on, reminded_days = told.days
  from (
    select distinct on (order_id) order_id, due_on, days from (
      select split_part(event_key, ':', 2)::uuid as order_id, split_part(event_key, ':', 3)::date as due_on,
          case split_part(event_key, ':', 4) when 'before' then -3 when 'on' then 0 when 'after 7' then 7 else 30 end as days
        from mails where event_key like 'due:%:%:%'
    ) as mailed order by order_id, due_on desc, days desc
  ) as told
  where orders.id = told.order_id;
--> statement-breakpoint
-- What was cancelled at the portal is owed by nobody.
insert into ledger_entries (order_id, kind, event_id, amount_paise, about, at)
  select invoices.order_id, 'invoice cancelled', invoices.id, -(invoices.content->>'totalPaise')::bigint, invoices.number,
      coalesce(e_invoices.cancelled_at, now())
    from e_invoices join invoices on invoices.id = e_invoices.invoice_id
    where e_invoices.state = 'cancelled' and (invoices.content->>'totalPaise')::bigint <> 0;
