/**
 * One person under two names: a contact that turned out to be another one says which, so that both are erased together; and what somebody said about
 * messages before the number was known is found, and counts for the number.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { overAllTenants } from "./isolate.ts"

/** As in migration 46: rows are looked up one by one, by an index, however small the table was when the plan was made. */
const lookingUp = "SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE contacts ADD COLUMN merged_into text`
  yield* sql`CREATE INDEX contacts_merged ON contacts (organization_id, merged_into) WHERE merged_into IS NOT NULL`

  // As in migration 46, but for whom the ledger knows: by number, else by id, as `ledgerSubject` says.
  yield* sql`DROP FUNCTION find_recipients(text, jsonb)`
  yield* sql`CREATE FUNCTION find_recipients(wanted_organization text, wanted jsonb)
    RETURNS TABLE (place integer, contact_id text, phone text, opted_out boolean, conversation_id text) LANGUAGE plpgsql ${sql.literal(lookingUp)} AS $$
    BEGIN
      PERFORM enter_organization(wanted_organization);
      RETURN QUERY SELECT w.place::integer, c.id, c.phone, NOT c.opted_in AND coalesce((
          SELECT s.action FROM consents s WHERE s.organization_id = wanted_organization AND s.channel = 'messaging'
            AND s.phone_hash = sha256(convert_to(wanted_organization || '|' || coalesce(c.phone, 'contact:' || c.id), 'UTF8'))
            ORDER BY s.ordinal DESC LIMIT 1
        ) = 'withdrawn', false), (
          SELECT v.id FROM conversations v WHERE v.organization_id = wanted_organization AND v.contact_id = c.id AND v.channel = 'messaging'
            AND v.status <> 'RESOLVED' ORDER BY v.created_at DESC, v.id DESC LIMIT 1
        ) FROM ROWS FROM (jsonb_to_recordset(wanted) AS (phone text, "contactId" text)) WITH ORDINALITY AS w (phone, id, place) CROSS JOIN LATERAL (
          SELECT p.id, p.phone, p.opted_in FROM contacts p WHERE p.organization_id = wanted_organization AND p.phone = w.phone
          UNION ALL
          SELECT i.id, i.phone, i.opted_in FROM contacts i WHERE i.organization_id = wanted_organization AND i.id = w.id
        ) c;
    END $$`

  // Those that were merged before: what they wrote is in a conversation of somebody else.
  yield* overAllTenants(
    ["contacts", "events", "conversations"],
    sql`UPDATE contacts c SET merged_into = v.contact_id FROM events e JOIN conversations v ON v.organization_id = e.organization_id
        AND v.id = coalesce(e.data -> 'message' ->> 'conversationId', e.data -> 'conversation' ->> 'id')
      WHERE c.phone IS NULL AND c.archived_at IS NOT NULL AND e.organization_id = c.organization_id AND e.contact_id = c.id AND v.contact_id <> c.id`
  )
  // Who said stop before the number was known: the last word counts for the number.
  yield* overAllTenants(
    ["contacts", "consents"],
    sql`WITH forgotten AS (
        SELECT c.organization_id, coalesce(n.id, c.id) AS contact_id, number.hash, s.id, s.happened_at, s.source, s.text, s.recorded_by
        FROM (
          SELECT DISTINCT organization_id, contact_id FROM consents WHERE channel = 'messaging'
            AND phone_hash = sha256(convert_to(organization_id || '|contact:' || contact_id, 'UTF8'))
        ) o JOIN contacts c ON c.organization_id = o.organization_id AND c.id = o.contact_id
        LEFT JOIN contacts n ON n.organization_id = c.organization_id AND n.id = c.merged_into
        CROSS JOIN LATERAL (SELECT sha256(convert_to(c.organization_id || '|' || coalesce(n.phone, c.phone), 'UTF8')) AS hash) number
        CROSS JOIN LATERAL (
          SELECT l.* FROM consents l WHERE l.organization_id = c.organization_id AND l.channel = 'messaging'
            AND l.phone_hash IN (number.hash, sha256(convert_to(c.organization_id || '|contact:' || c.id, 'UTF8')))
            ORDER BY l.ordinal DESC LIMIT 1
        ) s WHERE s.action = 'withdrawn' AND s.phone_hash <> number.hash
      ), told AS (
        INSERT INTO consents (organization_id, id, contact_id, phone_hash, channel, action, happened_at, source, text, recorded_by)
          SELECT organization_id, 'cns_' || upper(left(md5(id || contact_id), 26)), contact_id, hash, 'messaging', 'withdrawn', happened_at, source,
            text, recorded_by FROM forgotten
      ) UPDATE contacts c SET opted_in = false FROM forgotten f WHERE c.organization_id = f.organization_id AND c.id = f.contact_id`
  )
})
