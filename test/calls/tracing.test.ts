/** The spans of a call that the operator's OpenTelemetry collector receives. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { start } from "../../simulators/telemetry/Collector.ts"
import { saying } from "../support/callers.ts"
import { startParley } from "../support/parley.ts"
import { playsInRealTime } from "../support/Slowness.ts"

playsInRealTime()

const lines = { hours: "Hello, I would like to know your opening hours." }
const script = [{ when: /opening hours/i, reply: "We are open from nine to six." }]

describe("a traced call", () => {
  it.live("is one trace that includes the model's work, and contains no spoken words and no secret", () =>
    Effect.gen(function* () {
      const collector = yield* Effect.acquireRelease(
        Effect.promise(() => start()),
        ({ close }) => Effect.promise(close)
      )
      yield* Effect.gen(function* () {
        const parley = yield* startParley({
          lines,
          script,
          settings: { traces: { endpoint: Option.some(collector.url), headers: {}, serviceName: "parley" } }
        })
        yield* parley.call(saying(parley.samples("hours")))
        const { call } = yield* parley.stored
        assert.strictEqual(call.endReason, "caller_hangup")
        return parley.tenant.authToken
      }).pipe(
        Effect.scoped,
        // The service has stopped and has sent all its spans.
        Effect.tap((authToken) =>
          Effect.sync(() => {
            const run = collector.spans.find((span) => span.name === "Call.run")
            assert.isDefined(run)
            const thinking = collector.spans.filter((span) => span.name === "Thinking.think")
            assert.isAbove(thinking.length, 0)
            assert.isTrue(thinking.every((span) => span.traceId === run?.traceId))
            const exported = collector.batches.map((batch) => batch.body).join("\n")
            for (const word of [authToken, "opening hours", "nine to six"]) assert.notInclude(exported, word)
          })
        )
      )
    }).pipe(Effect.scoped)
  )

  it.live("shows the path and parameter names of a request, without personal data and tokens", () =>
    Effect.gen(function* () {
      const collector = yield* Effect.acquireRelease(
        Effect.promise(() => start()),
        ({ close }) => Effect.promise(close)
      )
      yield* Effect.gen(function* () {
        const { baseUrl } = yield* startParley({
          lines: {},
          script: [],
          settings: { traces: { endpoint: Option.some(collector.url), headers: {}, serviceName: "parley" } }
        })
        const ask = (path: string) => Effect.promise(() => fetch(`${baseUrl}${path}`))
        yield* ask("/api/webhooks/messaging?hub.mode=subscribe&hub.verify_token=our-token&hub.challenge=1")
        yield* ask("/api/messaging-api/contacts?search=Ada%20Lovelace&tag=vip")
        yield* ask("/api/phone-numbers/available?country=US&contains=%2B14155550199")
      }).pipe(Effect.scoped)
      const exported = collector.batches.map((batch) => batch.body).join("\n")
      for (const asked of ["hub.verify_token=", "/api/messaging-api/contacts", "search="])
        assert.include(exported, asked)
      for (const told of ["our-token", "Lovelace", "vip", "4155550199"]) assert.notInclude(exported, told)
    }).pipe(Effect.scoped)
  )
})
