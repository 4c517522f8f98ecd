CREATE TABLE "findings" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"order_id" uuid,
	"about" text NOT NULL,
	"who" text DEFAULT '' NOT NULL,
	"says" text NOT NULL,
	"found_at" timestamp with time zone DEFAULT now() NOT NULL,
	"resolved_at" timestamp with time zone,
	"resolved_by" uuid,
	"resolution" text DEFAULT '' NOT NULL,
	"searched" text GENERATED ALWAYS AS (lower(about || ' ' || who || ' ' || says || ' ' || resolution)) STORED NOT NULL,
	CONSTRAINT "findings_once" UNIQUE("kind","key")
);
--> statement-breakpoint
CREATE TABLE "settlement_files" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"hash" text NOT NULL,
	"name" text NOT NULL,
	"uploaded_by" uuid NOT NULL,
	"uploaded_at" timestamp with time zone DEFAULT now() NOT NULL,
	"first_day" date NOT NULL,
	"last_day" date NOT NULL,
	CONSTRAINT "settlement_files_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "settlement_lines" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"file_id" uuid NOT NULL,
	"line" integer NOT NULL,
	"gateway" text NOT NULL,
	"kind" text NOT NULL,
	"gateway_id" text NOT NULL,
	"gateway_payment_id" text NOT NULL,
	"reference" text NOT NULL,
	"amount_paise" bigint NOT NULL,
	"fee_paise" bigint NOT NULL,
	"tax_paise" bigint NOT NULL,
	"net_paise" bigint NOT NULL,
	"settled_on" date NOT NULL,
	"utr" text NOT NULL,
	"attempt_id" uuid,
	"refund_id" uuid,
	CONSTRAINT "settlement_lines_once" UNIQUE("gateway","kind","gateway_id")
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"order_id" uuid NOT NULL,
	"attempt_id" uuid NOT NULL,
	"token" text NOT NULL,
	"amount_paise" bigint NOT NULL,
	"reason" text NOT NULL,
	"state" text NOT NULL,
	"asked_by" uuid NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"needs_second" boolean NOT NULL,
	"approved_by" uuid,
	"approved_at" timestamp with time zone,
	"sent_at" timestamp with time zone,
	"taken_at" timestamp with time zone,
	"gateway_refund_id" text,
	"ended_at" timestamp with time zone,
	"failure" text,
	"problem" text,
	CONSTRAINT "refunds_token_unique" UNIQUE("token"),
	CONSTRAINT "refunds_of_money" CHECK (amount_paise > 0),
	CONSTRAINT "refunds_by_two_people" CHECK (approved_by <> asked_by),
	CONSTRAINT "refunds_approved_before_sent" CHECK (state in ('asked', 'failed') or (approved_at is not null and (approved_by is not null or not needs_second)))
);
--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "captured_paise" bigint;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "gateway_words" text;--> statement-breakpoint
ALTER TABLE "findings" ADD CONSTRAINT "findings_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_files" ADD CONSTRAINT "settlement_files_uploaded_by_people_id_fk" FOREIGN KEY ("uploaded_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_lines" ADD CONSTRAINT "settlement_lines_file_id_settlement_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."settlement_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_lines" ADD CONSTRAINT "settlement_lines_attempt_id_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."attempts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_lines" ADD CONSTRAINT "settlement_lines_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_attempt_id_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."attempts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_asked_by_people_id_fk" FOREIGN KEY ("asked_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_approved_by_people_id_fk" FOREIGN KEY ("approved_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "findings_order_id_index" ON "findings" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "findings_searched" ON "findings" USING gin ("searched" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "findings_open" ON "findings" USING btree ("found_at","id") WHERE "findings"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "findings_resolved" ON "findings" USING btree ("found_at","id") WHERE "findings"."resolved_at" is not null;--> statement-breakpoint
CREATE INDEX "settlement_files_by_uploaded_at" ON "settlement_files" USING btree ("uploaded_at");--> statement-breakpoint
CREATE INDEX "settlement_lines_file_id_index" ON "settlement_lines" USING btree ("file_id");--> statement-breakpoint
CREATE INDEX "settlement_lines_attempt_id_index" ON "settlement_lines" USING btree ("attempt_id");--> statement-breakpoint
CREATE INDEX "settlement_lines_refund_id_index" ON "settlement_lines" USING btree ("refund_id");--> statement-breakpoint
CREATE INDEX "refunds_order_id_index" ON "refunds" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "refunds_attempt_id_index" ON "refunds" USING btree ("attempt_id");--> statement-breakpoint
CREATE INDEX "refunds_open" ON "refunds" USING btree ("approved_at") WHERE state in ('approved', 'sent');--> statement-breakpoint
-- by hand
-- A refund waits for a person while it says why.
create function show_refund() returns trigger language plpgsql as $$ begin
  if new.problem is null then
    perform settle_action_item('refunds', new.id);
  else
    perform open_action_item('refunds', new.id, called_order(orders.serial), orders.organisation_name, new.problem, new.asked_at)
      from orders where orders.id = new.order_id;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger show_new_refund after insert on refunds for each row
  when (new.problem is not null) execute function show_refund();
--> statement-breakpoint
create trigger show_changed_refund after update on refunds for each row
  when (new.problem is distinct from old.problem) execute function show_refund();
--> statement-breakpoint
create trigger forget_action_items after delete on refunds for each row execute function forget_action_items('refunds');
--> statement-breakpoint
-- What the gateway took for what is paid already is what the order costs.
update attempts set captured_paise = amount_paise where state = 'success';
--> statement-breakpoint
-- Of a payment that a person looks at, the gateway's answer was kept.
with told as (
  select distinct on (attempt_id) attempt_id, raw->>'mihpayid' as payment_id,
      round((raw->>'transaction_amount')::numeric * 100)::bigint as paise
    from payment_events
    where source = 'verify' and outcome = 'captured' and raw->>'mihpayid' is not null
      and raw->>'transaction_amount' ~ '^\d{1,12}(\.\d{1,2})?$'
    order by attempt_id, received_at desc
)
update attempts set gateway_payment_id = told.payment_id, captured_paise = told.paise
  from told
  where attempts.id = told.attempt_id and attempts.state = 'review'
    and not exists (select from attempts other
      where other.gateway = attempts.gateway and other.gateway_payment_id = told.payment_id)
    and (select count(*) from told twin join attempts held on held.id = twin.attempt_id and held.state = 'review'
      where twin.payment_id = told.payment_id) = 1;
