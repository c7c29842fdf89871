import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeAccessWorld } from "../../../support/access.ts"
import { eventsOf, newConversation } from "../../../support/conversations.ts"
import { root } from "../../../support/messaging.ts"

/** A conversation, an OWNER and two AGENTs who are signed in, and somebody of another organization. */
const stage = Effect.gen(function* () {
  const world = yield* makeAccessWorld()
  const { conversationId } = yield* world.provide(newConversation(world.organizationId))
  const chat = `${root}/chats/${conversationId}`
  const [owner, asha, ben] = [yield* world.as("OWNER"), yield* world.as("AGENT"), yield* world.as("AGENT")]
  const stranger = yield* world.as("OWNER", yield* world.otherOrganization)
  const told = (type: string) => world.provide(eventsOf(world.organizationId, type))
  return { ...world, conversationId, chat, notes: `${chat}/notes`, owner, asha, ben, stranger, told }
})

describe("notes in a conversation", () => {
  it.live("are written, changed and deleted by their author, and read by everybody of the organization", () =>
    Effect.gen(function* () {
      const { notes, asha, ben, conversationId, told, audited } = yield* stage
      const made = yield* asha.ask("POST", notes, { body: { text: "She wants the hardcover." } })
      assert.strictEqual(made.status, 201)
      assert.deepInclude(made.body, { conversationId, author: asha.id, text: "She wants the hardcover." })
      const one = `${notes}/${made.body.id}`
      assert.deepStrictEqual((yield* ben.ask("GET", one)).body, made.body)
      assert.deepStrictEqual(
        (yield* told("conversation.noted")).map(({ data }) => data.note),
        [made.body]
      )

      const changed = yield* asha.ask("PATCH", one, { body: { text: "She wants\nthe paperback 📚" } })
      assert.deepInclude(changed.body, { text: "She wants\nthe paperback 📚", createdAt: made.body.createdAt })
      assert.deepStrictEqual((yield* asha.ask("DELETE", one)).body, { id: made.body.id, deleted: true })
      assert.strictEqual((yield* asha.ask("GET", one)).status, 404)
      assert.strictEqual((yield* asha.ask("DELETE", one)).status, 404)

      const [entry] = (yield* audited()).filter(({ action }) => action === "conversation_note.deleted")
      assert.strictEqual(entry.actor.id, asha.id)
      assert.notInclude(JSON.stringify(entry), "paperback")
    })
  )

  it.live("of one AGENT are not changed by another, but by an OWNER and by an API key", () =>
    Effect.gen(function* () {
      const { notes, owner, asha, ben, keyOf, withKey, audited } = yield* stage
      const { body } = yield* asha.ask("POST", notes, { body: { text: "First" } })
      const one = `${notes}/${body.id}`
      assert.strictEqual((yield* ben.ask("PATCH", one, { body: { text: "Mine" } })).status, 403)
      assert.strictEqual((yield* ben.ask("DELETE", one)).status, 403)
      assert.strictEqual((yield* ben.ask("GET", one)).body.text, "First")
      assert.strictEqual((yield* owner.ask("PATCH", one, { body: { text: "Second" } })).body.author, asha.id)
      // The note still names its author, so the audit log says who has changed it.
      const changes = (yield* audited()).filter(({ action }) => action === "conversation_note.changed")
      assert.deepStrictEqual(
        changes.map(({ actor, subjectId }) => [actor.id, subjectId]),
        [[owner.id, body.id]]
      )
      assert.notInclude(JSON.stringify(changes), "Second")
      const { id, secret } = yield* keyOf()
      const byKey = yield* withKey(secret)("POST", notes, { body: { text: "By a program" } })
      assert.strictEqual(byKey.body.author, id)
      assert.strictEqual((yield* withKey(secret)("DELETE", one)).status, 200)
      const { secret: reader } = yield* keyOf(["conversations:read"])
      assert.strictEqual((yield* withKey(reader)("POST", notes, { body: { text: "No" } })).status, 403)
      assert.strictEqual((yield* withKey(reader)("GET", notes)).body.total, 1)
    })
  )

  it.live("are listed newest first, part by part", () =>
    Effect.gen(function* () {
      const { notes, asha } = yield* stage
      for (const text of ["1", "2", "3", "4", "5"]) yield* asha.ask("POST", notes, { body: { text } })
      const texts = ({ body }: { body: { data: ReadonlyArray<{ text: string }> } }) => body.data.map(({ text }) => text)
      const start = yield* asha.ask("GET", `${notes}?limit=3`)
      assert.deepStrictEqual(texts(start), ["5", "4", "3"])
      assert.strictEqual(start.body.total, 5)
      const rest = yield* asha.ask("GET", `${notes}?limit=3&cursor=${start.body.nextCursor}`)
      assert.deepStrictEqual([texts(rest), rest.body.nextCursor], [["2", "1"], null])
    })
  )

  it.live("need a conversation of the organization and a text of at most 10,000 characters", () =>
    Effect.gen(function* () {
      const { notes, asha, stranger, conversationId, ...world } = yield* stage
      const { body } = yield* asha.ask("POST", notes, { body: { text: "📚".repeat(10_000) } })
      for (const text of ["", "  ", "x".repeat(10_001), "bell\u0007", 5])
        assert.strictEqual((yield* asha.ask("POST", notes, { body: { text } })).status, 400, JSON.stringify(text))
      const nowhere = `${root}/chats/cnv_none/notes`
      assert.strictEqual((yield* asha.ask("POST", nowhere, { body: { text: "x" } })).status, 404)
      assert.strictEqual((yield* asha.ask("GET", nowhere)).status, 404)
      // A note has its address in its own conversation only.
      const other = yield* world.provide(newConversation(world.organizationId))
      const elsewhere = `${root}/chats/${other.conversationId}/notes/${body.id}`
      assert.strictEqual((yield* asha.ask("GET", elsewhere)).status, 404)
      assert.strictEqual((yield* asha.ask("PATCH", elsewhere, { body: { text: "x" } })).status, 404)
      for (const [method, path] of [
        ["GET", notes],
        ["GET", `${notes}/${body.id}`],
        ["DELETE", `${notes}/${body.id}`]
      ])
        assert.strictEqual((yield* stranger.ask(method, path)).status, 404, `${method} ${path}`)
      assert.strictEqual((yield* stranger.ask("POST", notes, { body: { text: "x" } })).status, 404)
      assert.strictEqual((yield* asha.ask("GET", notes)).body.total, 1)
    })
  )
})

