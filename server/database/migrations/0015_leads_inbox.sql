CREATE TABLE "lead_notes" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"lead_id" uuid NOT NULL,
	"author_id" uuid,
	"text" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lead_views" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"person_id" uuid NOT NULL,
	"name" text NOT NULL,
	"filters" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "quote_revisions" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"quote_id" uuid NOT NULL,
	"revision" integer NOT NULL,
	"lines" jsonb NOT NULL,
	"total_paise" bigint NOT NULL,
	"proposal_file" text,
	"made_at" timestamp with time zone NOT NULL,
	"superseded_at" timestamp with time zone NOT NULL,
	CONSTRAINT "quote_revisions_proposalFile_unique" UNIQUE("proposal_file")
);
--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "serial" bigint NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "leads_serial_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "source" text DEFAULT 'contact' NOT NULL;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "quote_id" uuid;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "quote_number" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "total_paise" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "rates_to_confirm_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "state" text DEFAULT 'new' NOT NULL;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "furthest" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "lost_reason" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "owner_id" uuid;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "next_step" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "next_step_on" date;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "reminded_for" date;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "gstin" text;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "joined_to" uuid;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "due_on" date GENERATED ALWAYS AS (coalesce(next_step_on, 'infinity'::date)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "email_domain" text GENERATED ALWAYS AS (lower(split_part(user_email::text, '@', 2))) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "searched" text GENERATED ALWAYS AS (lower('L-' || lpad(serial::text, 6, '0') || ' ' || quote_number || ' ' || organization || ' ' || user_name || ' ' || user_email::text || ' ' || phone || ' ' || message)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "own_discount" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "options" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "note" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "made_for_lead" uuid;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "revised_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "lead_notes" ADD CONSTRAINT "lead_notes_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_notes" ADD CONSTRAINT "lead_notes_author_id_people_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."people"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_views" ADD CONSTRAINT "lead_views_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quote_revisions" ADD CONSTRAINT "quote_revisions_quote_id_quotes_id_fk" FOREIGN KEY ("quote_id") REFERENCES "public"."quotes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "lead_notes_lead_id_id_index" ON "lead_notes" USING btree ("lead_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "lead_views_once_each" ON "lead_views" USING btree ("person_id","name");--> statement-breakpoint
CREATE UNIQUE INDEX "quote_revisions_once_each" ON "quote_revisions" USING btree ("quote_id","revision");--> statement-breakpoint
ALTER TABLE "leads" ADD CONSTRAINT "leads_quote_id_quotes_id_fk" FOREIGN KEY ("quote_id") REFERENCES "public"."quotes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leads" ADD CONSTRAINT "leads_owner_id_people_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."people"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leads" ADD CONSTRAINT "leads_joined_to_leads_id_fk" FOREIGN KEY ("joined_to") REFERENCES "public"."leads"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "organisations_gstin" ON "organisations" USING btree ("gstin") WHERE "organisations"."gstin" is not null;--> statement-breakpoint
CREATE INDEX "leads_user_email_index" ON "leads" USING btree ("user_email");--> statement-breakpoint
CREATE INDEX "leads_email_domain_index" ON "leads" USING btree ("email_domain");--> statement-breakpoint
CREATE INDEX "leads_gstin_index" ON "leads" USING btree ("gstin");--> statement-breakpoint
CREATE INDEX "leads_joined_to_index" ON "leads" USING btree ("joined_to");--> statement-breakpoint
CREATE INDEX "leads_searched" ON "leads" USING gin ("searched" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "leads_to_remind" ON "leads" USING btree ("next_step_on") WHERE owner_id is not null and state in ('new', 'contacted', 'proposal_sent', 'negotiation');--> statement-breakpoint
CREATE INDEX "leads_by_created_at" ON "leads" USING btree ("created_at","id") WHERE "leads"."joined_to" is null;--> statement-breakpoint
CREATE INDEX "leads_by_state" ON "leads" USING btree ("state","created_at","id") WHERE "leads"."joined_to" is null;--> statement-breakpoint
CREATE INDEX "leads_by_owner" ON "leads" USING btree ("owner_id","created_at","id") WHERE "leads"."joined_to" is null;--> statement-breakpoint
CREATE INDEX "leads_by_source" ON "leads" USING btree ("source","created_at","id") WHERE "leads"."joined_to" is null;--> statement-breakpoint
CREATE INDEX "leads_by_due" ON "leads" USING btree ("due_on","id") WHERE "leads"."joined_to" is null;--> statement-breakpoint
CREATE INDEX "leads_by_total" ON "leads" USING btree ("total_paise","id") WHERE "leads"."joined_to" is null;--> statement-breakpoint
CREATE INDEX "leads_by_organization" ON "leads" USING btree (lower(organization),"id") WHERE "leads"."joined_to" is null;--> statement-breakpoint
CREATE INDEX "leads_by_name" ON "leads" USING btree (lower(user_name),"id") WHERE "leads"."joined_to" is null;--> statement-breakpoint
CREATE INDEX "leads_by_email" ON "leads" USING btree ((user_email::text),"id") WHERE "leads"."joined_to" is null;--> statement-breakpoint
CREATE INDEX "leads_to_confirm" ON "leads" USING btree ("rates_to_confirm_until") WHERE "leads"."rates_to_confirm_until" is not null;--> statement-breakpoint
CREATE INDEX "leads_of_funnel" ON "leads" USING btree ("created_at","source","state","furthest") WHERE "leads"."joined_to" is null;--> statement-breakpoint
ALTER TABLE "leads" ADD CONSTRAINT "leads_quoteId_unique" UNIQUE("quote_id");
--> statement-breakpoint
-- by hand
create function lead_of_quote(sent quotes, joined uuid) returns void language sql as $$
  insert into leads (user_name, user_email, phone, organization, organization_size, message, created_at, source,
      quote_id, quote_number, total_paise, rates_to_confirm_until, joined_to)
    values (sent.user_name, sent.user_email, sent.phone_number, sent.organization_name, sent.number_of_users,
      sent.message, sent.created_at, case when sent.partner_id is not null then 'partner' when sent.made_by is null then 'estimate' else 'staff' end, sent.id,
      'Q-' || lpad(sent.serial::text, 6, '0'), sent.total_paise,
      case when sent.rates_to_confirm then sent.valid_until end, joined)
$$;
--> statement-breakpoint
-- A lead shows the quote that was made for it last. One that it showed before goes on as a lead joined to it.
create function make_lead_of_quote() returns trigger language plpgsql as $$
declare
  before quotes;
begin
  if new.made_for_lead is null then
    perform lead_of_quote(new, null);
    return null;
  end if;
  select quotes.* into before from quotes join leads on leads.quote_id = quotes.id where leads.id = new.made_for_lead;
  update leads set quote_id = new.id, quote_number = 'Q-' || lpad(new.serial::text, 6, '0'),
      total_paise = new.total_paise, rates_to_confirm_until = case when new.rates_to_confirm then new.valid_until end
    where id = new.made_for_lead;
  if before.id is not null then perform lead_of_quote(before, new.made_for_lead); end if;
  return null;
end $$;
--> statement-breakpoint
create trigger make_lead after insert on quotes for each row execute function make_lead_of_quote();
--> statement-breakpoint
create function renew_lead_of_quote() returns trigger language plpgsql as $$ begin
  update leads set total_paise = new.total_paise, created_at = case when source = 'contact' then created_at else new.created_at end,
      rates_to_confirm_until = case when new.rates_to_confirm then new.valid_until end
    where quote_id = new.id;
  return null;
end $$;
--> statement-breakpoint
create trigger renew_lead after update on quotes for each row
  when ((old.total_paise, old.created_at, old.valid_until, old.rates_to_confirm)
    is distinct from (new.total_paise, new.created_at, new.valid_until, new.rates_to_confirm))
  execute function renew_lead_of_quote();
--> statement-breakpoint
-- Its own lead, and the one that it is joined into: whoever is just joining it is waited for.
create function win_lead_of_order() returns trigger language plpgsql as $$ begin
  perform from leads where quote_id = new.quote_id for update;
  update leads set state = 'won', furthest = 4, lost_reason = '', version = version + 1
    where state <> 'won' and (quote_id = new.quote_id
      or id = (select joined_to from leads as bought where bought.quote_id = new.quote_id));
  return null;
end $$;
--> statement-breakpoint
create trigger win_lead after insert on orders for each row
  when (new.state = 'success') execute function win_lead_of_order();
--> statement-breakpoint
create trigger win_lead_of_change after update on orders for each row
  when (new.state = 'success' and old.state is distinct from new.state) execute function win_lead_of_order();
--> statement-breakpoint
select lead_of_quote(quotes, null) from quotes order by created_at, id;
--> statement-breakpoint
update leads set state = 'won', furthest = 4
  where exists (select from orders where orders.quote_id = leads.quote_id
    and orders.state in ('success', 'refund_pending', 'refunded', 'partially_refunded'));
