/** Retention periods: set over REST, counted without removing, and applied, with real stores and files. */
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ObjectStorage, ObjectStorageError } from "../../../../src/domain/basics/ObjectStorage.ts"
import { defaultRetention } from "../../../../src/domain/people/organizations/RetentionPolicy.ts"
import { ExpiredRecords } from "../../../../src/domain/privacy/Retention.ts"
import { kindCutoffs, makeExpireKinds } from "../../../../src/domain/privacy/RetentionKinds.ts"
import { makeRunRetention } from "../../../../src/domain/privacy/RunRetention.ts"
import * as StoredMedia from "../../../../src/integrations/media/StoredMedia.ts"
import { type Messaging, startMessaging } from "../../../support/messaging.ts"
import { knownContact, rowsOf, uploaded } from "../../../support/privacy.ts"

const path = "/api/organization/retention"

const story = (name: string, tell: (messaging: Messaging & { readonly admin: string }) => Promise<void>) =>
  it.live(name, () =>
    Effect.flatMap(startMessaging, (messaging) =>
      Effect.promise(async () => {
        const { secret } = await messaging.run(messaging.keyOf(messaging.organizationId, ["admin"]))
        return tell({ ...messaging, admin: secret })
      })
    )
  )

const ask = ({ raw }: Messaging, method: string, as: string, body?: unknown) => raw(method, path, body, as)

const media = ({ objects }: Messaging) =>
  StoredMedia.layer({ folder: join(tmpdir(), "parley-no-uploads") }).pipe(
    Layer.provide(Layer.succeed(ObjectStorage, objects))
  )

const expire = (messaging: Messaging, messageDays: number | null) =>
  messaging.run(
    Effect.gen(function* () {
      const run = yield* makeExpireKinds
      return yield* run(messaging.organizationId, { ...defaultRetention, messageDays }, Date.now())
    }).pipe(Effect.provide(media(messaging)))
  )

const zero = {
  messages: 0,
  carts: 0,
  paymentLinks: 0,
  unusedMedia: 0,
  events: 0,
  webhookDeliveries: 0,
  webhookResponses: 0,
  integrationChanges: 0,
  integrationArrivals: 0,
  integrationLog: 0,
  inboxLetters: 0,
  idempotencyKeys: 0,
  sessions: 0,
  devices: 0,
  unansweredQuestions: 0
}

const storedAgo = (age: string) => `created_at = now() - interval '${age}', state_since = now() - interval '${age}'`

