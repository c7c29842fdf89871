/** The channel's webhooks: they are verified, stored and answered at once, and processed once and in order, whatever they contain. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { newMessageId } from "../../../../simulators/channel/People.ts"
import { signatureOf, vendorJson } from "../../../../simulators/channel/Webhooks.ts"
import { inboxLeaseMs } from "../../../../src/actors/messaging/inbox/InboxWorker.ts"
import { ChannelInbox } from "../../../../src/domain/messaging/channel/ChannelInbox.ts"
import type { Message } from "../../../../src/domain/messaging/conversations/Message.ts"
import { Contacts } from "../../../../src/domain/people/contacts/Contact.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { described } from "../../../contract/vendors.ts"
import { webhookExamples } from "../../../contract/WhatsApp.ts"
import { comesAbout } from "../../../support/eventually.ts"
import { playsInRealTime } from "../../../support/Slowness.ts"
import { newOrganization } from "../../../support/tenants.ts"
import { type InboxStage, inboxStage, person } from "./stage.ts"

playsInRealTime()

const story = (name: string, play: (stage: InboxStage) => Promise<void>, ...options: Parameters<typeof inboxStage>) =>
  storyIf(true, name, play, ...options)

/** A story that is skipped when a file that it needs is missing. */
const storyIf = (
  possible: boolean,
  name: string,
  play: (stage: InboxStage) => Promise<void>,
  ...options: Parameters<typeof inboxStage>
) =>
  (possible ? it.live : it.live.skip)(
    name,
    () => Effect.flatMap(inboxStage(...options), (stage) => Effect.promise(() => play(stage))).pipe(Effect.scoped),
    240_000
  )

const text = (body: string) => ({ type: "text", text: { body } })
const said = (messages: ReadonlyArray<Message>) => messages.map(({ content }) => content.text)

const post = (webhook: string, body: string, signature: string | undefined) =>
  fetch(webhook, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(signature === undefined ? {} : { "x-hub-signature-256": signature })
    },
    body
  })

const eventTypes = ({ run, organizationId }: InboxStage) =>
  run(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      tenant(organizationId)(sql<{ type: string }>`SELECT type FROM events ORDER BY position`)
    )
  ).then((rows) => rows.map(({ type }) => type))

const count = ({ run, organizationId }: InboxStage, state: string) =>
  run(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      tenant(organizationId)(sql<{ n: number }>`SELECT count(*)::int AS n FROM channel_inbox WHERE state = ${state}`)
    )
  ).then(([{ n }]) => n)

const settled = (stage: InboxStage) => comesAbout("no item waits", async () => (await count(stage, "waiting")) === 0)

