CREATE TABLE "consents" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"purpose" text NOT NULL,
	"notice_version" text,
	"given_at" timestamp with time zone DEFAULT now() NOT NULL,
	"person_id" uuid,
	"lead_id" uuid,
	"quote_id" uuid,
	CONSTRAINT "consents_of_one" CHECK (num_nonnulls(person_id, lead_id, quote_id) = 1)
);
--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_quote_id_quotes_id_fk" FOREIGN KEY ("quote_id") REFERENCES "public"."quotes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "consents_person_id_index" ON "consents" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "consents_lead_id_index" ON "consents" USING btree ("lead_id");--> statement-breakpoint
CREATE INDEX "consents_quote_id_index" ON "consents" USING btree ("quote_id");--> statement-breakpoint
CREATE INDEX "people_unproved" ON "people" USING btree ("created_at") WHERE "people"."email_verified_at" is null;--> statement-breakpoint
CREATE INDEX "sessions_expires_at_index" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "mails_created_at_index" ON "mails" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "orders_unpaid" ON "orders" USING btree ("updated_at") WHERE state in ('failure', 'expired');--> statement-breakpoint
CREATE INDEX "payment_events_stray" ON "payment_events" USING btree ("received_at") WHERE "payment_events"."attempt_id" is null;--> statement-breakpoint
CREATE INDEX "quotes_unclaimed" ON "quotes" USING btree ("created_at") WHERE "quotes"."organisation_id" is null;