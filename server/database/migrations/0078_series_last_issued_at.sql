ALTER TABLE "credit_note_series" ADD COLUMN "last_issued_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "invoice_series" ADD COLUMN "last_issued_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "refund_voucher_series" ADD COLUMN "last_issued_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "proforma_series" ADD COLUMN "last_issued_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "receipt_series" ADD COLUMN "last_issued_at" timestamp with time zone;