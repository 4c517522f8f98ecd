-- Copies were renewed by a column that is part of a key: until that was through, nothing could refer to the person, and whoever had an
-- order, a contract or an incident of the customer and went on to tell its people waited for it in turn.
drop trigger copy_organisation on people;
--> statement-breakpoint
create trigger copy_organisation before insert or update of organisation_id, organisation_name on people
  for each row execute function copy_organisation_to_person();
--> statement-breakpoint
create or replace function renew_copies_of_organisation() returns trigger language plpgsql as $$ begin
  update people set organisation_name = organisation_name where organisation_id = new.id or partner_id = new.id;
  update orders set organisation_id = organisation_id where organisation_id = new.id;
  update contracts set organisation_id = organisation_id where organisation_id = new.id;
  return null;
end $$;
--> statement-breakpoint
create or replace function renew_copies_of_tools() returns trigger language plpgsql as $$ begin
  update people set organisation_name = organisation_name
    where organisation_id = case tg_op when 'DELETE' then old.organisation_id else new.organisation_id end;
  return null;
end $$;
