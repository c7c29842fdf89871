/**
 * The reference of bench `http`: Fastify and `pg`, the same requests, and the same work with hand-written statements, as the same role under the same
 * row-level security; no tracing, no idempotency, no event hub. The queries differ: it looks the key up for each request (Parley remembers it), and
 * needs 7 round trips for a contact and 10 for a send (Parley needs 1 for a contact, and less than 1 for a send, because concurrent sends share
 * them). Its settings come from the environment; it sends `ready` to its parent.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import Fastify from "fastify"
import { Pool, type PoolClient } from "pg"

const { PORT = "", DATABASE_URL = "" } = process.env
const pool = new Pool({ connectionString: DATABASE_URL, max: 20 })
const app = Fastify()

const idOf = (prefix: string) =>
  `${prefix}_${Date.now().toString(36).toUpperCase()}${randomBytes(8).toString("hex").toUpperCase()}`
const iso = (time: Date | null) => time?.toISOString() ?? null

interface Key {
  readonly organization_id: string
  readonly id: string
  readonly secret_hash: Buffer
  readonly scopes: ReadonlyArray<string>
  readonly revoked_at: Date | null
  readonly expires_at: Date | null
}

const authenticate = async (header: string | undefined, scope: string) => {
  const secret = header?.replace(/^Bearer /, "") ?? ""
  const { rows } = await pool.query<Key>({
    name: "key",
    text: "SELECT * FROM lookup_api_key($1)",
    values: [secret.slice(3, 11)]
  })
  const key = rows.at(0)
  const hash = createHash("sha256").update(secret).digest()
  if (
    key === undefined ||
    !timingSafeEqual(key.secret_hash, hash) ||
    key.revoked_at !== null ||
    !key.scopes.includes(scope)
  )
    throw Object.assign(new Error("This API key is not valid."), { statusCode: 401 })
  return { organizationId: key.organization_id, keyId: key.id }
}

const asTenant = async <A>(organizationId: string, work: (client: PoolClient) => Promise<A>): Promise<A> => {
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    await client.query({
      name: "tenant",
      text: "SELECT set_config('app.organization_id', $1, true)",
      values: [organizationId]
    })
    const result = await work(client)
    await client.query("COMMIT")
    return result
  } catch (error) {
    await client.query("ROLLBACK")
    throw error
  } finally {
    client.release()
  }
}

type Row = Readonly<Record<string, unknown>> & { readonly [name: string]: never }
const identities = `(SELECT coalesce(json_agg(json_build_object('channel', i.channel, 'userId', i.user_id) ORDER BY i.channel, i.user_id), '[]')
  FROM contact_identities i WHERE i.organization_id = c.organization_id AND i.contact_id = c.id) AS identities`

const contactOf = (row: Row) => ({
  id: row.id,
  organizationId: row.organization_id,
  phone: row.phone,
  name: row.name,
  email: row.email,
  tags: row.tags,
  optedIn: row.opted_in,
  identities: row.identities,
  archivedAt: iso(row.archived_at),
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at)
})

const messageOf = (row: Row) => ({
  id: row.id,
  organizationId: row.organization_id,
  conversationId: row.conversation_id,
  contactId: row.contact_id,
  channel: row.channel,
  direction: row.direction,
  type: row.type,
  content: row.content,
  replyTo:
    row.reply_to_id === null ? null : { messageId: row.reply_to_id, channelMessageId: row.reply_to_channel_message_id },
  channelMessageId: row.channel_message_id,
  sentBy: row.sent_by,
  status: row.status,
  sentAt: iso(row.sent_at),
  deliveredAt: iso(row.delivered_at),
  readAt: iso(row.read_at),
  failedAt: iso(row.failed_at),
  failure: row.failure_reason === null ? null : { code: row.failure_code, reason: row.failure_reason },
  createdAt: iso(row.created_at)
})

/** A message that comes as JSON has its times as text. */
const times = ["sent_at", "delivered_at", "read_at", "failed_at", "created_at"]
const lastOf = (message: Row, { contact_id, channel }: Row) => {
  const dated = times.map((name) => [name, message[name] === null ? null : new Date(message[name])])
  return messageOf({ ...message, ...Object.fromEntries(dated), contact_id, channel })
}

const pageOf = {
  querystring: {
    type: "object",
    properties: { page: { type: "integer", minimum: 1 }, limit: { type: "integer", minimum: 1, maximum: 100 } }
  }
}
interface Page {
  readonly Querystring: { readonly page?: number; readonly limit?: number }
}

