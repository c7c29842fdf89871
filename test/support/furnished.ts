/** An organization with a record of every kind that has an address, a signed-in owner, a telephony account and a messaging connection. */
import { randomBytes } from "node:crypto"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Account } from "../../simulators/telephone/provider/Account.ts"
import { newId } from "../../src/domain/basics/Ids.ts"
import { ChannelAccounts } from "../../src/domain/messaging/channel/ChannelConnection.ts"
import { Templates } from "../../src/domain/messaging/templates/Templates.ts"
import { Users } from "../../src/domain/people/access/User.ts"
import { csrfToken } from "../../src/domain/people/access/UserSession.ts"
import { VoiceAgents } from "../../src/domain/voice/agents/VoiceAgent.ts"
import { Placements } from "../../src/domain/voice/calls/outbound/Placement.ts"
import { Calls } from "../../src/domain/voice/calls/records/CallRecord.ts"
import { Transfers } from "../../src/domain/voice/calls/records/Transfer.ts"
import { PhoneNumbers, TelephonyConnections } from "../../src/domain/voice/telephony/PhoneNumber.ts"
import { tenant } from "../../src/integrations/postgres/tenancy/Tenant.ts"
import { password } from "./access.ts"
import { template } from "./channel.ts"
import { answered, ended } from "./escalation.ts"
import type { Messaging } from "./messaging.ts"
import { cheapHash } from "./passwords.ts"
import { knownContact } from "./privacy.ts"
import { startedSession } from "./sessions.ts"
import { agentOf, newOrganization } from "./tenants.ts"

let serial = 100

