/**
 * Checks what remains of an erased contact in every row of every table. A table that can hold data of a contact and that is missing from the
 * plan here fails the first test.
 */
import { assert, describe, it, vi } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { objectKey } from "../../../../src/domain/basics/ObjectStorage.ts"
import { wavHeaderBytes } from "../../../../src/domain/basics/Wav.ts"
import { Pushes, PushSettings } from "../../../../src/domain/events/Push.ts"
import { Conversations } from "../../../../src/domain/messaging/conversations/Conversation.ts"
import { Messages } from "../../../../src/domain/messaging/conversations/Message.ts"
import { Devices } from "../../../../src/domain/people/access/Device.ts"
import { Users } from "../../../../src/domain/people/access/User.ts"
import { Contacts } from "../../../../src/domain/people/contacts/Contact.ts"
import { Calls } from "../../../../src/domain/voice/calls/records/CallRecord.ts"
import type { CallEvent } from "../../../../src/domain/voice/engine/CallEvent.ts"
import { AppCallbacks } from "../../../../src/domain/voice/engine/EnginePorts.ts"
import { recordingKey } from "../../../../src/domain/voice/engine/Recordings.ts"
import * as HttpAppCallbacks from "../../../../src/integrations/engine/HttpAppCallbacks.ts"
import { comesAbout } from "../../../support/eventually.ts"
import { type Messaging, startMessaging } from "../../../support/messaging.ts"
import { exportRound, knownContact, marker, markerPhone, rowsOf, uploaded } from "../../../support/privacy.ts"
import { sessionOf } from "../../../support/sessions.ts"
import { secret } from "../../world.ts"

const story = (name: string, tell: (messaging: Messaging) => Promise<void>) =>
  it.live(name, () => Effect.flatMap(startMessaging, (messaging) => Effect.promise(() => tell(messaging))))

/** What happens to a contact's data in each table that refers to contacts, messages, conversations or calls, or holds JSON. */
const covered: Readonly<Record<string, string>> = {
  app_arrivals: "removed when they say the number, the address or the provider's id",
  app_authorizations: "an organization's own people",
  app_connections: "an organization's own settings",
  app_links: "removed",
  app_log: "removed",
  app_tasks: "removed",
  agent_threads: "go with the conversation",
  agent_tool_runs: "go with the conversation",
  audit_log: "kept: it holds nothing personal of contacts, but what moderation flagged in calls and conversations",
  broadcast_recipients: "kept: ids that name nobody any more",
  broadcasts: "kept: ids that name nobody any more",
  call_summaries: "removed",
  call_events: "kept: ids of what was applied",
  call_notices: "removed",
  calls:
    "kept as numbers: the contact's address is blanked, recordings are removed; what is told of them later is not kept",
  carts: "kept as numbers of a store: without the contact and the link",
  chat_cards: "go with the conversation",
  chat_proposals: "go with the conversation",
  chat_posts: "lose their text when they are written, and go with the conversation",
  chat_threads: "go with the conversation",
  channel_inbox: "removed by number and user id",
  consents: "kept and withdrawn: evidence under a hash of the number",
  companies: "an organization's own records of firms",
  company_contacts: "go with the contact",
  contact_exports: "removed with their files",
  contact_identities: "go with the contact",
  contact_tags: "go with the contact",
  contacts: "removed",
  conversation_commands: "go with the conversation",
  conversation_episodes: "go with the conversation, or keep ids that name nobody any more",
  conversations: "go with the contact",
  conversation_labels: "go with the conversation",
  conversation_notes: "go with the conversation",
  custom_fields: "an organization's own settings",
  evaluation_runs: "what agents said in conversations that an organization wrote itself",
  evaluations: "an organization's own texts",
  events: "lose their data",
  idempotency_keys: "encrypted, gone within a day",
  import_rows: "removed by number, and refused ones by address",
  imports: "what files were called, and which columns they had",
  mcp_servers: "kept: settings of the organization, which name no contact",
  knowledge_passages: "an organization's own texts",
  knowledge_questions: "go with the conversation",
  knowledge_vectors: "an organization's own texts, as numbers",
  knowledge_sources: "an organization's own texts",
  installation_events: "what operators did to organizations",
  list_counts: "kept: how many have a tag, under the tag's name, which is a word of the organization's",
  messages: "go with the conversation",
  organizations: "an organization's own settings",
  orders: "kept as records of a sale: without the contact, notes and custom fields",
  outbox: "goes with the message",
  payment_links: "kept as records of a payment: without the contact and what was said of it",
  payment_settings: "an organization's own settings",
  phone_numbers: "an organization's own numbers",
  placements: "kept: states of calls",
  products: "an organization's own products",
  push_notifications: "go with the contact",
  resyncs: "counts, and ids of organizations and voice agents",
  retention_runs: "numbers only",
  suppliers: "an organization's own records of firms",
  templates: "an organization's own texts",
  tool_calls: "arguments and results are blanked",
  tested_agents: "an organization's own settings, encrypted",
  text_agent_versions: "an organization's own settings",
  text_agents: "an organization's own settings",
  transfers: "kept: where an organization's own colleagues were called",
  users: "an organization's own people",
  utterances: "removed",
  voice_agent_versions: "an organization's own settings",
  voice_agents: "an organization's own settings",
  voice_ledger: "kept: what calls cost",
  voicemails: "kept: the states of their removal",
  webhook_deliveries: "not delivered any more; answers are blanked",
  webhook_endpoints: "an organization's own settings"
}

