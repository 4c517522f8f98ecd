ALTER TABLE "leads" ADD COLUMN "request_key" uuid;--> statement-breakpoint
CREATE UNIQUE INDEX "leads_one_per_request" ON "leads" USING btree ("request_key");