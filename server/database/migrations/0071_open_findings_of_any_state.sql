DROP INDEX "engine_findings_open";--> statement-breakpoint
CREATE INDEX "engine_findings_open" ON "engine_findings" USING btree ("binding_id","at","external_id") WHERE state <> 'closed';