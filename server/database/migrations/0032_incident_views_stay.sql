ALTER TABLE "incident_views" DROP CONSTRAINT "incident_views_person_id_people_id_fk";
--> statement-breakpoint
ALTER TABLE "incident_views" ADD CONSTRAINT "incident_views_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;