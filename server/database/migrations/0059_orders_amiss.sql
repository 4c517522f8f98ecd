ALTER TABLE "orders" drop column "open_paise";--> statement-breakpoint
ALTER TABLE "orders" drop column "is_unsettled";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "amiss_paise" bigint DEFAULT 0 NOT NULL,
  ADD COLUMN "open_paise" bigint GENERATED ALWAYS AS (case when owed_paise + expected_paise + amiss_paise > 0 then owed_paise + expected_paise + amiss_paise else owed_paise + expected_paise end) STORED NOT NULL,
  ADD COLUMN "is_unsettled" boolean GENERATED ALWAYS AS (owed_paise + expected_paise <> 0 or tax_open_paise <> 0 or amiss_paise <> 0) STORED NOT NULL;--> statement-breakpoint
-- Went with the columns that they read.
CREATE INDEX "orders_unsettled" ON "orders" USING btree ("sorted_due_on","id") WHERE is_unsettled;--> statement-breakpoint
CREATE INDEX "orders_unsettled_by_id" ON "orders" USING btree ("id") WHERE is_unsettled;--> statement-breakpoint
CREATE INDEX "orders_unsettled_by_owed" ON "orders" USING btree ("open_paise","id") WHERE is_unsettled;--> statement-breakpoint
CREATE INDEX "orders_unsettled_searched" ON "orders" USING gin ("searched" gin_trgm_ops) WHERE is_unsettled;--> statement-breakpoint
CREATE INDEX "orders_unsettled_by_organisation" ON "orders" USING btree (lower(organisation_name),"id") WHERE is_unsettled;--> statement-breakpoint
-- What the gateway took that pays nothing, without what it gave back of it, and without what people noted as given back.
create function show_amiss(of_order uuid) returns void language sql as $$
  update orders set amiss_paise = amiss.paise
    from (
      select greatest(0, coalesce(sum(greatest(0, captured_paise - (
          select coalesce(sum(amount_paise), 0) from refunds where attempt_id = attempts.id and state = 'done'
        ))), 0) - (
          select coalesce(sum(amount_paise), 0) from ledger_entries
            where order_id = of_order and kind = 'refund' and (written_by is not null or amount_paise < 0)
        )) as paise
        from attempts where order_id = of_order and state <> 'success' and captured_paise is not null
    ) as amiss
    where orders.id = of_order and amiss_paise <> amiss.paise
$$;--> statement-breakpoint
create function keep_amiss() returns trigger language plpgsql as $$ begin
  perform show_amiss(new.order_id);
  return null;
end $$;--> statement-breakpoint
create trigger keep_amiss after insert or update of state, captured_paise on attempts for each row
  when (new.captured_paise is not null) execute function keep_amiss();--> statement-breakpoint
create trigger keep_amiss after insert or update of state, amount_paise on refunds for each row
  when (new.state = 'done' and new.attempt_id is not null) execute function keep_amiss();--> statement-breakpoint
create trigger keep_amiss after insert on ledger_entries for each row
  when (new.kind = 'refund') execute function keep_amiss();--> statement-breakpoint
create or replace function keep_owed_figures() returns trigger language plpgsql as $$ begin
  insert into owed_figures (due_on, owed_paise, credit_paise, expected_paise, tax_open_paise)
    select due_on, sum(sign * greatest(owed_paise + amiss_paise, 0)),
        sum(sign * (greatest(owed_paise + amiss_paise, 0) - owed_paise - here)), sum(sign * (expected_paise - here)),
        sum(sign * tax_open_paise)
      from (
        select -1 as sign, (old).* where tg_op <> 'INSERT' union all select 1, (new).* where tg_op <> 'DELETE'
      ) as changed
        -- What has come of what an open proforma asks for is neither asked for any more nor a credit.
        cross join lateral (select least(expected_paise, greatest(-owed_paise - amiss_paise, 0)) as here) as came
      where is_unsettled
      group by due_on;
  return null;
end $$;--> statement-breakpoint
create or replace trigger keep_owed_figures_of_change after update on orders for each row
  when ((old.owed_paise, old.expected_paise, old.tax_open_paise, old.amiss_paise, old.due_on)
    is distinct from (new.owed_paise, new.expected_paise, new.tax_open_paise, new.amiss_paise, new.due_on))
  execute function keep_owed_figures();--> statement-breakpoint
insert into owed_figures (due_on, owed_paise, credit_paise, expected_paise, tax_open_paise)
  select due_on, 0, -sum(least(expected_paise, -owed_paise)), -sum(least(expected_paise, -owed_paise)), 0
    from orders where is_unsettled and expected_paise > 0 and owed_paise < 0 group by due_on;--> statement-breakpoint
select show_amiss(order_id) from attempts where state <> 'success' and captured_paise is not null;
