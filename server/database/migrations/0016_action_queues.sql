CREATE TABLE "action_items" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"queue" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"about" text NOT NULL,
	"who" text NOT NULL,
	"problem" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"taken_by" uuid,
	"taken_at" timestamp with time zone,
	"tried_by" uuid,
	"tried_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"closed_by" uuid,
	"resolution" text DEFAULT '' NOT NULL,
	"searched" text GENERATED ALWAYS AS (lower(about || ' ' || who || ' ' || problem || ' ' || resolution)) STORED NOT NULL
);
--> statement-breakpoint
DROP INDEX "mails_failed";--> statement-breakpoint
DROP INDEX "orders_to_review";--> statement-breakpoint
CREATE UNIQUE INDEX "action_items_open_once" ON "action_items" USING btree ("queue","subject_id") WHERE "action_items"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "action_items_of_subject" ON "action_items" USING btree ("subject_id","queue");--> statement-breakpoint
CREATE INDEX "action_items_searched" ON "action_items" USING gin ("searched" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "action_items_open_by_since" ON "action_items" USING btree ("queue","since","id") WHERE "action_items"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "action_items_open_by_who" ON "action_items" USING btree ("queue",lower(who),"id") WHERE "action_items"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "action_items_closed_by_since" ON "action_items" USING btree ("queue","since","id") WHERE "action_items"."closed_at" is not null;--> statement-breakpoint
CREATE INDEX "action_items_closed_by_closed_at" ON "action_items" USING btree ("queue","closed_at","id") WHERE "action_items"."closed_at" is not null;--> statement-breakpoint
CREATE INDEX "action_items_closed_by_who" ON "action_items" USING btree ("queue",lower(who),"id") WHERE "action_items"."closed_at" is not null;--> statement-breakpoint
CREATE INDEX "quotes_without_proposal" ON "quotes" USING btree ("created_at") WHERE "quotes"."proposal_file" is null;--> statement-breakpoint
-- by hand
-- What waits for a person comes once for each subject; what is new about it is told in its place.
create function open_action_item(of_queue text, of_subject uuid, called text, whose text, trouble text, came timestamptz)
  returns void language sql as $$
  insert into action_items (queue, subject_id, about, who, problem, since)
    values (of_queue, of_subject, called, whose, trouble, came)
    on conflict (queue, subject_id) where closed_at is null do update set problem = excluded.problem
    where action_items.problem is distinct from excluded.problem
$$;
--> statement-breakpoint
-- It sorted itself out: without a trace where nobody had touched it.
create function settle_action_item(of_queue text, of_subject uuid) returns void language plpgsql as $$ begin
  delete from action_items where queue = of_queue and subject_id = of_subject and closed_at is null
    and taken_by is null and tried_by is null;
  update action_items set closed_at = now() where queue = of_queue and subject_id = of_subject and closed_at is null;
end $$;
--> statement-breakpoint
-- What an entry is about is deleted, and the entry with it: it names people.
create function forget_action_items() returns trigger language plpgsql as $$ begin
  delete from action_items where queue = tg_argv[0] and subject_id = old.id;
  return null;
end $$;
--> statement-breakpoint
create trigger forget_action_items after delete on mails for each row execute function forget_action_items('mails');
--> statement-breakpoint
create trigger forget_action_items after delete on quotes for each row execute function forget_action_items('proposals');
--> statement-breakpoint
create trigger forget_action_items after delete on invoices for each row execute function forget_action_items('invoices');
--> statement-breakpoint
create trigger forget_action_items after delete on orders for each row execute function forget_action_items('payments');
--> statement-breakpoint
create trigger forget_action_items after delete on organisations for each row
  execute function forget_action_items('dashboards');
--> statement-breakpoint
create function called_order(serial bigint) returns text immutable language sql as $$
  select 'O-' || lpad(serial::text, greatest(6, length(serial::text)), '0')
$$;
--> statement-breakpoint
create function show_order_to_review() returns trigger language plpgsql as $$ begin
  if new.review_reason is null then
    perform settle_action_item('payments', new.id);
  else
    perform open_action_item('payments', new.id, called_order(new.serial), new.organisation_name, new.review_reason,
      new.updated_at);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger show_to_review after insert on orders for each row
  when (new.review_reason is not null) execute function show_order_to_review();
--> statement-breakpoint
create trigger show_changed_review after update on orders for each row
  when (new.review_reason is distinct from old.review_reason) execute function show_order_to_review();
--> statement-breakpoint
-- A mail that somebody has closed stays closed, however often it is tried.
create function show_failed_mail() returns trigger language plpgsql as $$ begin
  if not exists (select from action_items
      where queue = 'mails' and subject_id = new.id and closed_at is not null and closed_by is not null) then
    perform open_action_item('mails', new.id, split_part(new.event_key, ':', 1), new.recipient, new.last_error,
      new.created_at);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger show_failed after insert on mails for each row
  when (new.sent_at is null and new.tries > 0 and new.last_error is not null) execute function show_failed_mail();
--> statement-breakpoint
create trigger show_failed_again after update on mails for each row
  when (new.sent_at is null and new.tries > old.tries and new.last_error is not null)
  execute function show_failed_mail();
--> statement-breakpoint
create function settle_mail() returns trigger language plpgsql as $$ begin
  perform settle_action_item('mails', new.id);
  return null;
end $$;
--> statement-breakpoint
-- It is out; or it expired, which takes its content without another try, and nothing can be done about it any more.
create trigger settle_failed after update on mails for each row
  when (old.tries > 0 and ((old.sent_at is null and new.sent_at is not null)
    or (old.content is not null and new.content is null and new.tries = old.tries)))
  execute function settle_mail();
--> statement-breakpoint
-- The sweep shows documents that are late; they leave with their file.
create function settle_document() returns trigger language plpgsql as $$ begin
  perform settle_action_item(tg_argv[0], new.id);
  return null;
end $$;
--> statement-breakpoint
create trigger settle_proposal after update on quotes for each row
  when (old.proposal_file is null and new.proposal_file is not null) execute function settle_document('proposals');
--> statement-breakpoint
create trigger settle_invoice after update on invoices for each row
  when (old.file is null and new.file is not null) execute function settle_document('invoices');
--> statement-breakpoint
-- Who pays and who activates dashboards at the same moment both write the entry, and so wait for each other: only then
-- does the later one look for what the other did.
create function show_paid_customer() returns trigger language plpgsql as $$ begin
  if exists (select from customer_tools where organisation_id = new.organisation_id) then return null; end if;
  perform open_action_item('dashboards', new.organisation_id, called_order(new.serial), new.organisation_name,
    'Paid, and no dashboards are activated yet.', coalesce(new.paid_at, new.updated_at));
  if exists (select from customer_tools where organisation_id = new.organisation_id) then
    perform settle_action_item('dashboards', new.organisation_id);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger show_paid after insert on orders for each row
  when (new.state = 'success') execute function show_paid_customer();
--> statement-breakpoint
create trigger show_newly_paid after update on orders for each row
  when (new.state = 'success' and old.state <> 'success') execute function show_paid_customer();
--> statement-breakpoint
create function settle_customer() returns trigger language plpgsql as $$ begin
  insert into action_items (queue, subject_id, about, who, problem, since)
    values ('dashboards', new.organisation_id, '', '', '', now())
    on conflict (queue, subject_id) where closed_at is null do nothing;
  perform settle_action_item('dashboards', new.organisation_id);
  return null;
end $$;
--> statement-breakpoint
create trigger settle_customer after insert on customer_tools for each row execute function settle_customer();
--> statement-breakpoint
create function settle_refunded_customer() returns trigger language plpgsql as $$ begin
  if not exists (select from orders
      where organisation_id = new.organisation_id and state in ('success', 'partially_refunded')) then
    perform settle_action_item('dashboards', new.organisation_id);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger settle_refunded after update on orders for each row
  when (old.state <> 'refunded' and new.state = 'refunded') execute function settle_refunded_customer();
--> statement-breakpoint
-- What waits already.
select open_action_item('payments', id, called_order(serial), organisation_name, review_reason, updated_at)
  from orders where review_reason is not null;
--> statement-breakpoint
select open_action_item('mails', id, split_part(event_key, ':', 1), recipient, last_error, created_at)
  from mails where sent_at is null and tries > 0 and last_error is not null
    and last_error <> 'expired before it could be sent';
--> statement-breakpoint
select open_action_item('dashboards', organisation_id, called_order(min(serial)), min(organisation_name),
    'Paid, and no dashboards are activated yet.', min(coalesce(paid_at, updated_at)))
  from orders
  where state = 'success' and not exists (select from customer_tools
    where customer_tools.organisation_id = orders.organisation_id)
  group by organisation_id;
