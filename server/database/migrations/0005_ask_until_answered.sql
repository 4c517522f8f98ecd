DROP INDEX "attempts_open";--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "claimed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "next_check_at" timestamp with time zone DEFAULT now() + interval '15 minutes';--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "review_reason" text;--> statement-breakpoint
ALTER TABLE "sandbox_transactions" ADD COLUMN "refunds" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "attempts_to_check" ON "attempts" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "attempts_claimed" ON "attempts" USING btree ("claimed_at") WHERE claimed_at is not null;--> statement-breakpoint
CREATE INDEX "invoices_without_file" ON "invoices" USING btree ("issued_at") WHERE file is null;--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_open_are_checked" CHECK (next_check_at is not null or (state not in ('initiated', 'pending') and claimed_at is null));--> statement-breakpoint
-- by hand
update "attempts" set "next_check_at" = null where "state" in ('success', 'review')
  or ("state" in ('failure', 'expired') and coalesce("ended_at", "created_at") < now() - interval '24 hours');--> statement-breakpoint
-- What a signed message called a success, and nobody confirmed: it is asked about now.
update "attempts" set "claimed_at" = "said"."first_at", "next_check_at" = now()
  from (select "attempt_id", min("received_at") as "first_at" from "payment_events"
    where "source" in ('return', 'webhook') and "outcome" = 'success' group by "attempt_id") as "said"
  where "said"."attempt_id" = "attempts"."id" and "attempts"."state" in ('pending', 'failure', 'expired');--> statement-breakpoint
update "attempts" set "review_reason" = "orders"."review_reason" from "orders"
  where "orders"."id" = "attempts"."order_id" and "attempts"."state" = 'review';
