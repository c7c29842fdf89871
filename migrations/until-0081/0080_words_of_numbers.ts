/**
 * Whom a message goes to is found with what the ledger of consents says, also of a number that is nobody's: whoever wants no messages and was
 * then erased is known by the hash of the number alone, and would get the next template as somebody new.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** As in migration 46: rows are looked up one by one, by an index, however small the table was when the plan was made. */
const lookingUp = "SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // As in migration 62; of a number that is no contact's `contact_id` and `conversation_id` are null. For an id that is none there is no row.
  yield* sql`CREATE OR REPLACE FUNCTION find_recipients(wanted_organization text, wanted jsonb)
    RETURNS TABLE (place integer, contact_id text, phone text, opted_out boolean, conversation_id text) LANGUAGE plpgsql ${sql.literal(lookingUp)} AS $$
    BEGIN
      PERFORM enter_organization(wanted_organization);
      RETURN QUERY SELECT w.place::integer, c.id, s.phone, coalesce(NOT c.opted_in, true) AND coalesce((
          SELECT l.action FROM consents l WHERE l.organization_id = wanted_organization AND l.channel = 'messaging'
            AND l.phone_hash = sha256(convert_to(wanted_organization || '|' || coalesce(s.phone, 'contact:' || c.id), 'UTF8'))
            ORDER BY l.ordinal DESC LIMIT 1
        ) = 'withdrawn', false), (
          SELECT v.id FROM conversations v WHERE v.organization_id = wanted_organization AND v.contact_id = c.id AND v.channel = 'messaging'
            AND v.status <> 'RESOLVED' ORDER BY v.created_at DESC, v.id DESC LIMIT 1
        ) FROM ROWS FROM (jsonb_to_recordset(wanted) AS (phone text, "contactId" text)) WITH ORDINALITY AS w (phone, id, place) LEFT JOIN LATERAL (
          SELECT p.id, p.phone, p.opted_in FROM contacts p WHERE p.organization_id = wanted_organization AND p.phone = w.phone
          UNION ALL
          SELECT i.id, i.phone, i.opted_in FROM contacts i WHERE i.organization_id = wanted_organization AND i.id = w.id
        ) c ON true CROSS JOIN LATERAL (SELECT CASE WHEN c.id IS NULL THEN w.phone ELSE c.phone END AS phone) s
        WHERE c.id IS NOT NULL OR w.phone IS NOT NULL;
    END $$`
})
