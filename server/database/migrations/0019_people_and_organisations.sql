CREATE TABLE "email_corrections" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"person_id" uuid NOT NULL,
	"email" "citext" NOT NULL,
	"secret_hash" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"asked_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "email_corrections_personId_unique" UNIQUE("person_id"),
	CONSTRAINT "email_corrections_secretHash_unique" UNIQUE("secret_hash")
);
--> statement-breakpoint
CREATE TABLE "withdrawn_links" (
	"secret_hash" text PRIMARY KEY NOT NULL,
	"withdrawn_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_values" (
	"entry_id" uuid PRIMARY KEY NOT NULL,
	"person_id" uuid NOT NULL,
	"salt" text NOT NULL,
	"values" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "data_requests" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"kind" text NOT NULL,
	"email" "citext",
	"person_id" uuid,
	"asked_by" uuid NOT NULL,
	"asked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"done_at" timestamp with time zone,
	"refusal" text,
	"file" text,
	"file_until" timestamp with time zone,
	"files_to_remove" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"erased" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"searched" text GENERATED ALWAYS AS (lower(coalesce(email::text, '') || ' ' || kind || ' ' || state)) STORED NOT NULL
);
--> statement-breakpoint
ALTER TABLE "organisations" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "erased_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "email_corrections" ADD CONSTRAINT "email_corrections_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_corrections" ADD CONSTRAINT "email_corrections_asked_by_people_id_fk" FOREIGN KEY ("asked_by") REFERENCES "public"."people"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "email_corrections_expires_at_index" ON "email_corrections" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "email_corrections_asked_by_index" ON "email_corrections" USING btree ("asked_by");--> statement-breakpoint
CREATE INDEX "withdrawn_links_withdrawn_at_index" ON "withdrawn_links" USING btree ("withdrawn_at");--> statement-breakpoint
CREATE INDEX "audit_values_person_id_index" ON "audit_values" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "data_requests_by_asked_at" ON "data_requests" USING btree ("asked_at","id");--> statement-breakpoint
CREATE INDEX "data_requests_searched" ON "data_requests" USING gin ("searched" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "data_requests_open" ON "data_requests" USING btree ("asked_at") WHERE state in ('waiting', 'removing');--> statement-breakpoint
CREATE INDEX "data_requests_with_file" ON "data_requests" USING btree ("file_until") WHERE file is not null;--> statement-breakpoint
CREATE INDEX "data_requests_email_index" ON "data_requests" USING btree ("email");--> statement-breakpoint
CREATE INDEX "people_invited" ON "people" USING btree ("created_at","id") WHERE "people"."joined_at" is null;--> statement-breakpoint
CREATE INDEX "mails_by_recipient" ON "mails" USING btree (lower(recipient));--> statement-breakpoint
-- by hand
-- What stands beside the chain is written once, and goes only when a person is erased or the entry's time has passed.
create function audit_values_guard() returns trigger language plpgsql as $$
begin
  raise exception 'audit values are not changed' using errcode = 'insufficient_privilege';
end
$$;--> statement-breakpoint
create trigger audit_values_never_changed before update on audit_values
  for each row execute function audit_values_guard();
