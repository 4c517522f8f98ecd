ALTER TABLE "engine_bindings" ADD COLUMN "connected_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
UPDATE "engine_bindings" SET "connected_at" = "created_at";--> statement-breakpoint
CREATE INDEX "incidents_merged" ON "incidents" USING btree ("merged_into") WHERE "incidents"."merged_into" is not null;