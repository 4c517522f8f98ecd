CREATE TABLE "contact_ladders" (
	"organisation_id" uuid PRIMARY KEY NOT NULL,
	"contacts" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"changed_by" uuid
);
--> statement-breakpoint
CREATE TABLE "engine_remarks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"binding_id" uuid NOT NULL,
	"external_id" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	"given_up_at" timestamp with time zone,
	"problem" text
);
--> statement-breakpoint
CREATE TABLE "finding_decisions" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"finding_id" uuid NOT NULL,
	"organisation_id" uuid NOT NULL,
	"fate" text NOT NULL,
	"rule_id" uuid,
	"incident_id" uuid,
	"person_id" uuid,
	"reason" text NOT NULL,
	"decided_at" timestamp with time zone NOT NULL,
	"holds" boolean DEFAULT true NOT NULL,
	"dispute" text,
	"disputed_by" uuid,
	"disputed_at" timestamp with time zone,
	CONSTRAINT "finding_decisions_by_rule" CHECK ((fate = 'suppressed') = (rule_id is not null)),
	CONSTRAINT "finding_decisions_to_incident" CHECK ((fate = 'attached') = (incident_id is not null))
);
--> statement-breakpoint
CREATE TABLE "incident_breaches" (
	"incident_id" uuid NOT NULL,
	"clock" text NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"severity" text NOT NULL,
	"recorded_at" timestamp with time zone NOT NULL,
	"undone_at" timestamp with time zone,
	CONSTRAINT "incident_breaches_incident_id_clock_due_at_pk" PRIMARY KEY("incident_id","clock","due_at")
);
--> statement-breakpoint
CREATE TABLE "incident_facts" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"serial" bigint GENERATED ALWAYS AS IDENTITY (sequence name "incident_facts_serial_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"incident_id" uuid NOT NULL,
	"news" text NOT NULL,
	"occurred_at" timestamp with time zone NOT NULL,
	"recorded_at" timestamp with time zone NOT NULL,
	"by" text NOT NULL,
	"person_id" uuid,
	"payload" jsonb NOT NULL,
	"corrects" uuid,
	"withdrawn" boolean DEFAULT false NOT NULL,
	"event_key" text NOT NULL,
	CONSTRAINT "incident_facts_once" UNIQUE("incident_id","event_key")
);
--> statement-breakpoint
CREATE TABLE "incident_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"incident_id" uuid NOT NULL,
	"name" text NOT NULL,
	"file" text NOT NULL,
	"type" text NOT NULL,
	"bytes" integer NOT NULL,
	"sha256" text NOT NULL,
	"person_id" uuid,
	"by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "incident_views" (
	"incident_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"side" text NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	CONSTRAINT "incident_views_incident_id_person_id_pk" PRIMARY KEY("incident_id","person_id")
);
--> statement-breakpoint
CREATE TABLE "incidents" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"serial" bigint GENERATED ALWAYS AS IDENTITY (sequence name "incidents_serial_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"organisation_id" uuid NOT NULL,
	"title" text NOT NULL,
	"source" text NOT NULL,
	"binding_id" uuid,
	"engine_incident_id" uuid,
	"external_id" text,
	"engine_taken_at" timestamp with time zone,
	"report" jsonb,
	"merged_into" uuid,
	"opened_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"severity" text NOT NULL,
	"state" text DEFAULT 'new' NOT NULL,
	"waits_for" text,
	"owner_id" uuid,
	"opened_at" timestamp with time zone NOT NULL,
	"acknowledged_at" timestamp with time zone,
	"contained_at" timestamp with time zone,
	"resolved_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"changed_at" timestamp with time zone NOT NULL,
	"next_due_at" timestamp with time zone,
	"next_clock" text,
	"broken" integer DEFAULT 0 NOT NULL,
	"asks" integer DEFAULT 0 NOT NULL,
	"rank" integer DEFAULT 0 NOT NULL,
	"organisation_name" text DEFAULT '' NOT NULL,
	"partner_id" uuid,
	"searched" text GENERATED ALWAYS AS (lower('I-' || lpad(serial::text, 6, '0') || ' ' || title || ' ' || organisation_name || ' ' || severity)) STORED NOT NULL,
	CONSTRAINT "incidents_engineIncidentId_unique" UNIQUE("engine_incident_id")
);
--> statement-breakpoint
CREATE TABLE "ladder_calls" (
	"incident_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"phone" text NOT NULL,
	"email" text NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"mailed_at" timestamp with time zone,
	"reached_at" timestamp with time zone,
	"reached_by" text,
	"tried_at" timestamp with time zone,
	"person_id" uuid,
	CONSTRAINT "ladder_calls_incident_id_position_pk" PRIMARY KEY("incident_id","position")
);
--> statement-breakpoint
CREATE TABLE "service_level_versions" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"number" integer NOT NULL,
	"holds_from" timestamp with time zone NOT NULL,
	"is_sample" boolean NOT NULL,
	"agreement" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	CONSTRAINT "service_level_versions_number_unique" UNIQUE("number")
);
--> statement-breakpoint
CREATE TABLE "suppression_rules" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"organisation_id" uuid NOT NULL,
	"title" text NOT NULL,
	"device_id" text,
	"reason" text NOT NULL,
	"on_word_of" text NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"ended_by" uuid
);
--> statement-breakpoint
ALTER TABLE "engine_findings" ADD COLUMN "decided" text;--> statement-breakpoint
ALTER TABLE "engine_findings" ADD COLUMN "fate" text GENERATED ALWAYS AS (coalesce(decided, case when state = 'closed' then 'benign' else 'open' end)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "engine_findings" ADD COLUMN "searched" text GENERATED ALWAYS AS (lower(title)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_ladders" ADD CONSTRAINT "contact_ladders_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_ladders" ADD CONSTRAINT "contact_ladders_changed_by_people_id_fk" FOREIGN KEY ("changed_by") REFERENCES "public"."people"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine_remarks" ADD CONSTRAINT "engine_remarks_id_incident_facts_id_fk" FOREIGN KEY ("id") REFERENCES "public"."incident_facts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine_remarks" ADD CONSTRAINT "engine_remarks_binding_id_engine_bindings_id_fk" FOREIGN KEY ("binding_id") REFERENCES "public"."engine_bindings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "finding_decisions" ADD CONSTRAINT "finding_decisions_finding_id_engine_findings_id_fk" FOREIGN KEY ("finding_id") REFERENCES "public"."engine_findings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "finding_decisions" ADD CONSTRAINT "finding_decisions_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "finding_decisions" ADD CONSTRAINT "finding_decisions_rule_id_suppression_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."suppression_rules"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "finding_decisions" ADD CONSTRAINT "finding_decisions_incident_id_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "finding_decisions" ADD CONSTRAINT "finding_decisions_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "finding_decisions" ADD CONSTRAINT "finding_decisions_disputed_by_people_id_fk" FOREIGN KEY ("disputed_by") REFERENCES "public"."people"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_breaches" ADD CONSTRAINT "incident_breaches_incident_id_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_facts" ADD CONSTRAINT "incident_facts_incident_id_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_facts" ADD CONSTRAINT "incident_facts_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_facts" ADD CONSTRAINT "incident_facts_corrects_incident_facts_id_fk" FOREIGN KEY ("corrects") REFERENCES "public"."incident_facts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_files" ADD CONSTRAINT "incident_files_incident_id_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_files" ADD CONSTRAINT "incident_files_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_views" ADD CONSTRAINT "incident_views_incident_id_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_views" ADD CONSTRAINT "incident_views_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_binding_id_engine_bindings_id_fk" FOREIGN KEY ("binding_id") REFERENCES "public"."engine_bindings"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_engine_incident_id_engine_incidents_id_fk" FOREIGN KEY ("engine_incident_id") REFERENCES "public"."engine_incidents"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_merged_into_incidents_id_fk" FOREIGN KEY ("merged_into") REFERENCES "public"."incidents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_opened_by_people_id_fk" FOREIGN KEY ("opened_by") REFERENCES "public"."people"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_owner_id_people_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."people"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ladder_calls" ADD CONSTRAINT "ladder_calls_incident_id_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ladder_calls" ADD CONSTRAINT "ladder_calls_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_level_versions" ADD CONSTRAINT "service_level_versions_created_by_people_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."people"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suppression_rules" ADD CONSTRAINT "suppression_rules_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suppression_rules" ADD CONSTRAINT "suppression_rules_created_by_people_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."people"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suppression_rules" ADD CONSTRAINT "suppression_rules_ended_by_people_id_fk" FOREIGN KEY ("ended_by") REFERENCES "public"."people"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "engine_remarks_unsent" ON "engine_remarks" USING btree ("created_at") WHERE "engine_remarks"."sent_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "finding_decisions_that_hold" ON "finding_decisions" USING btree ("finding_id") WHERE holds;--> statement-breakpoint
CREATE INDEX "finding_decisions_organisation_id_decided_at_index" ON "finding_decisions" USING btree ("organisation_id","decided_at");--> statement-breakpoint
CREATE INDEX "finding_decisions_incident_id_index" ON "finding_decisions" USING btree ("incident_id");--> statement-breakpoint
CREATE INDEX "finding_decisions_disputed" ON "finding_decisions" USING btree ("disputed_at") WHERE holds and disputed_at is not null;--> statement-breakpoint
CREATE INDEX "incident_facts_incident_id_occurred_at_serial_index" ON "incident_facts" USING btree ("incident_id","occurred_at","serial");--> statement-breakpoint
CREATE INDEX "incident_facts_person_id_index" ON "incident_facts" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "incident_files_incident_id_created_at_index" ON "incident_files" USING btree ("incident_id","created_at");--> statement-breakpoint
CREATE INDEX "incident_files_person_id_index" ON "incident_files" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "incident_views_person_id_index" ON "incident_views" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "incidents_organisation_id_opened_at_id_index" ON "incidents" USING btree ("organisation_id","opened_at","id");--> statement-breakpoint
CREATE INDEX "incidents_worst" ON "incidents" USING btree ("rank","id");--> statement-breakpoint
CREATE INDEX "incidents_by_opened" ON "incidents" USING btree ("opened_at","id");--> statement-breakpoint
CREATE INDEX "incidents_by_changed" ON "incidents" USING btree ("changed_at","id");--> statement-breakpoint
CREATE INDEX "incidents_by_organisation" ON "incidents" USING btree (lower(organisation_name),"id");--> statement-breakpoint
CREATE INDEX "incidents_by_serial" ON "incidents" USING btree ("serial");--> statement-breakpoint
CREATE INDEX "incidents_of_partner" ON "incidents" USING btree ("partner_id","rank","id") WHERE "incidents"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "incidents_of_organisation_worst" ON "incidents" USING btree ("organisation_id","rank","id");--> statement-breakpoint
CREATE INDEX "incidents_searched" ON "incidents" USING gin ("searched" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "incidents_due" ON "incidents" USING btree ("next_due_at") WHERE "incidents"."next_due_at" is not null;--> statement-breakpoint
CREATE INDEX "incidents_of_binding" ON "incidents" USING btree ("binding_id","external_id");--> statement-breakpoint
CREATE INDEX "ladder_calls_waiting" ON "ladder_calls" USING btree ("due_at") WHERE mailed_at is null and reached_at is null;--> statement-breakpoint
CREATE INDEX "service_level_versions_holds_from_number_index" ON "service_level_versions" USING btree ("holds_from","number");--> statement-breakpoint
CREATE INDEX "suppression_rules_organisation_id_created_at_index" ON "suppression_rules" USING btree ("organisation_id","created_at");--> statement-breakpoint
CREATE INDEX "suppression_rules_in_force" ON "suppression_rules" USING btree ("organisation_id","title") WHERE "suppression_rules"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "engine_findings_received" ON "engine_findings" USING btree ("organisation_id","created_at","id");--> statement-breakpoint
-- by hand
create function copy_organisation_to_incident() returns trigger language plpgsql as $$ begin
  select name, partner_id into new.organisation_name, new.partner_id from organisations where id = new.organisation_id;
  return new;
end $$;
--> statement-breakpoint
create trigger copy_organisation before insert or update of organisation_id on incidents
  for each row execute function copy_organisation_to_incident();
--> statement-breakpoint
-- Beside the trigger that renews other copies, so that none has to know the others.
create function renew_copies_in_incidents() returns trigger language plpgsql as $$ begin
  update incidents set organisation_id = organisation_id where organisation_id = new.id;
  return null;
end $$;
--> statement-breakpoint
create trigger renew_copies_in_incidents after update of name, partner_id on organisations for each row
  when ((new.name, new.partner_id) is distinct from (old.name, old.partner_id))
  execute function renew_copies_in_incidents();
--> statement-breakpoint
-- Facts are added only. What is deleted with its incident, and a person who goes, come by way of a foreign key.
create function incident_fact_guard() returns trigger language plpgsql as $$ begin
  if pg_trigger_depth() > 1 then return coalesce(new, old); end if;
  raise exception 'A fact of an incident is never changed: correct it by another' using errcode = 'restrict_violation';
end $$;
--> statement-breakpoint
create trigger incident_facts_only_added before update or delete on incident_facts
  for each row execute function incident_fact_guard();