describe("labels of a conversation", () => {
  it.live("are replaced as a whole, each once, and told with one event and one entry in the audit log", () =>
    Effect.gen(function* () {
      const { chat, asha, told, audited } = yield* stage
      const label = (labels: unknown) => asha.ask("PATCH", chat, { body: { labels } })
      const labeled = yield* label(["order", " late ", "order"])
      assert.deepStrictEqual(labeled.body.labels, ["order", "late"])
      assert.deepStrictEqual((yield* label(["order", "late"])).body, labeled.body)
      assert.deepStrictEqual((yield* label([])).body.labels, [])
      assert.deepStrictEqual(
        (yield* told("conversation.labeled")).map(({ data }) => Reflect.get(data.conversation as object, "labels")),
        [["order", "late"], []]
      )
      const entries = (yield* audited()).filter(({ action }) => action === "conversation.labeled")
      assert.deepStrictEqual(
        entries.map(({ before, after }) => [before, after]),
        [
          [{ labels: ["order", "late"] }, { labels: [] }],
          [{ labels: [] }, { labels: ["order", "late"] }]
        ]
      )
      for (const wrong of [["x".repeat(65)], [" "], ["a\nb"], Array.from({ length: 21 }, (_, i) => `${i}`), "order"])
        assert.strictEqual((yield* label(wrong)).status, 400, JSON.stringify(wrong))
    })
  )

  it.live("find conversations, together with other filters", () =>
    Effect.gen(function* () {
      const world = yield* stage
      const { chat, asha, conversationId, stranger } = world
      const other = yield* world.provide(newConversation(world.organizationId))
      yield* asha.ask("PATCH", chat, { body: { labels: ["order", "late"], assignee: asha.id } })
      yield* asha.ask("PATCH", `${root}/chats/${other.conversationId}`, { body: { labels: ["order"] } })
      const found = (query: string, as = asha) =>
        Effect.map(as.ask("GET", `${root}/chats?${query}`), ({ body }): Array<string> => {
          assert.strictEqual(body.total, body.data.length)
          return body.data.map(({ id }: { readonly id: string }) => id)
        })
      assert.sameMembers(yield* found("label=order"), [conversationId, other.conversationId])
      assert.deepStrictEqual(yield* found("label=late"), [conversationId])
      assert.deepStrictEqual(yield* found("label=order&assignee=none"), [other.conversationId])
      assert.deepStrictEqual(yield* found("label=ord"), [])
      assert.deepStrictEqual(yield* found("label=order", stranger), [])
      yield* asha.ask("PATCH", chat, { body: { labels: [] } })
      assert.deepStrictEqual(yield* found("label=late"), [])
      const { body } = yield* asha.ask("GET", chat)
      assert.deepInclude(body, { status: "ASSIGNED", assignee: asha.id, labels: [] })
    })
  )
})
