/** Posting to customers' servers over real sockets, including servers that misbehave. */
import type { LookupAddress } from "node:dns"
import { createServer } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { type Behaviour, start } from "../../../simulators/webhook-receiver/WebhookReceiver.ts"
import { WebhookSender } from "../../../src/domain/events/Webhook.ts"
import { pinnedLookup } from "../../../src/integrations/web/PublicNetwork.ts"
import type { Resolver } from "../../../src/integrations/web/Resolver.ts"
import * as HttpWebhooks from "../../../src/integrations/webhooks/HttpWebhooks.ts"
import { playsInRealTime } from "../../support/Slowness.ts"

playsInRealTime()

const receiver = Effect.acquireRelease(
  Effect.promise(() => start()),
  ({ close }) => Effect.promise(close)
)
const sender = (options: HttpWebhooks.HttpWebhooksOptions = {}) =>
  Effect.flatMap(Layer.build(HttpWebhooks.layer(options)), (built) => Effect.provide(WebhookSender, built))

const answerTo = (behaviour: Behaviour) =>
  Effect.gen(function* () {
    const there = yield* receiver
    there.behave("/hook", behaviour)
    const { post } = yield* sender({ allowPrivateNetwork: true, timeoutMs: 500 })
    const began = performance.now()
    const answer = yield* post(`${there.url}/hook`, { "x-mine": "1" }, '{"type":"x"}')
    return { answer, there, ms: performance.now() - began }
  })

describe("a customer's server", () => {
  it.live("gets the body and the headers, and its answer is passed on unchanged", () =>
    Effect.gen(function* () {
      const headers = { "retry-after": "7" }
      const { answer, there } = yield* answerTo({ kind: "answer", status: 503, headers, body: "busy\0" })
      assert.deepStrictEqual(answer, { _tag: "Answered", status: 503, retryAfterMs: 7_000, body: "busy\uFFFD" })
      const [request] = there.received
      assert.strictEqual(request.body, '{"type":"x"}')
      assert.deepInclude(request.headers, { "x-mine": "1", "content-type": "application/json" })
    }).pipe(Effect.scoped)
  )

  it.live("cannot redirect the request", () =>
    Effect.gen(function* () {
      const { answer, there } = yield* answerTo({ kind: "redirect", to: "/inner" })
      assert.deepInclude(answer, { _tag: "Answered", status: 302 })
      assert.lengthOf(there.to("/inner"), 0)
    }).pipe(Effect.scoped)
  )

  it.live("that never answers, or answers in a trickle, is given up at the time limit", () =>
    Effect.gen(function* () {
      for (const kind of ["hang", "drip"] as const) {
        const { answer, ms } = yield* answerTo({ kind })
        assert.deepStrictEqual(answer, { _tag: "Unanswered", error: "No answer within 0.5 s." })
        assert.isBelow(ms, 3_000)
      }
    }).pipe(Effect.scoped)
  )

  it.live("that cuts the connection or cannot be reached counts as unanswered", () =>
    Effect.gen(function* () {
      const { answer, there } = yield* answerTo({ kind: "disconnect" })
      assert.deepStrictEqual(answer, { _tag: "Unanswered", error: "The connection was lost before an answer came." })
      yield* Effect.promise(there.close)
      const { post } = yield* sender({ allowPrivateNetwork: true })
      const gone = yield* post(`${there.url}/hook`, {}, "{}")
      assert.match(gone._tag === "Unanswered" ? gone.error : "", /^No connection could be made: .*ECONNREFUSED/)
    }).pipe(Effect.scoped)
  )

  it.live("with an endless answer is read only up to 1 KB", () =>
    Effect.gen(function* () {
      const { answer } = yield* answerTo({ kind: "endless" })
      assert.strictEqual(answer._tag === "Answered" ? answer.body.length : 0, 1_024)
      assert.deepInclude(answer, { status: 200 })
    }).pipe(Effect.scoped)
  )

  it.live("in a private network is not reached, however its address is written", () =>
    Effect.gen(function* () {
      const there = yield* receiver
      const { post, refusal } = yield* sender()
      const hosts = [
        "127.0.0.1",
        "localhost",
        "0.0.0.0",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "2130706433",
        "0x7f.1",
        "127.1"
      ]
      for (const host of hosts) {
        const answer = yield* post(`http://${host}:${there.port}/hook`, {}, "{}")
        assert.deepStrictEqual(
          answer,
          { _tag: "Unanswered", error: "The address is not on the public internet." },
          host
        )
        assert.isDefined(refusal(`https://${host}/hook`), host)
      }
      assert.lengthOf(there.received, 0)
      for (const url of [
        "http://shop.example.com/",
        "https://10.0.0.1/",
        "https://169.254.169.254/latest/",
        "https://a.internal/"
      ])
        assert.isDefined(refusal(url), url)
      assert.isUndefined(refusal("https://shop.example.com:8443/hook"))
    }).pipe(Effect.scoped)
  )

  it.live("whose name changes its address is reached at the checked address, or not at all", () =>
    Effect.gen(function* () {
      const inner = yield* receiver
      let outerGot = 0
      const outer = createServer((_, response) => {
        outerGot++
        response.end("ok")
      })
      yield* Effect.acquireRelease(
        Effect.promise(() => new Promise<void>((done) => outer.listen(inner.port, "127.0.0.2", done))),
        () => Effect.promise(() => new Promise((done) => outer.close(done)))
      )
      // 127.0.0.2 stands for the public internet, 127.0.0.1 for the private network. The name server gives first one, then the other.
      let asked = 0
      const resolve: Resolver = (_, __, callback) => {
        const addresses: Array<LookupAddress> =
          ++asked === 1
            ? [{ address: "127.0.0.2", family: 4 }]
            : asked === 2
              ? [{ address: "127.0.0.1", family: 4 }]
              : [
                  { address: "127.0.0.2", family: 4 },
                  { address: "127.0.0.1", family: 4 }
                ]
        setImmediate(() => callback(null, addresses))
      }
      const { post } = yield* sender({ lookup: pinnedLookup(resolve, (address) => address === "127.0.0.2") })
      const url = `http://rebinding.example:${inner.port}/hook`
      assert.deepInclude(yield* post(url, {}, "{}"), { _tag: "Answered", status: 200 })
      assert.strictEqual(asked, 1)
      for (const _ of [1, 2])
        assert.deepStrictEqual(yield* post(url, {}, "{}"), {
          _tag: "Unanswered",
          error: "The address is not on the public internet."
        })
      assert.strictEqual(outerGot, 1)
      assert.lengthOf(inner.received, 0)
    }).pipe(Effect.scoped)
  )
})
