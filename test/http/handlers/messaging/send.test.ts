/** Sending as a client sees it: the answers, the stored messages, the refusals. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Templates } from "../../../../src/domain/messaging/templates/Templates.ts"
import { Contacts } from "../../../../src/domain/people/contacts/Contact.ts"
import { template } from "../../../support/channel.ts"
import { type Messaging, startMessaging } from "../../../support/messaging.ts"
import { everyType } from "../../../support/outgoing.ts"

/** The channel's templates, as they were synced. */
const synced = [
  template({ name: "offer", components: [{ type: "BODY", text: "New in the shop." }] }),
  template({
    components: [
      { type: "HEADER", format: "IMAGE" },
      { type: "BODY", text: "Hello {{1}}, your order is on its way." },
      { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "Thanks" }] }
    ]
  })
]

const story = (name: string, tell: (messaging: Messaging) => Promise<void>) =>
  it.live(
    name,
    () =>
      Effect.flatMap(startMessaging, (messaging) =>
        Effect.promise(async () => {
          const { organizationId, run } = messaging
          await run(Effect.flatMap(Templates, (templates) => templates.replace(organizationId, synced, Date.now())))
          await tell(messaging)
        })
      ),
    240_000
  )

const to = "+14155550101"
const text = { to, type: "text", text: "Your order is ready." }

