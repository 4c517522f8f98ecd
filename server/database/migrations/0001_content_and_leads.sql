CREATE TABLE "log_sources" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"product" text NOT NULL,
	"category" text NOT NULL,
	"label" text NOT NULL,
	"format" text NOT NULL,
	"searched" text GENERATED ALWAYS AS (lower(product || ' ' || replace(label, '_', ' ') || ' ' || category)) STORED NOT NULL,
	CONSTRAINT "log_sources_label_unique" UNIQUE("label")
);
--> statement-breakpoint
CREATE TABLE "posts" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"id_key" text NOT NULL,
	"title" text NOT NULL,
	"excerpt" text NOT NULL,
	"header_img" text NOT NULL,
	"content" text NOT NULL,
	"tags" text[] NOT NULL,
	"updated_by" text NOT NULL,
	"reading_minutes" integer NOT NULL,
	"published_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "posts_idKey_unique" UNIQUE("id_key")
);
--> statement-breakpoint
CREATE TABLE "leads" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"user_name" text NOT NULL,
	"user_email" "citext" NOT NULL,
	"phone" text NOT NULL,
	"organization" text NOT NULL,
	"organization_size" integer NOT NULL,
	"message" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "customer_tools" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX "log_sources_searched" ON "log_sources" USING gin ("searched" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "log_sources_category_product_id_index" ON "log_sources" USING btree ("category","product","id");--> statement-breakpoint
CREATE INDEX "log_sources_product_id_index" ON "log_sources" USING btree ("product","id");--> statement-breakpoint
CREATE INDEX "posts_published_at_id_index" ON "posts" USING btree ("published_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "leads_created_at_index" ON "leads" USING btree ("created_at");