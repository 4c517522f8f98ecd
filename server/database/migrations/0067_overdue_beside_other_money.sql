-- by hand
-- What was due before stays due from then on, also where money that pays nothing stands beside it.
create or replace function show_owed() returns trigger language plpgsql as $$ begin
  update orders set owed_paise = owed_paise + new.amount_paise,
      due_on = case when owed_paise + amiss_paise > 0 and new.due_on > due_on then due_on else coalesce(new.due_on, due_on) end
    where id = new.order_id;
  return null;
end $$;
