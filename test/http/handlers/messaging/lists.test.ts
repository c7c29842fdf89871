import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Conversations } from "../../../../src/domain/messaging/conversations/Conversation.ts"
import { Messages } from "../../../../src/domain/messaging/conversations/Message.ts"
import { type Messaging, startMessaging } from "../../../support/messaging.ts"

const story = (name: string, play: (messaging: Messaging) => Promise<void>) =>
  it.live(name, () =>
    Effect.flatMap(startMessaging, (messaging) => Effect.promise(() => play(messaging))).pipe(Effect.scoped)
  )

type Row = Readonly<Record<string, unknown>>
const rows = (answer: { readonly body: Readonly<Record<string, unknown>> }) => answer.body.data as ReadonlyArray<Row>
const idsOf = (answer: Parameters<typeof rows>[0]) => rows(answer).map(({ id }) => String(id))
const textsOf = (answer: Parameters<typeof rows>[0]) =>
  rows(answer).map(({ content }) => (content as { readonly text: string }).text)

describe("messages", () => {
  story("are found by conversation, contact, status, direction, type and time", async ({ call, conversation }) => {
    const asha = await conversation("+14155550123", "one", "two")
    const ben = await conversation("+14155550124", "three")
    const sent = await call("POST", "/send", { to: "+14155550124", type: "text", text: "four" })
    const list = (query: string) => call("GET", `/messages?${query}`)
    const found = async (query: string) => {
      const answer = await list(query)
      assert.strictEqual(answer.status, 200, query)
      assert.strictEqual(answer.body.total, rows(answer).length, query)
      return textsOf(answer)
    }
    assert.deepStrictEqual(await found(""), ["four", "three", "two", "one"])
    assert.deepStrictEqual(await found(`conversationId=${asha.conversationId}`), ["two", "one"])
    assert.deepStrictEqual(await found(`contactId=${ben.contactId}`), ["four", "three"])
    assert.deepStrictEqual(await found("status=queued"), ["four"])
    assert.deepStrictEqual(await found("status=received&direction=inbound"), ["three", "two", "one"])
    assert.deepStrictEqual(await found("direction=outbound&type=text"), ["four"])
    assert.deepStrictEqual(await found("type=image"), [])
    assert.deepStrictEqual(await found("contactId=cnt_none"), [])
    const { body } = await call("GET", `/messages/${sent.body.messageId}`)
    const at = encodeURIComponent(String(body.createdAt))
    assert.deepStrictEqual(await found(`since=${at}`), ["four"])
    assert.deepStrictEqual(await found(`before=${at}`), ["three", "two", "one"])
    for (const wrong of ["status=lost", "direction=up", "since=yesterday", "type=fax"])
      assert.strictEqual((await list(wrong)).status, 400, wrong)
  })

  story("are read one by one, and not across organizations", async ({ call, conversation, otherKey }) => {
    const { conversationId } = await conversation("+14155550123", "hello")
    const [id] = idsOf(await call("GET", "/messages"))
    const one = await call("GET", `/messages/${id}`)
    assert.deepInclude(one.body, { id, conversationId, status: "received", content: { text: "hello" } })
    assert.strictEqual((await call("GET", `/messages/${id}`, undefined, otherKey)).status, 404)
    assert.strictEqual((await call("GET", "/messages/msg_none")).status, 404)
  })

  story(
    "of a conversation are read back to its beginning, also while more come",
    async ({ call, conversation, run, organizationId }) => {
      const texts = Array.from({ length: 25 }, (_, index) => `line ${index}`)
      const { conversationId } = await conversation("+14155550123", ...texts)
      await conversation("+14155550124", "elsewhere")
      const seen: Array<string> = []
      let cursor: unknown = ""
      for (let part = 0; cursor !== null; part++) {
        const more = cursor === "" ? "" : `&cursor=${cursor}`
        const answer = await call("GET", `/chats/${conversationId}/messages?limit=10${more}`)
        seen.push(...textsOf(answer))
        cursor = answer.body.nextCursor
        const late = { organizationId, conversationId, direction: "inbound", type: "text" } as const
        await run(
          Effect.flatMap(Messages, (messages) =>
            messages.add({ ...late, content: { text: `late ${part}` } }, Date.now())
          )
        )
      }
      assert.deepStrictEqual(seen, texts.toReversed())
      assert.strictEqual((await call("GET", "/chats/cnv_none/messages")).status, 404)
      const inbound = await call("GET", `/chats/${conversationId}/messages?direction=outbound`)
      assert.deepStrictEqual(rows(inbound), [])
    }
  )
})

