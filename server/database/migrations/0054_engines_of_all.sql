ALTER TABLE "engine_bindings" ADD COLUMN "organisation_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "engine_bindings" ADD COLUMN "rank" integer GENERATED ALWAYS AS (case when troubled_since is null then 1 else 0 end) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "engine_bindings" ADD COLUMN "searched" text GENERATED ALWAYS AS (lower(organisation_name || ' ' || address)) STORED NOT NULL;--> statement-breakpoint
-- by hand
create function copy_organisation_to_engine() returns trigger language plpgsql as $$ begin
  select name into new.organisation_name from organisations where id = new.organisation_id;
  return new;
end $$;
--> statement-breakpoint
create trigger copy_organisation before insert or update of organisation_id on engine_bindings
  for each row execute function copy_organisation_to_engine();
--> statement-breakpoint
create function renew_copies_in_engines() returns trigger language plpgsql as $$ begin
  update engine_bindings set organisation_id = organisation_id where organisation_id = new.id;
  return null;
end $$;
--> statement-breakpoint
create trigger renew_copies_in_engines after update of name on organisations
  for each row when (old.name is distinct from new.name) execute function renew_copies_in_engines();
--> statement-breakpoint
update engine_bindings set organisation_id = organisation_id;