describe("the inbox of the messaging channel", () => {
  story("makes a contact, a conversation and a message when a person writes", async (stage) => {
    const { api, number, received, call } = stage
    api.write(number.phoneNumberId, person, text("Is my order ready? 👋"))
    const [message] = await received(1)
    assert.deepInclude(message, { direction: "inbound", type: "text", status: "received", sentBy: null })
    assert.deepStrictEqual(message.content, { text: "Is my order ready? 👋" })
    const contact = (await call("GET", `/contacts/${message.contactId}`)).body
    assert.deepInclude(contact, { phone: "+919812345678", name: "Asha Rao", optedIn: false })
    assert.deepStrictEqual(contact.identities, [{ channel: "messaging", userId: person.userId }])
    const chat = (await call("GET", `/chats/${message.conversationId}`)).body
    assert.deepInclude(chat, { status: "OPEN", unreadCount: 1, channel: "messaging" })
    assert.isTrue((chat.window as { open: boolean }).open)
    assert.includeMembers(await eventTypes(stage), ["contact.created", "conversation.created", "message.received"])
  })

  storyIf(described, "takes each of the sixteen webhooks of the vendor's description", async (stage) => {
    const { api, number, received, connect, webhook, call } = stage
    const theirs = { ...number, phoneNumberId: "106540352242922", accountId: "102290129340398" }
    api.accounts.addNumber(theirs)
    await connect(theirs)
    for (const [name, example] of Object.entries(webhookExamples)) {
      // Some of the examples share an id.
      const told = JSON.parse(JSON.stringify(example))
      for (const message of told.entry[0].changes[0].value.messages ?? []) message.id = newMessageId()
      const body = vendorJson(told)
      assert.strictEqual((await post(webhook, body, signatureOf(number.appSecret, body))).status, 200, name)
    }
    const messages = await received(13)
    const kinds = messages.map(({ type }) => type).toSorted()
    assert.deepStrictEqual(kinds, [
      ...["button", "contact", "image", "interactive", "interactive", "location", "order", "reaction", "system"],
      ...["text", "text", "text", "unsupported"]
    ])
    const of = (type: string) => messages.filter((message) => message.type === type).map(({ content }) => content)
    assert.deepInclude(of("unsupported")[0], { channelType: "unsupported" })
    assert.deepStrictEqual(
      of("interactive")
        .map((content) => content.text)
        .toSorted(),
      ["Cancel", "Priority Mail Express"]
    )
    assert.deepInclude(of("image")[0], { caption: "Taj Mahal", mimeType: "image/jpeg" })
    assert.isTrue(of("text").some(({ referral }) => (referral as { source_type: string })?.source_type === "ad"))
    assert.isTrue(of("text").some(({ referredProduct }) => referredProduct !== undefined))
    assert.deepInclude(of("location")[0], { name: "Philz Coffee" })
    await settled(stage)
    assert.strictEqual(await count(stage, "failed"), 0)
    const confirmed = (await stage.messages()).filter(({ direction }) => direction === "outbound")
    assert.lengthOf(confirmed, 1, "who tapped Unsubscribe is told that it was heard")
    const moved = (await call("GET", "/contacts?search=2195555358")).body
    assert.strictEqual(moved.total, 1, "the number that the system message tells of")
  })

  story("refuses webhooks that are unsigned, signed by others, or for an unknown number", async (stage) => {
    const { number, webhook, messages } = stage
    const value = (phoneNumberId: string) => ({
      object: "whatsapp_business_account",
      entry: [
        {
          id: "1",
          changes: [
            {
              field: "messages",
              value: {
                metadata: { phone_number_id: phoneNumberId },
                messages: [{ id: newMessageId(), from: "919812345678", timestamp: "1", ...text("Let me in") }]
              }
            }
          ]
        }
      ]
    })
    const body = vendorJson(value(number.phoneNumberId))
    const status = async (given: string, signature: string | undefined) =>
      (await post(webhook, given, signature)).status
    assert.strictEqual(await status(body, undefined), 403)
    assert.strictEqual(await status(body, signatureOf("another secret", body)), 403)
    assert.strictEqual(await status(`${body} `, signatureOf(number.appSecret, body)), 403)
    const foreign = vendorJson(value("1999999999"))
    assert.strictEqual(await status(foreign, signatureOf(number.appSecret, foreign)), 403)
    for (const nothing of ["{}", '{"object":"page","entry":[]}', "", "no JSON", "[1,2", "7"])
      assert.strictEqual(await status(nothing, signatureOf(number.appSecret, nothing)), 403)
    const broken = body.slice(0, -1)
    assert.strictEqual(await status(broken, signatureOf(number.appSecret, broken)), 400)
    assert.deepStrictEqual(await messages(), [])
    const verify = (query: string) => fetch(`${webhook}?${query}`)
    const good = await verify("hub.mode=subscribe&hub.verify_token=verify-me-1234&hub.challenge=1158201444")
    assert.deepStrictEqual([good.status, await good.text()], [200, "1158201444"])
    for (const bad of [
      "hub.mode=subscribe&hub.verify_token=guess&hub.challenge=1",
      "hub.mode=subscribe&hub.verify_token=&hub.challenge=1",
      "hub.mode=unsubscribe&hub.verify_token=verify-me-1234&hub.challenge=1",
      "hub.mode=subscribe&hub.verify_token=verify-me-1234&hub.challenge=%3Cscript%3E",
      ""
    ])
      assert.strictEqual((await verify(bad)).status, 403, bad)
  })

  story("does not parse unsigned webhooks, and refuses more entries than the channel would send", async (stage) => {
    const { number, webhook } = stage
    const { phoneNumberId, appSecret } = number
    const metadata = { phone_number_id: phoneNumberId }
    const telling = (...values: ReadonlyArray<string>) => {
      const changes = values.map((value) => `{"field":"messages","value":${value}}`).join()
      return `{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[${changes}]}]}`
    }
    const status = async (body: string, secret: string) => (await post(webhook, body, signatureOf(secret, body))).status
    // Processing this would overflow the stack.
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`
    const bottomless = telling(JSON.stringify({ metadata, what: 0 }).replace('"what":0', `"what":${deep}`))
    assert.strictEqual(await status(bottomless, "another secret"), 403)
    const own = JSON.stringify({ metadata })
    const many = telling(...Array.from({ length: 20_000 }, () => own))
    const manyPeople = telling(JSON.stringify({ metadata, contacts: Array.from({ length: 80_000 }, () => ({})) }))
    const manyNumbers = telling(
      ...Array.from({ length: 200 }, (_, n) => JSON.stringify({ metadata: { phone_number_id: `1${n}` } })),
      own
    )
    for (const absurd of [many, manyPeople, manyNumbers]) assert.strictEqual(await status(absurd, appSecret), 403)
    assert.strictEqual(await count(stage, "waiting"), 0)
    const most = telling(...Array.from({ length: 1_000 }, (_, n) => JSON.stringify({ metadata, n })))
    assert.strictEqual(await status(most, appSecret), 200)
  })

  story("answers webhooks while none can be processed, and processes them afterwards", async (stage) => {
    const { api, number, received, messages, run } = stage
    const [told, over] = await run(Effect.all([Deferred.make<void>(), Deferred.make<void>()]))
    // No contact can be created while this lock is held.
    const held = run(
      Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`LOCK TABLE contacts IN SHARE ROW EXCLUSIVE MODE`
            yield* Deferred.succeed(told, undefined)
            yield* Deferred.await(over)
          })
        )
      )
    )
    await run(Deferred.await(told))
    // More than there are connections to the database.
    const guests = Array.from({ length: 12 }, (_, n) => `Hello ${n}`)
    for (const [n, words] of guests.entries())
      api.write(number.phoneNumberId, { ...person, waId: String(919_812_345_600 + n), userId: `IN.${n}` }, text(words))
    await api.webhooks.settled()
    assert.deepStrictEqual(
      api.webhooks.deliveries.map(({ status, attempts }) => [status, attempts]),
      guests.map(() => [200, 1])
    )
    assert.strictEqual(await count(stage, "waiting"), 12)
    assert.deepStrictEqual(await messages(), [])
    await run(Deferred.succeed(over, undefined))
    await held
    assert.sameMembers(said(await received(12)), guests)
  })

  story("applies webhooks that come repeatedly and out of order only once", async (stage) => {
    const { api, number, received, messages, call } = stage
    api.webhooks.faults.duplicates = 2
    const ids = ["one", "two", "three"].map((word) => api.write(number.phoneNumberId, person, text(word))[0])
    await received(3)
    api.webhooks.faults.hold = true
    const ours = { id: newMessageId(), to: "919812345678", byUserId: false, callbackData: undefined }
    for (const status of ["sent", "delivered", "read"] as const) api.report(number.phoneNumberId, ours, status)
    api.webhooks.release("shuffled")
    await api.webhooks.settled()
    await settled(stage)
    const all = await messages()
    assert.sameMembers(
      all.map(({ channelMessageId }) => String(channelMessageId)),
      ids
    )
    assert.deepInclude((await call("GET", `/chats/${all[0].conversationId}`)).body, { unreadCount: 3 })
    assert.strictEqual((await eventTypes(stage)).filter((type) => type === "message.received").length, 3)
  })

  story(
    "keeps the order of one person's messages with several processes at work",
    async (stage) => {
      const { api, number, received } = stage
      const words = Array.from({ length: 12 }, (_, i) => String(i))
      api.write(number.phoneNumberId, person, ...words.map(text))
      api.write(number.phoneNumberId, { waId: "14155550101" }, text("between"))
      const messages = (await received(13)).filter(({ content }) => content.text !== "between")
      assert.deepStrictEqual(said(messages), words)
    },
    {},
    3
  )

  story("only moves a message's status forward, and finds the message by our own id too", async (stage) => {
    const { api, number, send, call } = stage
    const { body } = await send({ to: "+919812345678", type: "text", text: "Ready" })
    const ours = { id: newMessageId(), to: "919812345678", byUserId: false, callbackData: String(body.messageId) }
    const shown = async (id: unknown) =>
      ((await call("GET", "/messages")).body.data as ReadonlyArray<Message>).find((message) => message.id === id)
    /** Waits until `good` accepts the message, and gives it. */
    const becomes = (what: string, id: unknown, good: (message: Message) => boolean) =>
      comesAbout(what, async () => {
        const message = await shown(id)
        return message !== undefined && good(message) && message
      })
    api.report(number.phoneNumberId, ours, "read")
    const read = await becomes("it was read", body.messageId, ({ status }) => status === "read")
    assert.deepInclude(read, { status: "read", channelMessageId: ours.id, deliveredAt: null })
    api.report(number.phoneNumberId, ours, "delivered")
    await becomes("it was delivered, too", body.messageId, ({ deliveredAt }) => typeof deliveredAt === "string")
    assert.strictEqual((await shown(body.messageId))?.status, "read")

    const { body: second } = await send({ to: "+919812345678", type: "text", text: "Again" })
    api.report(
      number.phoneNumberId,
      { ...ours, id: newMessageId(), callbackData: String(second.messageId) },
      "failed",
      131047
    )
    const { failure } = await becomes("it failed", second.messageId, ({ status }) => status === "failed")
    assert.strictEqual(failure?.code, "131047")
    assert.match(String(failure?.reason), /24 hours ago/)
  })

  story(
    "fetches files after their message is stored, retries, and reports files that cannot be fetched",
    async (stage) => {
      const { api, number, received, messages } = stage
      const pdf = Buffer.from("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n")
      api.faults.failOthers = 2
      api.writeFile(number.phoneNumberId, person, "document", {
        mimeType: "application/pdf",
        bytes: pdf,
        filename: "a.pdf"
      })
      await received(1)
      const withFile = await comesAbout("the file was fetched", async () =>
        (await messages()).find(({ content }) => content.mediaId !== undefined)
      )
      assert.match(String(withFile.content.mediaId), /^med_/)
      assert.deepInclude(withFile.content, { filename: "a.pdf", mimeType: "application/pdf" })
      assert.include(await eventTypes(stage), "message.updated")
      const [gone] = api.write(number.phoneNumberId, person, {
        type: "image",
        image: { id: "404404", mime_type: "image/png" }
      })
      const missing = await comesAbout("a file was given up", async () =>
        (await messages()).find(({ content }) => content.mediaError !== undefined)
      )
      assert.strictEqual(missing.channelMessageId, gone)
      assert.match(String(missing.content.mediaError), /could not be fetched/)
    }
  )

  story("goes on with messages while files cannot be fetched", async (stage) => {
    const { api, number, received } = stage
    api.faults.mediaDelayMs = 600_000
    for (let n = 0; n < 40; n++)
      api.writeFile(number.phoneNumberId, { waId: String(919_812_345_600 + n) }, "image", {
        mimeType: "image/png",
        bytes: Buffer.from(`file ${n}`)
      })
    await received(40)
    api.write(number.phoneNumberId, person, text("Are you there?"))
    const messages = await received(41)
    assert.include(said(messages), "Are you there?")
    const { content } = messages[0]
    assert.deepStrictEqual(
      [content.mediaId, content.mediaError],
      [undefined, undefined],
      "no file has come or been given up"
    )
  })

  story(
    "goes on with messages while the channel does not list the templates that it announces",
    async (stage) => {
      const { api, number, received, run, keyOf, connect } = stage
      // More than the inbox works on at once.
      const others = Array.from({ length: 5 }, () => api.accounts.addNumber())
      for (const other of others) {
        const { id } = await run(newOrganization())
        const { secret } = await run(keyOf(id, ["admin", "status:read"]))
        await connect(other, secret)
      }
      api.faults.latencyMs = 600_000
      const value = { event: "APPROVED", message_template_id: 1, message_template_name: "offer" }
      for (const { accountId } of others) api.tellAccount(accountId, "message_template_status_update", value)
      await api.webhooks.settled()
      // By now all of them are being worked on, or would be.
      await new Promise((resolve) => setTimeout(resolve, 2_000))
      api.write(number.phoneNumberId, person, text("Are you there?"))
      assert.deepStrictEqual(said(await received(1)), ["Are you there?"])
    },
    {},
    1,
    240_000
  )

  story("links answers and reactions to the messages that they are about", async (stage) => {
    const { api, number, received } = stage
    const [first] = api.write(number.phoneNumberId, person, text("What do you think?"))
    const [original] = await received(1)
    api.write(number.phoneNumberId, person, { ...text("This one"), context: { id: first, from: "1" } })
    // One after the other: webhooks under way together arrive in any order.
    await received(2)
    api.write(number.phoneNumberId, person, { type: "reaction", reaction: { message_id: first, emoji: "👍" } })
    await received(3)
    api.write(number.phoneNumberId, person, { type: "reaction", reaction: { message_id: first } })
    const [, answer, reaction, undone] = await received(4)
    assert.deepStrictEqual(answer.replyTo, { messageId: original.id, channelMessageId: first })
    assert.deepStrictEqual(reaction.content, { emoji: "👍", messageId: original.id, channelMessageId: first })
    assert.strictEqual(undone.content.emoji, "")
  })

  story("knows people without a number, and keeps their contact when their id changes", async (stage) => {
    const { api, number, received, call, run, organizationId } = stage
    api.write(number.phoneNumberId, { userId: "IN.1", name: "Ravi", username: "ravi" }, text("No number"))
    const [message] = await received(1)
    const contact = (await call("GET", `/contacts/${message.contactId}`)).body
    assert.deepInclude(contact, { phone: null, name: "Ravi" })
    api.tell(number.phoneNumberId, "user_id_update", {
      user_id_update: [{ detail: "changed", user_id: { previous: "IN.1", current: "IN.2" }, timestamp: "1" }]
    })
    const find = Effect.flatMap(Contacts, (contacts) => contacts.find(organizationId, message.contactId))
    await comesAbout("the other id is known", async () => (await run(find))?.identities[0].userId === "IN.2")
    api.write(number.phoneNumberId, { userId: "IN.2", name: "Ravi" }, text("Still me"))
    const [, second] = await received(2)
    assert.deepStrictEqual([second.contactId, second.conversationId], [message.contactId, message.conversationId])
  })

  story("reopens a resolved conversation when the contact writes", async (stage) => {
    const { api, number, received, call } = stage
    api.write(number.phoneNumberId, person, text("First"))
    const [{ conversationId }] = await received(1)
    await call("PATCH", `/chats/${conversationId}`, { status: "RESOLVED" })
    api.write(number.phoneNumberId, person, text("Second"))
    const [, second] = await received(2)
    assert.strictEqual(second.conversationId, conversationId)
    assert.strictEqual((await call("GET", `/chats/${conversationId}`)).body.status, "OPEN")
  })

  story(
    "keeps an item that cannot be processed with its error, counts it, and goes on with the others",
    async (stage) => {
      const { api, number, received, run, organizationId } = stage
      api.tell(number.phoneNumberId, "messages", {
        messages: [{ timestamp: "1", type: "text", text: { body: "from nobody" } }]
      })
      api.tell(number.phoneNumberId, "messages", { messages: [{ id: "wamid.x", from: "", type: "text" }] })
      api.tell(number.phoneNumberId, "messages", {
        messages: [{ id: "wamid.y", from: "919812345678", type: "\u0000", odd: "\ud800" }]
      })
      api.write(number.phoneNumberId, person, text("Still here"))
      assert.include(said(await received(2)), "Still here")
      await comesAbout("two items failed", async () => (await count(stage, "failed")) === 2)
      const failed = await run(Effect.flatMap(ChannelInbox, (inbox) => inbox.failed(organizationId)))
      assert.deepStrictEqual(
        failed.map(({ kind }) => kind),
        ["message", "message"]
      )
      assert.match(failed[0].error, /nobody it is from/)
      const again = await run(Effect.flatMap(ChannelInbox, (inbox) => inbox.retryFailed(organizationId, Date.now())))
      assert.strictEqual(again, 2)
      await comesAbout("they failed again", async () => (await count(stage, "failed")) === 2)
    }
  )

  story(
    "processes items that came while no worker was running, and keeps none of their content in the inbox",
    async (stage) => {
      const { api, number, received, run, organizationId, startWorker } = stage
      api.write(number.phoneNumberId, person, text("Anybody there?"))
      await api.webhooks.settled()
      assert.lengthOf(await stage.messages(), 0)
      await run(
        Effect.scoped(
          Effect.andThen(
            startWorker,
            Effect.promise(() => received(1).then(() => settled(stage)))
          )
        )
      )
      assert.deepStrictEqual(said(await stage.messages()), ["Anybody there?"])
      const rows = await run(
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          tenant(organizationId)(sql`SELECT payload, state FROM channel_inbox`)
        )
      )
      assert.deepStrictEqual(rows, [{ payload: null, state: "done" }])
    },
    {},
    0
  )

  story(
    "takes over the items of a process that died within 10 s",
    async ({ api, number, received, run, startWorker }) => {
      api.write(number.phoneNumberId, person, text("Anybody there?"))
      await api.webhooks.settled()
      const places = { free: 3, perOrganization: 3, underWay: [] }
      const diedMs = 10_000 - 1_000
      const [item] = await run(
        Effect.flatMap(ChannelInbox, (inbox) => {
          const long = Date.now() + 1_000
          return inbox.claim(long, inboxLeaseMs - diedMs, { items: places, files: places })
        })
      )
      assert.strictEqual(item.kind, "message")
      await run(
        Effect.scoped(
          Effect.andThen(
            startWorker,
            Effect.promise(() => received(1))
          )
        )
      )
    },
    {},
    0
  )

  story(
    "leaves an item to a process that is slow with it",
    async (stage) => {
      const { api, number, received, run, organizationId } = stage
      await run(
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`LOCK TABLE contacts IN SHARE ROW EXCLUSIVE MODE`
              api.write(number.phoneNumberId, person, text("Slowly"))
              yield* Effect.sleep("5 seconds")
            })
          )
        )
      )
      assert.deepStrictEqual(said(await received(1)), ["Slowly"])
      await settled(stage)
      const claims = await run(
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          tenant(organizationId)(sql<{ attempts: number }>`SELECT attempts FROM channel_inbox`)
        )
      )
      assert.deepStrictEqual(claims, [{ attempts: 1 }])
    },
    {},
    2,
    2_000,
    { leaseMs: 2_500 }
  )
})
