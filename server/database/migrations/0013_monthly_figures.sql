CREATE TABLE "monthly_figures" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"partner_id" uuid,
	"month" text NOT NULL,
	"orders" integer DEFAULT 0 NOT NULL,
	"paise" bigint DEFAULT 0 NOT NULL,
	"leads" integer DEFAULT 0 NOT NULL,
	"converted" integer DEFAULT 0 NOT NULL,
	"customers" integer DEFAULT 0 NOT NULL,
	"partners" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
DROP INDEX "orders_paid";--> statement-breakpoint
DROP INDEX "orders_by_date";--> statement-breakpoint
DROP INDEX "orders_by_amount";--> statement-breakpoint
DROP INDEX "orders_by_payment";--> statement-breakpoint
DROP INDEX "orders_by_organisation";--> statement-breakpoint
DROP INDEX "orders_by_buyer";--> statement-breakpoint
DROP INDEX "orders_by_email";--> statement-breakpoint
DROP INDEX "quotes_to_confirm";--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "has_dashboards" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "monthly_figures_partner_id_month_index" ON "monthly_figures" USING btree ("partner_id","month");--> statement-breakpoint
CREATE INDEX "people_without_dashboards" ON "people" USING btree ("id") WHERE role = 'user' and not has_dashboards;--> statement-breakpoint
CREATE INDEX "customers_of_partner_by_created_at" ON "people" USING btree ("partner_id","created_at","id") WHERE role = 'user';--> statement-breakpoint
CREATE INDEX "customers_of_partner_by_name" ON "people" USING btree ("partner_id",lower(first_name || ' ' || last_name),"id") WHERE role = 'user';--> statement-breakpoint
CREATE INDEX "customers_of_partner_by_email" ON "people" USING btree ("partner_id",(email::text),"id") WHERE role = 'user';--> statement-breakpoint
CREATE INDEX "customers_of_partner_by_phone" ON "people" USING btree ("partner_id","phone","id") WHERE role = 'user';--> statement-breakpoint
CREATE INDEX "customers_of_partner_by_organisation" ON "people" USING btree ("partner_id",lower(organisation_name),"id") WHERE role = 'user';--> statement-breakpoint
CREATE INDEX "customers_of_partner_by_partner" ON "people" USING btree ("partner_id",lower(partner_name),"id") WHERE role = 'user';--> statement-breakpoint
CREATE INDEX "mails_failed" ON "mails" USING btree ("created_at","id") WHERE sent_at is null and tries > 0 and last_error is not null;--> statement-breakpoint
CREATE INDEX "orders_in_state" ON "orders" USING btree ("state","id");--> statement-breakpoint
CREATE INDEX "orders_in_state_by_amount" ON "orders" USING btree ("state","amount_paise","id");--> statement-breakpoint
CREATE INDEX "orders_in_state_by_payment" ON "orders" USING btree ("state",coalesce(payment_id, ''),"id");--> statement-breakpoint
CREATE INDEX "orders_in_state_by_organisation" ON "orders" USING btree ("state",lower(organisation_name),"id");--> statement-breakpoint
CREATE INDEX "orders_in_state_by_buyer" ON "orders" USING btree ("state",lower(buyer_name),"id");--> statement-breakpoint
CREATE INDEX "orders_in_state_by_email" ON "orders" USING btree ("state","buyer_email","id");--> statement-breakpoint
CREATE INDEX "orders_of_partner" ON "orders" USING btree ("partner_id","id") WHERE "orders"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "orders_of_partner_by_state" ON "orders" USING btree ("partner_id","state","id") WHERE "orders"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "orders_of_partner_by_amount" ON "orders" USING btree ("partner_id","amount_paise","id") WHERE "orders"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "orders_of_partner_by_payment" ON "orders" USING btree ("partner_id",coalesce(payment_id, ''),"id") WHERE "orders"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "orders_of_partner_by_organisation" ON "orders" USING btree ("partner_id",lower(organisation_name),"id") WHERE "orders"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "orders_of_partner_by_buyer" ON "orders" USING btree ("partner_id",lower(buyer_name),"id") WHERE "orders"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "orders_of_partner_by_email" ON "orders" USING btree ("partner_id","buyer_email","id") WHERE "orders"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "quotes_to_confirm" ON "quotes" USING btree ("valid_until","id") WHERE rates_to_confirm;--> statement-breakpoint
-- by hand
create or replace function copy_organisation_to_person() returns trigger language plpgsql as $$ begin
  select owner.name, owner.partner_id, coalesce(partner.name, ''),
      exists (select from customer_tools where customer_tools.organisation_id = owner.id)
    into new.organisation_name, new.partner_id, new.partner_name, new.has_dashboards
    from organisations owner left join organisations partner on partner.id = owner.partner_id
    where owner.id = new.organisation_id;
  return new;
end $$;
--> statement-breakpoint
create function renew_copies_of_tools() returns trigger language plpgsql as $$ begin
  update people set organisation_id = organisation_id
    where organisation_id = case tg_op when 'DELETE' then old.organisation_id else new.organisation_id end;
  return null;
end $$;
--> statement-breakpoint
create trigger renew_copies after insert or delete on customer_tools
  for each row execute function renew_copies_of_tools();
--> statement-breakpoint
update people set has_dashboards = true
  where exists (select from customer_tools where customer_tools.organisation_id = people.organisation_id);
