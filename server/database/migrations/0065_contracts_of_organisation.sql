DROP INDEX "contracts_organisation_id_id_index";--> statement-breakpoint
CREATE INDEX "contracts_of_organisation" ON "contracts" USING btree ("organisation_id","ends_on","id");