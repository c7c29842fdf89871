-- Broadcasts: where there is work, and what messages do to recipients.

-- For a worker, which serves every organization: where there is work, and nothing of what it is.
-- A broadcast that is only scheduled wakes nobody before its time. Runs as the owner of the tables (`isolate.ts`).
CREATE OR REPLACE FUNCTION organizations_to_broadcast()
  RETURNS SETOF text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.cross_tenant', 'lookup', true);
  RETURN QUERY SELECT b.organization_id FROM broadcasts b WHERE b.status = 'running'
    UNION SELECT b.organization_id FROM broadcasts b WHERE b.status = 'scheduled' AND b.scheduled_at <= now();
  PERFORM set_config('app.cross_tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION organizations_to_broadcast() FROM PUBLIC;

-- A message of a broadcast is stored only while its broadcast runs and its contact wants it. Both stay as they are
-- until the message is there: a pause, a cancel or an opt-out waits for that, or has come before. What somebody else is
-- just changing is not waited for: who writes to a contact locks it before its conversation, and here the conversation
-- is locked already. The recipient is locked first, because its status is changed with the message: a claim that has run
-- out may be taken by somebody else, who then waits for the contact. A message that nobody claimed for a recipient is not
-- one of these.
CREATE OR REPLACE FUNCTION withhold_message()
  RETURNS trigger
  LANGUAGE plpgsql AS $$
DECLARE recipient record;
BEGIN
  SELECT r.broadcast_id, r.contact_id, r.status INTO recipient FROM broadcast_recipients r
    WHERE r.organization_id = NEW.organization_id AND r.message_id = NEW.id;
  IF NOT FOUND THEN RETURN NEW; END IF;
  IF recipient.status <> 'waiting' THEN RETURN NULL; END IF;
  PERFORM 1 FROM broadcast_recipients r WHERE r.organization_id = NEW.organization_id AND r.broadcast_id = recipient.broadcast_id
    AND r.contact_id = recipient.contact_id AND r.status = 'waiting' FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM 1 FROM broadcasts b WHERE b.organization_id = NEW.organization_id AND b.id = recipient.broadcast_id AND b.status = 'running'
    FOR SHARE SKIP LOCKED;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM 1 FROM contacts c WHERE c.organization_id = NEW.organization_id AND c.id = recipient.contact_id AND c.opted_in
    AND c.archived_at IS NULL FOR SHARE SKIP LOCKED;
  IF NOT FOUND THEN RETURN NULL; END IF;
  RETURN NEW;
END
$$;
CREATE OR REPLACE TRIGGER messages_withheld BEFORE INSERT ON messages
  FOR EACH ROW WHEN (starts_with(NEW.sent_by, 'brd_')) EXECUTE FUNCTION withhold_message();

-- The statement of messages moves their recipients, whoever stores them and whoever hears of them. All of a statement
-- at once, so that counting recipients costs a statement and not a message.
--
-- SET enable_…: plans are kept per connection, and one that was made while a table was small reads all of it when a
-- million rows wait. So rows are always looked up one by one, by an index.
CREATE OR REPLACE FUNCTION keep_broadcast_recipients()
  RETURNS trigger
  LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM changed m WHERE starts_with(m.sent_by, 'brd_')) THEN
    UPDATE broadcast_recipients r SET status = m.status, reason = '', updated_at = clock_timestamp() FROM changed m
      WHERE starts_with(m.sent_by, 'brd_') AND r.organization_id = m.organization_id AND r.message_id = m.id AND r.status <> m.status;
  END IF;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER messages_of_broadcasts_insert AFTER INSERT ON messages REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_broadcast_recipients();
CREATE OR REPLACE TRIGGER messages_of_broadcasts_update AFTER UPDATE ON messages REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_broadcast_recipients();
