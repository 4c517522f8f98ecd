CREATE TABLE "lead_figures" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"month" text NOT NULL,
	"source" text NOT NULL,
	"came" integer NOT NULL,
	"contacted" integer NOT NULL,
	"proposal_sent" integer NOT NULL,
	"negotiation" integer NOT NULL,
	"won" integer NOT NULL,
	"lost" integer NOT NULL,
	"junk" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "owed_figures" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"due_on" date,
	"owed_paise" bigint NOT NULL,
	"credit_paise" bigint NOT NULL,
	"expected_paise" bigint NOT NULL,
	"tax_open_paise" bigint NOT NULL
);
--> statement-breakpoint
DROP INDEX "leads_of_funnel";--> statement-breakpoint
ALTER TABLE "contracts" drop column "searched";--> statement-breakpoint
ALTER TABLE "contracts" ADD COLUMN "searched" text GENERATED ALWAYS AS (lower('C-' || lpad(serial::text, greatest(6, length(serial::text)), '0') || ' ' || organisation_name)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "contracts_searched" ON "contracts" USING gin ("searched" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contracts_of_partner_searched" ON "contracts" USING gin ("partner_id",(searched || '') gin_trgm_ops) WHERE "contracts"."partner_id" is not null;--> statement-breakpoint
ALTER TABLE "incidents" drop column "searched";--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "searched" text GENERATED ALWAYS AS (lower('I-' || lpad(serial::text, greatest(6, length(serial::text)), '0') || ' ' || title || ' ' || organisation_name || ' ' || severity)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "incidents_searched" ON "incidents" USING gin ("searched" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "incidents_of_partner_searched" ON "incidents" USING gin ("partner_id",(searched || '') gin_trgm_ops) WHERE "incidents"."partner_id" is not null;--> statement-breakpoint
ALTER TABLE "leads" drop column "searched";--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "searched" text GENERATED ALWAYS AS (lower('L-' || lpad(serial::text, greatest(6, length(serial::text)), '0') || ' ' || quote_number || ' ' || organization || ' ' || user_name || ' ' || user_email::text || ' ' || phone || ' ' || message)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "leads_searched" ON "leads" USING gin ("searched" gin_trgm_ops);--> statement-breakpoint
ALTER TABLE "orders" drop column "searched";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "searched" text GENERATED ALWAYS AS (lower('O-' || lpad(serial::text, greatest(6, length(serial::text)), '0') || ' ' || id::text || ' ' || coalesce(payment_id, '') || ' ' || round(amount_paise / 100.0, 2)::text || ' ' || organisation_name || ' ' || buyer_name || ' ' || buyer_email || ' ' || invoice_number)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_searched" ON "orders" USING gin ("searched" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "orders_of_partner_searched" ON "orders" USING gin ("partner_id",(searched || '') gin_trgm_ops) WHERE "orders"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "orders_not_paid_searched" ON "orders" USING gin ("state","searched" gin_trgm_ops) WHERE state <> 'success';--> statement-breakpoint
CREATE INDEX "orders_unsettled_searched" ON "orders" USING gin ("searched" gin_trgm_ops) WHERE is_unsettled;--> statement-breakpoint
ALTER TABLE "quotes" drop column "searched";--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "searched" text GENERATED ALWAYS AS (lower('Q-' || lpad(serial::text, greatest(6, length(serial::text)), '0') || ' ' || organization_name || ' ' || user_name || ' ' || user_email::text || ' ' || phone_number || ' ' || message)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "quotes_searched" ON "quotes" USING gin ("searched" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "quotes_of_partner_searched" ON "quotes" USING gin ("partner_id",(searched || '') gin_trgm_ops) WHERE "quotes"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "lead_figures_month_source_index" ON "lead_figures" USING btree ("month","source");--> statement-breakpoint
CREATE INDEX "owed_figures_due_on_index" ON "owed_figures" USING btree ("due_on");--> statement-breakpoint
-- by hand: the indexes above, which went with their columns, and all that follows
create function called_quote(serial bigint) returns text immutable language sql as $$
  select 'Q-' || lpad(serial::text, greatest(6, length(serial::text)), '0')
$$;
--> statement-breakpoint
create or replace function lead_of_quote(sent quotes, joined uuid) returns void language sql as $$
  insert into leads (user_name, user_email, phone, organization, organization_size, message, created_at, source,
      quote_id, quote_number, total_paise, rates_to_confirm_until, joined_to)
    values (sent.user_name, sent.user_email, sent.phone_number, sent.organization_name, sent.number_of_users,
      sent.message, sent.created_at, case when sent.partner_id is not null then 'partner' when sent.made_by is null then 'estimate' else 'staff' end, sent.id,
      called_quote(sent.serial), sent.total_paise,
      case when sent.rates_to_confirm then sent.valid_until end, joined)
$$;
--> statement-breakpoint
create or replace function make_lead_of_quote() returns trigger language plpgsql as $$
declare
  before quotes;
begin
  if new.made_for_lead is null then
    perform lead_of_quote(new, null);
    return null;
  end if;
  select quotes.* into before from quotes join leads on leads.quote_id = quotes.id where leads.id = new.made_for_lead;
  update leads set quote_id = new.id, quote_number = called_quote(new.serial),
      total_paise = new.total_paise, rates_to_confirm_until = case when new.rates_to_confirm then new.valid_until end
    where id = new.made_for_lead;
  if before.id is not null then perform lead_of_quote(before, new.made_for_lead); end if;
  return null;
end $$;
--> statement-breakpoint
update leads set quote_number = called_quote(quotes.serial)
  from quotes where quotes.id = leads.quote_id and quotes.serial > 999999;
--> statement-breakpoint
create function keep_lead_figures() returns trigger language plpgsql as $$ begin
  insert into lead_figures (month, source, came, contacted, proposal_sent, negotiation, won, lost, junk)
    select month_in_india(created_at), source, sum(sign), sum(sign * (furthest >= 1)::int), sum(sign * (furthest >= 2)::int),
        sum(sign * (furthest >= 3)::int), sum(sign * (furthest >= 4)::int), sum(sign * (state = 'lost')::int),
        sum(sign * (state = 'junk')::int)
      from (
        select -1 as sign, (old).* where tg_op <> 'INSERT' union all select 1, (new).* where tg_op <> 'DELETE'
      ) as changed
      where joined_to is null
      group by 1, 2;
  return null;
end $$;
--> statement-breakpoint
create trigger keep_figures after insert or delete on leads
  for each row execute function keep_lead_figures();
--> statement-breakpoint
create trigger keep_figures_of_change after update on leads for each row
  when ((old.created_at, old.source, old.furthest, old.state, old.joined_to is null)
    is distinct from (new.created_at, new.source, new.furthest, new.state, new.joined_to is null))
  execute function keep_lead_figures();
--> statement-breakpoint
insert into lead_figures (month, source, came, contacted, proposal_sent, negotiation, won, lost, junk)
  select month_in_india(created_at), source, count(*), count(*) filter (where furthest >= 1),
      count(*) filter (where furthest >= 2), count(*) filter (where furthest >= 3), count(*) filter (where furthest >= 4),
      count(*) filter (where state = 'lost'), count(*) filter (where state = 'junk')
    from leads where joined_to is null group by 1, 2;
--> statement-breakpoint
create function keep_owed_figures() returns trigger language plpgsql as $$ begin
  insert into owed_figures (due_on, owed_paise, credit_paise, expected_paise, tax_open_paise)
    select due_on, sum(sign * greatest(owed_paise, 0)), sum(sign * greatest(-owed_paise, 0)), sum(sign * expected_paise),
        sum(sign * tax_open_paise)
      from (
        select -1 as sign, (old).* where tg_op <> 'INSERT' union all select 1, (new).* where tg_op <> 'DELETE'
      ) as changed
      where is_unsettled
      group by due_on;
  return null;
end $$;
--> statement-breakpoint
create trigger keep_owed_figures after insert or delete on orders
  for each row execute function keep_owed_figures();
--> statement-breakpoint
create trigger keep_owed_figures_of_change after update on orders for each row
  when ((old.owed_paise, old.expected_paise, old.tax_open_paise, old.due_on)
    is distinct from (new.owed_paise, new.expected_paise, new.tax_open_paise, new.due_on))
  execute function keep_owed_figures();
--> statement-breakpoint
insert into owed_figures (due_on, owed_paise, credit_paise, expected_paise, tax_open_paise)
  select due_on, sum(greatest(owed_paise, 0)), sum(greatest(-owed_paise, 0)), sum(expected_paise), sum(tax_open_paise)
    from orders where is_unsettled group by due_on;