const everyTable = (messaging: Messaging) =>
  rowsOf(
    messaging,
    `SELECT c.relname::text AS name FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
      AND EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'organization_id') ORDER BY 1`
  ).then((rows) => rows.map(({ name }) => String(name)))

/** The tables with a row that contains one of these. */
const tablesWith = async (messaging: Messaging, ...texts: ReadonlyArray<string>) => {
  const found: Array<string> = []
  for (const table of await everyTable(messaging)) {
    const any = texts.map((text) => `position('${text}' in row_to_json(t)::text) > 0`).join(" OR ")
    const rows = await rowsOf(messaging, `SELECT 1 FROM ${table} t WHERE ${any} LIMIT 1`)
    if (rows.length > 0) found.push(table)
  }
  return found
}

describe("an erased contact", () => {
  story("has a plan for every table that can hold its data", async (messaging) => {
    const rows = await rowsOf(
      messaging,
      `SELECT DISTINCT c.relname::text AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
        WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname NOT IN ('parley_migrations', 'parley_functions')
          AND (a.attname IN ('contact_id', 'message_id', 'conversation_id', 'call_id', 'reply_to_id', 'event_id', 'phone', 'phone_hash')
            OR a.atttypid IN ('jsonb'::regtype, 'json'::regtype, 'bytea'::regtype)
            OR a.attname IN ('payload', 'content', 'body', 'answer', 'response', 'text', 'arguments', 'details'))
        ORDER BY 1`
    )
    const known = new Set([...Object.keys(covered), "api_keys", "quick_replies"])
    const forgotten = rows.map(({ name }) => String(name)).filter((name) => !known.has(name))
    assert.deepStrictEqual(
      forgotten,
      [],
      "say in this test, and in ContactErasure.ts, what becomes of a contact's part of these tables"
    )
  })

  story(
    "leaves no data in any table and no file, only counts, hashes and a note that it existed",
    async (messaging) => {
      const { call, run, organizationId, objects, keyOf } = messaging
      const { secret: admin } = await run(keyOf(organizationId, ["admin"]))
      const { contactId, conversationId, mediaId, callId } = await knownContact(messaging)
      await call("PATCH", `/contacts/${contactId}`, { name: marker, email: `${marker}@example.com`, tags: ["vip"] })
      await call("POST", `/contacts/${contactId}/opt-in`, { source: "web form", text: "Yes." })
      // A person is to be notified, with a preview.
      await run(
        Effect.gen(function* () {
          const person = {
            organizationId,
            email: `ann@${organizationId.toLowerCase()}.example.com`,
            name: "Ann",
            role: "AGENT"
          } as const
          const { id } = yield* (yield* Users).create(person)
          const session = yield* sessionOf({ ...person, id })
          const device = { token: `token-of-ann-${organizationId}`, platform: "ios" } as const
          yield* (yield* Devices).register(
            { user: { organizationId, id }, sessionId: session.principal.sessionId, expiresAt: session.expiresAt },
            device
          )
          yield* (yield* PushSettings).setPreview(organizationId, true)
        }).pipe(Effect.orDie)
      )
      await call("POST", "/send", { to: markerPhone, type: "text", text: `to ${marker}` })
      await rowsOf(
        messaging,
        `INSERT INTO events (organization_id, id, type, data, created_at) VALUES ('${organizationId}', 'evt_told', 'message.received',
        '{"message": {"conversationId": "${conversationId}", "contactId": "${contactId}", "type": "text", "content": {"text": "${marker}"}}}', now())`
      )
      const pushes = await run(Effect.map(Pushes, (found) => found))
      for (let i = 0; i < 100 && (await rowsOf(messaging, "SELECT 1 FROM push_notifications")).length === 0; i++) {
        await run(pushes.take(organizationId, Date.now(), 500))
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      // A receiver that echoes what it was sent, one that waits, and items of the channel inbox.
      await rowsOf(
        messaging,
        `INSERT INTO webhook_endpoints (organization_id, id, url, description, event_types, headers, enabled, secret, transaction, position,
          created_at, updated_at) VALUES ('${organizationId}', 'whk_1', 'https://example.com', '', '{}', '{}', true, 's', '1', 0, now(), now())`
      )
      await rowsOf(
        messaging,
        `INSERT INTO webhook_deliveries (organization_id, id, endpoint_id, event_id, event_type, status, response, created_at)
        VALUES ('${organizationId}', 'dlv_1', 'whk_1', 'evt_told', 'message.received', 'delivered', '${marker}', now())`
      )
      await rowsOf(
        messaging,
        `INSERT INTO channel_inbox (organization_id, id, kind, line, once, payload, due_at, received_at)
        SELECT '${organizationId}', 'inb_' || n, 'message', 'x', 'once ' || n,
          json_build_object('from', '${markerPhone.slice(1)}', 'text', '${marker}')::jsonb, now(), now() FROM generate_series(1, 2) n`
      )
      await call("POST", `/contacts/${contactId}/export`, undefined, admin)
      await exportRound(messaging)
      const [{ id: exportId }] = await rowsOf(messaging, "SELECT id FROM contact_exports WHERE status = 'completed'")

      // All data exists before the erasure.
      const before = await tablesWith(messaging, marker, markerPhone, markerPhone.slice(1))
      assert.includeMembers(before, [
        "calls",
        "channel_inbox",
        "contacts",
        "events",
        "media",
        "messages",
        "push_notifications",
        "tool_calls",
        "utterances",
        "webhook_deliveries"
      ])
      const filesOf = [
        objectKey("media", organizationId, mediaId),
        objectKey("exports", organizationId, `${exportId}.zip`),
        recordingKey(organizationId, callId, "rec_1")
      ]
      const there = () => Promise.all(filesOf.map((key) => Effect.runPromise(Effect.isSuccess(objects.find(key)))))
      assert.deepStrictEqual(await there(), [true, true, true])

      const erased = await call("DELETE", `/contacts/${contactId}`)
      assert.deepInclude(erased.body, { id: contactId, erased: true, calls: 1 })
      assert.deepStrictEqual(await tablesWith(messaging, marker, markerPhone, markerPhone.slice(1)), [])
      assert.deepStrictEqual(await there(), [false, false, false])
      const [{ state_after: after }] = (
        await rowsOf(messaging, "SELECT state_after::text FROM audit_log WHERE action = 'contact.erased'")
      ).map((row) => ({ state_after: String(row.stateAfter) }))
      assert.deepInclude(JSON.parse(after), { calls: 1, media: 1 })
      assert.match(JSON.parse(after).phoneHash, /^[0-9a-f]{64}$/)
      const consents = await rowsOf(messaging, "SELECT channel, action FROM consents ORDER BY ordinal")
      assert.sameDeepMembers(
        [...consents],
        [
          { channel: "messaging", action: "granted" },
          { channel: "messaging", action: "withdrawn" },
          { channel: "voice", action: "withdrawn" }
        ]
      )
      // The id may stay in rows that only count.
      for (const table of await tablesWith(messaging, contactId)) assert.property(covered, table)
    }
  )

  story(
    "loses the files of its messages, even when they cannot be removed at first and the client leaves",
    async (messaging) => {
      const { base, key, run, objects, organizationId, conversation } = messaging
      const { contactId, conversationId } = await conversation(markerPhone, "hi")
      const mediaIds: Array<string> = []
      for (const name of ["one.png", "two.png", "three.png"]) {
        const mediaId = await uploaded(messaging, name)
        const image = {
          organizationId,
          conversationId,
          type: "image",
          content: { mediaId },
          direction: "inbound"
        } as const
        await run(Effect.flatMap(Messages, (messages) => messages.add(image, Date.now())))
        mediaIds.push(mediaId)
      }
      let storageIsBack: () => void = () => {}
      const back = new Promise<void>((resolve) => {
        storageIsBack = resolve
      })
      const { remove } = objects
      const storage = vi.spyOn(objects, "remove")
      storage.mockImplementation((file) =>
        Effect.andThen(
          Effect.promise(() => back),
          remove(file)
        )
      )
      const leaving = new AbortController()
      const headers = { authorization: `Bearer ${key}` }
      const url = `${base}/api/messaging-api/contacts/${contactId}`
      const lost = fetch(url, { method: "DELETE", headers, signal: leaving.signal }).catch(() => "gone")
      await comesAbout("it is erased", async () => (await rowsOf(messaging, "SELECT 1 FROM contacts")).length === 0)
      leaving.abort()
      assert.strictEqual(await lost, "gone")
      for (const mediaId of mediaIds) {
        const { status } = await fetch(`${base}/api/media/${mediaId}`, { headers })
        assert.strictEqual(status, 404)
      }
      const states = await rowsOf(messaging, "SELECT state FROM media")
      assert.deepStrictEqual(states, Array(3).fill({ state: "removing" }))
      storageIsBack()
      await comesAbout("they are removed", async () => (await rowsOf(messaging, "SELECT 1 FROM media")).length === 0)
      storage.mockRestore()
    }
  )

  story("loses the inbox items that name it in any form, and no others", async (messaging) => {
    const { call, organizationId, conversation } = messaging
    const { contactId } = await conversation("+525512345678", "hi")
    const from = { plain: "525512345678", plus: "+525512345678", old: "5215512345678", longer: "5255123456789" }
    for (const [id, number] of Object.entries(from))
      await rowsOf(
        messaging,
        `INSERT INTO channel_inbox (organization_id, id, kind, line, once, payload, due_at, received_at)
          VALUES ('${organizationId}', '${id}', 'message', '${id}', '${id}', '{"message": {"from": "${number}"}}', now(), now())`
      )
    assert.strictEqual((await call("DELETE", `/contacts/${contactId}`)).status, 200)
    assert.deepStrictEqual(await rowsOf(messaging, "SELECT id FROM channel_inbox"), [{ id: "longer" }])
  })

  story("is erased with the record that it had before its number was known", async (messaging) => {
    const { call, run, organizationId } = messaging
    const shows = (userId: string, person: { readonly phone?: string; readonly name?: string } = {}) =>
      run(Effect.flatMap(Contacts, (contacts) => contacts.identify(organizationId, "messaging", { userId, ...person })))
    await rowsOf(
      messaging,
      `INSERT INTO webhook_endpoints (organization_id, id, url, description, event_types, headers, enabled, secret, transaction, position,
        created_at, updated_at) VALUES ('${organizationId}', 'whk_1', 'https://example.com', '', '{}', '{}', true, 's', '1', 0, now(), now())`
    )
    /** A contact without a number who has written. Its event waits for a receiver. */
    const hidden = async (userId: string) => {
      const { id } = await shows(userId, { name: marker })
      await run(
        Effect.gen(function* () {
          const conversationId = yield* (yield* Conversations).answering(organizationId, id, "messaging")
          const content = { text: `It is ${marker}` }
          const message = { organizationId, conversationId, direction: "inbound", type: "text", content } as const
          yield* (yield* Messages).add(message, Date.now())
        })
      )
      await rowsOf(
        messaging,
        `INSERT INTO webhook_deliveries (organization_id, id, endpoint_id, event_id, event_type, status, due_at, created_at)
          SELECT organization_id, 'dlv_' || id, 'whk_1', id, type, 'pending', now(), now() FROM events WHERE contact_id = '${id}'`
      )
      return id
    }
    const first = await hidden("IN.1")
    const second = await hidden("IN.2")
    const { id } = await shows("IN.3", { phone: markerPhone })
    await shows("IN.1", { phone: markerPhone })
    await shows("IN.2", { phone: markerPhone })
    // The team has made this one a separate contact.
    await call("POST", `/contacts/${second}/restore`)

    assert.deepInclude((await call("DELETE", `/contacts/${id}`)).body, { id, erased: true, messages: 2 })
    const erased = await rowsOf(
      messaging,
      "SELECT contact_id FROM events WHERE type = 'contact.erased' ORDER BY position"
    )
    assert.deepStrictEqual(
      erased.map(({ contactId }) => contactId),
      [first, id]
    )
    const left = await rowsOf(
      messaging,
      `SELECT DISTINCT e.contact_id FROM events e JOIN webhook_deliveries d ON d.event_id = e.id AND d.status = 'pending'`
    )
    assert.deepStrictEqual(left, [{ contactId: second }])
    assert.strictEqual((await call("GET", `/contacts/${first}`)).status, 404)
    assert.strictEqual((await call("DELETE", `/contacts/${second}`)).status, 200)
    assert.deepStrictEqual(await tablesWith(messaging, marker, markerPhone, markerPhone.slice(1)), [])
  })

  story("keeps only figures of what is reported about its calls afterwards", async (messaging) => {
    const { call, raw, run, base, objects, organizationId } = messaging
    const { contactId, callId: earlier } = await knownContact(messaging)
    const agentId = (await run(Effect.flatMap(Calls, (calls) => calls.find(organizationId, earlier))))?.agentId ?? ""
    const callId = await run(
      Effect.gen(function* () {
        const calls = yield* Calls
        const { call } = yield* calls.open({
          organizationId,
          agentId,
          direction: "inbound",
          status: "in_progress",
          from: markerPhone,
          to: "+14155550123",
          callSid: "CA_late"
        })
        const at = Date.parse("2026-05-01T10:00:00.000Z")
        const event = { id: "evt_start", organizationId, agentId, callId: call.id }
        yield* calls.apply({ type: "call_started", ...event, startedAt: new Date(at).toISOString() })
        // The provider's report comes before the engine's last events.
        const over = {
          status: "completed",
          sequence: 3,
          at: at + 60_000,
          durationSeconds: 60,
          failureReason: null
        } as const
        yield* calls.told(organizationId, { id: call.id }, over)
        return call.id
      })
    )
    assert.deepInclude((await call("DELETE", `/contacts/${contactId}`)).body, { erased: true, calls: 2 })

    const key = recordingKey(organizationId, callId, "rec_late")
    const bytes = wavHeaderBytes + 1_000
    const upload = objects.put(key, Stream.make(new Uint8Array(bytes)), { contentType: "audio/wav", size: bytes })
    const engine = HttpAppCallbacks.layer({ baseUrl: base, secret })
    const tell = (event: CallEvent) =>
      Effect.runPromise(AppCallbacks.use((app) => app.deliver(event)).pipe(Effect.provide(engine)))
    const ofCall = { organizationId, agentId, callId }
    const said = {
      sequence: 0,
      role: "caller",
      text: `I am ${marker}`,
      interrupted: false,
      startMs: 0,
      endMs: 900
    } as const
    await tell({ type: "transcript", id: "evt_said", ...ofCall, ...said })
    await tell({ type: "handoff", id: "evt_handoff", ...ofCall, reason: `${marker} wants a human` })
    await run(
      Effect.flatMap(Calls, (calls) =>
        calls.recordToolCall(organizationId, callId, {
          id: "tc_late",
          name: "look_up",
          arguments: marker,
          result: marker,
          outcome: "ok",
          durationMs: 30_000
        })
      )
    )
    await tell({
      type: "call_end",
      id: "evt_end",
      ...ofCall,
      endReason: "caller_hangup",
      endedAt: "2026-05-01T10:01:02.000Z",
      durationSeconds: 62,
      turns: [],
      interruptions: 1,
      toolCalls: 1
    })
    // An engine that missed the answer sends the event again, and may have stored the recording again.
    for (const _ of [1, 2]) {
      await Effect.runPromise(upload)
      await tell({ type: "recording", id: "rec_late", ...ofCall, key, bytes, durationMs: 31 })
      assert.isTrue(await Effect.runPromise(Effect.isFailure(objects.find(key))))
    }
    assert.strictEqual((await raw("GET", `/api/calls/${callId}/recording`)).status, 404)
    assert.deepStrictEqual(await tablesWith(messaging, marker, markerPhone, markerPhone.slice(1)), [])

    const kept = await run(Effect.flatMap(Calls, (calls) => calls.find(organizationId, callId)))
    assert.deepInclude(kept, { durationSeconds: 62, interruptions: 1, toolCallCount: 1, endReason: "caller_hangup" })
    assert.deepInclude(kept, { from: "erased", contactId: null, recording: null })
    const ended = await rowsOf(messaging, "SELECT data FROM events WHERE type = 'call.ended' AND NOT withdrawn")
    assert.lengthOf(ended, 1)
    assert.include(JSON.stringify(ended[0].data), callId)
    const tools = await rowsOf(messaging, "SELECT name, outcome, duration_ms FROM tool_calls WHERE id = 'tc_late'")
    assert.deepStrictEqual(tools, [{ name: "look_up", outcome: "ok", durationMs: 30_000 }])
  })

  story("leaves files that another contact's messages refer to", async (messaging) => {
    const { call, objects, organizationId } = messaging
    const first = await knownContact(messaging)
    const second = await knownContact(messaging, "+14155559877")
    // The same picture is stored once.
    assert.strictEqual(first.mediaId, second.mediaId)
    const file = objectKey("media", organizationId, first.mediaId)
    const isThere = () => Effect.runPromise(Effect.isSuccess(objects.find(file)))
    await call("DELETE", `/contacts/${first.contactId}`)
    assert.isTrue(await isThere())
    await call("DELETE", `/contacts/${second.contactId}`)
    assert.isFalse(await isThere())
  })
})
