CREATE TABLE "ledger_entries" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"order_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"event_id" uuid NOT NULL,
	"amount_paise" bigint NOT NULL,
	"due_on" date,
	"about" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"written_by" uuid,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "ledger_entries_once" UNIQUE("kind","event_id"),
	CONSTRAINT "ledger_entries_of_something" CHECK (amount_paise <> 0)
);
--> statement-breakpoint
CREATE TABLE "tax_deductions" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"order_id" uuid NOT NULL,
	"section" text NOT NULL,
	"basis_points" integer NOT NULL,
	"amount_paise" bigint NOT NULL,
	"state" text DEFAULT 'awaited' NOT NULL,
	"claimed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"certificate_number" text,
	"quarter" text,
	"certificate_paise" bigint,
	"file" text,
	"uploaded_by" uuid,
	"uploaded_at" timestamp with time zone,
	"refusal" text DEFAULT '' NOT NULL,
	"decided_by" uuid,
	"decided_at" timestamp with time zone,
	CONSTRAINT "tax_deductions_orderId_unique" UNIQUE("order_id"),
	CONSTRAINT "tax_deductions_file_unique" UNIQUE("file")
);
--> statement-breakpoint
CREATE TABLE "bank_statements" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"hash" text NOT NULL,
	"name" text NOT NULL,
	"uploaded_by" uuid NOT NULL,
	"uploaded_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bank_statements_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "proforma_series" (
	"financial_year" text PRIMARY KEY NOT NULL,
	"last_serial" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "proformas" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"order_id" uuid NOT NULL,
	"financial_year" text NOT NULL,
	"serial" integer NOT NULL,
	"number" text NOT NULL,
	"reference" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"pay_paise" bigint NOT NULL,
	"content" jsonb NOT NULL,
	"due_on" date NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone,
	"closed_because" text DEFAULT '' NOT NULL,
	"file" text,
	CONSTRAINT "proformas_number_unique" UNIQUE("number"),
	CONSTRAINT "proformas_reference_unique" UNIQUE("reference"),
	CONSTRAINT "proformas_file_unique" UNIQUE("file"),
	CONSTRAINT "proformas_series" UNIQUE("financial_year","serial")
);
--> statement-breakpoint
CREATE TABLE "receipt_series" (
	"financial_year" text PRIMARY KEY NOT NULL,
	"last_serial" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "receipts" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"order_id" uuid NOT NULL,
	"transfer_id" uuid NOT NULL,
	"financial_year" text NOT NULL,
	"serial" integer NOT NULL,
	"number" text NOT NULL,
	"content" jsonb NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	"file" text,
	CONSTRAINT "receipts_transferId_unique" UNIQUE("transfer_id"),
	CONSTRAINT "receipts_number_unique" UNIQUE("number"),
	CONSTRAINT "receipts_file_unique" UNIQUE("file"),
	CONSTRAINT "receipts_series" UNIQUE("financial_year","serial")
);
--> statement-breakpoint
CREATE TABLE "transfers" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"utr" text NOT NULL,
	"state" text NOT NULL,
	"order_id" uuid,
	"amount_paise" bigint NOT NULL,
	"received_on" date NOT NULL,
	"payer" text DEFAULT '' NOT NULL,
	"narration" text DEFAULT '' NOT NULL,
	"statement_id" uuid,
	"announced_by" uuid,
	"recorded_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"matched_at" timestamp with time zone,
	"excess_paise" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "transfers_utr_unique" UNIQUE("utr"),
	CONSTRAINT "transfers_of_money" CHECK (amount_paise > 0),
	CONSTRAINT "transfers_matched_to_an_order" CHECK (state in ('announced', 'seen') or order_id is not null)
);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "deducts" jsonb;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "owed_paise" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "expected_paise" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "tax_open_paise" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "due_on" date;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "open_paise" bigint GENERATED ALWAYS AS (owed_paise + expected_paise) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "sorted_due_on" date GENERATED ALWAYS AS (coalesce(due_on, date '9999-12-31')) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "is_unsettled" boolean GENERATED ALWAYS AS (owed_paise + expected_paise <> 0 or tax_open_paise <> 0) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_written_by_people_id_fk" FOREIGN KEY ("written_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tax_deductions" ADD CONSTRAINT "tax_deductions_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tax_deductions" ADD CONSTRAINT "tax_deductions_uploaded_by_people_id_fk" FOREIGN KEY ("uploaded_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tax_deductions" ADD CONSTRAINT "tax_deductions_decided_by_people_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_statements" ADD CONSTRAINT "bank_statements_uploaded_by_people_id_fk" FOREIGN KEY ("uploaded_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proformas" ADD CONSTRAINT "proformas_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_transfer_id_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_statement_id_bank_statements_id_fk" FOREIGN KEY ("statement_id") REFERENCES "public"."bank_statements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_announced_by_people_id_fk" FOREIGN KEY ("announced_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_recorded_by_people_id_fk" FOREIGN KEY ("recorded_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ledger_entries_order_id_at_index" ON "ledger_entries" USING btree ("order_id","at");--> statement-breakpoint
CREATE INDEX "tax_deductions_in_state" ON "tax_deductions" USING btree ("state","uploaded_at");--> statement-breakpoint
CREATE UNIQUE INDEX "proformas_one_open" ON "proformas" USING btree ("order_id") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "proformas_order_id_index" ON "proformas" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "proformas_without_file" ON "proformas" USING btree ("issued_at") WHERE file is null;--> statement-breakpoint
CREATE INDEX "receipts_order_id_index" ON "receipts" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "receipts_without_file" ON "receipts" USING btree ("issued_at") WHERE file is null;--> statement-breakpoint
CREATE INDEX "transfers_order_id_index" ON "transfers" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "transfers_by_time" ON "transfers" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "transfers_unmatched" ON "transfers" USING btree ("created_at","id") WHERE state in ('announced', 'seen');--> statement-breakpoint
CREATE INDEX "orders_unsettled" ON "orders" USING btree ("sorted_due_on","id") WHERE is_unsettled;--> statement-breakpoint
CREATE INDEX "orders_unsettled_by_owed" ON "orders" USING btree ("open_paise","id") WHERE is_unsettled;--> statement-breakpoint
CREATE INDEX "orders_unsettled_searched" ON "orders" USING gin ("searched" gin_trgm_ops) WHERE is_unsettled;--> statement-breakpoint
CREATE INDEX "orders_unsettled_by_organisation" ON "orders" USING btree (lower(organisation_name),"id") WHERE is_unsettled;
--> statement-breakpoint
-- by hand
-- An entry of the ledger is never changed; after eight financial years the operator's staff may delete it (contract/retention.ts).
create function ledger_guard() returns trigger language plpgsql as $$
begin
  raise exception 'a ledger entry is not changed' using errcode = 'insufficient_privilege';
