/** Numbers are bought and SIP credentials created over REST, and then called without any manual set-up. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted, Schema } from "effect"
import { platformAccount } from "../../simulators/telephone/provider/Provider.ts"
import { ApiKeys } from "../../src/domain/people/access/ApiKey.ts"
import { saying } from "../support/callers.ts"
import { startParley } from "../support/parley.ts"
import { playsInRealTime } from "../support/Slowness.ts"

playsInRealTime()

const lines = { hours: "Hello, I would like to know your opening hours." }
const script = [{ when: /opening hours/i, reply: "We are open from nine to six, Monday to Saturday." }]
const platform = {
  accountSid: Option.some(platformAccount.accountSid),
  authToken: Option.some(Redacted.make(platformAccount.authToken))
}

const Credentials = Schema.Struct({ username: Schema.String, password: Schema.String, sipDomain: Schema.String })

describe("a provisioned number", () => {
  it.live(
    "is answered by its agent at once, like a number whose calls the organization's carrier sends by SIP",
    () =>
      Effect.gen(function* () {
        const parley = yield* startParley({ lines, script, settings: { twilioPlatform: platform } })
        const { organizationId, agentId } = parley.tenant
        const keys = yield* ApiKeys.pipe(Effect.provide(parley.services))
        const { secret } = yield* keys.create({ organizationId, name: "setup", scopes: ["voice:write", "admin"] })
        const rest = (method: string, path: string, body?: object) =>
          Effect.promise(async (): Promise<unknown> => {
            const response = await fetch(`${parley.baseUrl}/api/voice-phone-numbers${path}`, {
              method,
              headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
              ...(body === undefined ? {} : { body: JSON.stringify(body) })
            })
            const answer = await response.json()
            assert.isBelow(response.status, 300, JSON.stringify(answer))
            return answer
          })
        /** The caller asks for the opening hours; gives the utterances and the called number. */
        const conversation = (to: string, carrier?: { readonly username: string; readonly password: string }) =>
          Effect.gen(function* () {
            yield* parley.call(saying(parley.samples("hours")), { to, ...(carrier === undefined ? {} : { carrier }) })
            const { call, utterances } = yield* parley.stored
            return { to: call.to, last: utterances.at(-1)?.text }
          })

        yield* rest("POST", "", { phoneNumber: "+14155550142", agentId })
        // The provider repeats the first webhook when the process is just restarting.
        parley.network.faults.loseWebhooks = 1
        const answer = "We are open from nine to six, Monday to Saturday."
        assert.deepStrictEqual(yield* conversation("+14155550142"), { to: "+14155550142", last: answer })

        yield* rest("POST", "", { phoneNumber: "+919812345678", origin: "sip", agentId })
        const credentials = yield* Schema.decodeUnknownEffect(Credentials)(yield* rest("GET", "/sip-credentials"))
        const address = `sip:+919812345678@${credentials.sipDomain}`
        assert.deepStrictEqual(yield* conversation(address, credentials), { to: "+919812345678", last: answer })
        const intruder = parley.network.call({ from: "+14155550100", to: address, caller: async () => {} })
        yield* Effect.promise(() =>
          intruder.then(
            () => assert.fail("a carrier without credentials came through"),
            (cause) => assert.match(String(cause), /SIP 403/)
          )
        )
      }).pipe(Effect.scoped),
    // Two conversations, spoken at the speed of speech.
    90_000
  )
})
