DROP INDEX "orders_not_paid_searched";--> statement-breakpoint
CREATE INDEX "customers_of_partner_searched" ON "people" USING gin ("partner_id",(searched || '') gin_trgm_ops) WHERE role = 'user' and partner_id is not null;--> statement-breakpoint
CREATE INDEX "contracts_of_partner_searched" ON "contracts" USING gin ("partner_id",(searched || '') gin_trgm_ops) WHERE "contracts"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "coverage_figures_of_partner_searched" ON "coverage_figures" USING gin ("partner_id",(searched || '') gin_trgm_ops) WHERE "coverage_figures"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "incidents_open_counted" ON "incidents" USING btree ("partner_id","severity","broken","asks") WHERE rank < 100;--> statement-breakpoint
CREATE INDEX "incidents_of_partner_searched" ON "incidents" USING gin ("partner_id",(searched || '') gin_trgm_ops) WHERE "incidents"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "orders_of_partner_searched" ON "orders" USING gin ("partner_id",(searched || '') gin_trgm_ops) WHERE "orders"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "quotes_of_partner_searched" ON "quotes" USING gin ("partner_id",(searched || '') gin_trgm_ops) WHERE "quotes"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "service_reports_of_partner_searched" ON "service_reports" USING gin ("partner_id",(searched || '') gin_trgm_ops) WHERE "service_reports"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "orders_not_paid_searched" ON "orders" USING gin ("state","searched" gin_trgm_ops) WHERE state <> 'success';