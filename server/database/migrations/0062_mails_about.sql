ALTER TABLE "mails" ADD COLUMN "about" text DEFAULT '' NOT NULL;--> statement-breakpoint
-- by hand
-- What a mail is about is written with it, so that a search of the queue finds the words that it shows. Those of a copy of
-- the version before have none.
create or replace function show_failed_mail() returns trigger language plpgsql as $$ begin
  if not exists (select from action_items
      where queue = 'mails' and subject_id = new.id and closed_at is not null and closed_by is not null) then
    perform open_action_item('mails', new.id, coalesce(nullif(new.about, ''), split_part(new.event_key, ':', 1)),
      new.recipient, new.last_error, new.created_at);
  end if;
  return null;
end $$;
--> statement-breakpoint
create temporary table called (cause text primary key, words text) on commit drop;
--> statement-breakpoint
insert into called values
  ('proposal', 'Proposal'),
  ('acceptance-code', 'Code that accepts a proposal'),
  ('acceptance', 'Accepted proposal'),
  ('renewal-due', 'Reminder of a contract''s end'),
  ('renewal-accepted', 'Renewal accepted as chosen'),
  ('receipt', 'Receipt and invoice'),
  ('proforma', 'Proforma invoice'),
  ('advance', 'Receipt for an advance'),
  ('advance-back', 'Refund voucher of an advance'),
  ('invoice-due', 'Invoice to be paid'),
  ('tax-owed', 'Deducted tax owed again'),
  ('due', 'Reminder of a payment due'),
  ('lead', 'Contact request to our sales'),
  ('lead-reminder', 'Reminder of a next step'),
  ('service-report', 'Service report of a month'),
  ('onboarding', 'Reminder of an onboarding'),
  ('clock-ends', 'Reminder of a regulator''s clock'),
  ('announcement', 'Announcement'),
  ('incident', 'Incident'),
  ('attack', 'Attack reported, to whom a customer wants called'),
  ('sign-in-code', 'Sign-in code'),
  ('reset', 'Link to a new password'),
  ('password-changed', 'Password was changed'),
  ('welcome', 'Welcome'),
  ('already-registered', 'Address is registered already'),
  ('register-again', 'How to register anew, where an address is not confirmed'),
  ('invite', 'Invitation'),
  ('confirm-email', 'Link that confirms a corrected address'),
  ('email-to-be-corrected', 'Address is to be corrected'),
  ('email-corrected', 'Address was corrected');
--> statement-breakpoint
update mails set about = words from called where sent_at is null and cause = split_part(event_key, ':', 1);
--> statement-breakpoint
update action_items set about = words from called where queue = 'mails' and cause = about;
