CREATE TABLE "announcements" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"audience" text NOT NULL,
	"roles" text[] DEFAULT '{}' NOT NULL,
	"organisation_ids" uuid[] DEFAULT '{}' NOT NULL,
	"shown_from" timestamp with time zone NOT NULL,
	"shown_until" timestamp with time zone NOT NULL,
	"mailed" boolean NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"withdrawn_at" timestamp with time zone,
	"delivered_up_to" uuid,
	"delivered_at" timestamp with time zone,
	"searched" text GENERATED ALWAYS AS (lower(title || ' ' || text)) STORED NOT NULL,
	CONSTRAINT "announcements_end_later" CHECK (shown_until > shown_from)
);
--> statement-breakpoint
CREATE TABLE "mails_turned_off" (
	"person_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mails_turned_off_person_id_kind_pk" PRIMARY KEY("person_id","kind")
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"person_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"event_key" text NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"link" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"read_at" timestamp with time zone,
	"announcement_id" uuid,
	"dismissed_at" timestamp with time zone,
	"searched" text GENERATED ALWAYS AS (lower(title || ' ' || text)) STORED NOT NULL,
	CONSTRAINT "notices_once_each" UNIQUE("person_id","event_key")
);
--> statement-breakpoint
DROP INDEX "quotes_partner_id_index";--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "person_id" uuid;--> statement-breakpoint
ALTER TABLE "announcements" ADD CONSTRAINT "announcements_created_by_people_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."people"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails_turned_off" ADD CONSTRAINT "mails_turned_off_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_announcement_id_announcements_id_fk" FOREIGN KEY ("announcement_id") REFERENCES "public"."announcements"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "announcements_by_shown_from" ON "announcements" USING btree ("shown_from","id");--> statement-breakpoint
CREATE INDEX "announcements_shown" ON "announcements" USING btree ("shown_until") WHERE "announcements"."withdrawn_at" is null;--> statement-breakpoint
CREATE INDEX "announcements_to_deliver" ON "announcements" USING btree ("shown_from") WHERE "announcements"."delivered_at" is null;--> statement-breakpoint
CREATE INDEX "notices_of_person" ON "notices" USING btree ("person_id","created_at","id");--> statement-breakpoint
CREATE INDEX "notices_unread" ON "notices" USING btree ("person_id","created_at","id") WHERE "notices"."read_at" is null;--> statement-breakpoint
CREATE INDEX "notices_of_announcement" ON "notices" USING btree ("announcement_id") WHERE "notices"."announcement_id" is not null;--> statement-breakpoint
CREATE INDEX "notices_by_created_at" ON "notices" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "leads_by_serial" ON "leads" USING btree ("serial");--> statement-breakpoint
CREATE INDEX "orders_by_serial" ON "orders" USING btree ("serial");--> statement-breakpoint
CREATE INDEX "quotes_of_partner" ON "quotes" USING btree ("partner_id","id") WHERE "quotes"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "quotes_by_serial" ON "quotes" USING btree ("serial");