const cursorOf = (row: Row | undefined, time: string) =>
  row === undefined ? null : Buffer.from(`${(row[time] as Date).getTime()}.${row.id}`).toString("base64url")

app.get<Page>(
  "/api/messaging-api/contacts",
  { schema: pageOf },
  async ({ headers, query: { page = 1, limit = 20 } }) => {
    const { organizationId } = await authenticate(headers.authorization, "contacts:read")
    const { rows } = await pool.query<Row>({
      name: "contacts",
      text: `SELECT l.total, (l.contact).*, l.identities
        FROM list_contacts($1, false, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, $2, $3, '{contacts}') l`,
      values: [organizationId, (page - 1) * limit, limit + 1]
    })
    const shown = rows.filter(({ id }) => id !== null).slice(0, limit)
    const nextCursor = rows.length > limit ? cursorOf(shown.at(-1), "created_at") : null
    return { data: shown.map(contactOf), page, limit, total: rows[0].total, nextCursor }
  }
)

app.get<Page>("/api/messaging-api/chats", { schema: pageOf }, async ({ headers, query: { page = 1, limit = 20 } }) => {
  const { organizationId } = await authenticate(headers.authorization, "conversations:read")
  const { rows } = await pool.query<Row>({
    name: "chats",
    text: `SELECT l.total, (l.conversation).*, l.contact_name, l.contact_phone, to_jsonb(l.message) AS message
      FROM list_conversations($1, NULL, NULL, NULL, $2, $3, '{conversations.OPEN,conversations.ASSIGNED,conversations.RESOLVED}') l`,
    values: [organizationId, (page - 1) * limit, limit + 1]
  })
  const shown = rows.filter(({ id }) => id !== null).slice(0, limit)
  const now = Date.now()
  const data = shown.map((row) => {
    const until =
      (row.last_inbound_at as Date | null) === null
        ? null
        : new Date((row.last_inbound_at as Date).getTime() + 86_400_000)
    return {
      id: row.id,
      organizationId: row.organization_id,
      channel: row.channel,
      status: row.status,
      assignee: row.assigned_user_id ?? row.assigned_agent_id,
      contact: { id: row.contact_id, name: row.contact_name, phone: row.contact_phone },
      unreadCount: row.unread_count,
      flagged: row.flagged,
      window: { open: until !== null && until.getTime() > now, expiresAt: iso(until) },
      sla: {
        firstResponseDueAt: iso(row.response_due_at),
        resolutionDueAt: iso(row.resolution_due_at),
        firstResponseBreachedAt: iso(row.response_breached_at),
        resolutionBreachedAt: iso(row.resolution_breached_at)
      },
      lastMessage: row.message === null ? null : lastOf(row.message, row),
      lastActivityAt: iso(row.last_activity_at),
      createdAt: iso(row.created_at),
      updatedAt: iso(row.updated_at)
    }
  })
  return {
    data,
    page,
    limit,
    total: rows[0].total,
    nextCursor: rows.length > limit ? cursorOf(shown.at(-1), "last_activity_at") : null
  }
})

const record = (client: PoolClient, organizationId: string, type: string, data: object) =>
  client.query({
    name: "event",
    text: "INSERT INTO events (organization_id, id, type, data, created_at) VALUES ($1, $2, $3, $4, $5)",
    values: [organizationId, idOf("evt"), type, JSON.stringify(data), new Date()]
  })

const audit = (
  client: PoolClient,
  organizationId: string,
  keyId: string,
  action: string,
  subjectId: string,
  ip: string
) =>
  client.query({
    name: "audit",
    text: `INSERT INTO audit_log (organization_id, id, action, subject_id, actor_type, actor_id, state_after, ip, request_id)
      VALUES ($1, $2, $3, $4, 'key', $5, $6, $7, $8)`,
    values: [organizationId, idOf("aud"), action, subjectId, keyId, JSON.stringify({ optedIn: false }), ip, idOf("req")]
  })

