DROP INDEX "orders_unpaid";--> statement-breakpoint
CREATE INDEX "orders_not_paid_searched" ON "orders" USING gin ("searched" gin_trgm_ops) WHERE state <> 'success';--> statement-breakpoint
CREATE INDEX "orders_unpaid" ON "orders" USING btree ("updated_at") WHERE (state in ('failure', 'expired')) is true;