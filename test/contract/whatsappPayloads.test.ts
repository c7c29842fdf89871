/** Every message that we send to the channel matches the vendor's description, whatever its content. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { readMessage } from "../../simulators/channel/Messages.ts"
import { mediaIdsOf, payloadOf } from "../../src/domain/messaging/channel/cloudapi/Payload.ts"
import { appSecretProof, signedDigest, WebhookCheck } from "../../src/domain/messaging/channel/cloudapi/Signature.ts"
import type { OutgoingMessage, SendableType } from "../../src/domain/messaging/channel/MessagingChannel.ts"
import { described } from "./vendors.ts"
import { messageProblem } from "./WhatsApp.ts"

const webhookSignatureIsValid = (appSecret: string, signature: string | undefined, body: Uint8Array): boolean => {
  const [digest, check] = [signedDigest(signature), new WebhookCheck(appSecret)]
  for (let at = 0; at < body.length; at += 7) check.update(body.subarray(at, at + 7))
  return digest !== undefined && check.fits(digest)
}

const outgoing = (type: SendableType, content: OutgoingMessage["content"], more: Partial<OutgoingMessage> = {}) => ({
  organizationId: "org_1",
  messageId: "msg_01KAJ3",
  to: { phone: "+919812345678" },
  type,
  content,
  ...more
})

const words = (most: number) =>
  fc.string({ unit: "grapheme", minLength: 1, maxLength: Math.floor(most / 8) }).filter((text) => text.trim() !== "")
const optional = <A>(value: fc.Arbitrary<A>) => fc.option(value, { nil: undefined })
/** Without the fields that are undefined: stored content is JSON. */
const content = (record: fc.Arbitrary<object>) => record.map((value) => JSON.parse(JSON.stringify(value)))

const source = fc.oneof(
  fc.record({ mediaUrl: fc.webUrl({ validSchemes: ["https"] }) }),
  fc.record({ mediaId: fc.constantFrom("med_1", "med_2") })
)
const media = (more: fc.Arbitrary<object> = fc.constant({})) =>
  content(fc.tuple(source, more).map(([from, rest]) => ({ ...from, ...rest })))
const caption = optional(words(1_024))

const parameter = fc.oneof(
  words(60).map((text) => ({ type: "text", text })),
  fc.record({ type: fc.constant("image"), image: fc.record({ link: fc.webUrl() }) }),
  fc.constant({ type: "currency", currency: { fallback_value: "$1", code: "USD", amount_1000: 1_000 } })
)
const component = fc.oneof(
  fc.record({ type: fc.constantFrom("body", "BODY", "header"), parameters: fc.array(parameter, { maxLength: 3 }) }),
  fc.record({
    type: fc.constantFrom("button", "BUTTON"),
    sub_type: fc.constantFrom("quick_reply", "url"),
    index: fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constantFrom("0", "1")),
    parameters: fc.constant([{ type: "payload", payload: "YES" }])
  })
)
const card = fc.record({
  name: fc.record({ formatted_name: words(200), first_name: words(100) }),
  phones: fc.array(fc.record({ phone: fc.constant("+14155550123"), type: fc.constant("WORK") }), { maxLength: 3 }),
  org: fc.record({ company: words(100) })
})

const contents: Readonly<Record<SendableType, fc.Arbitrary<OutgoingMessage["content"]>>> = {
  text: content(fc.record({ text: words(4_096), previewUrl: optional(fc.boolean()) })),
  image: media(fc.record({ caption })),
  video: media(fc.record({ caption })),
  audio: media(),
  document: media(fc.record({ caption, filename: fc.constant("invoice.pdf") })),
  template: content(
    fc.record({
      templateName: fc.constant("order_update"),
      language: fc.constantFrom("en_US", "en", "pt-BR"),
      components: fc.array(component, { maxLength: 4 })
    })
  ),
  interactive: content(
    fc.record({
      interactive: fc.oneof(
        fc.record({
          type: fc.constant("button"),
          body: fc.record({ text: words(1_024) }),
          action: fc.constant({ buttons: [{ type: "reply", reply: { id: "yes", title: "Yes" } }] })
        }),
        fc.record({
          type: fc.constant("list"),
          body: fc.record({ text: words(4_096) }),
          action: fc.constant({ button: "Choose", sections: [{ title: "A", rows: [{ id: "1", title: "One" }] }] })
        })
      )
    })
  ),
  location: content(
    fc.record({
      latitude: fc.double({ min: -90, max: 90, noNaN: true }).map((value) => Number(value.toFixed(6))),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }).map((value) => Number(value.toFixed(6))),
      name: words(100),
      address: optional(words(200))
    })
  ),
  contact: content(fc.record({ contacts: fc.array(card, { minLength: 1, maxLength: 5 }) })),
  reaction: content(
    fc.record({
      messageId: fc.constant("msg_1"),
      emoji: fc.constantFrom("👍", ""),
      channelMessageId: fc.constant("wamid.A=")
    })
  )
}