/** Stores one of each kind, this old. */
const aged = async (messaging: Messaging, age: string) => {
  const { organizationId } = messaging
  const { contactId, conversationId } = await knownContact(messaging)
  await uploaded(messaging, "unused.png", `unused ${age}`)
  const statements = [
    `INSERT INTO users (organization_id, id, email, name, role, password_hash) VALUES ('${organizationId}', 'usr_1', '${contactId}@example.com', 'Ann', 'AGENT', 'x')`,
    `INSERT INTO sessions (organization_id, id, user_id, token_hash, created_at, last_seen_at, expires_at)
      VALUES ('${organizationId}', 'ses_1', 'usr_1', '${contactId}', now(), now() - interval '${age}', now())`,
    `INSERT INTO devices (organization_id, id, user_id, session_id, platform, token, token_hash, created_at, last_seen_at, expires_at)
      VALUES ('${organizationId}', 'dev_1', 'usr_1', 'ses_1', 'ios', 'token', '${contactId}', now(), now(), now() - interval '${age}')`,
    `INSERT INTO knowledge_bases (organization_id, id, name, description, language, created_at, updated_at)
      VALUES ('${organizationId}', 'kb_1', 'Shop', '', 'en', now(), now())`,
    `INSERT INTO knowledge_questions (organization_id, id, knowledge_base_id, question, agent_id, created_at)
      VALUES ('${organizationId}', 'knq_1', 'kb_1', 'Old?', 'agt_1', now() - interval '366 days'),
        ('${organizationId}', 'knq_2', 'kb_1', 'New?', 'agt_1', now() - interval '364 days')`,
    `INSERT INTO idempotency_keys (organization_id, caller, method, path, key, id, body_hash, leased_until, expires_at)
      VALUES ('${organizationId}', 'key', 'POST', '/', 'k', 'idk_1', 'x', now(), now() - interval '${age}')`,
    `INSERT INTO channel_inbox (organization_id, id, kind, line, once, payload, state, due_at, received_at, settled_at)
      VALUES ('${organizationId}', 'inb_1', 'message', 'x', '1', '{}', 'done', now(), now(), now() - interval '${age}'),
        ('${organizationId}', 'inb_2', 'message', 'x', '2', '{}', 'waiting', now(), now(), NULL)`,
    `INSERT INTO webhook_endpoints (organization_id, id, url, description, event_types, headers, enabled, secret, transaction, position,
        created_at, updated_at) VALUES ('${organizationId}', 'whk_1', 'https://example.com', '', '{}', '{}', true, 's', '1', 0, now(), now())`,
    `INSERT INTO webhook_deliveries (organization_id, id, endpoint_id, event_id, event_type, status, response, attempted_at, created_at)
      SELECT '${organizationId}', 'dlv_1', 'whk_1', id, type, 'delivered', 'thanks', now() - interval '${age}', now() - interval '${age}' FROM events ORDER BY position LIMIT 1`,
    `INSERT INTO app_connections (organization_id, id, provider, enabled, account_id, account_name, settings, credentials, secret_names, state,
        transaction, position, created_at, updated_at)
      VALUES ('${organizationId}', 'con_1', 'webhook', true, 'a', 'a', '{}', 's', '{}', 'connected', '1', 0, now(), now())`,
    `INSERT INTO app_tasks (organization_id, id, connection_id, trigger, contact_id, subject_id, live, status, due_at, created_at)
      VALUES ('${organizationId}', 'syn_1', 'con_1', 'contact.updated', '${contactId}', '${contactId}', true, 'done', NULL, now() - interval '${age}'),
        ('${organizationId}', 'syn_2', 'con_1', 'contact.updated', '${contactId}', '${contactId}', true, 'pending', now(), now() - interval '${age}')`,
    `INSERT INTO app_log (organization_id, id, connection_id, task_id, contact_id, method, url, duration_ms, created_at)
      VALUES ('${organizationId}', 'xch_1', 'con_1', 'syn_1', '${contactId}', 'POST', 'https://example.com', 1, now() - interval '${age}')`,
    `INSERT INTO orders (organization_id, id, unique_key, number, status, currency, lines, discount, shipping, subtotal, tax, total, placed_at, created_at, updated_at)
      VALUES ('${organizationId}', 'ord_1', '1', '1', 'paid', 'USD', '[]', 0, 0, 1, 0, 1, now(), now() - interval '${age}', now() - interval '${age}')`,
    `INSERT INTO carts (organization_id, id, source, external_id, order_id, due_at, created_at)
      VALUES ('${organizationId}', 'crt_1', 'shopify', '1', 'ord_1', NULL, now() - interval '${age}'),
        ('${organizationId}', 'crt_2', 'shopify', '2', NULL, now(), now() - interval '${age}')`,
    `INSERT INTO payment_links (organization_id, id, provider, status, amount, currency, description, created_by, expires_at, paid_amount, paid_at,
        ask_at, created_at, updated_at)
      SELECT '${organizationId}', id || '${contactId}', 'stripe', 'created', 100, 'USD', 'Order 1', 'key', now(), paid, CASE WHEN paid > 0 THEN now() END, asks,
        now() - interval '${age}', now() - interval '${age}'
      FROM (VALUES ('pay_1', NULL::bigint, NULL::timestamptz), ('pay_2', 100, NULL), ('pay_3', NULL, now())) AS l (id, paid, asks)`,
    `UPDATE events SET created_at = now() - interval '${age}'`,
    `UPDATE messages SET created_at = now() - interval '${age}'`,
    `UPDATE media SET ${storedAgo(age)}`
  ]
  for (const statement of statements) await rowsOf(messaging, statement)
  const [{ events }] = await rowsOf(messaging, "SELECT count(*)::int AS events FROM events")
  return { contactId, conversationId, events: Number(events) }
}

