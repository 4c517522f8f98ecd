ALTER TABLE "engine_bindings" ADD COLUMN "dashboard_address" text;--> statement-breakpoint
ALTER TABLE "engine_bindings" ADD COLUMN "opens_to_customer" boolean DEFAULT false NOT NULL;