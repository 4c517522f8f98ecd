CREATE TABLE "proofs" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"issuer" text NOT NULL,
	"statement" text NOT NULL,
	"valid_until" date,
	"link" text,
	"place" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "partner_id" uuid;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "made_by" uuid;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "request_key" uuid;--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_partner_id_organisations_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."organisations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_made_by_people_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "quotes_of_organisation_by_valid_until" ON "quotes" USING btree ("organisation_id","valid_until");--> statement-breakpoint
CREATE UNIQUE INDEX "quotes_one_per_request" ON "quotes" USING btree ("made_by","request_key") WHERE "quotes"."made_by" is not null;--> statement-breakpoint
CREATE INDEX "quotes_partner_id_index" ON "quotes" USING btree ("partner_id") WHERE "quotes"."partner_id" is not null;--> statement-breakpoint
-- by hand
CREATE TRIGGER tell_of_content AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "proofs" FOR EACH STATEMENT EXECUTE FUNCTION tell_of_content();
