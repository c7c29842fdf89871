/** Consent to messages, given over REST and by contacts themselves, on the real stores. Every answer is checked against `/openapi.json`. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Conversations } from "../../../../src/domain/messaging/conversations/Conversation.ts"
import { Messages } from "../../../../src/domain/messaging/conversations/Message.ts"
import { makeHearOptOut } from "../../../../src/domain/messaging/sending/HearOptOut.ts"
import { Recipients } from "../../../../src/domain/messaging/sending/Recipients.ts"
import { Templates } from "../../../../src/domain/messaging/templates/Templates.ts"
import { type ChannelPerson, Contacts } from "../../../../src/domain/people/contacts/Contact.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { template } from "../../../support/channel.ts"
import { directCommands } from "../../../support/directCommands.ts"
import { type Messaging, startMessaging } from "../../../support/messaging.ts"

const story = (name: string, tell: (messaging: Messaging) => Promise<void>) =>
  it.live(name, () => Effect.flatMap(startMessaging, (messaging) => Effect.promise(() => tell(messaging))))

const rows = ({ run, organizationId }: Messaging, statement: string) =>
  run(
    Effect.flatMap(SqlClient.SqlClient, (sql) => tenant(organizationId)(sql.unsafe<Record<string, unknown>>(statement)))
  )

const events = async (messaging: Messaging) =>
  (await rows(messaging, "SELECT type FROM events WHERE type LIKE 'contact.opted%' ORDER BY position")).map(
    ({ type }) => type
  )

/** The contact writes this text, and the service handles it. */
const writes = ({ run, organizationId }: Messaging, conversationId: string, text: string, times = 1) =>
  run(
    Effect.gen(function* () {
      const messages = yield* Messages
      const content = { text }
      const message = yield* messages.add(
        { organizationId, conversationId, direction: "inbound", type: "text", content },
        Date.now()
      )
      const hear = yield* makeHearOptOut.pipe(Effect.provide(directCommands))
      yield* Effect.all(
        Array.from({ length: times }, () => hear(message)),
        { discard: true }
      )
      const all = yield* messages.list(organizationId, {}, { page: 1, limit: 100 })
      return all.data.filter(({ direction }) => direction === "outbound").map((sent) => String(sent.content.text))
    }).pipe(Effect.orDie)
  )

/** The contact as the channel names it. */
const shows = ({ run, organizationId }: Messaging, person: ChannelPerson) =>
  run(Effect.flatMap(Contacts, (contacts) => contacts.identify(organizationId, "messaging", person)))

/** The conversation in which a contact without a number writes. */
const conversationOf = ({ run, organizationId }: Messaging, contactId: string) =>
  run(Effect.flatMap(Conversations, (all) => all.answering(organizationId, contactId, "messaging")))

/** Sends a template that the channel has; gives the status. */
const offerTo = async ({ call, run, organizationId }: Messaging, to: string) => {
  const synced = [template({ name: "offer", components: [{ type: "BODY", text: "New in the shop." }] })]
  await run(Effect.flatMap(Templates, (templates) => templates.replace(organizationId, synced, Date.now())))
  const offer = { to, type: "template", templateName: "offer", language: "en_US", components: [] }
  return (await call("POST", "/send", offer)).status
}
const historyOf = async ({ call }: Messaging, contactId: string) => {
  const { history } = (await call("GET", `/contacts/${contactId}/consent`)).body
  return (history as ReadonlyArray<{ action: string; text: string }>).map(({ action, text }) => [action, text])
}

