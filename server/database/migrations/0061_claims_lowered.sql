-- A claim is lowered when a part of its invoice is credited before it is paid.
drop trigger show_deducted on tax_deductions;--> statement-breakpoint
create trigger show_deducted after insert or update of state, debt_since, amount_paise on tax_deductions
  for each row execute function show_deducted();