interface NewContact {
  readonly phone: string
  readonly name?: string
  readonly tags?: ReadonlyArray<string>
}
const newContact = {
  body: {
    type: "object",
    required: ["phone"],
    properties: {
      phone: { type: "string", maxLength: 40 },
      name: { type: "string", maxLength: 200 },
      tags: { type: "array", items: { type: "string" } }
    }
  }
}
app.post<{ Body: NewContact }>(
  "/api/messaging-api/contacts",
  { schema: newContact },
  async ({ headers, body, ip }, reply) => {
    const { organizationId, keyId } = await authenticate(headers.authorization, "contacts:write")
    const contact = await asTenant(organizationId, async (client) => {
      await client.query({
        name: "make",
        text: `INSERT INTO contacts (organization_id, id, phone, name, searchable_name, email, tags, opted_in)
        VALUES ($1, $2, $3, $4, $5, NULL, $6, false) ON CONFLICT (organization_id, phone) DO NOTHING RETURNING id`,
        values: [
          organizationId,
          idOf("cnt"),
          body.phone,
          body.name ?? null,
          (body.name ?? "").toLowerCase(),
          body.tags ?? []
        ]
      })
      const { rows } = await client.query<Row>({
        name: "byPhone",
        text: `SELECT c.*, ${identities} FROM contacts c WHERE c.phone = $1`,
        values: [body.phone]
      })
      const made = contactOf(rows[0])
      await record(client, organizationId, "contact.created", { contact: made })
      await audit(client, organizationId, keyId, "contact.created", String(made.id), ip)
      return made
    })
    return reply.code(201).send(contact)
  }
)

interface Send {
  readonly to: string
  readonly type: string
  readonly text: string
}
const send = {
  body: {
    type: "object",
    required: ["to", "type", "text"],
    properties: {
      to: { type: "string" },
      type: { const: "text" },
      text: { type: "string", minLength: 1, maxLength: 4096 }
    }
  }
}
const recipientSql = `SELECT c.id AS contact_id, c.phone, NOT c.opted_in AND coalesce((SELECT s.action FROM consents s
    WHERE s.organization_id = c.organization_id AND s.channel = 'messaging'
      AND s.phone_hash = sha256(convert_to(c.organization_id || '|' || coalesce(c.phone, 'contact:' || c.id), 'UTF8'))
    ORDER BY s.ordinal DESC LIMIT 1) = 'withdrawn', false) AS opted_out, v.id AS conversation_id
  FROM contacts c LEFT JOIN LATERAL (SELECT id FROM conversations WHERE organization_id = c.organization_id AND contact_id = c.id
    AND channel = 'messaging' AND status <> 'RESOLVED' ORDER BY created_at DESC, id DESC LIMIT 1) v ON true WHERE c.phone = $1`
const insertSql = `WITH made AS (
    INSERT INTO messages (organization_id, id, conversation_id, direction, type, content, sent_by, status, created_at)
    VALUES ($1, $2, $3, 'outbound', 'text', $4, $5, 'queued', $6) ON CONFLICT DO NOTHING RETURNING *
  ), active AS (
    UPDATE conversations SET last_activity_at = GREATEST(last_activity_at, $6::timestamptz) WHERE id = $3 AND EXISTS (SELECT 1 FROM made)
  ), queued AS (
    INSERT INTO outbox (organization_id, message_id, conversation_id, head, due_at, queued_at)
    SELECT organization_id, id, conversation_id, NOT EXISTS (SELECT 1 FROM outbox o WHERE o.organization_id = made.organization_id
      AND o.conversation_id = made.conversation_id), created_at, created_at FROM made
  ) SELECT * FROM made`
app.post<{ Body: Send }>("/api/messaging-api/send", { schema: send }, async ({ headers, body }, reply) => {
  const { organizationId, keyId } = await authenticate(headers.authorization, "messages:send")
  const recipient = await asTenant(organizationId, async (client) => {
    const { rows } = await client.query<Row>({ name: "recipient", text: recipientSql, values: [body.to] })
    return rows[0]
  })
  const message = await asTenant(organizationId, async (client) => {
    await client.query({
      name: "lock",
      text: `SELECT v.*, o.sla_policy, o.time_zone FROM conversations v JOIN organizations o ON o.id = v.organization_id WHERE v.id = $1 FOR NO KEY UPDATE OF v`,
      values: [recipient.conversation_id]
    })
    const { rows } = await client.query<Row>({
      name: "insert",
      text: insertSql,
      values: [
        organizationId,
        idOf("msg"),
        recipient.conversation_id,
        JSON.stringify({ text: body.text }),
        keyId,
        new Date()
      ]
    })
    const stored = messageOf({ ...rows[0], contact_id: recipient.contact_id, channel: "messaging" as never })
    await record(client, organizationId, "message.queued", { message: stored })
    return stored
  })
  const { id: messageId, conversationId, contactId, status } = message
  return reply.code(201).send({ messageId, conversationId, contactId, status })
})

await app.listen({ port: Number(PORT), host: "127.0.0.1" })
process.on("disconnect", () => process.exit(0))
process.send?.("ready")
