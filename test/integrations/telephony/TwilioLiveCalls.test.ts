import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { listen, readBody, sendJson } from "../../../simulators/support/Loopback.ts"
import { Telephony, type TelephonyAccount, type TelephonyError } from "../../../src/domain/voice/telephony/Telephony.ts"
import * as Connections from "../../../src/integrations/connections/Connections.ts"
import { usualPatienceMs } from "../../../src/integrations/resilience/Patience.ts"
import { accountPath, makeTwilioClient } from "../../../src/integrations/telephony/TwilioClient.ts"
import { layer } from "../../../src/integrations/telephony/TwilioLiveCalls.ts"
import { playsInRealTime } from "../../support/Slowness.ts"

playsInRealTime()

const account: TelephonyAccount = { accountSid: "AC0123456789abcdef0123456789abcdef", authToken: "12345abcde" }

interface Seen {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: string
}

/** Gives the `answers` in order, then 200. */
const provider = (answers: Array<readonly [number, unknown]> = []) =>
  Effect.gen(function* () {
    const seen: Array<Seen> = []
    const server = yield* Effect.acquireRelease(
      Effect.promise(() =>
        listen(async (request, response) => {
          const { authorization } = request.headers
          seen.push({ path: `${request.method} ${request.url}`, authorization, body: await readBody(request) })
          const [status, body] = answers.shift() ?? [200, { sid: "CA1", status: "completed" }]
          if (status === 0) response.destroy()
          else sendJson(response, status, body)
        })
      ),
      ({ close }) => Effect.promise(close)
    )
    return { seen, url: server.url }
  })

const run = (baseUrl: string, use: (telephony: Telephony["Service"]) => Effect.Effect<void, TelephonyError>) =>
  Effect.flatMap(Telephony, use).pipe(Effect.provide(layer({ baseUrl, timeoutMs: 300 })))

/** Changes a call, and waits for the answer as long as given. */
const changing = Effect.fnUntraced(function* (baseUrl: string) {
  const connections = yield* Layer.build(Connections.layer)
  const { ask } = yield* Effect.provide(makeTwilioClient({ baseUrl, timeoutMs: 300 }, "telephony/twilio"), connections)
  const path = `${accountPath(account)}/Calls/CA1.json`
  return (waits: { readonly patienceMs?: number } = {}) =>
    ask(account, { method: "POST", path, form: { Status: "completed" }, ...waits })
})

describe("TwilioLiveCalls", () => {
  it.live("redirects a call to a new document, with the account's own credentials", () =>
    Effect.gen(function* () {
      const { seen, url } = yield* provider()
      const twiml = "<Response><Dial>+14155550123</Dial></Response>"
      yield* run(url, (telephony) => telephony.redirect(account, "CA1", twiml))
      assert.deepStrictEqual(seen, [
        {
          path: `POST /2010-04-01/Accounts/${account.accountSid}/Calls/CA1.json`,
          authorization: `Basic ${btoa(`${account.accountSid}:${account.authToken}`)}`,
          body: new URLSearchParams({ Twiml: twiml }).toString()
        }
      ])
    })
  )

  it.live("cannot redirect a call that has ended", () =>
    Effect.gen(function* () {
      const gone = [400, { code: 21220, message: "Call is not in-progress", status: 400 }] as const
      const { url } = yield* provider([gone])
      const error = yield* Effect.flip(run(url, (telephony) => telephony.redirect(account, "CA1", "<Response/>")))
      assert.deepInclude(error, { status: 400, code: 21220, message: "Call is not in-progress" })
    })
  )

  it.live("tries once more after a lost connection, a 429 and a 503, and reports a lasting failure", () =>
    Effect.gen(function* () {
      const { seen, url } = yield* provider([
        [0, null],
        [200, {}],
        [429, { code: 20429, message: "Too many requests" }],
        [200, {}],
        [503, "not the error document"],
        [503, "not the error document"],
        [401, { code: 20003, message: "Authenticate" }]
      ])
      const change = (yield* changing(url))()
      yield* change
      yield* change
      assert.deepInclude(yield* Effect.flip(change), { status: 503, code: null })
      assert.deepInclude(yield* Effect.flip(change), { status: 401, code: 20003, message: "Authenticate" })
      assert.strictEqual(seen.length, 7)
    })
  )

  it.live(
    "keeps trying to redirect a call while its caller can be expected to wait, also when other requests have failed",
    () =>
      Effect.gen(function* () {
        const trouble = [
          [503, "away"],
          [0, null],
          [429, { code: 20429, message: "Too many requests" }],
          [500, "away"]
        ] as const
        const { seen, url } = yield* provider([...trouble])
        yield* run(url, (telephony) => telephony.redirect(account, "CA2", "<Response/>"))
        assert.strictEqual(seen.length, 5)
        const others = yield* provider([...Array.from({ length: 10 }, () => trouble[0]), ...trouble])
        const change = yield* changing(others.url)
        // Enough failures to open the circuit that all tenants share.
        for (let failed = 0; failed < 5; failed++) yield* Effect.flip(change())
        yield* change({ patienceMs: usualPatienceMs })
        assert.strictEqual(others.seen.length, 15)
      })
  )

  it.live("gives a redirect up at once when it is refused, and within seconds when there is no answer", () =>
    Effect.gen(function* () {
      const { seen, url } = yield* provider([[404, { code: 20404, message: "Not found" }]])
      const redirect = (baseUrl: string) =>
        Effect.flip(run(baseUrl, (telephony) => telephony.redirect(account, "CA1", "<Response/>")))
      assert.deepInclude(yield* redirect(url), { status: 404, code: 20404 })
      assert.lengthOf(seen, 1)
      const away = yield* provider(Array.from({ length: 100 }, () => [503, "away"] as const))
      const [took, error] = yield* Effect.timed(redirect(away.url))
      assert.deepInclude(error, { status: 503 })
      assert.isAtMost(Duration.toMillis(took), 6_000)
    })
  )

  it.live("gives up on an answer that never comes", () =>
    Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.promise(() => listen(() => new Promise(() => {}))),
        ({ close }) => Effect.promise(close)
      )
      const error = yield* Effect.flip(
        run(server.url, (telephony) => telephony.redirect(account, "CA1", "<Response/>"))
      )
      assert.deepInclude(error, { status: null, code: null })
    })
  )
})
