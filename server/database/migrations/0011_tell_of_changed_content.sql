-- by hand
CREATE FUNCTION tell_of_content() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('content', TG_TABLE_NAME);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER tell_of_content AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "posts" FOR EACH STATEMENT EXECUTE FUNCTION tell_of_content();--> statement-breakpoint
CREATE TRIGGER tell_of_content AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "log_sources" FOR EACH STATEMENT EXECUTE FUNCTION tell_of_content();--> statement-breakpoint
CREATE TRIGGER tell_of_content AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "rate_cards" FOR EACH STATEMENT EXECUTE FUNCTION tell_of_content();