--> statement-breakpoint
-- India has one time zone and no summer time.
create function month_in_india(instant timestamptz) returns text stable language sql as $$
  select to_char(instant at time zone 'UTC' + interval '330 minutes', 'YYYY-MM')
$$;
--> statement-breakpoint
create function add_paid_order_to_figures(sign integer, paid orders) returns void language sql as $$
  insert into monthly_figures (partner_id, month, orders, paise)
    select partner_id, month_in_india(paid.dated_at), sign, sign * paid.amount_paise
      from (select null::uuid as partner_id union all select paid.partner_id where paid.partner_id is not null) as counted;
  insert into monthly_figures (month, converted)
    select month_in_india(created_at), sign from quotes where id = paid.quote_id
$$;
--> statement-breakpoint
create function keep_figures_of_orders() returns trigger language plpgsql as $$ begin
  if tg_op <> 'INSERT' and old.state = 'success' then perform add_paid_order_to_figures(-1, old); end if;
  if tg_op <> 'DELETE' and new.state = 'success' then perform add_paid_order_to_figures(1, new); end if;
  return null;
end $$;
--> statement-breakpoint
create trigger keep_figures after insert or delete on orders
  for each row execute function keep_figures_of_orders();
--> statement-breakpoint
create trigger keep_figures_of_change after update on orders for each row
  when ('success' in (old.state, new.state)
    and (old.state, old.dated_at, old.amount_paise, old.partner_id, old.quote_id)
      is distinct from (new.state, new.dated_at, new.amount_paise, new.partner_id, new.quote_id))
  execute function keep_figures_of_orders();
--> statement-breakpoint
create function add_quote_to_figures(sign integer, sent quotes) returns void language sql as $$
  insert into monthly_figures (month, leads, converted)
    select month_in_india(sent.created_at), sign,
      sign * (select count(*)::int from orders where quote_id = sent.id and state = 'success')
$$;
--> statement-breakpoint
create function keep_figures_of_quotes() returns trigger language plpgsql as $$ begin
  if tg_op <> 'INSERT' then perform add_quote_to_figures(-1, old); end if;
  if tg_op <> 'DELETE' then perform add_quote_to_figures(1, new); end if;
  return null;
end $$;
--> statement-breakpoint
create trigger keep_figures after insert or delete on quotes
  for each row execute function keep_figures_of_quotes();
--> statement-breakpoint
create trigger keep_figures_of_change after update on quotes for each row
  when (old.created_at is distinct from new.created_at) execute function keep_figures_of_quotes();
--> statement-breakpoint
create function keep_figures_of_people() returns trigger language plpgsql as $$ begin
  if tg_op <> 'INSERT' and old.role in ('user', 'partner') then
    insert into monthly_figures (month, customers, partners)
      values (month_in_india(old.created_at), -(old.role = 'user')::int, -(old.role = 'partner')::int);
  end if;
  if tg_op <> 'DELETE' and new.role in ('user', 'partner') then
    insert into monthly_figures (month, customers, partners)
      values (month_in_india(new.created_at), (new.role = 'user')::int, (new.role = 'partner')::int);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger keep_figures after insert or delete on people
  for each row execute function keep_figures_of_people();
--> statement-breakpoint
create trigger keep_figures_of_change after update on people for each row
  when ((old.role, old.created_at) is distinct from (new.role, new.created_at))
  execute function keep_figures_of_people();
--> statement-breakpoint
create function keep_figures_of_organisations() returns trigger language plpgsql as $$ begin
  if tg_op <> 'INSERT' and old.kind = 'customer' and old.partner_id is not null then
    insert into monthly_figures (partner_id, month, customers)
      values (old.partner_id, month_in_india(old.created_at), -1);
  end if;
  if tg_op <> 'DELETE' and new.kind = 'customer' and new.partner_id is not null then
    insert into monthly_figures (partner_id, month, customers)
      values (new.partner_id, month_in_india(new.created_at), 1);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger keep_figures after insert or delete on organisations
  for each row execute function keep_figures_of_organisations();
--> statement-breakpoint
create trigger keep_figures_of_change after update on organisations for each row
  when ((old.kind, old.partner_id, old.created_at) is distinct from (new.kind, new.partner_id, new.created_at))
  execute function keep_figures_of_organisations();
--> statement-breakpoint
insert into monthly_figures (partner_id, month, orders, paise)
  select partner_id, month_in_india(dated_at), count(*), sum(amount_paise) from orders where state = 'success'
    and partner_id is not null group by 1, 2
  union all
  select null, month_in_india(dated_at), count(*), sum(amount_paise) from orders where state = 'success' group by 2;
--> statement-breakpoint
insert into monthly_figures (month, leads, converted)
  select month_in_india(quotes.created_at), count(*), count(orders.id)
    from quotes left join orders on orders.quote_id = quotes.id and orders.state = 'success' group by 1;
--> statement-breakpoint
insert into monthly_figures (month, customers, partners)
  select month_in_india(created_at), count(*) filter (where role = 'user'), count(*) filter (where role = 'partner')
    from people where role in ('user', 'partner') group by 1;
--> statement-breakpoint
insert into monthly_figures (partner_id, month, customers)
  select partner_id, month_in_india(created_at), count(*) from organisations
    where kind = 'customer' and partner_id is not null group by 1, 2;
