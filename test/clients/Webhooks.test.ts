/** The client verifies webhooks: real deliveries, and others that it refuses. */
import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { Webhook as StandardWebhook } from "standardwebhooks"
import { verifyWebhook, WebhookVerificationError } from "../../clients/typescript/src/index.ts"
import { comesAbout } from "../support/eventually.ts"
import { startWebhooks } from "../support/webhooks.ts"

const secret = `whsec_${Buffer.from("a secret of the tests, 24+ bytes").toString("base64")}`
const older = `whsec_${Buffer.from("the secret that was there before").toString("base64")}`
const nowMs = Date.UTC(2026, 10, 24)
const body = JSON.stringify({
  type: "contact.erased",
  timestamp: "2026-11-24T00:00:00.000Z",
  data: { contact: { id: "cnt_1" } }
})

const signed = (content: string, by = secret, atMs = nowMs) => ({
  "webhook-id": "evt_1",
  "webhook-timestamp": `${Math.floor(atMs / 1000)}`,
  "webhook-signature": new StandardWebhook(by).sign("evt_1", new Date(atMs), content)
})

const refusal = async (...given: Parameters<typeof verifyWebhook>): Promise<string> => {
  try {
    await verifyWebhook(...given)
  } catch (cause) {
    assert.instanceOf(cause, WebhookVerificationError)
    return (cause as Error).message
  }
  return "none"
}

describe("verifyWebhook", () => {
  it("gives what a webhook brings, whatever form its body and headers have", async () => {
    const expected = { ...JSON.parse(body), id: "evt_1" }
    const headers = signed(body)
    const capitals = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]))
    for (const content of [body, new TextEncoder().encode(body), new Uint8Array(Buffer.from(body)).buffer])
      for (const given of [headers, new Headers(headers), capitals])
        assert.deepStrictEqual(await verifyWebhook(content, given, secret, { nowMs }), expected)
  })

  it("takes each of the secrets and each of the signatures while a secret is rotated", async () => {
    const both = {
      ...signed(body),
      "webhook-signature": `v1a,abc ${signed(body, older)["webhook-signature"]} ${signed(body)["webhook-signature"]}`
    }
    assert.strictEqual((await verifyWebhook(body, both, secret, { nowMs })).id, "evt_1")
    assert.strictEqual((await verifyWebhook(body, both, older, { nowMs })).id, "evt_1")
    assert.strictEqual((await verifyWebhook(body, signed(body), [older, secret], { nowMs })).id, "evt_1")
    assert.match(await refusal(body, signed(body), [older], { nowMs }), /signature is not/)
  })

  it("refuses what is too old or from the future", async () => {
    for (const seconds of [-301, 301])
      assert.match(
        await refusal(body, signed(body, secret, nowMs + seconds * 1000), secret, { nowMs }),
        /more than 300/
      )
    for (const seconds of [-299, 299])
      assert.strictEqual(await refusal(body, signed(body, secret, nowMs + seconds * 1000), secret, { nowMs }), "none")
    assert.strictEqual(
      await refusal(body, signed(body, secret, nowMs - 900_000), secret, { nowMs, toleranceSeconds: 1_000 }),
      "none"
    )
    // Without `nowMs` the clock counts.
    assert.match(await refusal(body, signed(body, secret, 0), secret), /more than 300/)
  })

  it("refuses headers that are missing or malformed, and a secret that is none", async () => {
    for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"])
      assert.match(await refusal(body, { ...signed(body), [name]: undefined }, secret, { nowMs }), /must be there/)
    assert.match(
      await refusal(body, { ...signed(body), "webhook-timestamp": "now" }, secret, { nowMs }),
      /number of seconds/
    )
    for (const signature of ["v1,", "v1,!!!!", "abc", "v2,abcd"])
      assert.match(
        await refusal(body, { ...signed(body), "webhook-signature": signature }, secret, { nowMs }),
        /signature is not/
      )
    let problem: unknown
    await verifyWebhook(body, signed(body), "whsec_", { nowMs }).catch((cause) => (problem = cause))
    assert.instanceOf(problem, TypeError)
  })

  it("agrees with the library of Standard Webhooks about every body, and refuses it with any byte changed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 200 }), fc.nat(), async (text, place) => {
        const content = JSON.stringify({ type: "webhook.test", text })
        const key = Buffer.from(secret.slice(6), "base64")
        const headers = signed(content)
        const ours = createHmac("sha256", key)
          .update(`evt_1.${headers["webhook-timestamp"]}.${content}`)
          .digest("base64")
        assert.strictEqual(headers["webhook-signature"], `v1,${ours}`)
        assert.strictEqual(await refusal(content, headers, secret, { nowMs }), "none")
        const bytes = new TextEncoder().encode(content)
        bytes[place % bytes.length] ^= 1
        assert.match(await refusal(bytes, headers, secret, { nowMs }), /signature is not/)
      }),
      { numRuns: 200 }
    )
  })

  it.live("takes what the service sends, before, while and after the secret is rotated", () =>
    Effect.gen(function* () {
      const webhooks = yield* startWebhooks()
      yield* webhooks.worker
      yield* Effect.promise(async () => {
        const { tenant, contact, receiver, call } = webhooks
        const us = await tenant()
        const made = await call(us, "POST", "", { url: `${receiver.url}/hook`, events: ["contact.*"] })
        const first = String(made.body.secret)
        const asha = await contact(us, "Asha")
        const [before] = await comesAbout(
          "the first delivery",
          () => receiver.to("/hook").length === 1 && receiver.to("/hook")
        )
        const verified = await verifyWebhook(before.body, before.headers, first)
        assert.strictEqual(verified.type, "contact.created")
        if (verified.type !== "contact.created") return
        assert.deepStrictEqual({ ...verified.data.contact }, { ...asha })
        assert.strictEqual(verified.id, before.headers["webhook-id"])

        const rotated = await call(us, "POST", `/${made.body.id}/rotate-secret`, { overlapSeconds: 60 })
        const second = String(rotated.body.secret)
        await contact(us, "Ravi")
        const [, during] = await comesAbout(
          "the second delivery",
          () => receiver.to("/hook").length === 2 && receiver.to("/hook")
        )
        for (const one of [first, second, [second, first]])
          assert.strictEqual((await verifyWebhook(during.body, during.headers, one)).type, "contact.created")

        assert.match(await refusal(before.body, before.headers, second), /signature is not/)
        assert.match(await refusal(before.body, during.headers, first), /signature is not/)
      })
    }).pipe(Effect.scoped)
  )
})
