DROP INDEX "article_versions_by_image";--> statement-breakpoint
ALTER TABLE "article_images" ADD COLUMN "width" integer DEFAULT 1440 NOT NULL;--> statement-breakpoint
ALTER TABLE "article_images" ADD COLUMN "height" integer DEFAULT 576 NOT NULL;--> statement-breakpoint
ALTER TABLE "article_versions" ADD COLUMN "images" uuid[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX "article_versions_by_images" ON "article_versions" USING gin ("images");--> statement-breakpoint
-- by hand
UPDATE "article_versions" SET "images" = array(
  SELECT DISTINCT found[1]::uuid
  FROM regexp_matches(
    ("content" ->> 'headerImg') || ' ' || ("content" ->> 'markdown'),
    '/images/articles/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-', 'g'
  ) AS found
) WHERE "content"::text LIKE '%/images/articles/%';
