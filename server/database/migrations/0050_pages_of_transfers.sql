DROP INDEX "tax_deductions_in_state";--> statement-breakpoint
DROP INDEX "transfers_by_time";--> statement-breakpoint
DROP INDEX "transfers_unmatched";--> statement-breakpoint
ALTER TABLE "tax_deductions" ADD COLUMN "is_open" boolean GENERATED ALWAYS AS (state = 'uploaded' or state in ('awaited', 'refused') and (debt_since is null or debt_by is not null)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "tax_deductions" ADD COLUMN "ranked_at" timestamp GENERATED ALWAYS AS (claimed_at at time zone 'UTC' + case when state = 'uploaded' then interval '1000 years' else interval '0' end) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "tax_deductions" ADD COLUMN "organisation_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "tax_deductions" ADD COLUMN "order_number" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "tax_deductions" ADD COLUMN "invoice_number" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "tax_deductions" ADD COLUMN "searched" text GENERATED ALWAYS AS (lower(invoice_number || ' ' || order_number || ' ' || organisation_name || ' ' || coalesce(certificate_number, '') || ' ' || coalesce(quarter, ''))) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "order_number" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "searched" text GENERATED ALWAYS AS (lower(utr || ' ' || payer || ' ' || narration || ' ' || order_number)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "tax_deductions_open" ON "tax_deductions" USING btree ("ranked_at","id") WHERE is_open;--> statement-breakpoint
CREATE INDEX "tax_deductions_open_by_amount" ON "tax_deductions" USING btree ("amount_paise","id") WHERE is_open;--> statement-breakpoint
CREATE INDEX "tax_deductions_open_by_organisation" ON "tax_deductions" USING btree (lower(organisation_name),"id") WHERE is_open;--> statement-breakpoint
CREATE INDEX "tax_deductions_open_searched" ON "tax_deductions" USING gin ("searched" gin_trgm_ops) WHERE is_open;--> statement-breakpoint
CREATE INDEX "transfers_by_day" ON "transfers" USING btree ("received_on","id");--> statement-breakpoint
CREATE INDEX "transfers_by_amount" ON "transfers" USING btree ("amount_paise","id");--> statement-breakpoint
CREATE INDEX "transfers_searched" ON "transfers" USING gin ("searched" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "transfers_unmatched_by_day" ON "transfers" USING btree ("received_on","id") WHERE state in ('announced', 'seen');--> statement-breakpoint
CREATE INDEX "transfers_unmatched_by_amount" ON "transfers" USING btree ("amount_paise","id") WHERE state in ('announced', 'seen');--> statement-breakpoint
CREATE INDEX "transfers_unmatched_searched" ON "transfers" USING gin ("searched" gin_trgm_ops) WHERE state in ('announced', 'seen');--> statement-breakpoint
CREATE INDEX "transfers_unmatched" ON "transfers" USING btree ("id") WHERE state in ('announced', 'seen');--> statement-breakpoint
-- by hand
-- An order's number never changes: nothing has to renew this copy, and no order waits for its transfers.
create function copy_order_to_transfer() returns trigger language plpgsql as $$ begin
  new.order_number := coalesce((select called_order(serial) from orders where id = new.order_id), '');
  return new;
end $$;
--> statement-breakpoint
create trigger copy_order before insert or update of order_id on transfers
  for each row execute function copy_order_to_transfer();
--> statement-breakpoint
create function copy_order_to_deduction() returns trigger language plpgsql as $$ begin
  select organisation_name, called_order(serial), invoice_number
    into new.organisation_name, new.order_number, new.invoice_number from orders where id = new.order_id;
  return new;
end $$;
--> statement-breakpoint
create trigger copy_order before insert or update of order_id on tax_deductions
  for each row execute function copy_order_to_deduction();
--> statement-breakpoint
create function renew_copies_in_deductions() returns trigger language plpgsql as $$ begin
  update tax_deductions set order_id = order_id where order_id = new.id;
  return null;
end $$;
--> statement-breakpoint
-- Of any update: what a trigger before it changes stands in no list of columns.
create trigger renew_copies_in_deductions after update on orders for each row
  when (old.organisation_name <> new.organisation_name or old.invoice_number <> new.invoice_number)
  execute function renew_copies_in_deductions();
--> statement-breakpoint
update transfers set order_id = order_id where order_id is not null;
--> statement-breakpoint
update tax_deductions set order_id = order_id;
