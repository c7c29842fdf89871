/** Outgoing webhooks from the customer's side: over REST, and at the customer's server. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"
import { newId } from "../../../../src/domain/basics/Ids.ts"
import { comesAbout } from "../../../support/eventually.ts"
import { playsInRealTime } from "../../../support/Slowness.ts"
import { root, startWebhooks, type Webhooks } from "../../../support/webhooks.ts"

playsInRealTime()

const story = (name: string, tell: (webhooks: Webhooks) => Promise<void>, sending = true) =>
  it.live(name, () =>
    Effect.gen(function* () {
      const webhooks = yield* startWebhooks()
      if (sending) yield* webhooks.worker
      yield* Effect.promise(() => tell(webhooks))
    }).pipe(Effect.scoped)
  )

describe("outgoing webhooks", () => {
  story("tell a customer's server what happens, signed in the form of Standard Webhooks", async (webhooks) => {
    const { tenant, endpoint, contact, receiver, call } = webhooks
    const us = await tenant()
    const { id, secret } = await endpoint(us, "/hook", {
      events: ["contact.*"],
      headers: { Authorization: "Bearer abcdefgh" }
    })
    const asha = await contact(us, "Asha")
    await comesAbout("the delivery came", () => receiver.to("/hook").length === 1)
    const [{ headers, body }] = receiver.to("/hook")
    const said = new Webhook(secret).verify(body, headers) as Record<string, unknown>
    assert.deepStrictEqual(Object.keys(said), ["id", "type", "timestamp", "data"])
    assert.strictEqual(said.type, "contact.created")
    assert.deepStrictEqual((said.data as { contact: unknown }).contact, { ...asha })
    assert.match(headers["webhook-id"], /^evt_/)
    assert.strictEqual(said.id, headers["webhook-id"])
    assert.strictEqual(headers.authorization, "Bearer abcdefgh")
    await comesAbout(
      "noted",
      async () => (await call(us, "GET", `/${id}/deliveries?status=delivered`)).body.total === 1
    )
    const { body: log } = await call(us, "GET", `/${id}/deliveries`)
    const [delivery] = log.data as ReadonlyArray<Record<string, unknown>>
    assert.deepInclude(delivery, {
      eventId: headers["webhook-id"],
      eventType: "contact.created",
      status: "delivered",
      attempts: 1,
      httpStatus: 200,
      error: null,
      nextAttemptAt: null
    })
    assert.deepStrictEqual((await call(us, "GET", `/${id}/deliveries/${delivery.id}`)).body, { ...delivery, body })
    assert.strictEqual((await call(us, "GET", `/${id}/deliveries?eventType=call.ended`)).body.total, 0)
  })

  story(
    "show their secret once and their headers never, and all changes are in the audit log",
    async (webhooks) => {
      const { tenant, call, receiver } = webhooks
      const us = await tenant()
      const made = await call(us, "POST", "", { url: `${receiver.url}/a`, headers: { "X-Key": "topsecretvalue" } })
      assert.strictEqual(made.status, 201)
      assert.match(String(made.body.secret), /^whsec_/)
      assert.deepInclude(made.body, {
        enabled: true,
        events: [],
        description: "",
        headers: { "X-Key": "********alue" }
      })
      const got = await call(us, "GET", `/${made.body.id}`)
      assert.notProperty(got.body, "secret")
      const patch = { description: "Shop", headers: { "x-key": "********alue" }, events: ["message.*", "message.*"] }
      const changed = await call(us, "PATCH", `/${made.body.id}`, patch)
      assert.deepInclude(changed.body, {
        description: "Shop",
        events: ["message.*"],
        headers: { "x-key": "********alue" }
      })
      const rotated = await call(us, "POST", `/${made.body.id}/rotate-secret`, { overlapSeconds: 60 })
      assert.notStrictEqual(rotated.body.secret, made.body.secret)
      assert.isString(rotated.body.previousSecretUntil)
      assert.deepStrictEqual((await call(us, "DELETE", `/${made.body.id}`)).body, { id: made.body.id, deleted: true })
      assert.strictEqual((await call(us, "GET", `/${made.body.id}`)).status, 404)
      const log = await call(us, "GET", `/api/audit-log?subjectId=${made.body.id}`)
      assert.deepStrictEqual(
        (log.body.data as ReadonlyArray<{ action: string }>).map(({ action }) => action),
        ["webhook.deleted", "webhook.secret_rotated", "webhook.updated", "webhook.created"]
      )
      assert.notInclude(JSON.stringify([log.body, got.body, changed.body]), "topsecret")
      assert.notInclude(JSON.stringify(log.body), "whsec_")
    },
    false
  )

  story("carry both signatures during a change of the secret, and one signature afterwards", async (webhooks) => {
    const { tenant, endpoint, call, receiver } = webhooks
    const us = await tenant()
    const { id, secret } = await endpoint(us, "/hook")
    const { body } = await call(us, "POST", `/${id}/rotate-secret`, { overlapSeconds: 600 })
    await call(us, "POST", `/${id}/test`)
    await comesAbout("the test event came", () => receiver.received.length === 1)
    const both = receiver.received[0]
    for (const one of [secret, String(body.secret)]) new Webhook(one).verify(both.body, both.headers)
    const last = await call(us, "POST", `/${id}/rotate-secret`, { overlapSeconds: 0 })
    await call(us, "POST", `/${id}/test`)
    await comesAbout("the second test event came", () => receiver.received.length === 2)
    const one = receiver.received[1]
    new Webhook(String(last.body.secret)).verify(one.body, one.headers)
    assert.throws(() => new Webhook(String(body.secret)).verify(one.body, one.headers))
  })

  story("can be tried with a test event that is sent to that endpoint alone", async (webhooks) => {
    const { tenant, endpoint, call, receiver } = webhooks
    const us = await tenant()
    const { id } = await endpoint(us, "/tried", { events: ["call.ended"] })
    await endpoint(us, "/other")
    receiver.behave("/tried", { kind: "answer", status: 404, body: "no such page" })
    const test = await call(us, "POST", `/${id}/test`)
    assert.strictEqual(test.status, 201)
    assert.deepInclude(test.body, { eventType: "webhook.test", status: "pending", attempts: 0 })
    const log = () => call(us, "GET", `/${id}/deliveries/${test.body.id}`)
    await comesAbout("the answer is on record", async () => (await log()).body.httpStatus === 404)
    assert.deepInclude((await log()).body, {
      status: "pending",
      attempts: 1,
      error: "The endpoint answered 404.",
      response: "no such page"
    })
    assert.isString((await log()).body.nextAttemptAt)
    // It waits for its retry, and is sent at once on request.
    const now = await call(us, "POST", `/${id}/deliveries/${test.body.id}/resend`)
    assert.deepInclude(now.body, { status: "pending", attempts: 0 })
    await comesAbout("it was tried again", () => receiver.to("/tried").length === 2)
    await new Promise((done) => setTimeout(done, 300))
    assert.lengthOf(receiver.to("/other"), 0)
  })

  story("are sent again on request, one or all since a time, with the same id", async (webhooks) => {
    const { tenant, endpoint, contact, call, receiver } = webhooks
    const us = await tenant()
    const since = new Date().toISOString()
    const { id } = await endpoint(us, "/hook", { events: ["contact.created"] })
    for (let i = 0; i < 3; i++) await contact(us)
    const delivered = async () => (await call(us, "GET", `/${id}/deliveries?status=delivered`)).body
    await comesAbout("three came", async () => (await delivered()).total === 3)
    const [{ id: deliveryId, eventId }] = (await delivered()).data as ReadonlyArray<Record<string, unknown>>
    const again = await call(us, "POST", `/${id}/deliveries/${deliveryId}/resend`)
    assert.deepInclude(again.body, { status: "pending", attempts: 0 })
    await comesAbout("it came again", () => receiver.to("/hook").length === 4)
    const ids = () => receiver.to("/hook").map(({ headers }) => headers["webhook-id"])
    assert.strictEqual(ids().filter((one) => one === eventId).length, 2)
    await comesAbout("settled", async () => (await delivered()).total === 3)
    assert.deepInclude((await call(us, "POST", `/${id}/replay`, { since, failedOnly: true })).body, { queued: 0 })
    assert.deepInclude((await call(us, "POST", `/${id}/replay`, { since })).body, { queued: 3 })
    await comesAbout("all came again", () => receiver.to("/hook").length === 7)
    assert.lengthOf(new Set(ids()), 3)
    await comesAbout("settled again", async () => (await delivered()).total === 3)
    const nothing = await call(us, "POST", `/${id}/replay`, { since: new Date(Date.now() + 60_000).toISOString() })
    assert.strictEqual(nothing.status, 400)
  })

  story(
    "stop when switched off, start with new events when switched on, and can replay the missed ones",
    async (webhooks) => {
      const { tenant, endpoint, contact, call, receiver } = webhooks
      const us = await tenant()
      const { id } = await endpoint(us, "/hook", { events: ["contact.created"] })
      receiver.behave("/hook", { kind: "answer", status: 500 }, { kind: "answer", status: 200 })
      await contact(us)
      const log = async (status: string) => (await call(us, "GET", `/${id}/deliveries?status=${status}`)).body.total
      await comesAbout("the first attempt", () => receiver.to("/hook").length === 1)
      const since = new Date(Date.now() - 60_000).toISOString()
      assert.isFalse((await call(us, "PATCH", `/${id}`, { enabled: false })).body.enabled)
      assert.strictEqual(await log("discarded"), 1)
      await contact(us)
      for (const [path, body] of [
        ["test", undefined],
        ["replay", { since }]
      ] as const)
        assert.strictEqual((await call(us, "POST", `/${id}/${path}`, body)).status, 409)
      await call(us, "PATCH", `/${id}`, { enabled: true })
      await contact(us)
      await comesAbout("what happened after", async () => (await log("delivered")) === 1)
      assert.deepInclude((await call(us, "POST", `/${id}/replay`, { since, failedOnly: true })).body, { queued: 1 })
      await comesAbout("what was discarded", async () => (await log("delivered")) === 2)
      assert.deepInclude((await call(us, "POST", `/${id}/replay`, { since })).body, { queued: 3 })
      await comesAbout("what happened meanwhile", async () => (await log("delivered")) === 3)
    }
  )

  story("need the Starter plan and an administrator, and are hidden from other organizations", async (webhooks) => {
    const { tenant, endpoint, call, contact, receiver } = webhooks
    const [us, them, free] = [await tenant(), await tenant(), await tenant({ plan: "FREE" })]
    const refused = await call(free, "POST", "", { url: `${receiver.url}/x` })
    assert.deepStrictEqual(
      [refused.status, refused.body],
      [403, { error: "Outgoing webhooks need the Starter plan or a higher one; this organization is on FREE." }]
    )
    const plain = await call(us.plainKey, "GET", "")
    assert.deepStrictEqual([plain.status, plain.body], [403, { error: "This API key lacks the scope admin." }])
    const { id } = await endpoint(us, "/us")
    await endpoint(them, "/them")
    for (const [method, path, body] of [
      ["GET", `/${id}`, undefined],
      ["PATCH", `/${id}`, { enabled: false }],
      ["DELETE", `/${id}`, undefined],
      ["POST", `/${id}/rotate-secret`, {}],
      ["POST", `/${id}/test`, undefined],
      ["GET", `/${id}/deliveries`, undefined],
      ["POST", `/${id}/replay`, { since: "2026-01-01T00:00:00Z" }]
    ] as const)
      assert.strictEqual((await call(them, method, path, body)).status, 404, `${method} ${path}`)
    await contact(us)
    await comesAbout("ours came", () => receiver.to("/us").length === 1)
    const { data } = (await call(us, "GET", `/${id}/deliveries`)).body as { data: ReadonlyArray<{ id: string }> }
    for (const [method, path] of [
      ["GET", ""],
      ["POST", "/resend"]
    ] as const)
      assert.strictEqual((await call(them, method, `/${id}/deliveries/${data[0].id}${path}`)).status, 404)
    assert.lengthOf(receiver.to("/them"), 0)
    assert.isTrue((await call(us, "GET", `/${id}`)).body.enabled as boolean)
  })

  story(
    "refuse bad input with a sentence, and change nothing",
    async (webhooks) => {
      const { tenant, call, endpoint, receiver, world } = webhooks
      const us = await tenant()
      const { id } = await endpoint(us, "/hook")
      const url = `${receiver.url}/x`
      const table: ReadonlyArray<readonly [string, string, unknown, number]> = [
        ["POST", "", {}, 400],
        ["POST", "", { url: 5 }, 400],
        ["POST", "", { url: "" }, 400],
        ["POST", "", { url: "javascript:alert(1)" }, 400],
        ["POST", "", { url: "https://user:pw@example.com/" }, 400],
        ["POST", "", { url: `https://example.com/${"x".repeat(2_000)}` }, 400],
        ["POST", "", { url, events: ["contact.exploded"] }, 400],
        ["POST", "", { url, events: "contact.created" }, 400],
        ["POST", "", { url, events: Array.from({ length: 101 }, () => "contact.*") }, 400],
        ["POST", "", { url, description: "x".repeat(201) }, 400],
        ["POST", "", { url, description: "a\u0000b" }, 400],
        ["POST", "", { url, enabled: "yes" }, 400],
        ["POST", "", { url, headers: { Host: "inner" } }, 400],
        ["POST", "", { url, headers: { "webhook-id": "1" } }, 400],
        ["POST", "", { url, headers: { a: "b\r\nc: d" } }, 400],
        ["POST", "", { url, headers: { a: 5 } }, 400],
        ["POST", "", "not json", 400],
        ["PATCH", `/${id}`, { url: "nonsense" }, 400],
        ["PATCH", `/${id}`, { url: "http://elsewhere.example/", headers: { a: "********1234" } }, 200],
        ["GET", "?page=0", undefined, 400],
        ["GET", "?limit=-1", undefined, 400],
        ["GET", "?limit=101", undefined, 400],
        ["GET", "?page=9e99", undefined, 400],
        ["GET", `/${newId("whk")}`, undefined, 404],
        ["GET", "/%00", undefined, 400],
        ["GET", `/${id}/deliveries?status=lost`, undefined, 400],
        ["GET", `/${id}/deliveries?eventType=x`, undefined, 400],
        ["GET", `/${id}/deliveries/${newId("dlv")}`, undefined, 404],
        ["GET", `/${newId("whk")}/deliveries`, undefined, 404],
        ["POST", `/${id}/deliveries/${newId("dlv")}/resend`, undefined, 404],
        ["POST", `/${id}/rotate-secret`, { overlapSeconds: -1 }, 400],
        ["POST", `/${id}/rotate-secret`, { overlapSeconds: 1.5 }, 400],
        ["POST", `/${id}/rotate-secret`, { overlapSeconds: 1e9 }, 400],
        ["POST", `/${id}/replay`, {}, 400],
        ["POST", `/${id}/replay`, { since: "yesterday" }, 400],
        ["POST", `/${id}/replay`, { since: "2026-01-02T00:00:00Z", until: "2026-01-01T00:00:00Z" }, 400],
        ["POST", `/${id}/replay`, { since: "2026-01-01T00:00:00Z", failedOnly: "yes" }, 400]
      ]
      for (const [method, path, body, expected] of table) {
        const answer = await world.call(method, root + path, body, us.key)
        const what = `${method} ${path} ${JSON.stringify(body)?.slice(0, 80)}: ${JSON.stringify(answer.body)}`
        assert.strictEqual(answer.status, expected, what)
        if (expected >= 400) {
          assert.deepStrictEqual(Object.keys(answer.body), ["error"], what)
          assert.match(String(answer.body.error), /^\S.*[.!?]$/s, what)
        }
      }
      assert.strictEqual((await call(us, "GET", "")).body.total, 1)
      for (let i = 0; i < 19; i++) await endpoint(us, `/n${i}`)
      assert.strictEqual((await call(us, "POST", "", { url })).status, 409)
    },
    false
  )

  it.live("must be https on the public internet in production", () =>
    Effect.gen(function* () {
      const { tenant, call } = yield* startWebhooks({ allowPrivateWebhooks: false })
      yield* Effect.promise(async () => {
        const us = await tenant()
        for (const url of [
          "http://example.com/",
          "https://127.0.0.1/",
          "https://localhost/",
          "https://[::1]/",
          "https://10.1.2.3/",
          "https://example.com/a\u0000b",
          "https://example.com/\ud800"
        ]) {
          const { status, body } = await call(us, "POST", "", { url })
          assert.strictEqual(status, 400, url)
          assert.match(
            String(body.error),
            /^url is invalid: it (must be an https URL|is not on the public internet|must not contain .*characters)\.$/
          )
        }
        assert.strictEqual((await call(us, "POST", "", { url: "https://example.com/hook" })).status, 201)
      })
    }).pipe(Effect.scoped)
  )
})