describe("a contact's consent to messages", () => {
  story("is recorded once over REST with its evidence, in a ledger that outlives the contact", async (messaging) => {
    const { call } = messaging
    const phone = "+14155550111"
    const { body } = await call("POST", "/contacts", { phone })
    const path = `/contacts/${body.id}`
    const evidence = { source: "web form", text: "Send me offers.", at: "2026-05-01T10:00:00Z" }
    assert.deepInclude((await call("POST", `${path}/opt-in`, evidence)).body, { optedIn: true })
    await call("POST", `${path}/opt-in`, evidence)
    assert.deepInclude((await call("POST", `${path}/opt-out`, {})).body, { optedIn: false })
    const { body: consent } = await call("GET", `${path}/consent`)
    const history = consent.history as ReadonlyArray<Record<string, unknown>>
    assert.deepStrictEqual(history.map(({ action, source, text, at }) => [action, source, text, at]).slice(1), [
      ["granted", "web form", "Send me offers.", "2026-05-01T10:00:00.000Z"]
    ])
    assert.deepInclude(history[0], { action: "withdrawn", source: "API", text: "" })
    assert.deepStrictEqual(await events(messaging), ["contact.opted_in", "contact.opted_out"])
    await call("DELETE", path)
    const anew = await call("POST", "/contacts", { phone })
    const kept = (await call("GET", `/contacts/${anew.body.id}/consent`)).body
    assert.deepStrictEqual([kept.optedIn, (kept.history as ReadonlyArray<unknown>).length], [false, 2])
  })

  story(
    "is taken from the contact's own message, recorded with its words, sent as an event and confirmed once",
    async (messaging) => {
      const { call, conversation, run, organizationId } = messaging
      const { contactId, conversationId } = await conversation("+919812345678", "Hello")
      assert.deepStrictEqual(await writes(messaging, conversationId, "please stop by tomorrow"), [])
      // The message is processed twice, as after a crash: there is one entry and one confirmation.
      const stopped = await writes(messaging, conversationId, "बंद करो!", 2)
      assert.lengthOf(stopped, 1)
      assert.match(stopped[0], /START भेजें/)
      // The contact had never opted in. Its stop is recorded all the same.
      assert.deepStrictEqual(await events(messaging), ["contact.opted_out"])
      const recipient = await run(
        Effect.flatMap(Recipients, (recipients) => recipients.find(organizationId, { contactId }))
      )
      assert.isTrue(recipient?.optedOut)
      assert.lengthOf(await writes(messaging, conversationId, "STOP"), 1)
      const started = await writes(messaging, conversationId, "start")
      assert.lengthOf(started, 2)
      assert.deepInclude((await call("GET", `/contacts/${contactId}`)).body, { optedIn: true })
      const history = (await call("GET", `/contacts/${contactId}/consent`)).body.history as ReadonlyArray<
        Record<string, string>
      >
      assert.deepStrictEqual(
        history.map(({ action, text, recordedBy }) => [action, text, recordedBy]),
        [
          ["granted", "start", "system"],
          ["withdrawn", "बंद करो!", "system"]
        ]
      )
      assert.match(history[0].source, /^message msg_/)
      assert.deepStrictEqual(await events(messaging), ["contact.opted_out", "contact.opted_in"])
    }
  )

  story("counts for a contact without a number, and for a number that becomes known later", async (messaging) => {
    const { call } = messaging
    const phone = "+919812345678"
    const { id } = await shows(messaging, { userId: "IN.1" })
    await writes(messaging, await conversationOf(messaging, id), "STOP")
    assert.strictEqual(await offerTo(messaging, id), 403)
    const shown = await shows(messaging, { userId: "IN.1", phone })
    assert.deepStrictEqual([shown.id, shown.phone], [id, phone])
    assert.strictEqual(await offerTo(messaging, phone), 403)
    assert.deepStrictEqual(await historyOf(messaging, id), [["withdrawn", "STOP"]])

    // A number that is entered by hand.
    const other = await shows(messaging, { userId: "IN.2" })
    await writes(messaging, await conversationOf(messaging, other.id), "STOP")
    await call("PATCH", `/contacts/${other.id}`, { phone: "+919812345679" })
    assert.strictEqual(await offerTo(messaging, "+919812345679"), 403)
  })

  story(
    "is the latest statement under any of the contact's names, also when two contacts turn out to be one",
    async (messaging) => {
      const { call } = messaging
      const optedIn = async (contactId: string) => (await call("GET", `/contacts/${contactId}`)).body.optedIn
      const known = async (phone: string) => String((await call("POST", "/contacts", { phone, optedIn: true })).body.id)
      const hidden = await shows(messaging, { userId: "IN.1" })
      const stopped = await known("+919812345671")
      await writes(messaging, await conversationOf(messaging, hidden.id), "STOP")
      assert.strictEqual((await shows(messaging, { userId: "IN.1", phone: "+919812345671" })).id, stopped)
      assert.isFalse(await optedIn(stopped))
      assert.strictEqual(await offerTo(messaging, stopped), 403)
      assert.deepStrictEqual((await historyOf(messaging, stopped))[0], ["withdrawn", "STOP"])
      assert.strictEqual((await events(messaging)).at(-1), "contact.opted_out")

      // Consent that is given after that counts.
      const silent = await shows(messaging, { userId: "IN.2" })
      await writes(messaging, await conversationOf(messaging, silent.id), "STOP")
      const agreed = await known("+919812345672")
      await shows(messaging, { userId: "IN.2", phone: "+919812345672" })
      assert.isTrue(await optedIn(agreed))
      assert.deepStrictEqual(await historyOf(messaging, agreed), [["granted", ""]])
    }
  )

  story(
    "holds for the number of an erased contact: no template is sent, and no contact is created",
    async (messaging) => {
      const { call, conversation } = messaging
      const phone = "+919812345678"
      const { contactId, conversationId } = await conversation(phone, "Hello")
      await writes(messaging, conversationId, "STOP")
      assert.strictEqual((await call("DELETE", `/contacts/${contactId}`)).status, 200)
      assert.strictEqual(await offerTo(messaging, phone), 403)
      assert.deepStrictEqual(await rows(messaging, "SELECT id FROM contacts"), [])
      // A template to a number without any record is sent, and so is a message that is not a template.
      assert.strictEqual(await offerTo(messaging, "+919812345679"), 200)
      assert.strictEqual((await call("POST", "/send", { to: phone, type: "text", text: "Hello" })).status, 200)
      assert.strictEqual(await offerTo(messaging, phone), 403)
      // New consent counts.
      const [{ id }] = await rows(messaging, `SELECT id FROM contacts WHERE phone = '${phone}'`)
      await call("POST", `/contacts/${id}/opt-in`, {})
      assert.strictEqual(await offerTo(messaging, phone), 200)
    }
  )

  story("is also recorded for a contact without a number when it is changed with the contact", async (messaging) => {
    const { id } = await shows(messaging, { userId: "IN.1" })
    for (const optedIn of [true, false]) await messaging.call("PATCH", `/contacts/${id}`, { optedIn })
    const actions = (await historyOf(messaging, id)).map(([action]) => action)
    assert.deepStrictEqual(actions, ["withdrawn", "granted"])
    assert.strictEqual(await offerTo(messaging, id), 403)
  })

  story("is refused with a sentence when it is invalid, and then nothing is recorded", async (messaging) => {
    const { call, raw, keyOf, run, organizationId, otherKey } = messaging
    const { body } = await call("POST", "/contacts", { phone: "+14155550112" })
    const wrong: ReadonlyArray<readonly [field: string, values: ReadonlyArray<unknown>]> = [
      ["source", ["", "  ", "a\u0000b", "a\nb", "x".repeat(201), 1, null, {}]],
      ["text", ["", "a\u0000b", "x".repeat(5_001), 1, null, []]],
      ["at", ["yesterday", "2026-05-01", "2999-01-01T00:00:00Z", "", 1, null]]
    ]
    for (const way of ["opt-in", "opt-out"]) {
      const path = `/contacts/${body.id}/${way}`
      for (const [field, values] of wrong)
        for (const value of values) {
          const { status, body: answer } = await call("POST", path, { [field]: value })
          assert.strictEqual(status, 400, `${way} ${field} ${JSON.stringify(value)}`)
          assert.match(String(answer.error), new RegExp(`^${field} .*[.!?]$`))
        }
      assert.strictEqual((await raw("POST", `/api/messaging-api${path}`, "[]")).status, 400)
      assert.strictEqual((await call("POST", path, {}, otherKey)).status, 404)
      assert.strictEqual((await call("POST", "/contacts/cnt_nobody/opt-in", {})).status, 404)
      const { secret } = await run(keyOf(organizationId, ["contacts:read"]))
      assert.strictEqual((await call("POST", path, {}, secret)).status, 403)
    }
    assert.strictEqual((await call("GET", `/contacts/${body.id}/consent`, undefined, otherKey)).status, 404)
    assert.deepStrictEqual(
      ((await call("GET", `/contacts/${body.id}/consent`)).body.history as ReadonlyArray<unknown>).length,
      0
    )
    assert.isEmpty(await events(messaging))
  })
})
