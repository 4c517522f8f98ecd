ALTER TABLE "mails" ADD COLUMN "about" text DEFAULT '' NOT NULL;--> statement-breakpoint
-- by hand
-- What a mail is about is written with it, so that a search of the queue finds the words that it shows. A copy of the version
-- before writes none: its mails have them by what caused them.
create function called_mail(cause text) returns text language sql immutable as $$ select case cause
  when 'proposal' then 'Proposal'
  when 'acceptance-code' then 'Code that accepts a proposal'
  when 'acceptance' then 'Accepted proposal'
  when 'renewal-due' then 'Reminder of a contract''s end'
  when 'renewal-accepted' then 'Renewal accepted as chosen'
  when 'receipt' then 'Receipt and invoice'
  when 'proforma' then 'Proforma invoice'
  when 'advance' then 'Receipt for an advance'
  when 'advance-back' then 'Refund voucher of an advance'
  when 'invoice-due' then 'Invoice to be paid'
  when 'tax-owed' then 'Deducted tax owed again'
  when 'due' then 'Reminder of a payment due'
  when 'lead' then 'Contact request to our sales'
  when 'lead-reminder' then 'Reminder of a next step'
  when 'service-report' then 'Service report of a month'
  when 'onboarding' then 'Reminder of an onboarding'
  when 'clock-ends' then 'Reminder of a regulator''s clock'
  when 'announcement' then 'Announcement'
  when 'incident' then 'Incident'
  when 'attack' then 'Attack reported, to whom a customer wants called'
  when 'sign-in-code' then 'Sign-in code'
  when 'reset' then 'Link to a new password'
  when 'password-changed' then 'Password was changed'
  when 'welcome' then 'Welcome'
  when 'already-registered' then 'Address is registered already'
  when 'register-again' then 'How to register anew, where an address is not confirmed'
  when 'invite' then 'Invitation'
  when 'confirm-email' then 'Link that confirms a corrected address'
  when 'email-to-be-corrected' then 'Address is to be corrected'
  when 'email-corrected' then 'Address was corrected'
  else cause end $$;
--> statement-breakpoint
create or replace function show_failed_mail() returns trigger language plpgsql as $$ begin
  if not exists (select from action_items
      where queue = 'mails' and subject_id = new.id and closed_at is not null and closed_by is not null) then
    perform open_action_item('mails', new.id,
      coalesce(nullif(new.about, ''), called_mail(split_part(new.event_key, ':', 1))),
      new.recipient, new.last_error, new.created_at);
  end if;
  return null;
end $$;
--> statement-breakpoint
update mails set about = called_mail(split_part(event_key, ':', 1)) where sent_at is null;
--> statement-breakpoint
update action_items set about = called_mail(about) where queue = 'mails' and called_mail(about) <> about;
