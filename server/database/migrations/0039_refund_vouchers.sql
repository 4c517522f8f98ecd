CREATE TABLE "refund_voucher_series" (
	"financial_year" text PRIMARY KEY NOT NULL,
	"last_serial" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refund_vouchers" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"order_id" uuid NOT NULL,
	"receipt_id" uuid NOT NULL,
	"refund_id" uuid NOT NULL,
	"financial_year" text NOT NULL,
	"serial" integer NOT NULL,
	"number" text NOT NULL,
	"content" jsonb NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	"file" text,
	CONSTRAINT "refund_vouchers_number_unique" UNIQUE("number"),
	CONSTRAINT "refund_vouchers_file_unique" UNIQUE("file"),
	CONSTRAINT "refund_vouchers_series" UNIQUE("financial_year","serial"),
	CONSTRAINT "refund_vouchers_once" UNIQUE("refund_id","receipt_id")
);
--> statement-breakpoint
ALTER TABLE "refund_vouchers" ADD CONSTRAINT "refund_vouchers_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_vouchers" ADD CONSTRAINT "refund_vouchers_receipt_id_receipts_id_fk" FOREIGN KEY ("receipt_id") REFERENCES "public"."receipts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_vouchers" ADD CONSTRAINT "refund_vouchers_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refund_vouchers_order_id_index" ON "refund_vouchers" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "refund_vouchers_receipt_id_index" ON "refund_vouchers" USING btree ("receipt_id");--> statement-breakpoint
CREATE INDEX "refund_vouchers_without_file" ON "refund_vouchers" USING btree ("issued_at") WHERE file is null;--> statement-breakpoint
create trigger refund_vouchers_never_changed
  before update of content, number, financial_year, serial, order_id, receipt_id, refund_id on refund_vouchers
  for each row when (old is distinct from new) execute function document_guard();--> statement-breakpoint
create trigger refund_vouchers_not_deleted before delete on refund_vouchers
  for each row when (old.issued_at > now() - interval '8 years') execute function document_guard();
--> statement-breakpoint
-- Against invoice, and nothing is owed any more though it was not paid: written off, credited or cancelled.
update orders set state = 'closed' where state = 'invoiced' and owed_paise <= 0;
