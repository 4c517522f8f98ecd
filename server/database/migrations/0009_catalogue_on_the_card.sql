CREATE TABLE "rate_card_drafts" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"only_one" boolean DEFAULT true NOT NULL,
	"content" jsonb NOT NULL,
	"saved_at" timestamp with time zone NOT NULL,
	"saved_by" uuid NOT NULL,
	CONSTRAINT "rate_card_drafts_one" UNIQUE("only_one"),
	CONSTRAINT "rate_card_drafts_only_one" CHECK (only_one)
);
--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "gst_basis_points" integer DEFAULT 1800 NOT NULL;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "valid_days" integer DEFAULT 30 NOT NULL;--> statement-breakpoint
ALTER TABLE "rate_cards" ADD COLUMN "serial" bigint NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "rate_cards_serial_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "rate_cards" ADD COLUMN "gst_basis_points" integer DEFAULT 1800 NOT NULL;--> statement-breakpoint
ALTER TABLE "rate_cards" ADD COLUMN "quote_valid_days" integer DEFAULT 30 NOT NULL;--> statement-breakpoint
ALTER TABLE "rate_cards" ADD COLUMN "changes" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "rate_cards" ADD COLUMN "in_force_from" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "rate_cards" ADD COLUMN "withdrawn_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "rate_cards" ADD COLUMN "withdrawn_by" uuid;--> statement-breakpoint
ALTER TABLE "rate_card_drafts" ADD CONSTRAINT "rate_card_drafts_saved_by_people_id_fk" FOREIGN KEY ("saved_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- by hand
-- The catalogue was a table in the program; a card had only prices. Names and groups are the keys until somebody renames or moves.
update "rate_cards" set "in_force_from" = "created_at", "rates" = (
  select jsonb_agg(
    "rate" || jsonb_build_object('group', "rate"->>'service', 'name', "rate"->>'deviceType', 'retired', false)
    order by "place"
  ) from jsonb_array_elements("rates") with ordinality as "listed"("rate", "place")
);
