/**
 * A message of a broadcast is stored only while its broadcast runs and its contact wants it, and that is decided where it is stored: whoever sends
 * it holds nothing meanwhile.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Broadcast and contact stay as they are until the message is there: a pause, a cancel or an opt-out waits for that, or has come before. What
  // somebody else is just changing is not waited for: who writes to a contact locks it before its conversation, and here the conversation is
  // locked already. A message that nobody claimed for a recipient is not one of these.
  yield* sql`CREATE FUNCTION withhold_message() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE recipient record;
    BEGIN
      SELECT r.broadcast_id, r.contact_id, r.status INTO recipient FROM broadcast_recipients r
        WHERE r.organization_id = NEW.organization_id AND r.message_id = NEW.id;
      IF NOT FOUND THEN RETURN NEW; END IF;
      IF recipient.status <> 'waiting' THEN RETURN NULL; END IF;
      PERFORM 1 FROM broadcasts b WHERE b.organization_id = NEW.organization_id AND b.id = recipient.broadcast_id AND b.status = 'running'
        FOR SHARE SKIP LOCKED;
      IF NOT FOUND THEN RETURN NULL; END IF;
      PERFORM 1 FROM contacts c WHERE c.organization_id = NEW.organization_id AND c.id = recipient.contact_id AND c.opted_in
        AND c.archived_at IS NULL FOR SHARE SKIP LOCKED;
      IF NOT FOUND THEN RETURN NULL; END IF;
      RETURN NEW;
    END $$`
  yield* sql`CREATE TRIGGER messages_withheld BEFORE INSERT ON messages
    FOR EACH ROW WHEN (starts_with(NEW.sent_by, 'brd_')) EXECUTE FUNCTION withhold_message()`
})
