-- by hand
-- Whoever was told of a clock until now counts as told by the bell and by mail. The default stays for copies of the version
-- before, which serve while this is made.
ALTER TABLE "obligation_warnings" ADD COLUMN "channel" text NOT NULL DEFAULT 'bell';--> statement-breakpoint
ALTER TABLE "obligation_warnings" DROP CONSTRAINT "obligation_warnings_incident_id_obligation_key_pk";--> statement-breakpoint
ALTER TABLE "obligation_warnings" ADD CONSTRAINT "obligation_warnings_once" PRIMARY KEY("incident_id","obligation_key","channel","due_at");--> statement-breakpoint
insert into obligation_warnings (organisation_id, incident_id, obligation_key, channel, due_at, created_at)
  select organisation_id, incident_id, obligation_key, 'mail', due_at, created_at from obligation_warnings;