end
$$;--> statement-breakpoint
create trigger ledger_entries_never_changed before update on ledger_entries
  for each row execute function ledger_guard();--> statement-breakpoint
create trigger ledger_entries_not_deleted before delete on ledger_entries
  for each row when (old.at > now() - interval '8 years') execute function ledger_guard();--> statement-breakpoint
create trigger proformas_never_changed
  before update of content, number, financial_year, serial, reference, pay_paise, due_on, order_id on proformas
  for each row when ((old.content, old.number, old.financial_year, old.serial, old.reference, old.pay_paise, old.due_on, old.order_id)
    is distinct from (new.content, new.number, new.financial_year, new.serial, new.reference, new.pay_paise, new.due_on, new.order_id))
  execute function document_guard();--> statement-breakpoint
create trigger receipts_never_changed before update of content, number, financial_year, serial, order_id, transfer_id on receipts
  for each row when (old is distinct from new) execute function document_guard();--> statement-breakpoint
create trigger proformas_not_deleted before delete on proformas
  for each row when (old.issued_at > now() - interval '8 years') execute function document_guard();--> statement-breakpoint
create trigger receipts_not_deleted before delete on receipts
  for each row when (old.issued_at > now() - interval '8 years') execute function document_guard();--> statement-breakpoint
-- What is open of an order is read from the order.
create function show_owed() returns trigger language plpgsql as $$ begin
  update orders set owed_paise = owed_paise + new.amount_paise, due_on = coalesce(new.due_on, due_on)
    where id = new.order_id;
  return null;
