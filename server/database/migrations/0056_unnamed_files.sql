CREATE TABLE "unnamed_files" (
	"file" text PRIMARY KEY NOT NULL,
	"since" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "unnamed_files_since_index" ON "unnamed_files" USING btree ("since");