export interface Asked {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** `account` is the organization's at the telephony provider. */
export const furnish = async (
  messaging: Messaging,
  { accountSid, authToken }: Pick<Account, "accountSid" | "authToken">
) => {
  const { run, base } = messaging
  const mark = `${++serial}`
  const made = await run(
    Effect.gen(function* () {
      const { id: organizationId } = yield* newOrganization({ flags: { voiceAgents: true } })
      const users = yield* Users
      const passwordHash = cheapHash(password)
      const person = Effect.fnUntraced(function* (name: string, role: "OWNER" | "AGENT") {
        const user = { organizationId, email: `${name}-${mark}@example.com`, name, role }
        return { ...user, ...(yield* users.create({ ...user, passwordHash })) }
      })
      const owner = yield* person("owner", "OWNER")
      yield* person("helper", "AGENT")
      const { cookie } = yield* startedSession(owner, passwordHash.stored)
      for (const _ of ["telephone", "tablet", "television"]) yield* startedSession(owner, passwordHash.stored)
      const agent = agentOf(organizationId, { humanDestination: "+14155550199" })
      yield* (yield* VoiceAgents).create(agent)
      const connection = { organizationId, accountSid, authToken }
      yield* (yield* TelephonyConnections).save(connection)
      const numbers = yield* PhoneNumbers
      const phone = `+1415556${mark.padStart(4, "0")}`
      yield* numbers.assign(organizationId, phone, agent.id)
      const channel = {
        ...{
          phoneNumberId: `1000${mark}`,
          businessAccountId: `2000${mark}`,
          accessToken: `token-of-${mark}-0123456789`
        },
        ...{ appSecret: randomBytes(16).toString("hex"), verifyToken: `verify-${mark}-0123456789` },
        ...{ phoneNumber: "+1 555-078-3881", businessName: "Maple Books" }
      }
      yield* (yield* ChannelAccounts).save(organizationId, channel)
      yield* (yield* Templates).replace(
        organizationId,
        ["IMAGE", "VIDEO", "DOCUMENT", "TEXT"].map((format, index) =>
          template({
            channelTemplateId: `90010${index}`,
            name: `with_${format.toLowerCase()}`,
            components: [...(format === "TEXT" ? [] : [{ type: "HEADER", format }]), { type: "BODY", text: "Hello." }]
          })
        ),
        Date.now()
      )
      const desk = { organizationId, agent, connection }
      const over = yield* answered(desk, new Date(Date.now() - 60_000).toISOString())
      yield* (yield* Calls).apply(ended(desk, over.id, "caller_hangup", new Date().toISOString()))
      const live = yield* answered(desk, new Date().toISOString())
      const transfer = yield* (yield* Transfers).request(
        { organizationId, callId: live.id, toolCallId: "tool_1", destination: "+14155550199" },
        Date.now(),
        { arrivalMs: 60_000, talkMs: 60_000 }
      )
      const placed = yield* (yield* Placements).request(
        {
          organizationId,
          callId: newId("call"),
          agentId: agent.id,
          from: phone,
          to: `+1415557${mark.padStart(4, "0")}`,
          dealId: null,
          concurrentCalls: 100,
          notAfter: Date.now() + 600_000
        },
        Date.now()
      )
      return { organizationId, cookie, agent, connection, channel, phone, live, transfer, placed }
    })
  )
  const { organizationId, cookie, connection, channel } = made

  const send = async (
    method: string,
    path: string,
    body?: string | FormData,
    headers: Readonly<Record<string, string>> = {}
  ): Promise<Asked> => {
    const response = await fetch(base + path, {
      method,
      headers,
      redirect: "manual",
      ...(body === undefined ? {} : { body })
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const session = { cookie: `parley_session=${cookie}`, "x-csrf-token": csrfToken(cookie) }
  /** As the signed-in owner. */
  const ask = (method: string, path: string, body?: unknown) =>
    send(method, path, body === undefined ? undefined : JSON.stringify(body), {
      ...session,
      ...(body === undefined ? {} : { "content-type": "application/json" })
    })
  const must = async (method: string, path: string, body?: unknown) => {
    const { status, text } = await ask(method, path, body)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
    return JSON.parse(text) as Record<string, never>
  }
  const key = await must("POST", "/api/api-keys", { name: "more" })
  const own = {
    ...messaging,
    organizationId,
    key: String(key.key),
    conversation: (phone: string, ...texts: ReadonlyArray<string>) =>
      messaging.conversationOf(organizationId, phone, ...texts)
  }
  const phoneOfContact = `+1415558${mark.padStart(4, "0")}`
  const willing = `+1415554${mark.padStart(4, "0")}`
  const known = await knownContact(own, phoneOfContact)
  await must("POST", "/api/messaging-api/contacts", { phone: willing, optedIn: true })
  await must("POST", `/api/messaging-api/contacts/${known.contactId}/export`)
  await must("PUT", "/api/devices", { token: `device-${mark}-${"x".repeat(100)}`, platform: "android" })
  await must("POST", "/api/users", { email: `invited-${mark}@example.com`, name: "Invited", role: "AGENT" })
  const knowledge = await must("POST", "/api/knowledge-bases", { name: `Shop ${mark}` })
  // What is deleted by one request is not there for the next one, so there are some of each.
  for (const title of ["Questions", "More questions", "Others"])
    await must("POST", `/api/knowledge-bases/${knowledge.id}/sources`, {
      title,
      answers: [{ question: "Do you deliver?", answer: "Yes." }]
    })
  await must("POST", "/api/messaging-api/quick-replies", { shortcut: `hello${mark}`, text: "Hello." })
  await must("POST", "/api/messaging-api/contacts/import?dryRun=true", [{ phone: "+14155550190" }, { phone: "nobody" }])
  const textAgent = await must("POST", "/api/ai-agents", { name: `Text agent ${mark}`, answers: "never" })
  const conversations = [{ name: "Asks for an order", turns: [{ contact: "Is my order ready?" }] }]
  const evaluation = await must("POST", "/api/evaluations", { name: `Orders ${mark}`, conversations })
  for (const _ of ["first", "second", "third"])
    await must("POST", `/api/evaluations/${evaluation.id}/runs`, { agentId: textAgent.id })
  const chats = await must("GET", "/api/messaging-api/chats")
  for (const { id } of chats.data as ReadonlyArray<{ readonly id: string }>)
    for (const text of ["A note.", "Another one.", "A third one."])
      await must("POST", `/api/messaging-api/chats/${id}/notes`, { text })
  const company = await must("POST", "/api/companies", { name: `Hill School ${mark}`, contactIds: [known.contactId] })
  const supplier = await must("POST", "/api/suppliers", { name: `Paper Mill ${mark}` })
  await must("POST", "/api/products", { name: "Atlas", sku: `BK-${mark}`, supplierIds: [supplier.id] })
  const order = await must("POST", "/api/orders", {
    number: mark,
    currency: "USD",
    contactId: known.contactId,
    companyId: company.id,
    conversationId: known.conversationId,
    lines: [{ name: "Atlas", quantity: 1, unitPrice: 2_499 }]
  })
  await must("POST", "/api/messaging-api/broadcasts", {
    name: "News",
    templateName: "with_text",
    language: "en_US",
    audience: { all: true }
  })
  const endpoint = await must("POST", "/api/webhook-endpoints", {
    url: "http://127.0.0.1:9/hook",
    events: ["contact.*"]
  })
  await must("POST", `/api/webhook-endpoints/${endpoint.id}/test`)
  const signingSecret = `whsec_${Buffer.alloc(32, mark).toString("base64")}`
  const target = { settings: { url: "http://127.0.0.1:9/crm" }, credentials: { signingSecret } }
  const { connection: app } = await must("PUT", "/api/integrations/webhook", target)
  await run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* tenant(organizationId)(
        sql`INSERT INTO ai_usage (organization_id, day, agent_id, model, requests, input_tokens, output_tokens)
          VALUES (${organizationId}, current_date, ${String(textAgent.id)}, 'small', 1, 10, 10)`
      )
      yield* tenant(organizationId)(
        sql`INSERT INTO payment_links (organization_id, id, provider, external_id, url, live, status, amount, currency, description, contact_id,
            order_id, conversation_id, call_id, created_by, expires_at, created_at, updated_at)
          VALUES (${organizationId}, ${newId("pay")}, 'stripe', ${`plink_${mark}`}, ${`https://pay.example/${mark}`}, false, 'created', 2499, 'USD', 'Atlas',
            ${known.contactId}, ${String(order.id)}, ${known.conversationId}, ${made.live.id}, 'key', now() + interval '1 day', now(), now())`
      )
      yield* tenant(organizationId)(
        sql`INSERT INTO call_notices (organization_id, call_id, text, created_at)
          VALUES (${organizationId}, ${made.live.id}, 'The payment was made.', now())`
      )
      yield* tenant(organizationId)(
        sql`INSERT INTO app_tasks (organization_id, id, connection_id, trigger, contact_id, subject_id, live, status, claims, failures, error,
            created_at, settled_at)
          VALUES (${organizationId}, ${newId("syn")}, ${String(Reflect.get(app, "id"))}, 'contact.updated', ${known.contactId},
            ${known.contactId}, true, 'dead', 1, 1, 'Refused.', now(), now())`
      )
      yield* tenant(organizationId)(
        sql`INSERT INTO app_arrivals (organization_id, id, connection_id, once, topic, lane, payload, status, failures, error, created_at, settled_at)
          VALUES (${organizationId}, ${newId("arr")}, ${String(Reflect.get(app, "id"))}, 'event 1', 'contact.changed', 'contact 1', '{}',
            'dead', 1, 'Refused.', now(), now())`
      )
    })
  )
  await must("POST", "/api/integrations/hooks", { targetUrl: "http://127.0.0.1:9/hook", event: "contact.created" })
  await must("POST", "/api/mcp-servers", { name: `Server ${mark}`, url: "http://127.0.0.1:9/mcp" })

  /** What a field with this name has to say in a request of this organization, so that the request gets as far as to its ids. */
  const words = (field: string, near: ReadonlyArray<string>): unknown => {
    const kind = ["image", "video", "document"].find((name) => near.includes(name)) ?? "text"
    const known: Readonly<Record<string, unknown>> = {
      to: near.includes("components") ? willing : phoneOfContact,
      templateName: `with_${kind}`,
      language: "en_US",
      oldPassword: password,
      password: "another good password",
      phoneNumber: `+1415559${mark.padStart(4, "0")}`,
      emoji: "👍",
      since: new Date(Date.now() - 3_600_000).toISOString(),
      audience: { all: true },
      provider: "webhook",
      version: "1",
      currency: "USD",
      channel: near.includes("mappings") ? "direct" : undefined,
      name: near[0] === "agentId" ? "look_up" : undefined
    }
    return known[field]
  }
  /** The ids of its records, by their prefix. */
  const ids = async (): Promise<ReadonlyMap<string, ReadonlyArray<string>>> => {
    const found = new Map<string, Set<string>>()
    for (const text of await rowsOf(own)) {
      for (const [id, prefix] of text.matchAll(/\b([a-z]{2,4})_[0-9A-HJKMNP-TV-Z]{26}\b/g)) {
        if (id === organizationId) continue
        found.set(prefix, (found.get(prefix) ?? new Set()).add(id))
      }
    }
    return new Map([...found].map(([prefix, some]) => [prefix, [...some]]))
  }
  /** The tables that have records of it, with the prefix of their ids. */
  const tables = new Map<string, string>()
  for (const row of await rowsOf(own)) {
    const [, table, prefix] = /^(\w+) .*"id": "([a-z]{2,4})_/.exec(row) ?? []
    if (table !== undefined) tables.set(table, prefix)
  }
  return { ...made, tables, known, send, ask, session, words, ids, rows: () => rowsOf(own), channel, connection }
}
export type Furnished = Awaited<ReturnType<typeof furnish>>

/** Every row of an organization in every table of tenants, as text. */
const rowsOf = ({ run, organizationId }: Pick<Messaging, "run" | "organizationId">): Promise<ReadonlyArray<string>> =>
  run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tables = yield* sql<{
        readonly name: string
      }>`SELECT DISTINCT tablename AS name FROM pg_policies WHERE policyname = 'tenant' ORDER BY 1`
      const parts = tables.map(({ name }) => `SELECT '${name} ' || to_jsonb(t)::text AS row FROM ${name} t`)
      const rows = yield* tenant(organizationId)(
        sql.unsafe<{ readonly row: string }>(`${parts.join(" UNION ALL ")} ORDER BY 1`)
      )
      return rows.map(({ row }) => row)
    })
  )
