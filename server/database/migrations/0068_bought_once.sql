-- by hand
-- A refund that fails, or a debt that comes back, is no news that something was bought: what staff said since stays.
create or replace trigger show_newly_paid after update on orders for each row
  when (new.state in ('success', 'invoiced')
    and old.state not in ('success', 'invoiced', 'closed', 'refund_pending', 'partially_refunded'))
  execute function show_paid_customer();
--> statement-breakpoint
-- That the money of an invoice came is news.
create or replace trigger win_lead_of_change after update on orders for each row
  when (new.state in ('success', 'invoiced')
    and old.state not in ('success', 'closed', 'refund_pending', 'refunded', 'partially_refunded')
    and old.state is distinct from new.state)
  execute function win_lead_of_order();
--> statement-breakpoint
-- Who bought something else waits for its dashboards, paid or not.
create or replace function settle_refunded_customer() returns trigger language plpgsql as $$ begin
  if not exists (select from orders where organisation_id = new.organisation_id
      and state in ('success', 'invoiced', 'closed', 'refund_pending', 'partially_refunded')) then
    perform settle_action_item('dashboards', new.organisation_id);
  end if;
  return null;
end $$;