end $$;--> statement-breakpoint
create trigger show_owed after insert on ledger_entries for each row execute function show_owed();--> statement-breakpoint
create function show_expected() returns trigger language plpgsql as $$ begin
  update orders set expected_paise = case when new.state = 'open' then new.pay_paise else 0 end,
      due_on = case when new.state = 'open' then new.due_on else due_on end
    where id = new.order_id;
  return null;
end $$;--> statement-breakpoint
create trigger show_new_proforma after insert on proformas for each row execute function show_expected();--> statement-breakpoint
create trigger show_closed_proforma after update of state on proformas
  for each row when (old.state <> new.state) execute function show_expected();--> statement-breakpoint
create function show_deducted() returns trigger language plpgsql as $$ begin
  update orders set tax_open_paise = case when new.state = 'matched' then 0 else new.amount_paise end
    where id = new.order_id;
  return null;
end $$;--> statement-breakpoint
create trigger show_deducted after insert or update of state on tax_deductions
  for each row execute function show_deducted();--> statement-breakpoint
-- Who buys against invoice is a customer as one who has paid.
drop trigger show_paid on orders;--> statement-breakpoint
drop trigger show_newly_paid on orders;--> statement-breakpoint
create trigger show_paid after insert on orders for each row
  when (new.state in ('success', 'invoiced')) execute function show_paid_customer();--> statement-breakpoint
create trigger show_newly_paid after update on orders for each row
  when (new.state in ('success', 'invoiced') and old.state not in ('success', 'invoiced'))
  execute function show_paid_customer();--> statement-breakpoint
drop trigger win_lead on orders;--> statement-breakpoint
drop trigger win_lead_of_change on orders;--> statement-breakpoint
create trigger win_lead after insert on orders for each row
  when (new.state in ('success', 'invoiced')) execute function win_lead_of_order();--> statement-breakpoint
create trigger win_lead_of_change after update on orders for each row
  when (new.state in ('success', 'invoiced') and old.state is distinct from new.state)
  execute function win_lead_of_order();--> statement-breakpoint
-- What is there already: invoices, payments as the gateway took them, credit notes and refunds.
insert into ledger_entries (order_id, kind, event_id, amount_paise, due_on, about, at)
  select order_id, 'invoice', id, (content->>'totalPaise')::bigint, (issued_at at time zone 'Asia/Kolkata')::date, number, issued_at
    from invoices where (content->>'totalPaise')::bigint <> 0;--> statement-breakpoint
insert into ledger_entries (order_id, kind, event_id, amount_paise, about, at)
  select order_id, 'payment', id, -captured_paise, coalesce(gateway_payment_id, reference), coalesce(ended_at, created_at)
    from attempts where captured_paise > 0;--> statement-breakpoint
-- Paid before tries were kept.
insert into ledger_entries (order_id, kind, event_id, amount_paise, about, at)
  select id, 'payment', id, -amount_paise, payment_id, coalesce(paid_at, updated_at)
    from orders where payment_id is not null and amount_paise <> 0
      and not exists (select from attempts where order_id = orders.id and captured_paise > 0 and state = 'success');--> statement-breakpoint
insert into ledger_entries (order_id, kind, event_id, amount_paise, about, at)
  select invoices.order_id, 'credit note', credit_notes.id, -credit_notes.amount_paise, credit_notes.number, credit_notes.issued_at
    from credit_notes join invoices on invoices.id = credit_notes.invoice_id;--> statement-breakpoint
insert into ledger_entries (order_id, kind, event_id, amount_paise, about, at)
  select order_id, 'refund', id, amount_paise, coalesce(gateway_refund_id, token), coalesce(ended_at, asked_at)
    from refunds where state = 'done';
