ALTER TABLE "people" DROP CONSTRAINT "people_email_unique";--> statement-breakpoint
ALTER TABLE "organisations" ADD COLUMN "suspended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "joined_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "registered" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "invited_by" uuid;--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "invited_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sign_in_codes" ADD COLUMN "public_token_id" text;--> statement-breakpoint
ALTER TABLE "sign_in_codes" ADD COLUMN "wrong_tries_elsewhere" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sign_in_codes" ADD COLUMN "day_began_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "sign_in_codes" ADD COLUMN "codes_of_day" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sign_in_codes" ADD COLUMN "wrong_tries_of_day" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sign_in_codes" ADD COLUMN "wrong_tries_elsewhere_of_day" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "people" ADD CONSTRAINT "people_invited_by_people_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."people"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "people_joined_email" ON "people" USING btree ("email") WHERE joined_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "people_email_once_each" ON "people" USING btree ("organisation_id","email");--> statement-breakpoint
CREATE INDEX "people_email" ON "people" USING btree ("email");--> statement-breakpoint
CREATE INDEX "people_invited_by" ON "people" USING btree ("invited_by");--> statement-breakpoint
CREATE INDEX "people_parents" ON "people" USING btree ("organisation_id") WHERE role in ('user', 'partner', 'admin');--> statement-breakpoint
-- by hand
-- Who has a password has joined; the others are invitations that nobody has accepted yet.
update people set joined_at = coalesce(email_verified_at, created_at) where password_hash is not null;
--> statement-breakpoint
update people set invited_until = coalesce(
    (select max(expires_at) from single_use_links where person_id = people.id and purpose = 'invite'),
    created_at + interval '72 hours')
  where password_hash is null;
--> statement-breakpoint
update people set registered = true from audit_entries
  where audit_entries.actor_id = people.id and audit_entries.action = 'register';
--> statement-breakpoint
update people set invited_by = adders.id from audit_entries join people as adders on adders.id = audit_entries.actor_id
  where (audit_entries.action = 'add child' and audit_entries.subject = 'person:' || people.id)
    or (audit_entries.action in ('add customer', 'add partner') and people.role in ('user', 'partner')
      and not people.registered and audit_entries.subject = 'organisation:' || people.organisation_id);
