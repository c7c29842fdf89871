/** Contacts with conversations, and messages that wait in them, written in bulk. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { tenant } from "../../src/integrations/postgres/tenancy/Tenant.ts"

const loadedAtOnce = 50_000

export const phoneOf = (index: number): string => `+1415${String(2_000_000 + index)}`
const padded = (index: string) => `lpad((${index})::text, 26, '0')`

/** Numbered from 0, each with an open conversation. */
export const loadContacts = Effect.fnUntraced(function* (organizationId: string, count: number) {
  const sql = yield* SqlClient.SqlClient
  const id = sql.literal(padded("i"))
  yield* tenant(organizationId)(
    Effect.gen(function* () {
      yield* sql`INSERT INTO contacts (organization_id, id, phone)
        SELECT ${organizationId}, 'cnt_' || ${id}, '+1415' || (2000000 + i) FROM generate_series(0, ${count - 1}::int) AS i`
      yield* sql`INSERT INTO conversations (organization_id, id, contact_id, channel)
        SELECT ${organizationId}, 'cnv_' || ${id}, 'cnt_' || ${id}, 'messaging' FROM generate_series(0, ${count - 1}::int) AS i`
    })
  )
  yield* sql`ANALYZE`
})

/**
 * So many messages, spread over the conversations of the contacts from `first` on (so many of them), in one transaction: the delivery takes
 * none of them before all are there.
 */
export const loadQueued = Effect.fnUntraced(function* (
  organizationId: string,
  { first, contacts, count }: { readonly first: number; readonly contacts: number; readonly count: number },
  told: (loaded: number) => void
) {
  const sql = yield* SqlClient.SqlClient
  const message = sql.literal(`'msg_' || ${padded("i")}`)
  const conversation = sql`'cnv_' || lpad((${first}::int + i % ${contacts}::int)::text, 26, '0')`
  const load = (from: number, to: number) => sql`WITH made AS (
      INSERT INTO messages (organization_id, id, conversation_id, direction, type, content, status, created_at)
      SELECT ${organizationId}, ${message}, ${conversation}, 'outbound', 'text', '{"text":"Waiting"}', 'queued', now()
      FROM generate_series(${from}::int, ${to - 1}::int) AS i RETURNING id, conversation_id
    ) INSERT INTO outbox (organization_id, message_id, conversation_id, head, due_at, queued_at)
      SELECT ${organizationId}, id, conversation_id, substr(id, 5)::int < ${contacts}, now(), now() FROM made`
  yield* tenant(organizationId)(
    Effect.gen(function* () {
      for (let from = 0; from < count; from += loadedAtOnce) {
        yield* load(from, Math.min(count, from + loadedAtOnce))
        told(Math.min(count, from + loadedAtOnce))
      }
    })
  )
  yield* sql`ANALYZE outbox`
})
