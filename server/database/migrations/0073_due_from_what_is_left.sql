-- by hand
-- Of several debts the one that is due first is paid first: what is left is due from the day of the next one, and not from the day of
-- a debt that is paid. Tax that is owed again for want of a certificate has a later day than its invoice.
create or replace function show_owed() returns trigger language plpgsql as $$ begin
  update orders set owed_paise = owed_paise + new.amount_paise,
      due_on = case
        when new.amount_paise < 0 and owed_paise + amiss_paise + new.amount_paise > 0 then coalesce((
          select debts.due_on from (
            select id, due_on, sum(amount_paise) over (order by due_on desc, id desc) as from_here
              from ledger_entries where order_id = new.order_id and amount_paise > 0 and due_on is not null
          ) as debts
          where debts.from_here >= owed_paise + amiss_paise + new.amount_paise
          order by debts.due_on desc, debts.id desc limit 1), due_on)
        when owed_paise + amiss_paise > 0 and new.due_on > due_on then due_on
        else coalesce(new.due_on, due_on) end
    where id = new.order_id;
  return null;
end $$;
