DROP INDEX "quotes_created_at_index";--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "organisation_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "partner_id" uuid;--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "partner_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "searched" text GENERATED ALWAYS AS (lower(first_name || ' ' || last_name || ' ' || email::text || ' ' || phone || ' ' || organisation_name || ' ' || partner_name)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "organisation_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "partner_id" uuid;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "buyer_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "buyer_email" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "invoice_number" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "searched" text GENERATED ALWAYS AS (lower(id::text || ' ' || coalesce(payment_id, '') || ' ' || round(amount_paise / 100.0, 2)::text || ' ' || organisation_name || ' ' || buyer_name || ' ' || buyer_email || ' ' || invoice_number)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "searched" text GENERATED ALWAYS AS (lower('Q-' || lpad(serial::text, 6, '0') || ' ' || organization_name || ' ' || user_name || ' ' || user_email::text || ' ' || phone_number || ' ' || message)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "people_partner_id_role_id_index" ON "people" USING btree ("partner_id","role","id");--> statement-breakpoint
CREATE INDEX "people_searched" ON "people" USING gin ("searched" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "people_by_id" ON "people" USING btree ("role","id");--> statement-breakpoint
CREATE INDEX "people_by_created_at" ON "people" USING btree ("role","created_at","id");--> statement-breakpoint
CREATE INDEX "people_by_name" ON "people" USING btree ("role",lower(first_name || ' ' || last_name),"id");--> statement-breakpoint
CREATE INDEX "people_by_email" ON "people" USING btree ("role",(email::text),"id");--> statement-breakpoint
CREATE INDEX "people_by_phone" ON "people" USING btree ("role","phone","id");--> statement-breakpoint
CREATE INDEX "people_by_organisation" ON "people" USING btree ("role",lower(organisation_name),"id");--> statement-breakpoint
CREATE INDEX "people_by_partner" ON "people" USING btree ("role",lower(partner_name),"id");--> statement-breakpoint
CREATE INDEX "orders_partner_id_id_index" ON "orders" USING btree ("partner_id","id");--> statement-breakpoint
CREATE INDEX "orders_buyer_id_index" ON "orders" USING btree ("buyer_id");--> statement-breakpoint
CREATE INDEX "orders_searched" ON "orders" USING gin ("searched" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "orders_to_review" ON "orders" USING btree ("id") WHERE review_reason is not null;--> statement-breakpoint
CREATE INDEX "orders_paid" ON "orders" USING btree ("partner_id","paid_at","amount_paise","quote_id","id") WHERE state = 'success';--> statement-breakpoint
CREATE INDEX "orders_by_created_at" ON "orders" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "orders_by_amount" ON "orders" USING btree ("amount_paise","id");--> statement-breakpoint
CREATE INDEX "orders_by_payment" ON "orders" USING btree (coalesce(payment_id, ''),"id");--> statement-breakpoint
CREATE INDEX "orders_by_organisation" ON "orders" USING btree (lower(organisation_name),"id");--> statement-breakpoint
CREATE INDEX "orders_by_buyer" ON "orders" USING btree (lower(buyer_name),"id");--> statement-breakpoint
CREATE INDEX "orders_by_email" ON "orders" USING btree ("buyer_email","id");--> statement-breakpoint
CREATE INDEX "quotes_searched" ON "quotes" USING gin ("searched" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "quotes_by_created_at" ON "quotes" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "quotes_by_valid_until" ON "quotes" USING btree ("valid_until","id");--> statement-breakpoint
CREATE INDEX "quotes_by_total" ON "quotes" USING btree ("total_paise","id");--> statement-breakpoint
CREATE INDEX "quotes_by_users" ON "quotes" USING btree ("number_of_users","id");--> statement-breakpoint
CREATE INDEX "quotes_by_organisation" ON "quotes" USING btree (lower(organization_name),"id");--> statement-breakpoint
CREATE INDEX "quotes_by_name" ON "quotes" USING btree (lower(user_name),"id");--> statement-breakpoint
CREATE INDEX "quotes_by_email" ON "quotes" USING btree ((user_email::text),"id");--> statement-breakpoint
CREATE INDEX "quotes_by_phone" ON "quotes" USING btree ("phone_number","id");--> statement-breakpoint
create function copy_organisation_to_person() returns trigger language plpgsql as $$ begin
  select owner.name, owner.partner_id, coalesce(partner.name, '')
    into new.organisation_name, new.partner_id, new.partner_name
    from organisations owner left join organisations partner on partner.id = owner.partner_id
    where owner.id = new.organisation_id;
  return new;
end $$;
--> statement-breakpoint
create trigger copy_organisation before insert or update of organisation_id on people
  for each row execute function copy_organisation_to_person();
--> statement-breakpoint
create function copy_buyer_to_order() returns trigger language plpgsql as $$ begin
  select name, partner_id into new.organisation_name, new.partner_id from organisations where id = new.organisation_id;
  select first_name || ' ' || last_name, email into new.buyer_name, new.buyer_email from people where id = new.buyer_id;
  return new;
end $$;
--> statement-breakpoint
create trigger copy_buyer before insert or update of organisation_id, buyer_id on orders
  for each row execute function copy_buyer_to_order();
--> statement-breakpoint
create function copy_invoice_to_order() returns trigger language plpgsql as $$ begin
  update orders set invoice_number = new.number where id = new.order_id;
  return null;
end $$;
--> statement-breakpoint
create trigger copy_invoice after insert or update of number on invoices
  for each row execute function copy_invoice_to_order();
--> statement-breakpoint
create function renew_copies_of_organisation() returns trigger language plpgsql as $$ begin
  update people set organisation_id = organisation_id where organisation_id = new.id or partner_id = new.id;
  update orders set organisation_id = organisation_id where organisation_id = new.id;
  return null;
end $$;
--> statement-breakpoint
create trigger renew_copies after update of name, partner_id on organisations
  for each row when (old.name <> new.name or old.partner_id is distinct from new.partner_id)
  execute function renew_copies_of_organisation();
--> statement-breakpoint
create function renew_copies_of_person() returns trigger language plpgsql as $$ begin
  update orders set buyer_id = buyer_id where buyer_id = new.id;
  return null;
end $$;
--> statement-breakpoint
create trigger renew_copies after update of first_name, last_name, email on people
  for each row when (old.first_name <> new.first_name or old.last_name <> new.last_name or old.email <> new.email)
  execute function renew_copies_of_person();
--> statement-breakpoint
update people set organisation_id = organisation_id;
--> statement-breakpoint
update orders set buyer_id = buyer_id;
--> statement-breakpoint
update orders set invoice_number = invoices.number from invoices where invoices.order_id = orders.id;
