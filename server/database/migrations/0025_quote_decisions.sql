CREATE TABLE "quote_decisions" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"quote_id" uuid NOT NULL,
	"revision" integer NOT NULL,
	"kind" text NOT NULL,
	"person_id" uuid NOT NULL,
	"email" "citext" NOT NULL,
	"name" text NOT NULL,
	"designation" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"terms" jsonb NOT NULL,
	"terms_hash" text NOT NULL,
	"proposal_hash" text,
	"address" text NOT NULL,
	"user_agent" text NOT NULL,
	"decided_at" timestamp with time zone NOT NULL,
	"file" text,
	CONSTRAINT "quote_decisions_file_unique" UNIQUE("file")
);
--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "decision" text;--> statement-breakpoint
ALTER TABLE "quote_decisions" ADD CONSTRAINT "quote_decisions_quote_id_quotes_id_fk" FOREIGN KEY ("quote_id") REFERENCES "public"."quotes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quote_decisions" ADD CONSTRAINT "quote_decisions_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "quote_decisions_once_each" ON "quote_decisions" USING btree ("quote_id","revision");--> statement-breakpoint
CREATE INDEX "quote_decisions_without_file" ON "quote_decisions" USING btree ("decided_at") WHERE kind = 'accepted' and file is null;--> statement-breakpoint
CREATE INDEX "quote_decisions_of_person" ON "quote_decisions" USING btree ("person_id");