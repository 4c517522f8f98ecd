CREATE INDEX "log_sources_by_product" ON "log_sources" USING btree (lower(product),"id");--> statement-breakpoint
CREATE INDEX "log_sources_by_category" ON "log_sources" USING btree (lower(category),"id");--> statement-breakpoint
CREATE INDEX "log_sources_by_format" ON "log_sources" USING btree (lower(format),"id");--> statement-breakpoint
CREATE INDEX "log_sources_by_retired" ON "log_sources" USING btree ("retired","id");--> statement-breakpoint
CREATE INDEX "tiles_by_place" ON "tiles" USING btree ("place","id");--> statement-breakpoint
CREATE INDEX "tiles_by_title" ON "tiles" USING btree (lower(title),"id");--> statement-breakpoint
CREATE INDEX "tiles_searched" ON "tiles" USING gin ("searched" gin_trgm_ops);