import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { ChannelAccounts } from "../../../../src/domain/messaging/channel/ChannelConnection.ts"
import { ChannelInbox, type NewInboxItem } from "../../../../src/domain/messaging/channel/ChannelInbox.ts"
import { makeTakeChannelWebhook } from "../../../../src/domain/messaging/channel/cloudapi/TakeChannelWebhook.ts"
import { headBytes, namedBy, namedIn, readWebhook } from "../../../../src/domain/messaging/channel/cloudapi/Webhook.ts"
import { InboxWakeUp } from "../../../../src/domain/messaging/channel/InboxWakeUp.ts"

const secret = "app-secret-0001"
const receiver = {
  organizationId: "org_1",
  phoneNumberId: "106540352242922",
  businessAccountId: "102290129340398",
  appSecret: secret
}

const documentOf = (count: number) => ({
  object: "whatsapp_business_account",
  entry: [
    {
      id: receiver.businessAccountId,
      changes: [
        {
          value: {
            messaging_product: "whatsapp",
            metadata: { display_phone_number: "15550783881", phone_number_id: receiver.phoneNumberId },
            contacts: [{ profile: { name: "Asha" }, wa_id: "919812345678" }],
            messages: Array.from({ length: count }, (_, n) => ({
              from: "919812345678",
              id: `wamid.${n}==`,
              type: "text",
              text: { body: `Where is my order number ${n}? नमस्ते`.repeat(5) }
            }))
          },
          field: "messages"
        }
      ]
    }
  ]
})

/** Takes webhooks for one connection, and records what is searched for and stored. */
const stage = Effect.gen(function* () {
  const searches: Array<unknown> = []
  const stores: Array<ReadonlyArray<NewInboxItem>> = []
  const accounts: Partial<ChannelAccounts["Service"]> = {
    receivers: (named) =>
      Effect.sync(() => {
        searches.push(named)
        const { phoneNumberIds, businessAccountIds } = named
        return phoneNumberIds.includes(receiver.phoneNumberId) ||
          businessAccountIds.includes(receiver.businessAccountId)
          ? [receiver]
          : []
      })
  }
  const inbox: Partial<ChannelInbox["Service"]> = {
    store: (_organizationId, items) =>
      Effect.sync(() => {
        stores.push(items)
        return items.length
      })
  }
  const take = yield* makeTakeChannelWebhook.pipe(
    Effect.provide(
      Layer.mergeAll(Layer.mock(ChannelAccounts, accounts), Layer.mock(ChannelInbox, inbox), InboxWakeUp.layer)
    )
  )
  const send = (text: string, { key = secret, searches = (id: string): boolean => id !== "" } = {}) => {
    const bytes = Buffer.from(text)
    const signature = `sha256=${createHmac("sha256", key).update(bytes).digest("hex")}`
    const chunks = Array.from({ length: Math.ceil(bytes.length / 50_000) }, (_, n) =>
      bytes.subarray(n * 50_000, (n + 1) * 50_000)
    )
    return take({ body: Stream.fromIterable(chunks), signature, searches })
  }
  return { send, searches, stores }
})

describe("a webhook of the messaging channel", () => {
  it.effect("is stored in parts of at most 100 messages, however large it is, after one search", () =>
    Effect.gen(function* () {
      const { send, searches, stores } = yield* stage
      const text = JSON.stringify(documentOf(2_050))
      assert.isAbove(text.length, 500_000)
      assert.deepInclude(yield* send(text), { stored: 2_050 })
      assert.deepStrictEqual([...new Set(stores.map(({ length }) => length))], [100, 50])
      const keys = stores.flat().map(({ deduplicationKey }) => deduplicationKey)
      assert.deepStrictEqual(
        [keys[0], keys.at(-1), new Set(keys).size],
        ["message:wamid.0==", "message:wamid.2049==", 2_050]
      )
      assert.lengthOf(searches, 1)
    })
  )

  it.effect("is parsed only when its signature is good", () =>
    Effect.gen(function* () {
      const { send, stores } = yield* stage
      const broken = JSON.stringify(documentOf(1)).slice(0, -1)
      assert.strictEqual((yield* Effect.flip(send(broken, { key: "wrong" })))._tag, "ChannelWebhookRefused")
      assert.strictEqual((yield* Effect.flip(send(broken)))._tag, "JsonInvalid")
      assert.lengthOf(stores, 0)
    })
  )

  it.effect("is refused without a search when nobody that it names may be searched for", () =>
    Effect.gen(function* () {
      const { send, searches } = yield* stage
      const refused = yield* Effect.flip(send(JSON.stringify(documentOf(1)), { searches: () => false }))
      assert.strictEqual(refused._tag, "ChannelWebhookRefused")
      assert.lengthOf(searches, 0)
    })
  )

  it("is searched for whom it names in its first 64 KB, for at most 100 names of each kind", () => {
    const document = documentOf(3)
    const found = namedIn(Buffer.from(JSON.stringify(document)))
    const named = namedBy(document)
    assert.includeMembers([...found.phoneNumberIds], [...(named?.phoneNumberIds ?? ["none"])])
    assert.deepStrictEqual(found.businessAccountIds, [receiver.businessAccountId])
    const many = Array.from({ length: 500 }, (_, n) => `{"id":"${n}"}`).join()
    assert.lengthOf(namedIn(Buffer.from(many)).businessAccountIds, 100)
    const late = Buffer.concat([Buffer.alloc(headBytes, " "), Buffer.from(JSON.stringify(document))])
    assert.deepStrictEqual(namedIn(late), { phoneNumberIds: [], businessAccountIds: [] })
  })

  it.effect(
    "is refused when it is nested deeper than 100 levels, whatever its size, and brackets in texts do not count",
    () =>
      Effect.gen(function* () {
        const { send, stores } = yield* stage
        const nested = (levels: number, pad = "") =>
          JSON.stringify(documentOf(1)).replace(
            '"type":"text"',
            `"type":"text","pad":"${pad}","more":${"[".repeat(levels)}${"]".repeat(levels)}`
          )
        for (const levels of [200, 9_000])
          for (const pad of ["", "x".repeat(400_000)])
            assert.strictEqual((yield* Effect.flip(send(nested(levels, pad))))._tag, "JsonInvalid")
        assert.lengthOf(stores, 0)
        assert.deepInclude(yield* send(nested(50, "[".repeat(9_000))), { stored: 1 })
        assert.deepInclude(yield* send(nested(50, `\\\\\\"${"{[".repeat(200_000)}`)), { stored: 1 })
      })
  )

  it("is cleaned for the database only where it becomes an item, not once more for each part", () => {
    let read = 0
    const contacts = Array.from({ length: 1_000 }, (_, n) => ({
      wa_id: `${n}`,
      get profile() {
        read++
        return { name: "Asha\0" }
      }
    }))
    const value = { metadata: { phone_number_id: "1" }, contacts, messages: [{ id: "wamid.1", from: "7" }] }
    const document = {
      object: "whatsapp_business_account",
      entry: [{ id: "1", changes: [{ field: "messages", value }] }]
    }
    const [told] = readWebhook(document)
    assert.deepInclude(told.items[0].payload, { contact: { wa_id: "7", profile: { name: "Asha\uFFFD" } } })
    assert.isAtMost(read, 2)
  })
})
