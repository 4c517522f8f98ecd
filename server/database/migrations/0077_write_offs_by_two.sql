CREATE TABLE "write_off_requests" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"order_id" uuid NOT NULL,
	"amount_paise" bigint NOT NULL,
	"reason" text NOT NULL,
	"state" text NOT NULL,
	"asked_by" uuid NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"decided_by" uuid,
	"decided_at" timestamp with time zone,
	"problem" text,
	CONSTRAINT "write_off_requests_of_money" CHECK (amount_paise > 0),
	CONSTRAINT "write_off_requests_by_two_people" CHECK (state <> 'agreed' or (decided_by is not null and decided_by <> asked_by))
);
--> statement-breakpoint
ALTER TABLE "write_off_requests" ADD CONSTRAINT "write_off_requests_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "write_off_requests" ADD CONSTRAINT "write_off_requests_asked_by_people_id_fk" FOREIGN KEY ("asked_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "write_off_requests" ADD CONSTRAINT "write_off_requests_decided_by_people_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "write_off_requests_one_waits" ON "write_off_requests" USING btree ("order_id") WHERE state = 'asked';--> statement-breakpoint
-- by hand
-- A write-off waits for a person while it says why.
create function show_write_off() returns trigger language plpgsql as $$ begin
  if new.problem is null then
    perform settle_action_item('writeOffs', new.id);
  else
    perform open_action_item('writeOffs', new.id, called_order(orders.serial), orders.organisation_name, new.problem, new.asked_at)
      from orders where orders.id = new.order_id;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger show_write_off after insert or update on write_off_requests for each row execute function show_write_off();
--> statement-breakpoint
create trigger forget_action_items after delete on write_off_requests for each row execute function forget_action_items('writeOffs');
