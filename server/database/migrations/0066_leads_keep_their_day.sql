-- by hand
-- A lead may show a quote that was made for it long after it came: what changes of that quote says nothing of the day it came.
create or replace function renew_lead_of_quote() returns trigger language plpgsql as $$ begin
  update leads set total_paise = new.total_paise,
      created_at = case when source = 'contact' or new.created_at is not distinct from old.created_at
        then created_at else new.created_at end,
      rates_to_confirm_until = case when new.rates_to_confirm then new.valid_until end
    where quote_id = new.id;
  return null;
end $$;
