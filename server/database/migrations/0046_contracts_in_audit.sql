-- What was chosen and agreed to of a contract is its only evidence where it renews by itself: it stays as what the books need.
create or replace function audit_entries_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if old.number is null and new.number is not null and new.previous_hash is not null and new.hash is not null
      and (new.id, new.at, new.action, new.subject, new.detail, new.address)
        = (old.id, old.at, old.action, old.subject, old.detail, old.address)
      and (new.actor_id, new.customer_id, new.partner_id)
        is not distinct from (old.actor_id, old.customer_id, old.partner_id)
    then return new;
    end if;
  elsif tg_op = 'DELETE' then
    if old.number is not null and old.at < now() - interval '1094 days'
      and old.subject !~ '^(order|invoice|contract):' and old.subject <> 'audit log'
    then return old;
    end if;
  end if;
  raise exception 'audit entries are neither changed nor deleted' using errcode = 'insufficient_privilege';
end
$$;
