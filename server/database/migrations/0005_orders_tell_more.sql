DROP INDEX "orders_organisation_id_id_index";--> statement-breakpoint
DROP INDEX "orders_state_id_index";--> statement-breakpoint
DROP INDEX "orders_partner_id_id_index";--> statement-breakpoint
DROP INDEX "orders_by_created_at";--> statement-breakpoint
DROP INDEX "orders_to_review";--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "started_by" uuid;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "bill_to" jsonb;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "superseded_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "superseded_by" uuid;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "dated_at" timestamp with time zone GENERATED ALWAYS AS (coalesce(paid_at, created_at)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "rates_to_confirm" boolean GENERATED ALWAYS AS (lines @> '[{"subjectToConfirmation": true}]') STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "rates_confirmed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "rates_confirmed_by" uuid;--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_started_by_people_id_fk" FOREIGN KEY ("started_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_superseded_by_people_id_fk" FOREIGN KEY ("superseded_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_rates_confirmed_by_people_id_fk" FOREIGN KEY ("rates_confirmed_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "orders_organisation_id_dated_at_id_index" ON "orders" USING btree ("organisation_id","dated_at","id");--> statement-breakpoint
CREATE INDEX "orders_state_dated_at_id_index" ON "orders" USING btree ("state","dated_at","id");--> statement-breakpoint
CREATE INDEX "orders_partner_id_dated_at_id_index" ON "orders" USING btree ("partner_id","dated_at","id");--> statement-breakpoint
CREATE INDEX "orders_by_date" ON "orders" USING btree ("dated_at","id");--> statement-breakpoint
CREATE INDEX "quotes_to_confirm" ON "quotes" USING btree ("id") WHERE rates_to_confirm;--> statement-breakpoint
CREATE INDEX "orders_to_review" ON "orders" USING btree ("dated_at","id") WHERE review_reason is not null;--> statement-breakpoint
-- by hand
-- A quote was valid to the second at which it had been made; its proposal prints a day.
update quotes set valid_until = (date_trunc('day', valid_until at time zone 'Asia/Kolkata') + interval '1 day')
  at time zone 'Asia/Kolkata' - interval '1 millisecond';
--> statement-breakpoint
-- The buyer of an order is who started its newest attempt; of the older ones nobody knows.
update attempts set started_by = orders.buyer_id from orders where orders.id = attempts.order_id
  and not exists (select from attempts as later where later.order_id = attempts.order_id and later.id > attempts.id);
--> statement-breakpoint
-- Who bought a quote, or began to, before rates had to be confirmed gets it at the rates that were offered.
update quotes set lines = (select jsonb_agg(line || '{"subjectToConfirmation": false}' order by place)
    from jsonb_array_elements(lines) with ordinality as each (line, place))
  where rates_to_confirm and exists (select from orders where orders.quote_id = quotes.id);
