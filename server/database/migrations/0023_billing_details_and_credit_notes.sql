CREATE TABLE "credit_note_series" (
	"financial_year" text PRIMARY KEY NOT NULL,
	"last_serial" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "credit_notes" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"invoice_id" uuid NOT NULL,
	"financial_year" text NOT NULL,
	"serial" integer NOT NULL,
	"number" text NOT NULL,
	"amount_paise" bigint NOT NULL,
	"cause" text,
	"content" jsonb NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	"file" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "credit_notes_number_unique" UNIQUE("number"),
	CONSTRAINT "credit_notes_cause_unique" UNIQUE("cause"),
	CONSTRAINT "credit_notes_file_unique" UNIQUE("file"),
	CONSTRAINT "credit_notes_series" UNIQUE("financial_year","serial"),
	CONSTRAINT "credit_notes_of_something" CHECK (amount_paise > 0)
);
--> statement-breakpoint
ALTER TABLE "organisations" ADD COLUMN "billing_kind" text;--> statement-breakpoint
ALTER TABLE "organisations" ADD COLUMN "legal_name" text;--> statement-breakpoint
ALTER TABLE "organisations" ADD COLUMN "pin_code" text;--> statement-breakpoint
ALTER TABLE "organisations" ADD COLUMN "billing_country" text;--> statement-breakpoint
ALTER TABLE "organisations" ADD COLUMN "pan" text;--> statement-breakpoint
ALTER TABLE "organisations" ADD COLUMN "purchase_order" text;--> statement-breakpoint
ALTER TABLE "organisations" ADD COLUMN "undertaking" jsonb;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "tax" jsonb;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "tax" jsonb;--> statement-breakpoint
ALTER TABLE "credit_notes" ADD CONSTRAINT "credit_notes_invoice_id_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."invoices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "credit_notes_invoice_id_index" ON "credit_notes" USING btree ("invoice_id");--> statement-breakpoint
CREATE INDEX "credit_notes_by_time" ON "credit_notes" USING btree ("issued_at","id");--> statement-breakpoint
CREATE INDEX "credit_notes_without_file" ON "credit_notes" USING btree ("issued_at") WHERE file is null;--> statement-breakpoint
-- by hand
-- An invoice or a credit note that has a number says for ever what it says.
create function document_guard() returns trigger language plpgsql as $$
begin
  raise exception 'a numbered document is not changed' using errcode = 'insufficient_privilege';
end
$$;--> statement-breakpoint
create trigger invoices_never_changed before update of content, number, financial_year, serial on invoices
  for each row when (old is distinct from new) execute function document_guard();--> statement-breakpoint
create trigger credit_notes_never_changed
  before update of content, number, financial_year, serial, amount_paise, invoice_id on credit_notes
  for each row when (old is distinct from new) execute function document_guard();--> statement-breakpoint
-- After eight financial years the operator's staff may delete them (contract/retention.ts).
create trigger invoices_not_deleted before delete on invoices
  for each row when (old.issued_at > now() - interval '8 years') execute function document_guard();--> statement-breakpoint
create trigger credit_notes_not_deleted before delete on credit_notes
  for each row when (old.issued_at > now() - interval '8 years') execute function document_guard();
