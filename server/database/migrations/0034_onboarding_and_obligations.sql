CREATE TABLE "entity_class_versions" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"organisation_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"classes" text[] NOT NULL,
	"set_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "entity_class_versions_once" UNIQUE("organisation_id","version")
);
--> statement-breakpoint
CREATE TABLE "obligation_filings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organisation_id" uuid NOT NULL,
	"incident_id" uuid NOT NULL,
	"obligation_key" text NOT NULL,
	"obligation_version" integer NOT NULL,
	"filed_by" uuid NOT NULL,
	"filed_at" timestamp with time zone NOT NULL,
	"reference" text NOT NULL,
	"draft" text NOT NULL,
	"draft_hash" text NOT NULL,
	"recorded_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "obligation_versions" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"key" text NOT NULL,
	"version" integer NOT NULL,
	"words" jsonb NOT NULL,
	"verified_by" uuid,
	"verified_at" timestamp with time zone,
	"made_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "obligation_versions_once" UNIQUE("key","version"),
	CONSTRAINT "obligation_versions_verified" CHECK ((verified_by is null) = (verified_at is null))
);
--> statement-breakpoint
CREATE TABLE "obligation_warnings" (
	"organisation_id" uuid NOT NULL,
	"incident_id" uuid NOT NULL,
	"obligation_key" text NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "obligation_warnings_incident_id_obligation_key_pk" PRIMARY KEY("incident_id","obligation_key")
);
--> statement-breakpoint
CREATE TABLE "regulator_facts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"serial" bigint GENERATED ALWAYS AS IDENTITY (sequence name "regulator_facts_serial_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"organisation_id" uuid NOT NULL,
	"incident_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"value" jsonb NOT NULL,
	"entered_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "onboarding_items" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"organisation_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"key" text DEFAULT '' NOT NULL,
	"side" text NOT NULL,
	"owner_id" uuid,
	"due_on" date NOT NULL,
	"ticked_by" uuid,
	"ticked_at" timestamp with time zone,
	"note" text DEFAULT '' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "onboarding_items_once" UNIQUE("organisation_id","kind","key"),
	CONSTRAINT "onboarding_items_ticked" CHECK ((ticked_by is null) = (ticked_at is null))
);
--> statement-breakpoint
CREATE TABLE "onboardings" (
	"organisation_id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"opened_at" timestamp with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp with time zone,
	"reminded_at" timestamp with time zone,
	"time_zone_set_by" uuid,
	"time_zone_set_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "sites" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"organisation_id" uuid NOT NULL,
	"name" text NOT NULL,
	"address" text NOT NULL,
	"added_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"removed_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "organisations" ADD COLUMN "time_zone" text DEFAULT 'Asia/Kolkata' NOT NULL;--> statement-breakpoint
ALTER TABLE "entity_class_versions" ADD CONSTRAINT "entity_class_versions_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entity_class_versions" ADD CONSTRAINT "entity_class_versions_set_by_people_id_fk" FOREIGN KEY ("set_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "obligation_filings" ADD CONSTRAINT "obligation_filings_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "obligation_filings" ADD CONSTRAINT "obligation_filings_incident_id_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "obligation_filings" ADD CONSTRAINT "obligation_filings_filed_by_people_id_fk" FOREIGN KEY ("filed_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "obligation_filings" ADD CONSTRAINT "obligation_filings_recorded_by_people_id_fk" FOREIGN KEY ("recorded_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "obligation_versions" ADD CONSTRAINT "obligation_versions_verified_by_people_id_fk" FOREIGN KEY ("verified_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "obligation_versions" ADD CONSTRAINT "obligation_versions_made_by_people_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "obligation_warnings" ADD CONSTRAINT "obligation_warnings_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "obligation_warnings" ADD CONSTRAINT "obligation_warnings_incident_id_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "regulator_facts" ADD CONSTRAINT "regulator_facts_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "regulator_facts" ADD CONSTRAINT "regulator_facts_incident_id_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "regulator_facts" ADD CONSTRAINT "regulator_facts_entered_by_people_id_fk" FOREIGN KEY ("entered_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboarding_items" ADD CONSTRAINT "onboarding_items_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboarding_items" ADD CONSTRAINT "onboarding_items_owner_id_people_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."people"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboarding_items" ADD CONSTRAINT "onboarding_items_ticked_by_people_id_fk" FOREIGN KEY ("ticked_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboardings" ADD CONSTRAINT "onboardings_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboardings" ADD CONSTRAINT "onboardings_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboardings" ADD CONSTRAINT "onboardings_time_zone_set_by_people_id_fk" FOREIGN KEY ("time_zone_set_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_added_by_people_id_fk" FOREIGN KEY ("added_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "obligation_filings_of_incident" ON "obligation_filings" USING btree ("incident_id","created_at","id");--> statement-breakpoint
CREATE INDEX "obligation_filings_of_organisation" ON "obligation_filings" USING btree ("organisation_id","filed_at");--> statement-breakpoint
CREATE INDEX "regulator_facts_of_incident" ON "regulator_facts" USING btree ("incident_id","serial");--> statement-breakpoint
CREATE INDEX "onboardings_open" ON "onboardings" USING btree ("organisation_id") WHERE "onboardings"."done_at" is null;--> statement-breakpoint
CREATE INDEX "sites_of_organisation" ON "sites" USING btree ("organisation_id","id") WHERE "sites"."removed_at" is null;--> statement-breakpoint
-- by hand
-- What somebody attested or filed stays as it is. It moves with its customer when two customers are made one.
create function keep_attested() returns trigger language plpgsql as $$ begin
  if tg_op = 'UPDATE'
    and to_jsonb(new) - 'organisation_id' - 'version' = to_jsonb(old) - 'organisation_id' - 'version'
    and tg_table_name <> 'obligation_versions'
  then return new; end if;
  raise exception '% are neither changed nor deleted', replace(tg_table_name, '_', ' ') using errcode = 'insufficient_privilege';
end $$;
--> statement-breakpoint
create trigger keep_attested before update or delete on regulator_facts for each row execute function keep_attested();
--> statement-breakpoint
create trigger keep_attested before update or delete on obligation_filings for each row execute function keep_attested();
--> statement-breakpoint
create trigger keep_attested before update or delete on entity_class_versions for each row execute function keep_attested();
--> statement-breakpoint
create trigger keep_attested before update or delete on obligation_versions for each row execute function keep_attested();
--> statement-breakpoint
-- Whoever has bought already has a checklist too; an hourly job gives it its lines.
insert into onboardings (organisation_id, order_id, opened_at)
  select distinct on (organisation_id) organisation_id, order_id, created_at from contracts order by organisation_id, created_at;
