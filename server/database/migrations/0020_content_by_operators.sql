CREATE TABLE "site_texts" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"section" text NOT NULL,
	"version" integer NOT NULL,
	"content" jsonb,
	"saved_at" timestamp with time zone DEFAULT now() NOT NULL,
	"saved_by" uuid,
	CONSTRAINT "site_texts_version" UNIQUE("section","version")
);
--> statement-breakpoint
CREATE TABLE "tiles" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"organisation_id" uuid,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"icon" text NOT NULL,
	"url" text NOT NULL,
	"place" integer NOT NULL,
	"shown" boolean NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"searched" text GENERATED ALWAYS AS (lower(title || ' ' || text || ' ' || url)) STORED NOT NULL
);
--> statement-breakpoint
ALTER TABLE "log_sources" ADD COLUMN "retired" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "log_sources" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "log_sources" ADD COLUMN "updated_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "site_texts" ADD CONSTRAINT "site_texts_saved_by_people_id_fk" FOREIGN KEY ("saved_by") REFERENCES "public"."people"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tiles" ADD CONSTRAINT "tiles_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tiles_organisation_id_place_id_index" ON "tiles" USING btree ("organisation_id","place","id");--> statement-breakpoint
-- by hand
CREATE TRIGGER tell_of_content AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "site_texts" FOR EACH STATEMENT EXECUTE FUNCTION tell_of_content();
