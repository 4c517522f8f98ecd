ALTER TABLE "transfers" DROP CONSTRAINT "transfers_matched_to_an_order";--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "aside_because" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_set_aside" CHECK (state <> 'set_aside' or (order_id is null and aside_because <> ''));--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_matched_to_an_order" CHECK (state in ('announced', 'seen', 'set_aside') or order_id is not null);