describe("POST /send", () => {
  story("stores the message in the recipient's conversation and answers that it is queued", async ({ call }) => {
    const sent = await call("POST", "/send", text)
    assert.strictEqual(sent.status, 200)
    const { messageId, conversationId, contactId, status } = sent.body
    assert.strictEqual(status, "queued")
    assert.deepInclude((await call("GET", `/contacts/${contactId}`)).body, { phone: to, optedIn: false })
    const { body } = await call("GET", `/chats/${conversationId}`)
    assert.deepInclude(body, { status: "OPEN", channel: "messaging", unreadCount: 0 })
    const [message] = body.messages as ReadonlyArray<Record<string, unknown>>
    const content = { text: "Your order is ready." }
    assert.deepInclude(message, { id: messageId, direction: "outbound", type: "text", content, status: "queued" })
    const again = await call("POST", "/send", { ...text, to: "+1 (415) 555-0101", text: "And paid." })
    assert.deepInclude(again.body, { conversationId, contactId })
  })

  story("accepts all ten types, keeps their fields, and refuses others", async (messaging) => {
    const { call, conversation } = messaging
    const { conversationId } = await conversation(to, "Hello")
    const { body } = await call("GET", `/chats/${conversationId}`)
    const [hello] = body.messages as ReadonlyArray<{ id: string }>
    for (const { type, ...content } of everyType(hello.id)) {
      const refused = await call("POST", "/send", { to, type, ...content, colour: "red", replyTo: hello.id })
      assert.strictEqual(refused.status, 400)
      assert.match(String(refused.body.error), /^colour is not a known field\. The fields are to, type, /)
      const sent = await call("POST", "/send", { to, type, ...content, replyTo: hello.id })
      assert.strictEqual(sent.status, 200, `${type}: ${JSON.stringify(sent.body)}`)
      const { body } = await call("GET", `/chats/${conversationId}?limit=1`)
      const [stored] = body.messages as ReadonlyArray<Record<string, unknown>>
      assert.deepInclude(stored, { id: sent.body.messageId, type, content })
      assert.deepInclude(stored.replyTo as object, { messageId: hello.id })
    }
  })

  story("takes two spellings of one number as one contact", async ({ call }) => {
    const ids = new Set<unknown>()
    for (const number of ["+5511987654321", "+551187654321", "+55 11 98765-4321"])
      ids.add((await call("POST", "/send", { ...text, to: number })).body.contactId)
    for (const number of ["+5215512345678", "+525512345678"])
      ids.add((await call("POST", "/send", { ...text, to: number })).body.contactId)
    assert.strictEqual(ids.size, 2)
  })

  story(
    "accepts 20 messages an hour to one recipient, then answers 429 with the exact time to wait",
    async ({ call }) => {
      for (let i = 1; i <= 20; i++) {
        const { status, headers } = await call("POST", "/send", text)
        assert.deepStrictEqual([status, headers.get("ratelimit-remaining")], [200, String(20 - i)])
      }
      const { status, headers, body } = await call("POST", "/send", text)
      assert.strictEqual(status, 429)
      const seconds = Number(headers.get("retry-after"))
      assert.isTrue(seconds > 3_500 && seconds <= 3_600)
      assert.strictEqual(
        body.error,
        `Too many messages to this recipient: 20 are allowed in 1h. Try again in ${seconds} seconds.`
      )
      assert.strictEqual((await call("POST", "/send", { ...text, to: "+14155550102" })).status, 200)
      assert.strictEqual((await call("GET", "/messages")).body.total, 21)
    }
  )

  story("sends once when a request with an Idempotency-Key is repeated", async ({ call, send, key }) => {
    const once = () => send(text, key, { "idempotency-key": "order-7" })
    const [first, ...others] = [await once(), await once(), await once()]
    assert.strictEqual(first.status, 200)
    for (const other of others) assert.deepStrictEqual([other.status, other.body], [200, first.body])
    assert.strictEqual((await call("GET", "/messages")).body.total, 1)
  })

  story(
    "refuses templates to a contact who opted out, but not other messages",
    async ({ call, run, organizationId }) => {
      const template = { to, type: "template", templateName: "offer", language: "en_US", components: [] }
      const save = (optedIn: boolean) =>
        run(Effect.flatMap(Contacts, (contacts) => contacts.save(organizationId, { phone: to, optedIn }, "key_1")))
      assert.strictEqual((await call("POST", "/send", template)).status, 200)
      await save(true)
      await save(false)
      const refused = await call("POST", "/send", template)
      assert.strictEqual(refused.status, 403)
      assert.match(String(refused.body.error), /^\+14155550101 has opted out/)
      assert.strictEqual((await call("POST", "/send", text)).status, 200)
      await save(true)
      assert.strictEqual((await call("POST", "/send", template)).status, 200)
    }
  )

  story("refuses a template message that does not match the channel's template", async ({ call }) => {
    const offer = { to, type: "template", templateName: "offer", language: "en_US", components: [] }
    for (const [changes, sentence] of [
      [{ templateName: "offers" }, /no template named offers/],
      [{ language: "hi_IN" }, /does not exist in hi_IN; it exists in en_US/],
      [
        { components: [{ type: "body", parameters: [{ type: "text", text: "x" }] }] },
        /the body .* takes no parameters/
      ],
      [{ templateName: "order_update" }, /the header needs 1 parameter, and 0 came/]
    ] as const) {
      const refused = await call("POST", "/send", { ...offer, ...changes })
      assert.strictEqual(refused.status, 400)
      assert.match(String(refused.body.error), sentence)
    }
    assert.strictEqual((await call("GET", "/messages")).body.total, 0)
  })

  story("reaches a contact without a number by the contact's id", async ({ call, run, organizationId }) => {
    const { id } = await run(
      Effect.flatMap(Contacts, (contacts) =>
        contacts.identify(organizationId, "messaging", { userId: "IN.13491208655302741918", name: "Asha" })
      )
    )
    assert.deepInclude((await call("POST", "/send", { ...text, to: id })).body, { contactId: id, status: "queued" })
  })

  story("needs the scope, and reaches no contact of another organization", async (messaging) => {
    const { call, send, run, keyOf, organizationId, otherKey, conversation } = messaging
    const { secret: mute } = await run(keyOf(organizationId, ["messages:read"]))
    assert.strictEqual((await send(text, mute)).status, 403)
    assert.strictEqual((await send(text, "mk_unknown")).status, 401)
    const { contactId, conversationId } = await conversation(to, "Hello")
    const { body } = await call("GET", `/chats/${conversationId}`)
    const [{ id }] = body.messages as ReadonlyArray<{ id: string }>
    const foreign = [
      { ...text, to: contactId },
      { ...text, replyTo: id },
      { to, type: "reaction", messageId: id, emoji: "👍" }
    ]
    for (const request of foreign) assert.strictEqual((await send(request, otherKey)).status, 404)
    const own = await send(text, otherKey)
    assert.notStrictEqual(own.body.contactId, contactId)
    assert.strictEqual((await call("GET", "/messages")).body.total, 1)
  })
})
