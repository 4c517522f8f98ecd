ALTER TABLE "incidents" ADD COLUMN "on_call_asked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "on_call_told_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "incidents_owed_to_on_call" ON "incidents" USING btree ("on_call_asked_at") WHERE on_call_asked_at is not null and on_call_told_at is null;