-- What follows from a contract (a renewal, an addition, a true-up) is no estimate that was sent; its order is revenue.
-- An order of which a part of the money went back, or is about to, is paid: the credit is told elsewhere.
create function counts_as_paid(state text) returns boolean immutable language sql as $$
  select state in ('success', 'refund_pending', 'partially_refunded')
$$;
--> statement-breakpoint
create or replace function add_paid_order_to_figures(sign integer, paid orders) returns void language sql as $$
  insert into monthly_figures (partner_id, month, orders, paise)
    select partner_id, month_in_india(paid.dated_at), sign, sign * paid.amount_paise
      from (select null::uuid as partner_id union all select paid.partner_id where paid.partner_id is not null) as counted;
  insert into monthly_figures (month, converted)
    select month_in_india(created_at), sign from quotes where id = paid.quote_id and contract_id is null
$$;
--> statement-breakpoint
create or replace function keep_figures_of_orders() returns trigger language plpgsql as $$ begin
  if tg_op <> 'INSERT' and counts_as_paid(old.state) then perform add_paid_order_to_figures(-1, old); end if;
  if tg_op <> 'DELETE' and counts_as_paid(new.state) then perform add_paid_order_to_figures(1, new); end if;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger keep_figures_of_change after update on orders for each row
  when ((counts_as_paid(old.state) or counts_as_paid(new.state))
    and (counts_as_paid(old.state), old.dated_at, old.amount_paise, old.partner_id, old.quote_id)
      is distinct from (counts_as_paid(new.state), new.dated_at, new.amount_paise, new.partner_id, new.quote_id))
  execute function keep_figures_of_orders();
--> statement-breakpoint
create or replace function add_quote_to_figures(sign integer, sent quotes) returns void language sql as $$
  insert into monthly_figures (month, leads, converted)
    select month_in_india(sent.created_at), sign,
      sign * (select count(*)::int from orders where quote_id = sent.id and counts_as_paid(state))
    where sent.contract_id is null
$$;
--> statement-breakpoint
create or replace trigger keep_figures_of_change after update on quotes for each row
  when ((old.created_at, old.contract_id) is distinct from (new.created_at, new.contract_id))
  execute function keep_figures_of_quotes();
--> statement-breakpoint
-- What is kept is put right by what was counted otherwise, not counted anew: folding goes on beside it. The triggers made
-- above hold both tables, so that nothing comes between.
insert into monthly_figures (month, leads, converted)
  select month_in_india(quotes.created_at), -count(*), -count(orders.id)
    from quotes left join orders on orders.quote_id = quotes.id and orders.state = 'success'
    where contract_id is not null group by 1;
--> statement-breakpoint
insert into monthly_figures (partner_id, month, orders, paise)
  select partner_id, month_in_india(dated_at), count(*), sum(amount_paise) from orders
    where counts_as_paid(state) and state <> 'success' and partner_id is not null group by 1, 2
  union all
  select null, month_in_india(dated_at), count(*), sum(amount_paise) from orders
    where counts_as_paid(state) and state <> 'success' group by 2;
--> statement-breakpoint
insert into monthly_figures (month, converted)
  select month_in_india(quotes.created_at), count(*) from quotes join orders on orders.quote_id = quotes.id
    where contract_id is null and counts_as_paid(orders.state) and orders.state <> 'success' group by 1;
