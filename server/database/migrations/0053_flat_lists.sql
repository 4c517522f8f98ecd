DROP INDEX "action_items_searched";--> statement-breakpoint
CREATE INDEX "incidents_of_partner_by_opened" ON "incidents" USING btree ("partner_id","opened_at","id") WHERE "incidents"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "incidents_of_partner_by_changed" ON "incidents" USING btree ("partner_id","changed_at","id") WHERE "incidents"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "incidents_of_partner_by_organisation" ON "incidents" USING btree ("partner_id",lower(organisation_name),"id") WHERE "incidents"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "orders_unsettled_by_id" ON "orders" USING btree ("id") WHERE is_unsettled;--> statement-breakpoint
CREATE INDEX "action_items_searched" ON "action_items" USING gin ("queue","searched" gin_trgm_ops);