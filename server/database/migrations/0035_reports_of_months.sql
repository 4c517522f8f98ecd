CREATE TABLE "held_sources" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"organisation_id" uuid NOT NULL,
	"binding_id" uuid NOT NULL,
	"external_id" text NOT NULL,
	"name" text NOT NULL,
	"first_event_at" timestamp with time zone,
	"last_event_at" timestamp with time zone,
	"watched_until" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "held_sources_once" UNIQUE("binding_id","external_id")
);
--> statement-breakpoint
CREATE TABLE "service_reports" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"organisation_id" uuid NOT NULL,
	"month" date NOT NULL,
	"data" jsonb NOT NULL,
	"certificate" jsonb NOT NULL,
	"certificate_hash" text NOT NULL,
	"closed_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"file" text,
	"certificate_file" text,
	"partner_file" text,
	"organisation_name" text DEFAULT '' NOT NULL,
	"partner_id" uuid,
	"searched" text GENERATED ALWAYS AS (lower(organisation_name)) STORED NOT NULL,
	CONSTRAINT "service_reports_once" UNIQUE("organisation_id","month")
);
--> statement-breakpoint
CREATE TABLE "source_gaps" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"source_id" uuid NOT NULL,
	"from_at" timestamp with time zone NOT NULL,
	"until_at" timestamp with time zone NOT NULL,
	"watched_until" timestamp with time zone NOT NULL,
	CONSTRAINT "source_gaps_once" UNIQUE("source_id","from_at")
);
--> statement-breakpoint
ALTER TABLE "held_sources" ADD CONSTRAINT "held_sources_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "held_sources" ADD CONSTRAINT "held_sources_binding_id_engine_bindings_id_fk" FOREIGN KEY ("binding_id") REFERENCES "public"."engine_bindings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_reports" ADD CONSTRAINT "service_reports_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "source_gaps" ADD CONSTRAINT "source_gaps_source_id_held_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."held_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "held_sources_of_organisation" ON "held_sources" USING btree ("organisation_id","name","id");--> statement-breakpoint
CREATE INDEX "service_reports_of_organisation" ON "service_reports" USING btree ("organisation_id","id");--> statement-breakpoint
CREATE INDEX "service_reports_by_month" ON "service_reports" USING btree ("month","id");--> statement-breakpoint
CREATE INDEX "service_reports_by_organisation" ON "service_reports" USING btree (lower(organisation_name),"id");--> statement-breakpoint
CREATE INDEX "service_reports_searched" ON "service_reports" USING gin ("searched" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "service_reports_of_partner" ON "service_reports" USING btree ("partner_id","id") WHERE "service_reports"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "service_reports_of_partner_by_month" ON "service_reports" USING btree ("partner_id","month","id") WHERE "service_reports"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "service_reports_of_partner_by_organisation" ON "service_reports" USING btree ("partner_id",lower(organisation_name),"id") WHERE "service_reports"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "service_reports_file" ON "service_reports" USING btree ("file");--> statement-breakpoint
CREATE INDEX "service_reports_certificate_file" ON "service_reports" USING btree ("certificate_file");--> statement-breakpoint
CREATE INDEX "service_reports_partner_file" ON "service_reports" USING btree ("partner_file");--> statement-breakpoint
-- by hand
-- What was read at a close stays: a file is added to it, and who its customer is called and belongs to follows them.
create function service_report_guard() returns trigger language plpgsql as $$ begin
  if (new.month, new.data, new.certificate, new.certificate_hash, new.closed_at)
    is distinct from (old.month, old.data, old.certificate, old.certificate_hash, old.closed_at) then
    raise exception 'a report of a month is made once' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
--> statement-breakpoint
create trigger service_reports_guarded before update on service_reports
  for each row execute function service_report_guard();
--> statement-breakpoint
create function copy_organisation_to_service_report() returns trigger language plpgsql as $$ begin
  select name, partner_id into new.organisation_name, new.partner_id from organisations where id = new.organisation_id;
  return new;
end $$;
--> statement-breakpoint
create trigger copy_organisation before insert or update of organisation_id on service_reports
  for each row execute function copy_organisation_to_service_report();
--> statement-breakpoint
create function renew_copies_in_service_reports() returns trigger language plpgsql as $$ begin
  update service_reports set organisation_id = organisation_id where organisation_id = new.id;
  return null;
end $$;
--> statement-breakpoint
create trigger renew_copies_in_service_reports after update of name, partner_id on organisations
  for each row when ((old.name, old.partner_id) is distinct from (new.name, new.partner_id))
  execute function renew_copies_in_service_reports();
