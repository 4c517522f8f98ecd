ALTER TABLE "engine_bindings" ADD COLUMN "connected_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
UPDATE "engine_bindings" SET "connected_at" = "created_at";--> statement-breakpoint
CREATE INDEX "incidents_merged" ON "incidents" USING btree ("merged_into") WHERE "incidents"."merged_into" is not null;--> statement-breakpoint
ALTER TABLE "engine_incidents" ADD COLUMN "first_response_engine_time" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "engine_incidents" ADD COLUMN "closed_engine_time" timestamp with time zone;
