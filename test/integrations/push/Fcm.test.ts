/** The adapter against a service that speaks FCM's protocol and verifies Google's signatures. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type FcmSimulator, start } from "../../../simulators/push/Fcm.ts"
import { PushService } from "../../../src/domain/events/Push.ts"
import * as Fcm from "../../../src/integrations/push/Fcm.ts"
import { parseServiceAccount } from "../../../src/integrations/push/ServiceAccount.ts"

const content = {
  token: "device-token-1",
  title: "New message",
  body: "A contact wrote to you.",
  data: { type: "message.received", conversationId: "cnv_1" },
  collapseKey: "cnv_1"
}

const story = (name: string, tell: (fcm: FcmSimulator, push: PushService["Service"]) => Effect.Effect<void>) =>
  it.live(name, () =>
    Effect.gen(function* () {
      const fcm = yield* Effect.acquireRelease(
        Effect.promise(() => start()),
        ({ close }) => Effect.promise(close)
      )
      const options = { account: parseServiceAccount(fcm.serviceAccount), baseUrl: fcm.url, deadlineMs: 1_500 }
      yield* Effect.flatMap(PushService, (push) => tell(fcm, push)).pipe(Effect.provide(Fcm.layer(options)))
    })
  )

describe("push over FCM", () => {
  story("signs in once, with a signature that is verified, and sends what FCM takes", (fcm, push) =>
    Effect.gen(function* () {
      yield* Effect.all(
        Array.from({ length: 8 }, () => push.send(content)),
        { concurrency: 8 }
      ).pipe(Effect.orDie)
      assert.deepStrictEqual(fcm.stats, { tokens: 1, requests: 8 })
      const { at: _, ...taken } = fcm.taken[0]
      assert.deepStrictEqual(taken, {
        token: content.token,
        notification: { title: content.title, body: content.body },
        data: content.data,
        collapseKey: "cnv_1"
      })
    })
  )

  story("asks for a new access token when its own is refused", (fcm, push) =>
    Effect.gen(function* () {
      yield* Effect.orDie(push.send(content))
      fcm.revokeTokens()
      yield* Effect.orDie(push.send(content))
      assert.deepStrictEqual([fcm.stats.tokens, fcm.taken.length], [2, 2])
    })
  )

  story("says whether a device is gone, a notification is wrong, or the service is unavailable", (fcm, push) =>
    Effect.gen(function* () {
      fcm.unregistered.add("gone-token")
      fcm.invalid.add("bad-token")
      const failure = (changes: Partial<typeof content> = {}) =>
        Effect.orDie(Effect.flip(push.send({ ...content, ...changes })))
      assert.strictEqual((yield* failure({ token: "gone-token" }))._tag, "DeviceGone")
      assert.strictEqual((yield* failure({ token: "bad-token" }))._tag, "DeviceGone")
      assert.strictEqual((yield* failure({ body: "x".repeat(5_000) }))._tag, "PushRefused")
      Object.assign(fcm.faults, { failNext: 1, status: 429, retryAfter: 7 })
      assert.deepInclude(yield* failure(), { _tag: "PushUnavailable", retryAfterMs: 7_000 })
      for (const status of [500, 503, 0]) {
        Object.assign(fcm.faults, { failNext: 1, status, retryAfter: undefined })
        assert.strictEqual((yield* failure())._tag, "PushUnavailable", String(status))
      }
      Object.assign(fcm.faults, { hang: true })
      assert.match((yield* failure()).message, /no answer within 1500 ms/)
      assert.lengthOf(fcm.taken, 0)
    })
  )

  story("fails while it can get no access token, and works again once it gets one", (fcm, push) =>
    Effect.gen(function* () {
      fcm.faults.failTokens = 10
      assert.match((yield* Effect.orDie(Effect.flip(push.send(content)))).message, /no access token|no answer/)
      fcm.faults.failTokens = 0
      yield* Effect.orDie(push.send(content))
      assert.lengthOf(fcm.taken, 1)
    })
  )

  it("refuses an invalid key with a sentence that does not show the key", () => {
    for (const text of ["", "{}", '{"private_key":"secret"}', "/no/such/file"])
      assert.throws(() => parseServiceAccount(text), /^FCM_SERVICE_ACCOUNT is not the key of a service account/)
  })
})

describe("the reading of FCM's answers", () => {
  it("tells apart a device that is gone, a wrong request and an unavailable service", () => {
    const body = (errorCode: string, field?: string) =>
      JSON.stringify({
        error: {
          message: "m",
          details: [{ errorCode }, ...(field === undefined ? [] : [{ fieldViolations: [{ field }] }])]
        }
      })
    const table: ReadonlyArray<readonly [status: number, text: string, tag: string]> = [
      [404, body("UNREGISTERED"), "DeviceGone"],
      [403, body("SENDER_ID_MISMATCH"), "DeviceGone"],
      [400, body("INVALID_ARGUMENT", "message.token"), "DeviceGone"],
      [
        400,
        JSON.stringify({ error: { message: "The registration token is not a valid FCM registration token" } }),
        "DeviceGone"
      ],
      [400, body("INVALID_ARGUMENT", "message.data[x]"), "PushRefused"],
      [400, body("INVALID_ARGUMENT"), "PushRefused"],
      [400, JSON.stringify({ error: { message: "m", details: "UNREGISTERED" } }), "PushRefused"],
      [404, JSON.stringify({ error: { message: 7, details: [{ errorCode: "UNREGISTERED" }] } }), "PushUnavailable"],
      [404, "<html>", "PushUnavailable"],
      [403, body("PERMISSION_DENIED"), "PushUnavailable"],
      [401, body("THIRD_PARTY_AUTH_ERROR"), "PushUnavailable"],
      [429, body("QUOTA_EXCEEDED"), "PushUnavailable"],
      [500, body("INTERNAL"), "PushUnavailable"],
      [503, "", "PushUnavailable"]
    ]
    for (const [status, text, tag] of table)
      assert.strictEqual(Fcm.fcmFailure(status, text, null)._tag, tag, `${status} ${text}`)
    assert.deepInclude(Fcm.fcmFailure(429, "", null), { retryAfterMs: 60_000 })
    assert.deepInclude(Fcm.fcmFailure(429, "", 5_000), { retryAfterMs: 5_000 })
  })
})
