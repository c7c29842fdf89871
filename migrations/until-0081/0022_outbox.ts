/** Messages on their way to the channel, a row each from when one is stored until the channel has it or it has failed. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, overAllTenants } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `head`: the first one of its conversation. Only that one is handed over, so the order is kept and finding work is reading an index,
  // however long the queue. `attempts` counts claims: a claim that another one followed changes nothing any more.
  // `handing_over_since`: the channel may have it since then, and nobody has stored what it answered. `unanswered`: how often that was so
  // before.
  yield* sql`CREATE TABLE outbox (
    organization_id text NOT NULL,
    message_id text NOT NULL,
    conversation_id text NOT NULL,
    position bigint GENERATED ALWAYS AS IDENTITY,
    head boolean NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz(3) NOT NULL,
    queued_at timestamptz(3) NOT NULL,
    handing_over_since timestamptz(3),
    unanswered integer NOT NULL DEFAULT 0,
    last_error text,
    PRIMARY KEY (organization_id, message_id),
    FOREIGN KEY (organization_id, message_id) REFERENCES messages (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX outbox_due ON outbox (organization_id, due_at) WHERE head`
  yield* sql`CREATE UNIQUE INDEX outbox_heads ON outbox (organization_id, conversation_id) WHERE head`
  yield* sql`CREATE INDEX outbox_in_order ON outbox (organization_id, conversation_id, position)`
  yield* isolate("outbox")

  // Whoever stores a message holds its conversation, so the next head is looked for when nobody does: a message is either seen here, or its
  // writer sees that there is no head any more.
  yield* sql`CREATE FUNCTION promote_in_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM 1 FROM conversations WHERE organization_id = OLD.organization_id AND id = OLD.conversation_id FOR NO KEY UPDATE;
      UPDATE outbox SET head = true WHERE organization_id = OLD.organization_id AND message_id = (
        SELECT message_id FROM outbox WHERE organization_id = OLD.organization_id AND conversation_id = OLD.conversation_id
        ORDER BY position LIMIT 1);
      RETURN NULL;
    END $$`
  yield* sql`CREATE TRIGGER outbox_promotes AFTER DELETE ON outbox FOR EACH ROW WHEN (OLD.head) EXECUTE FUNCTION promote_in_outbox()`

  // For the worker, which serves every organization: says where there is work, and nothing of what it is. Leaps from one organization to the
  // next, so that a long queue of one costs the others nothing.
  yield* sql`CREATE POLICY lookup ON outbox FOR SELECT TO CURRENT_USER
    USING ((SELECT current_setting('app.cross_tenant', true)) = 'lookup')`
  yield* sql`CREATE FUNCTION organizations_to_deliver(at timestamptz) RETURNS SETOF text
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DECLARE found_id text := '';
    BEGIN
      PERFORM set_config('app.cross_tenant', 'lookup', true);
      LOOP
        SELECT o.organization_id INTO found_id FROM outbox o
          WHERE o.head AND o.organization_id > found_id ORDER BY o.organization_id LIMIT 1;
        EXIT WHEN NOT FOUND;
        IF EXISTS (SELECT 1 FROM outbox o WHERE o.head AND o.organization_id = found_id AND o.due_at <= at) THEN
          RETURN NEXT found_id;
        END IF;
      END LOOP;
      PERFORM set_config('app.cross_tenant', '', true);
    END $$`
  yield* sql`REVOKE ALL ON FUNCTION organizations_to_deliver(timestamptz) FROM PUBLIC`

  // What was queued before there was an outbox is sent now.
  yield* overAllTenants(
    ["messages", "outbox", "conversations"],
    sql`INSERT INTO outbox (organization_id, message_id, conversation_id, head, due_at, queued_at)
      SELECT m.organization_id, m.id, m.conversation_id,
        row_number() OVER (PARTITION BY m.organization_id, m.conversation_id ORDER BY m.created_at, m.id) = 1, m.created_at, m.created_at
      FROM messages m JOIN conversations v ON v.organization_id = m.organization_id AND v.id = m.conversation_id
      WHERE m.status = 'queued' AND v.channel = 'messaging' ORDER BY m.created_at, m.id`
  )
})
