import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { Webhook } from "standardwebhooks"
import { eventTypes } from "../../../src/domain/events/Event.ts"
import { eventScope, isEventPattern, typesOf, wants } from "../../../src/domain/events/EventFilter.ts"
import { webhookBody } from "../../../src/domain/events/Webhook.ts"
import { keptHeaders, webhookProblem } from "../../../src/domain/events/WebhookRules.ts"
import { newWebhookSecret, signedHeaders } from "../../../src/domain/events/WebhookSignature.ts"
import { type Attempt, disableAfterMs, retryDelaysMs, verdict } from "../../../src/domain/events/WebhookVerdict.ts"

const now = Date.UTC(2026, 10, 21, 10)
const hour = 3_600_000
const attempt = (changes: Partial<Attempt> = {}): Attempt => ({
  answer: { _tag: "Answered", status: 500, retryAfterMs: undefined, body: "no" },
  durationMs: 12,
  attempts: 1,
  failingSince: null,
  now,
  random: 0,
  ...changes
})
const answered = (status: number, retryAfter?: number) =>
  ({ _tag: "Answered", status, retryAfterMs: retryAfter, body: "" }) as const

describe("what an attempt means", () => {
  it.each([
    [200, "delivered", undefined],
    [204, "delivered", undefined],
    [301, "pending", undefined],
    [302, "pending", undefined],
    [400, "pending", undefined],
    [404, "pending", undefined],
    [410, "failed", "The endpoint answered 410 (Gone)."],
    [429, "pending", undefined],
    [500, "pending", undefined]
  ] as const)("%i is %s", (status, expected, disable) => {
    const outcome = verdict(attempt({ answer: answered(status) }))
    assert.deepInclude(outcome, { status: expected, disable, httpStatus: status })
    assert.strictEqual(outcome.error === null, expected === "delivered")
  })

  it("is tried eight times over a little more than a day", () => {
    const dues = Array.from({ length: 8 }, (_, i) => verdict(attempt({ attempts: i + 1 })))
    assert.deepStrictEqual(
      dues.map(({ dueAt }) => (dueAt === undefined ? undefined : dueAt - now)),
      [...retryDelaysMs, undefined]
    )
    assert.strictEqual(dues[7].status, "failed")
    const total = retryDelaysMs.reduce((sum, pause) => sum + pause, 0)
    assert.isAbove(total, 24 * hour)
    assert.isBelow(total * 1.2, 36 * hour)
  })

  it("never comes sooner than the schedule or the server says, nor later than both with jitter and a day", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 7 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.option(fc.integer({ min: 0, max: 10 * 24 * hour }), { nil: undefined }),
        (attempts, random, retryAfter) => {
          const { dueAt = 0 } = verdict(attempt({ attempts, random, answer: answered(503, retryAfter) }))
          const pause = dueAt - now
          const scheduled = retryDelaysMs[attempts - 1]
          const asked = Math.min(retryAfter ?? 0, 24 * hour)
          assert.isAtLeast(pause, Math.max(scheduled, asked))
          assert.isAtMost(pause, Math.max(Math.ceil(scheduled * 1.2), asked))
        }
      )
    )
  })

  it("switches an endpoint off when it accepted nothing for five days, and not before", () => {
    const failing = (since: number) => verdict(attempt({ failingSince: now - since }))
    assert.isUndefined(failing(disableAfterMs - 1).disable)
    assert.strictEqual(failing(disableAfterMs).disable, "The endpoint took nothing for 5 days.")
    assert.strictEqual(failing(disableAfterMs).status, "failed")
    assert.isUndefined(verdict(attempt({ failingSince: 0, answer: answered(200) })).disable)
  })
})

describe("a signature", () => {
  const event = {
    id: "evt_01KAJ30000000000000000TEST",
    type: "webhook.test" as const,
    createdAt: "2026-11-21T10:00:00.000Z",
    data: { text: "Schöne Grüße 👋\u2028", n: 1.5, nested: { list: [1, null, "x"] } }
  }
  const body = webhookBody(event)

  it("is accepted by the verifier of Standard Webhooks, and refused for another body, time or secret", () => {
    const [secret, other] = [newWebhookSecret(), newWebhookSecret()]
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    const headers = signedHeaders([secret], event.id, body, Date.now())
    assert.deepStrictEqual(new Webhook(secret).verify(body, headers), {
      id: event.id,
      type: event.type,
      timestamp: event.createdAt,
      data: event.data
    })
    assert.throws(() => new Webhook(other).verify(body, headers))
    assert.throws(() => new Webhook(secret).verify(`${body} `, headers))
    assert.throws(() => new Webhook(secret).verify(body, { ...headers, "webhook-id": "evt_other" }))
    const old = signedHeaders([secret], event.id, body, Date.now() - 6 * 60_000)
    assert.throws(() => new Webhook(secret).verify(body, old))
  })

  it("exists for both secrets while one replaces the other", () => {
    const secrets = [newWebhookSecret(), newWebhookSecret()]
    const headers = signedHeaders(secrets, event.id, body, Date.now())
    for (const secret of secrets) new Webhook(secret).verify(body, headers)
  })
})

describe("a filter of events", () => {
  it("accepts types and families, and lets every event pass when it is empty", () => {
    assert.deepStrictEqual(typesOf([]), eventTypes)
    assert.deepStrictEqual(typesOf(["call.ended"]), ["call.ended"])
    assert.isTrue(wants(["message.*"], "message.received"))
    assert.isFalse(wants(["message.*"], "call.ended"))
    for (const wrong of ["message", "*", "message.", "nothing.*", "message.receive", ""])
      assert.isFalse(isEventPattern(wrong))
    for (const type of eventTypes) assert.isString(eventScope(type))
  })
})

describe("an endpoint's rules", () => {
  const anywhere = () => undefined
  it.each([
    [{ url: "nonsense" }, /^url is invalid: it must be an https URL/],
    [{ url: "ftp://a.example/x" }, /^url is invalid/],
    [{ url: "https://user:secret@a.example/" }, /password in it/],
    [{ headers: { Host: "x" } }, /^headers is invalid: it has the header "Host"/],
    [{ headers: { "Webhook-Signature": "v1,x" } }, /not the customer's to set/],
    [{ headers: { "x-a": "one\r\nx-b: two" } }, /cannot carry/],
    [{ headers: { "x a": "1" } }, /is not one/],
    [{ headers: { a: "1", A: "2" } }, /twice/]
  ])("%j is refused", (input, pattern) => {
    assert.match(webhookProblem(input, anywhere) ?? "", pattern)
  })

  it("keep a masked header for its address, and for no other", () => {
    const before = { url: "https://a.example/x", headers: { Authorization: "Bearer 12345678" } }
    const masked = { authorization: "********5678" }
    assert.deepStrictEqual(keptHeaders(before, { headers: masked }), { headers: { authorization: "Bearer 12345678" } })
    assert.deepStrictEqual(keptHeaders(before, { url: "https://a.example/y" }), { headers: before.headers })
    assert.deepStrictEqual(keptHeaders(before, { url: "https://b.example/x" }), { headers: {} })
    assert.property(keptHeaders(before, { url: "https://b.example/x", headers: masked }), "problem")
    assert.deepStrictEqual(keptHeaders(before, { headers: {} }), { headers: {} })
  })
})
