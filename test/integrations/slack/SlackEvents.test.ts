import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { slackSignature } from "../../../simulators/team-chat/SlackDelivery.ts"
import { makeHearSlack, readSlackEvent } from "../../../src/integrations/slack/SlackEvents.ts"

const secret = "8f742231b10e8888abcd99yyyzzz85a5"
const body = '{"type":"url_verification","token":"tok","challenge":"abc"}'
const hear = makeHearSlack(secret)
const at = 1_767_225_600
const request = (text: string, timestamp: string, signature: string) => ({
  headers: { "x-slack-request-timestamp": timestamp, "x-slack-signature": signature },
  body: new TextEncoder().encode(text),
  url: "https://parley.example/api/integrations/slack/events"
})

describe("an event of Slack", () => {
  it("is signed as the vendor's verifier expects", () => {
    assert.strictEqual(
      slackSignature(secret, String(at), body),
      "v0=dcf494569cf98b04afe6ecca449b3f8e53f325ed04b5d837925e44136db66dc2"
    )
  })

  it.effect("is taken for five minutes, by a good signature only", () =>
    Effect.gen(function* () {
      const good = request(body, String(at), slackSignature(secret, String(at), body))
      for (const offset of [-300, 0, 300])
        assert.deepStrictEqual(yield* hear(good, (at + offset) * 1_000), { news: { type: "nothing" }, answer: "abc" })
      const refused = [
        hear(good, (at + 301) * 1_000),
        hear(good, (at - 301) * 1_000),
        hear({ ...good, body: new TextEncoder().encode(`${body} `) }, at * 1_000),
        hear(request(body, "yesterday", "v0=00"), at * 1_000),
        hear(request(body, String(at), ""), at * 1_000)
      ]
      for (const one of refused) assert.strictEqual((yield* Effect.flip(one)).status, 401)
    })
  )

  it.effect("is not taken over HTTPS when there is no secret, whatever it is signed with", () =>
    Effect.gen(function* () {
      const forged = request(body, String(at), slackSignature("", String(at), body))
      for (const none of [undefined, ""])
        assert.strictEqual((yield* Effect.flip(makeHearSlack(none)(forged, at * 1_000))).status, 401)
    })
  )

  it("is read whatever it holds, or refused", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        readSlackEvent(text)
      })
    )
    assert.isUndefined(readSlackEvent("not JSON"))
  })
})
