ALTER TABLE "service_reports" ADD COLUMN "partner_id_at_close" uuid;--> statement-breakpoint
-- by hand
-- Until now only the partner's name was kept. The customer still has that partner if it was neither moved nor merged since the
-- close; of older reports the audit log does not know. A report of which this is not certain comes in our name.
update service_reports set partner_id_at_close = partner_id
  where data->>'partner' is not null and closed_at > now() - interval '1094 days'
    and not exists (select from audit_entries
      where subject = 'organisation:' || organisation_id and action in ('move customer', 'merge organisation') and at >= closed_at);
--> statement-breakpoint
create or replace function service_report_guard() returns trigger language plpgsql as $$ begin
  if (new.month, new.data, new.certificate, new.certificate_hash, new.closed_at, new.partner_id_at_close)
    is distinct from (old.month, old.data, old.certificate, old.certificate_hash, old.closed_at, old.partner_id_at_close) then
    raise exception 'a report of a month is made once' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
