/** Who wants messages: said over REST, and by the contact itself. Real stores; every answer is as `/openapi.json` says. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as ConversationCommand from "../../src/domain/ConversationCommand.ts"
import { makeHearOptOut } from "../../src/domain/HearOptOut.ts"
import { Messages } from "../../src/domain/Message.ts"
import { Recipients } from "../../src/domain/Recipients.ts"
import { tenant } from "../../src/integrations/postgres/Tenant.ts"
import { type Messaging, startMessaging } from "../support/messaging.ts"

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

/** A contact writes this, and it is heard. */
const writes = ({ run, organizationId }: Messaging, conversationId: string, text: string, times = 1) =>
  run(
    Effect.gen(function* () {
      const messages = yield* Messages
      const content = { text }
      const message = yield* messages.add(
        { organizationId, conversationId, direction: "inbound", type: "text", content },
        Date.now()
      )
      const hear = yield* makeHearOptOut.pipe(Effect.provide(ConversationCommand.layerDirect))
      yield* Effect.all(
        Array.from({ length: times }, () => hear(message)),
        { discard: true }
      )
      const all = yield* messages.list(organizationId, { page: 1, limit: 100 })
      return all.data.filter(({ direction }) => direction === "outbound").map((sent) => String(sent.content.text))
    }).pipe(Effect.orDie)
  )

describe("whether a contact wants messages", () => {
  story("is said over REST with its evidence, once; the ledger outlives the contact", async (messaging) => {
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

  story("is heard from the contact: on record with its words, told as an event, confirmed once", async (messaging) => {
    const { call, conversation, run, organizationId } = messaging
    const { contactId, conversationId } = await conversation("+919812345678", "Hello")
    assert.deepStrictEqual(await writes(messaging, conversationId, "please stop by tomorrow"), [])
    // Processed twice, as after a crash: one entry, one confirmation.
    const stopped = await writes(messaging, conversationId, "बंद करो!", 2)
    assert.lengthOf(stopped, 1)
    assert.match(stopped[0], /START भेजें/)
    // It had never opted in; that it says stop is news all the same.
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
  })

  story("is refused with a sentence when it makes no sense, and then nothing is on record", async (messaging) => {
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
