/** The messaging interface as a client uses it, on the real stores. Every answer is checked against `/openapi.json`. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { VoiceAgents } from "../../../../src/domain/voice/agents/VoiceAgent.ts"
import { Calls } from "../../../../src/domain/voice/calls/records/CallRecord.ts"
import { type Messaging, startMessaging, startMessagingWith } from "../../../support/messaging.ts"
import { agentOf } from "../../../support/tenants.ts"

const story = (name: string, tell: (messaging: Messaging) => Promise<void>) =>
  it.live(name, () => Effect.flatMap(startMessaging, (messaging) => Effect.promise(() => tell(messaging))))

const asha = { phone: "+1 (415) 555-0101", name: "Asha Rao", email: "asha@example.com", tags: ["vip"], optedIn: true }

describe("the messaging interface", () => {
  it.live("says that no channel is connected yet, and refuses at once what would wait for one", () =>
    Effect.gen(function* () {
      const { call, conversation } = yield* startMessagingWith({ connected: false })
      yield* Effect.promise(async () => {
        const { status, body } = await call("GET", "/status")
        assert.strictEqual(status, 200)
        const nothing = { phoneNumber: null, connectionType: null, businessName: null, problem: null, problemAt: null }
        assert.deepStrictEqual(body, { connected: false, ...nothing })
        const { conversationId } = await conversation("+14155550123", "hello")
        const sent = await call("POST", "/send", { to: "+14155550123", type: "text", text: "Hello" })
        assert.strictEqual(sent.status, 409)
        assert.match(String(sent.body.error), /^No messaging channel is connected/)
        assert.strictEqual((await call("GET", `/chats/${conversationId}/messages?direction=outbound`)).body.total, 0)
      })
    }).pipe(Effect.scoped)
  )

  story("creates a contact once; a second request names the existing contact or changes it", async ({ call }) => {
    const made = await call("POST", "/contacts", asha)
    assert.strictEqual(made.status, 201)
    assert.deepInclude(made.body, { ...asha, phone: "+14155550101", archivedAt: null, identities: [] })
    const again = await call("POST", "/contacts", { phone: "+14155550101" })
    assert.strictEqual(again.status, 409)
    assert.strictEqual(again.headers.get("x-existing-id"), made.body.id)
    assert.notInclude(String(again.body.error), "archived")
    await call("POST", `/contacts/${made.body.id}/archive`)
    const gone = await call("POST", "/contacts", { phone: "+14155550101" })
    assert.strictEqual(gone.status, 409)
    assert.include(
      String(gone.body.error),
      `It is archived: restore it with POST /api/messaging-api/contacts/${made.body.id}/restore`
    )
    await call("POST", `/contacts/${made.body.id}/restore`)
    const changed = await call("POST", "/contacts?upsert=true", { phone: "+14155550101", tags: ["new"] })
    assert.strictEqual(changed.status, 200)
    assert.deepInclude(changed.body, { id: made.body.id, name: "Asha Rao", tags: ["new"] })
    assert.strictEqual((await call("POST", "/contacts?upsert=true", { phone: "+14155550102" })).status, 201)
    const taken = await call("PATCH", `/contacts/${made.body.id}`, { phone: "+14155550102" })
    assert.strictEqual(taken.status, 409)
    assert.isString(taken.headers.get("x-existing-id"))
  })

  story(
    "changes the fields of a contact that are sent, removes those that are null, and keeps the rest",
    async ({ call }) => {
      const { body } = await call("POST", "/contacts", asha)
      const changed = await call("PATCH", `/contacts/${body.id}`, { name: "A. Rao", email: null })
      assert.deepInclude(changed.body, { name: "A. Rao", email: null, tags: ["vip"], optedIn: true })
      assert.deepStrictEqual((await call("GET", `/contacts/${body.id}`)).body, changed.body)
    }
  )

  story("archives, restores and erases contacts", async ({ call }) => {
    const { body } = await call("POST", "/contacts", asha)
    const total = async (query: string) => (await call("GET", `/contacts${query}`)).body.total
    assert.isString((await call("POST", `/contacts/${body.id}/archive`)).body.archivedAt)
    assert.deepStrictEqual([await total(""), await total("?archived=true")], [0, 1])
    assert.isNull((await call("POST", `/contacts/${body.id}/restore`)).body.archivedAt)
    assert.deepStrictEqual([await total(""), await total("?archived=true")], [1, 0])
    const erased = await call("DELETE", `/contacts/${body.id}`)
    assert.deepStrictEqual(erased.body, { id: body.id, erased: true, conversations: 0, messages: 0, calls: 0 })
    for (const method of ["GET", "DELETE"]) assert.strictEqual((await call(method, `/contacts/${body.id}`)).status, 404)
    assert.strictEqual((await call("POST", "/contacts", asha)).status, 201)
  })

  story("lists contacts by page and by cursor, newest first", async ({ call }) => {
    for (let i = 0; i < 5; i++) await call("POST", "/contacts", { phone: `+1415555010${i}`, name: `Guest ${i}` })
    const names = (body: Record<string, unknown>) =>
      (body.data as ReadonlyArray<{ name: string }>).map(({ name }) => name)
    const first = await call("GET", "/contacts?limit=2")
    assert.deepInclude(first.body, { page: 1, limit: 2, total: 5 })
    assert.deepStrictEqual(names(first.body), ["Guest 4", "Guest 3"])
    assert.deepStrictEqual(names((await call("GET", "/contacts?limit=2&page=3")).body), ["Guest 0"])
    assert.deepStrictEqual(names((await call("GET", "/contacts?limit=2&page=4")).body), [])
    await call("POST", "/contacts", { phone: "+14155550109", name: "Guest late" })
    const second = await call("GET", `/contacts?limit=2&cursor=${first.body.nextCursor}`)
    assert.deepStrictEqual(names(second.body), ["Guest 2", "Guest 1"])
    const last = await call("GET", `/contacts?limit=2&cursor=${second.body.nextCursor}`)
    assert.deepStrictEqual([names(last.body), last.body.nextCursor], [["Guest 0"], null])
    const found = await call("GET", "/contacts?search=5550103")
    assert.deepStrictEqual([names(found.body), found.body.total], [["Guest 3"], 1])
  })

  story(
    "shows a conversation with its assignee and its unread messages",
    async ({ call, conversation, run, organizationId }) => {
      const { conversationId, contactId } = await conversation("+14155550101", "Hello", "Is it ready?")
      const listed = await call("GET", "/chats?status=OPEN")
      assert.strictEqual(listed.body.total, 1)
      const { body } = await call("GET", `/chats/${conversationId}?limit=1`)
      assert.deepInclude(body, { channel: "messaging", status: "OPEN", assignee: null, unreadCount: 2 })
      assert.deepInclude(body.contact, { id: contactId, phone: "+14155550101" })
      assert.isTrue((body.window as { open: boolean }).open)
      assert.lengthOf(body.messages as ReadonlyArray<unknown>, 1)

      const agent = agentOf(organizationId)
      await run(Effect.flatMap(VoiceAgents, (agents) => agents.create(agent)))
      const taken = await call("PATCH", `/chats/${conversationId}`, { assignee: agent.id, read: true })
      assert.deepInclude(taken.body, { status: "ASSIGNED", assignee: agent.id, unreadCount: 0 })
      assert.strictEqual(
        (await call("PATCH", `/chats/${conversationId}`, { status: "RESOLVED" })).body.status,
        "RESOLVED"
      )
      assert.strictEqual((await call("GET", "/chats?status=OPEN")).body.total, 0)
      await conversation("+14155550101", "One more thing")
      assert.strictEqual((await call("GET", "/chats?status=OPEN")).body.total, 1)
      const messages = await call("GET", "/messages?limit=2")
      assert.deepInclude(messages.body, { total: 3, limit: 2 })
      assert.isString(messages.body.nextCursor)
    }
  )

  story("shows calls as conversations with their transcripts", async ({ call, run, organizationId }) => {
    const agent = agentOf(organizationId)
    await run(
      Effect.gen(function* () {
        yield* (yield* VoiceAgents).create(agent)
        const calls = yield* Calls
        const made = yield* calls.open({
          ...{ organizationId, agentId: agent.id, direction: "inbound", status: "in_progress" },
          ...{ from: "+14155550101", to: "+14155550123", callSid: "CA1" }
        })
        yield* calls.apply({
          ...{ organizationId, agentId: agent.id, callId: made.call.id, id: "evt_1", type: "transcript", sequence: 0 },
          ...{ role: "caller", text: "Is it ready?", interrupted: false, startMs: 0, endMs: 900 }
        })
      })
    )
    const { body } = await call("GET", "/chats")
    const [{ id, channel, window }] = body.data as ReadonlyArray<Record<string, unknown>>
    assert.deepStrictEqual([channel, window], ["voice", null])
    const detail = await call("GET", `/chats/${id}`)
    assert.deepStrictEqual(
      (detail.body.calls as ReadonlyArray<{ utterances: ReadonlyArray<{ text: string }> }>)[0].utterances.map(
        ({ text }) => text
      ),
      ["Is it ready?"]
    )
  })

  story(
    "needs a key with the right scope, and shows nothing of another organization",
    async ({ call, run, keyOf, otherKey, organizationId, conversation }) => {
      const { conversationId, contactId } = await conversation("+14155550101", "Hello")
      const { secret: mute } = await run(keyOf(organizationId, ["mcp"]))
      for (const [method, path, body] of [
        ["GET", "/status", undefined],
        ["GET", "/contacts", undefined],
        ["POST", "/contacts", asha],
        ["GET", `/contacts/${contactId}`, undefined],
        ["PATCH", `/contacts/${contactId}`, { name: "x" }],
        ["POST", `/contacts/${contactId}/archive`, undefined],
        ["POST", `/contacts/${contactId}/restore`, undefined],
        ["DELETE", `/contacts/${contactId}`, undefined],
        ["GET", "/chats", undefined],
        ["GET", `/chats/${conversationId}`, undefined],
        ["PATCH", `/chats/${conversationId}`, { read: true }],
        ["GET", "/messages", undefined]
      ] as const) {
        assert.strictEqual((await call(method, path, body, "mk_nobody")).status, 401, path)
        const refused = await call(method, path, body, mute)
        assert.strictEqual(refused.status, 403, path)
        assert.match(String(refused.body.error), /scope/)
        if (path.includes("_")) assert.strictEqual((await call(method, path, body, otherKey)).status, 404, path)
        else if (method === "GET" && path !== "/status")
          assert.strictEqual((await call(method, path, body, otherKey)).body.total, 0)
      }
      assert.strictEqual((await call("GET", `/contacts/${contactId}`)).body.name, "Asha Rao")
    }
  )
})
