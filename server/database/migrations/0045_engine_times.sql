ALTER TABLE "engine_findings" ADD COLUMN "engine_time" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "engine_incidents" ADD COLUMN "engine_time" timestamp with time zone;