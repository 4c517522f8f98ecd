CREATE TABLE "engine_bindings" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"organisation_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"address" text NOT NULL,
	"indexer_address" text,
	"tenant_key" text,
	"username" text,
	"sealed_secret" text,
	"indexer_username" text,
	"sealed_indexer_secret" text,
	"ca_certificate" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"removed_at" timestamp with time zone,
	"next_poll_at" timestamp with time zone NOT NULL,
	"polled_until" timestamp with time zone,
	"engine_version" text,
	"skew_seconds" integer,
	"troubled_since" timestamp with time zone,
	"trouble" text
);
--> statement-breakpoint
CREATE TABLE "engine_devices" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"binding_id" uuid NOT NULL,
	"organisation_id" uuid NOT NULL,
	"external_id" text NOT NULL,
	"identity" text NOT NULL,
	"name" text NOT NULL,
	"address" text,
	"os" text,
	"groups" text[] NOT NULL,
	"state" text NOT NULL,
	"version" text,
	"first_seen_at" timestamp with time zone,
	"last_seen_at" timestamp with time zone,
	"last_event_at" timestamp with time zone,
	"last_event_basis" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"gone_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "engine_findings" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"binding_id" uuid NOT NULL,
	"organisation_id" uuid NOT NULL,
	"external_id" text NOT NULL,
	"title" text NOT NULL,
	"severity" text NOT NULL,
	"raw_severity" text NOT NULL,
	"state" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"first_response_at" timestamp with time zone,
	"device_id" text,
	"attack" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine_incidents" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"binding_id" uuid NOT NULL,
	"organisation_id" uuid NOT NULL,
	"external_id" text NOT NULL,
	"title" text NOT NULL,
	"severity" text NOT NULL,
	"raw_severity" text NOT NULL,
	"state" text NOT NULL,
	"raw_state" text NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"first_response_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"verdict" text,
	"timeline" jsonb NOT NULL,
	"figures" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine_streams" (
	"binding_id" uuid NOT NULL,
	"stream" text NOT NULL,
	"cursor" text,
	"last_answer_at" timestamp with time zone,
	"failing_since" timestamp with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"sentence" text,
	"retry_at" timestamp with time zone,
	"unreadable" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "engine_streams_binding_id_stream_pk" PRIMARY KEY("binding_id","stream")
);
--> statement-breakpoint
ALTER TABLE "engine_bindings" ADD CONSTRAINT "engine_bindings_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine_devices" ADD CONSTRAINT "engine_devices_binding_id_engine_bindings_id_fk" FOREIGN KEY ("binding_id") REFERENCES "public"."engine_bindings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine_devices" ADD CONSTRAINT "engine_devices_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine_findings" ADD CONSTRAINT "engine_findings_binding_id_engine_bindings_id_fk" FOREIGN KEY ("binding_id") REFERENCES "public"."engine_bindings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine_findings" ADD CONSTRAINT "engine_findings_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine_incidents" ADD CONSTRAINT "engine_incidents_binding_id_engine_bindings_id_fk" FOREIGN KEY ("binding_id") REFERENCES "public"."engine_bindings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine_incidents" ADD CONSTRAINT "engine_incidents_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine_streams" ADD CONSTRAINT "engine_streams_binding_id_engine_bindings_id_fk" FOREIGN KEY ("binding_id") REFERENCES "public"."engine_bindings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "engine_bindings_of_organisation" ON "engine_bindings" USING btree ("organisation_id","id") WHERE "engine_bindings"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "engine_bindings_due" ON "engine_bindings" USING btree ("next_poll_at") WHERE "engine_bindings"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "engine_bindings_removed" ON "engine_bindings" USING btree ("organisation_id") WHERE "engine_bindings"."removed_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "engine_devices_by_external_id" ON "engine_devices" USING btree ("binding_id","external_id");--> statement-breakpoint
CREATE INDEX "engine_devices_of_organisation" ON "engine_devices" USING btree ("organisation_id","identity") WHERE "engine_devices"."gone_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "engine_findings_by_external_id" ON "engine_findings" USING btree ("binding_id","external_id");--> statement-breakpoint
CREATE INDEX "engine_findings_of_organisation" ON "engine_findings" USING btree ("organisation_id","at");--> statement-breakpoint
CREATE INDEX "engine_findings_open" ON "engine_findings" USING btree ("binding_id","at") WHERE state in ('open', 'acknowledged');--> statement-breakpoint
CREATE UNIQUE INDEX "engine_incidents_by_external_id" ON "engine_incidents" USING btree ("binding_id","external_id");--> statement-breakpoint
CREATE INDEX "engine_incidents_of_organisation" ON "engine_incidents" USING btree ("organisation_id","opened_at");--> statement-breakpoint
-- by hand
-- Most of a device's row stays as it is from poll to poll: room for what changes, in its own page.
alter table engine_devices set (fillfactor = 80);
--> statement-breakpoint
-- An engine waits for a person while it is in trouble.
create function show_engine() returns trigger language plpgsql as $$ begin
  if new.troubled_since is null or new.removed_at is not null then
    perform settle_action_item('engines', new.id);
  else
    perform open_action_item('engines', new.id,
      case new.kind when 'wazuh4' then 'Wazuh 4' when 'wazuh5' then 'Wazuh 5' when 'iris' then 'DFIR-IRIS'
        when 'thehive' then 'TheHive' when 'opensearch' then 'OpenSearch' else 'Shuffle' end,
      organisations.name, new.trouble, new.troubled_since)
      from organisations where organisations.id = new.organisation_id;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger show_changed_engine after update on engine_bindings for each row
  when ((new.troubled_since, new.trouble, new.removed_at) is distinct from (old.troubled_since, old.trouble, old.removed_at))
  execute function show_engine();
--> statement-breakpoint
create trigger forget_action_items after delete on engine_bindings for each row
  execute function forget_action_items('engines');
