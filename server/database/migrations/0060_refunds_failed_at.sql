ALTER TABLE "refunds" ADD COLUMN "failed_at" timestamp with time zone;--> statement-breakpoint
update refunds set failed_at = ended_at where state = 'failed';
