ALTER TABLE "refunds" ADD COLUMN "moved_from" uuid;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_moved_from_transfers_id_fk" FOREIGN KEY ("moved_from") REFERENCES "public"."transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refunds_moved" ON "refunds" USING btree ("moved_from") WHERE moved_from is not null;