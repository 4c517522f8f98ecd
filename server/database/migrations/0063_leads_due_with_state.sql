DROP INDEX "leads_by_due";--> statement-breakpoint
CREATE INDEX "leads_by_due" ON "leads" USING btree ("due_on","id","state") WHERE "leads"."joined_to" is null;