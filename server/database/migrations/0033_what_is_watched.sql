CREATE TABLE "coverage_days" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"organisation_id" uuid NOT NULL,
	"day" date NOT NULL,
	"time_zone" text NOT NULL,
	"taken_at" timestamp with time zone NOT NULL,
	"lines" jsonb NOT NULL,
	"not_contracted" integer NOT NULL,
	"unmatched" integer NOT NULL,
	"unknown_since" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "coverage_days_once" UNIQUE("organisation_id","day")
);
--> statement-breakpoint
CREATE TABLE "coverage_figures" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"organisation_id" uuid NOT NULL,
	"organisation_name" text DEFAULT '' NOT NULL,
	"partner_id" uuid,
	"counted_at" timestamp with time zone NOT NULL,
	"next_count_at" timestamp with time zone NOT NULL,
	"contracted" integer NOT NULL,
	"connected" integer NOT NULL,
	"silent" integer NOT NULL,
	"never_connected" integer NOT NULL,
	"unknown" integer NOT NULL,
	"missing" integer NOT NULL,
	"not_contracted" integer NOT NULL,
	"unmatched" integer NOT NULL,
	"unknown_since" timestamp with time zone,
	"share" integer NOT NULL,
	"lines" jsonb NOT NULL,
	"additions" jsonb NOT NULL,
	"searched" text GENERATED ALWAYS AS (lower(organisation_name)) STORED NOT NULL,
	CONSTRAINT "coverage_figures_organisationId_unique" UNIQUE("organisation_id")
);
--> statement-breakpoint
CREATE TABLE "covered_devices" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"organisation_id" uuid NOT NULL,
	"identity" text NOT NULL,
	"device_id" uuid NOT NULL,
	"name" text NOT NULL,
	"address" text NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"since" timestamp with time zone,
	"place" text NOT NULL,
	"service" text,
	"device_type" text,
	"matched_by" text,
	"rule_id" uuid,
	"silence_minutes" integer NOT NULL,
	"searched" text GENERATED ALWAYS AS (lower(name || ' ' || address || ' ' || coalesce(device_type, ''))) STORED NOT NULL,
	CONSTRAINT "covered_devices_once" UNIQUE("organisation_id","identity")
);
--> statement-breakpoint
CREATE TABLE "device_decisions" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"organisation_id" uuid NOT NULL,
	"identity" text NOT NULL,
	"service" text,
	"device_type" text,
	"not_ours" boolean DEFAULT false NOT NULL,
	"silence_minutes" integer,
	"decided_by" uuid,
	"decided_at" timestamp with time zone NOT NULL,
	CONSTRAINT "device_decisions_once" UNIQUE("organisation_id","identity"),
	CONSTRAINT "device_decisions_typed" CHECK ((service is null) = (device_type is null) and not (not_ours and service is not null)),
	CONSTRAINT "device_decisions_silence" CHECK (silence_minutes > 0)
);
--> statement-breakpoint
CREATE TABLE "match_rules" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"organisation_id" uuid,
	"kind" text NOT NULL,
	"pattern" text NOT NULL,
	"service" text NOT NULL,
	"device_type" text NOT NULL,
	"place" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"changed_by" uuid,
	"changed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "silence_limits" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"organisation_id" uuid,
	"service" text NOT NULL,
	"device_type" text NOT NULL,
	"minutes" integer NOT NULL,
	"changed_by" uuid,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "silence_limits_positive" CHECK (minutes > 0)
);
--> statement-breakpoint
ALTER TABLE "engine_devices" ADD COLUMN "log_sources" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "coverage_days" ADD CONSTRAINT "coverage_days_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coverage_figures" ADD CONSTRAINT "coverage_figures_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "covered_devices" ADD CONSTRAINT "covered_devices_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "covered_devices" ADD CONSTRAINT "covered_devices_device_id_engine_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."engine_devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_decisions" ADD CONSTRAINT "device_decisions_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_decisions" ADD CONSTRAINT "device_decisions_decided_by_people_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "match_rules" ADD CONSTRAINT "match_rules_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "match_rules" ADD CONSTRAINT "match_rules_changed_by_people_id_fk" FOREIGN KEY ("changed_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "silence_limits" ADD CONSTRAINT "silence_limits_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "silence_limits" ADD CONSTRAINT "silence_limits_changed_by_people_id_fk" FOREIGN KEY ("changed_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "coverage_days_by_time" ON "coverage_days" USING btree ("taken_at");--> statement-breakpoint
CREATE INDEX "coverage_figures_due" ON "coverage_figures" USING btree ("next_count_at");--> statement-breakpoint
CREATE INDEX "coverage_figures_worst" ON "coverage_figures" USING btree ("share","id");--> statement-breakpoint
CREATE INDEX "coverage_figures_by_name" ON "coverage_figures" USING btree (lower(organisation_name),"id");--> statement-breakpoint
CREATE INDEX "coverage_figures_searched" ON "coverage_figures" USING gin ("searched" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "coverage_figures_of_partner" ON "coverage_figures" USING btree ("partner_id","id") WHERE "coverage_figures"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "coverage_figures_of_partner_worst" ON "coverage_figures" USING btree ("partner_id","share","id") WHERE "coverage_figures"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "coverage_figures_of_partner_by_name" ON "coverage_figures" USING btree ("partner_id",lower(organisation_name),"id") WHERE "coverage_figures"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "covered_devices_of_device" ON "covered_devices" USING btree ("device_id");--> statement-breakpoint
CREATE INDEX "covered_devices_by_name" ON "covered_devices" USING btree ("organisation_id",lower(name),"id");--> statement-breakpoint
CREATE INDEX "covered_devices_by_id" ON "covered_devices" USING btree ("organisation_id","id");--> statement-breakpoint
CREATE INDEX "covered_devices_by_type" ON "covered_devices" USING btree ("organisation_id",lower(coalesce(device_type, '')),"id");--> statement-breakpoint
CREATE INDEX "covered_devices_by_state" ON "covered_devices" USING btree ("organisation_id","state",lower(name),"id");--> statement-breakpoint
CREATE INDEX "covered_devices_by_place" ON "covered_devices" USING btree ("organisation_id","place",lower(name),"id");--> statement-breakpoint
CREATE INDEX "covered_devices_searched" ON "covered_devices" USING gin ("searched" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "match_rules_of_organisation" ON "match_rules" USING btree ("organisation_id");--> statement-breakpoint
CREATE UNIQUE INDEX "silence_limits_of_all" ON "silence_limits" USING btree ("service","device_type") WHERE "silence_limits"."organisation_id" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "silence_limits_of_one" ON "silence_limits" USING btree ("organisation_id","service","device_type") WHERE "silence_limits"."organisation_id" is not null;--> statement-breakpoint
CREATE INDEX "engine_findings_by_time" ON "engine_findings" USING btree ("at");--> statement-breakpoint
-- by hand
create function copy_organisation_to_coverage() returns trigger language plpgsql as $$ begin
  select name, partner_id into new.organisation_name, new.partner_id from organisations where id = new.organisation_id;
  return new;
end $$;
--> statement-breakpoint
create trigger copy_organisation before insert or update of organisation_id on coverage_figures
  for each row execute function copy_organisation_to_coverage();
--> statement-breakpoint
create function renew_copies_in_coverage() returns trigger language plpgsql as $$ begin
  update coverage_figures set organisation_id = organisation_id where organisation_id = new.id;
  return null;
end $$;
--> statement-breakpoint
create trigger renew_copies_in_coverage after update of name, partner_id on organisations
  for each row when ((old.name, old.partner_id) is distinct from (new.name, new.partner_id))
  execute function renew_copies_in_coverage();