const idOf = (mediaId: string) => `10${mediaId.slice(4)}`
const recipients = fc.constantFrom({ phone: "+919812345678" }, { userId: "IN.13491208655302741918" })

describe("payloads of the messaging channel", () => {
  it.each(
    Object.keys(contents) as ReadonlyArray<SendableType>
  )("%s matches the vendor's description and is accepted", (type) => {
    fc.assert(
      fc.property(contents[type], recipients, fc.boolean(), (given, to, answers) => {
        const payload = payloadOf(outgoing(type, given, { to, ...(answers ? { replyTo: "wamid.B=" } : {}) }), idOf)
        assert.isUndefined(messageProblem(payload))
        const taken = readMessage(payload)
        assert.deepInclude(taken, { callbackData: "msg_01KAJ3", byUserId: "userId" in to })
        assert.strictEqual("context" in payload, answers && type !== "reaction")
        assert.notInclude(JSON.stringify(payload), "med_")
      }),
      { numRuns: 100 }
    )
  })

  it.skipIf(!described)("a wrong message does not match the vendor's description", () => {
    const text = payloadOf(outgoing("text", { text: "Hello" }), idOf)
    for (const wrong of [
      { ...text, type: "contact" },
      { ...text, text: { body: "Hello", color: "red" } },
      { ...text, surprise: true },
      { messaging_product: "whatsapp", type: "text", text: { body: "x" } }
    ])
      assert.isString(messageProblem(wrong))
  })

  it("a contact without a number is addressed by `recipient`, never by `to`", () => {
    const payload = payloadOf(outgoing("text", { text: "Hello" }, { to: { userId: "IN.1" } }), idOf)
    assert.deepStrictEqual([payload.recipient, payload.to, payload.recipient_type], ["IN.1", undefined, "individual"])
  })

  it("files are found and replaced wherever they stand in a message", () => {
    const message = outgoing("interactive", {
      interactive: {
        type: "button",
        header: { type: "image", image: { mediaId: "med_7" } },
        body: { text: "Which?" },
        action: { buttons: [{ type: "reply", reply: { id: "a", title: "A" } }] }
      }
    })
    assert.deepStrictEqual(mediaIdsOf(message), ["med_7"])
    const payload = payloadOf(message, idOf)
    assert.deepInclude((payload.interactive as { header: object }).header, { image: { id: "107" } })
    assert.isUndefined(messageProblem(payload))
  })
})

describe("signatures of the messaging channel", () => {
  it("agree with test vectors from another implementation", () => {
    const body = Buffer.from('{"object":"whatsapp_business_account","entry":[]}')
    const secret = "meta-app-secret-0001"
    const good = "sha256=664fa5428c0e714b057daef3e48db383dde69d8cb0b22b201154f8dbd50937c5"
    assert.isTrue(webhookSignatureIsValid(secret, good, body))
    assert.strictEqual(
      appSecretProof(secret, "EAAtoken"),
      "016b572baaab452954250ca9f9620dda639a199ddadac13d2b5e183b1fa1e661"
    )
    for (const [other, signature, bytes] of [
      ["meta-app-secret-0002", good, body],
      [secret, good, Buffer.concat([body, Buffer.from(" ")])],
      [secret, good.replace("sha256=", "sha1="), body],
      [secret, good.slice(0, -1), body],
      [secret, "", body],
      [secret, undefined, body]
    ] as const)
      assert.isFalse(webhookSignatureIsValid(other, signature, bytes))
  })
})