describe("conversations", () => {
  story(
    "are found by contact, assignee, channel and status",
    async ({ call, conversation, run, organizationId, raw }) => {
      const asha = await conversation("+14155550123", "hello")
      const ben = await conversation("+14155550124", "hi")
      const voice = await run(Effect.flatMap(Conversations, (all) => all.open(organizationId, ben.contactId, "voice")))
      const found = async (query: string) => {
        const answer = await call("GET", `/chats?${query}`)
        assert.strictEqual(answer.status, 200, query)
        assert.strictEqual(answer.body.total, rows(answer).length, query)
        return idsOf(answer).toSorted()
      }
      const agent = await raw("POST", "/api/voice-agents", {
        name: "Reception",
        welcomeMessage: "Welcome.",
        voiceFamily: "english",
        voiceId: "aura-2-thalia-en",
        systemPrompt: "You are the receptionist."
      })
      await call("PATCH", `/chats/${asha.conversationId}`, { assignee: agent.body.id })
      assert.deepStrictEqual(await found(`contactId=${ben.contactId}`), [ben.conversationId, voice].toSorted())
      assert.deepStrictEqual(await found(`contactId=${ben.contactId}&channel=voice`), [voice])
      assert.deepStrictEqual(await found(`assignee=${agent.body.id}`), [asha.conversationId])
      assert.deepStrictEqual(await found("assignee=none"), [ben.conversationId, voice].toSorted())
      assert.deepStrictEqual(await found("assignee=none&status=ASSIGNED"), [])
      assert.deepStrictEqual(await found("assignee=usr_nobody"), [])
      const [shown] = rows(await call("GET", `/chats?assignee=${agent.body.id}`))
      assert.deepInclude(shown.lastMessage as object, { content: { text: "hello" } })
      assert.deepInclude(shown.contact as object, { id: asha.contactId, phone: "+14155550123" })
      assert.strictEqual((await call("GET", "/chats?channel=fax")).status, 400)
    }
  )
})

describe("cursors", () => {
  story("of another list are refused, and so are those that were changed", async ({ call, conversation }) => {
    await conversation("+14155550123", "hello")
    const { conversationId } = await conversation("+14155550124", "hello")
    const { body } = await call("GET", "/messages?limit=1")
    const refused = { status: 400, error: "cursor is invalid: it is the nextCursor of another list." }
    for (const list of [
      "/contacts",
      "/chats",
      `/chats/${conversationId}/notes`,
      "/templates",
      "/quick-replies",
      "/broadcasts"
    ]) {
      const answer = await call("GET", `${list}?cursor=${body.nextCursor}`)
      assert.deepStrictEqual({ status: answer.status, error: answer.body.error }, refused, list)
    }
    assert.strictEqual((await call("GET", "/messages?cursor=bWVzc2FnZXM")).status, 400)
    assert.strictEqual((await call("GET", `/messages?cursor=${body.nextCursor}&limit=1`)).status, 200)
  })
})

describe("an empty search", () => {
  story("finds everything", async ({ call, conversation }) => {
    await conversation("+14155550123", "hello")
    for (const search of ["", "%20"])
      assert.strictEqual((await call("GET", `/contacts?search=${search}`)).body.total, 1)
    await call("POST", "/quick-replies", { shortcut: "hours", text: "Nine to six." })
    assert.strictEqual((await call("GET", "/quick-replies?search=")).body.total, 1)
  })
})
