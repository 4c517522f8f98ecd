CREATE TABLE "e_invoices" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"invoice_id" uuid,
	"credit_note_id" uuid,
	"number" text NOT NULL,
	"state" text NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"next_ask_at" timestamp with time zone,
	"sent_at" timestamp with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"reasons" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"irn" text,
	"ack_number" text,
	"ack_at" timestamp with time zone,
	"signed_qr" text,
	"signed_invoice" text,
	"cancel_asked_by" uuid,
	"cancel_asked_at" timestamp with time zone,
	"cancel_reason" text,
	"cancel_remark" text,
	"cancelled_at" timestamp with time zone,
	"problem" text,
	CONSTRAINT "e_invoices_invoiceId_unique" UNIQUE("invoice_id"),
	CONSTRAINT "e_invoices_creditNoteId_unique" UNIQUE("credit_note_id"),
	CONSTRAINT "e_invoices_number_unique" UNIQUE("number"),
	CONSTRAINT "e_invoices_irn_unique" UNIQUE("irn"),
	CONSTRAINT "e_invoices_of_one_document" CHECK (num_nonnulls(invoice_id, credit_note_id) = 1),
	CONSTRAINT "e_invoices_registered_with_number" CHECK (state not in ('registered', 'cancelled') or (irn is not null and signed_qr is not null and ack_at is not null))
);
--> statement-breakpoint
CREATE TABLE "sandbox_e_invoices" (
	"irn" text PRIMARY KEY NOT NULL,
	"ack_number" text NOT NULL,
	"ack_at" timestamp with time zone NOT NULL,
	"signed_qr" text NOT NULL,
	"signed_invoice" text NOT NULL,
	"cancelled_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "e_invoices" ADD CONSTRAINT "e_invoices_invoice_id_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."invoices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "e_invoices" ADD CONSTRAINT "e_invoices_credit_note_id_credit_notes_id_fk" FOREIGN KEY ("credit_note_id") REFERENCES "public"."credit_notes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "e_invoices" ADD CONSTRAINT "e_invoices_cancel_asked_by_people_id_fk" FOREIGN KEY ("cancel_asked_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "e_invoices_due" ON "e_invoices" USING btree ("next_ask_at") WHERE next_ask_at is not null;--> statement-breakpoint
-- by hand
-- A registration waits for a person while it says why.
create function show_e_invoice() returns trigger language plpgsql as $$ begin
  if new.problem is null then
    perform settle_action_item('eInvoices', new.id);
  else
    perform open_action_item('eInvoices', new.id, new.number, orders.organisation_name, new.problem, new.due_at)
      from invoices join orders on orders.id = invoices.order_id
      where invoices.id = coalesce(new.invoice_id, (select invoice_id from credit_notes where id = new.credit_note_id));
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger show_e_invoice after update on e_invoices for each row
  when (new.problem is distinct from old.problem) execute function show_e_invoice();
--> statement-breakpoint
create trigger forget_action_items after delete on e_invoices for each row execute function forget_action_items('eInvoices');
--> statement-breakpoint
-- What the portal has registered it has registered; cancelled stays cancelled.
create trigger e_invoices_never_changed
  before update of irn, ack_number, ack_at, signed_qr, signed_invoice, number, invoice_id, credit_note_id, state on e_invoices
  for each row when (old.irn is not null and (
    (old.irn, old.ack_number, old.ack_at, old.signed_qr, old.signed_invoice, old.number)
      is distinct from (new.irn, new.ack_number, new.ack_at, new.signed_qr, new.signed_invoice, new.number)
    or (old.invoice_id, old.credit_note_id) is distinct from (new.invoice_id, new.credit_note_id)
    or new.state not in ('registered', 'cancelled') or (old.state = 'cancelled' and new.state <> 'cancelled')))
  execute function document_guard();