describe("retention", () => {
  story("counts what it would remove, per kind, and removes exactly that", async (messaging) => {
    const { admin } = messaging
    const { events } = await aged(messaging, "31 days")
    const due = {
      messages: 0,
      carts: 0,
      paymentLinks: 0,
      unusedMedia: 1,
      events,
      webhookDeliveries: 1,
      webhookResponses: 1,
      integrationChanges: 1,
      integrationArrivals: 0,
      integrationLog: 1,
      inboxLetters: 1,
      idempotencyKeys: 1,
      sessions: 1,
      devices: 1,
      unansweredQuestions: 1
    }
    const { body } = await ask(messaging, "GET", admin)
    assert.deepStrictEqual(body.policy, defaultRetention)
    assert.deepInclude(body.wouldRemove, { ...due, auditLog: 0 })
    assert.deepInclude((await ask(messaging, "GET", admin)).body.wouldRemove, due)
    // A delivery is removed with its event, which is removed first, and its answer with both.
    assert.deepStrictEqual(await expire(messaging, null), { ...due, webhookDeliveries: 0, webhookResponses: 0 })
    assert.deepStrictEqual(await expire(messaging, null), zero)
    assert.lengthOf(await rowsOf(messaging, "SELECT 1 FROM messages"), 2)
    assert.lengthOf(await rowsOf(messaging, "SELECT 1 FROM media"), 1)
    assert.lengthOf(await rowsOf(messaging, "SELECT 1 FROM channel_inbox WHERE state = 'waiting'"), 1)
    assert.isAbove((await rowsOf(messaging, "SELECT 1 FROM audit_log")).length, 0)
    // Messages are removed when the organization sets a period, and then nothing refers to their file.
    assert.deepStrictEqual(await expire(messaging, 30), {
      ...zero,
      messages: 2,
      carts: 1,
      paymentLinks: 1,
      unusedMedia: 1
    })
    assert.isEmpty(await rowsOf(messaging, "SELECT 1 FROM media"))
    // What was paid and ordered is kept, and what somebody is still to hear of.
    assert.deepStrictEqual(await rowsOf(messaging, "SELECT left(id, 5) AS id FROM payment_links ORDER BY id"), [
      { id: "pay_2" },
      { id: "pay_3" }
    ])
    assert.deepStrictEqual(await rowsOf(messaging, "SELECT id FROM carts UNION SELECT id FROM orders ORDER BY id"), [
      { id: "crt_2" },
      { id: "ord_1" }
    ])
  })

  story("leaves younger data, pending deliveries and other organizations alone", async (messaging) => {
    await aged(messaging, "29 days")
    const { messages, events, unusedMedia, carts, paymentLinks } = await expire(messaging, 30)
    assert.deepStrictEqual([messages, events, unusedMedia, carts, paymentLinks], [0, 0, 0, 0, 0])
    await messaging.send({ to: "+14155559876", type: "text", text: "on its way" })
    await rowsOf(messaging, "UPDATE messages SET created_at = now() - interval '31 days'")
    assert.strictEqual((await expire(messaging, 30)).messages, 2)
    assert.lengthOf(await rowsOf(messaging, "SELECT 1 FROM messages WHERE status = 'queued'"), 1)
    assert.deepStrictEqual(await rowsOf(messaging, "SELECT status, response FROM webhook_deliveries"), [
      { status: "delivered", response: null }
    ])
    const other = { ...messaging, organizationId: messaging.otherId }
    assert.deepStrictEqual(await expire(other, 1), zero)
  })

  story("continues with the rest when files cannot be removed, and those files are hidden", async (messaging) => {
    const names = Array.from({ length: 30 }, (_, n) => `${n}.png`)
    for (const name of names) await uploaded(messaging, name)
    await rowsOf(messaging, `UPDATE media SET ${storedAgo("31 days")}`)
    await rowsOf(
      messaging,
      `INSERT INTO events (organization_id, id, type, data, created_at)
        VALUES ('${messaging.organizationId}', 'evt_old', 'message.received', '{}', now() - interval '31 days')`
    )
    const { objects } = messaging
    const [first] = await rowsOf(messaging, "SELECT id FROM media ORDER BY id LIMIT 1")
    const attempts: Array<string> = []
    const storage = (broken: (key: string) => boolean): Messaging => ({
      ...messaging,
      objects: {
        ...objects,
        remove: (key) =>
          Effect.suspend(() => {
            attempts.push(key)
            return broken(key)
              ? Effect.fail(new ObjectStorageError({ operation: "remove", key, message: "AccessDenied" }))
              : objects.remove(key)
          })
      }
    })
    // One failure does not affect the others.
    const one = storage((key) => key.endsWith(String(first.id)))
    assert.deepStrictEqual(await expire(one, null), { ...zero, unusedMedia: 30, events: 1 })
    assert.deepStrictEqual(await rowsOf(messaging, "SELECT id, state FROM media"), [{ ...first, state: "removing" }])
    // An unavailable storage delays nothing.
    for (const name of names) await uploaded(messaging, name)
    await rowsOf(messaging, `UPDATE media SET ${storedAgo("31 days")} WHERE state = 'stored'`)
    attempts.length = 0
    assert.deepStrictEqual(
      await expire(
        storage(() => true),
        null
      ),
      { ...zero, unusedMedia: 30 }
    )
    assert.isAtMost(attempts.length, 16)
    const states = await rowsOf(messaging, "SELECT DISTINCT state FROM media")
    assert.deepStrictEqual(states, [{ state: "removing" }])
  })

  story("counts a file's age from its last upload", async (messaging) => {
    const logo = await uploaded(messaging, "logo.png")
    await rowsOf(messaging, `UPDATE media SET ${storedAgo("31 days")}`)
    assert.strictEqual(await uploaded(messaging, "logo.png"), logo)
    assert.deepStrictEqual(await expire(messaging, null), zero)
    await messaging.conversation("+14155559876", "hi")
    const sent = await messaging.send({ to: "+14155559876", type: "image", mediaId: logo })
    assert.strictEqual(sent.status, 200)
  })

  story(
    "runs once a day after the retention of calls and is recorded, and an incomplete run does not count as the day's run",
    async (messaging) => {
      const { run, objects } = messaging
      const storage = Layer.succeed(ObjectStorage, objects)
      const all = Effect.flatMap(makeRunRetention, (retention) => retention.run).pipe(
        Effect.provide(Layer.merge(media(messaging), storage))
      )
      /** A file that no message refers to any more. */
      const unusedFile = async (name: string) => {
        await uploaded(messaging, name)
        await rowsOf(messaging, `UPDATE media SET ${storedAgo("31 days")}`)
      }
      await unusedFile("first.png")
      // The data of calls cannot be removed this time, the rest can. There is no run to record the rest on.
      const broken = Layer.effect(
        ExpiredRecords,
        Effect.map(ExpiredRecords, (records) => ({ ...records, removeTranscripts: () => Effect.die("not now") }))
      )
      const { unusedMedia } = await run(Effect.provide(all, broken))
      assert.strictEqual(unusedMedia, 1)
      assert.isEmpty(await rowsOf(messaging, "SELECT 1 FROM retention_runs"))
      await unusedFile("second.png")
      assert.strictEqual((await run(all)).unusedMedia, 1)
      const [{ others }] = await rowsOf(messaging, "SELECT others FROM retention_runs")
      assert.deepStrictEqual(Object.keys(others as object).sort(), Object.keys(zero).sort())
      // Calls are finished and the rest is not, so only the rest is done.
      await rowsOf(messaging, "UPDATE retention_runs SET others = '{}'")
      await unusedFile("third.png")
      assert.strictEqual((await run(Effect.provide(all, broken))).unusedMedia, 1)
      assert.strictEqual((await run(all)).unusedMedia, 0)
    }
  )

  story("can be set only in an Enterprise organization, by its administrators", async (messaging) => {
    const { admin, key } = messaging
    assert.strictEqual((await ask(messaging, "GET", key)).status, 403)
    const refused = await ask(messaging, "PUT", admin, { messageDays: 30 })
    assert.deepStrictEqual(refused.body, {
      error: "Only Enterprise sets its own retention; this organization is on PREMIUM."
    })
    await rowsOf(messaging, "UPDATE organizations SET plan = 'ENTERPRISE'")
    const set = await ask(messaging, "PUT", admin, { messageDays: 30, transcriptDays: 10 })
    assert.deepStrictEqual(set.body.policy, { ...defaultRetention, messageDays: 30, transcriptDays: 10 })
    assert.deepStrictEqual((await ask(messaging, "PUT", admin, { messageDays: null })).body.policy, {
      ...defaultRetention,
      transcriptDays: 10
    })
    for (const field of ["messageDays", "transcriptDays", "recordingDays", "toolCallDays"])
      for (const value of [0, -1, 1.5, 3_651, "30", [], {}, ...(field === "messageDays" ? [] : [null])])
        assert.strictEqual(
          (await ask(messaging, "PUT", admin, { [field]: value })).status,
          400,
          `${field} ${JSON.stringify(value)}`
        )
    const log = await rowsOf(
      messaging,
      "SELECT state_before, state_after FROM audit_log WHERE action = 'organization.retention_changed' ORDER BY created_at"
    )
    assert.deepStrictEqual(log[0].stateAfter, { messageDays: 30, transcriptDays: 10 })
  })

  it("keeps what is exactly as old as its period, and does not include the audit log", () => {
    const now = Date.parse("2026-11-21T00:00:00Z")
    const day = 86_400_000
    assert.deepInclude(kindCutoffs({ ...defaultRetention, messageDays: 400 }, now), {
      messages: now - 400 * day,
      events: now - 30 * day
    })
    assert.isNull(kindCutoffs(defaultRetention, now).messages)
    assert.notProperty(kindCutoffs(defaultRetention, now), "auditLog")
  })
})
