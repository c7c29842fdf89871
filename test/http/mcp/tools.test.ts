/** What the tools do, over the same use cases as the REST interface. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Audit } from "../../../src/domain/people/access/Audit.ts"
import { Contacts } from "../../../src/domain/people/contacts/Contact.ts"
import { mcpClient, testClient } from "../../support/assistants.ts"
import { root, startMessagingWith } from "../../support/messaging.ts"
import { newTextAgent } from "../../support/textAgents.ts"

interface Result {
  readonly isError?: boolean
  readonly content: ReadonlyArray<{ readonly text: string }>
  // biome-ignore lint/suspicious/noExplicitAny: what a result holds is what the tests are about
  readonly structuredContent: any
}

const stageWith = (mcp: { sendsPerMinute?: number; sendsPerDay?: number } = {}) =>
  Effect.gen(function* () {
    const world = yield* startMessagingWith({ mcp })
    const client = yield* mcpClient("http 2025", world)
    const call = (name: string, args: Record<string, unknown> = {}) =>
      Effect.promise(() => client.call(name, args) as unknown as Promise<Result>)
    const textOf = (result: Result) => result.content.map(({ text }) => text).join("\n")
    return { ...world, client, call, textOf }
  })

describe("an assistant", () => {
  it.live("goes through a long list in parts of at most 32 KB, by the calls that it is told", () =>
    Effect.gen(function* () {
      const { call, run, organizationId } = yield* stageWith()
      yield* Effect.promise(() =>
        run(
          Effect.flatMap(Contacts, (contacts) =>
            Effect.forEach(
              Array.from({ length: 60 }, (_, at) => at),
              (at) =>
                contacts.create(
                  organizationId,
                  {
                    phone: `+1415555${String(1_000 + at)}`,
                    name: `${"Ünï".repeat(33)}${at}`,
                    email: `${"long".repeat(15)}${at}@${"host".repeat(12)}.example`,
                    tags: Array.from({ length: 10 }, (_, tag) => `${"tag".repeat(19)} ${tag}`)
                  },
                  "key_test"
                ),
              { concurrency: 10 }
            )
          )
        )
      )
      const seen = new Set<string>()
      let next: { tool: string; arguments: Record<string, unknown> } | undefined = {
        tool: "list_contacts",
        arguments: { limit: 50 }
      }
      let parts = 0
      while (next !== undefined) {
        const result: Result = yield* call(next.tool, next.arguments)
        assert.isAtMost(Buffer.byteLength(JSON.stringify(result)), 34 * 1_024)
        for (const { id } of result.structuredContent.data) seen.add(id)
        assert.strictEqual(result.structuredContent.total, 60)
        next = result.structuredContent.truncated?.call
        parts++
      }
      assert.strictEqual(seen.size, 60)
      assert.isAbove(parts, 2)
    })
  )

  it.live("finds the text agents of its organization", () =>
    Effect.gen(function* () {
      const { call, run, organizationId, otherId } = yield* stageWith()
      const agent = yield* Effect.promise(() => run(newTextAgent(organizationId, { name: "Shop", answers: "never" })))
      yield* Effect.promise(() => run(newTextAgent(otherId)))
      const { structuredContent } = yield* call("list_ai_agents", { limit: 10 })
      assert.strictEqual(structuredContent.total, 1)
      assert.deepInclude(structuredContent.data[0], { id: agent.id, name: "Shop", answers: "never" })
    })
  )

  it.live("sends a message once for the same arguments, and again with a new key", () =>
    Effect.gen(function* () {
      const { call, textOf, run, organizationId, call: _, ...world } = yield* stageWith()
      const args = { to: "+14155550123", text: "Your book has arrived." }
      const sent = yield* call("send_message", args)
      assert.strictEqual(sent.structuredContent.repeated, false, textOf(sent))
      const again = yield* call("send_message", args)
      assert.deepStrictEqual(again.structuredContent, { ...sent.structuredContent, repeated: true })
      assert.include(textOf(again), "An earlier call did this")
      const meant = yield* call("send_message", { ...args, idempotencyKey: "second-time" })
      assert.notStrictEqual(meant.structuredContent.messageId, sent.structuredContent.messageId)
      const other = yield* call("send_message", { ...args, text: "Other", idempotencyKey: "second-time" })
      assert.include(textOf(other), "already used with other arguments")
      const listed = yield* Effect.promise(() => world.raw("GET", `${root}/messages`))
      assert.strictEqual(listed.body.total, 2)
      const entries = yield* Effect.promise(() =>
        run(Effect.flatMap(Audit, (audit) => audit.list(organizationId, { action: "mcp.send_message" }, 1, 10)))
      )
      assert.strictEqual(entries.total, 2)
      assert.deepStrictEqual(entries.data[1].after, { client: testClient, transport: "http" })
      assert.strictEqual(entries.data[1].subjectId, sent.structuredContent.messageId)
      assert.notInclude(JSON.stringify(entries), "book has arrived")
    })
  )

  it.live("may send three times a minute; what is refused does not count", () =>
    Effect.gen(function* () {
      const { call, textOf } = yield* stageWith({ sendsPerMinute: 2 })
      for (let at = 0; at < 3; at++) {
        const wrong = yield* call("send_message", { to: "nobody", text: "Hello" })
        assert.include(textOf(wrong), "to is invalid")
      }
      for (const text of ["One", "Two"])
        assert.isUndefined((yield* call("send_message", { to: "+14155550123", text })).isError)
      const third = yield* call("send_message", { to: "+14155550123", text: "Three" })
      assert.match(textOf(third), /Too many calls of tools that send: 2 are allowed in 1m\. Try again in \d+ seconds\./)
      assert.isTrue((yield* call("list_contacts")).structuredContent.total === 1)
    })
  )

  it.live("does not see another organization", () =>
    Effect.gen(function* () {
      const { call, textOf, otherId, conversationOf } = yield* stageWith()
      const { conversationId, contactId } = yield* Effect.promise(() =>
        conversationOf(otherId, "+14155550123", "Secret")
      )
      assert.include(textOf(yield* call("get_conversation", { conversationId })), "There is no such conversation.")
      assert.include(textOf(yield* call("get_contact", { contactId })), "There is no such contact.")
      assert.strictEqual((yield* call("list_conversations", { contactId })).structuredContent.total, 0)
      assert.include(
        textOf(yield* call("send_message", { to: contactId, text: "Hi" })),
        "There is no contact with the id"
      )
    })
  )

  it.live("hears what is wrong with its arguments, and what to do next", () =>
    Effect.gen(function* () {
      const { call, textOf } = yield* stageWith()
      const wrong: ReadonlyArray<readonly [string, object, string]> = [
        ["list_contacts", { serch: "a" }, "There is no argument serch. Did you mean search?"],
        ["list_contacts", { limit: "many" }, "limit is invalid: it must be a number."],
        [
          "list_contacts",
          { cursor: "bm9uc2Vuc2U" },
          "cursor is invalid: it must be the nextCursor of an answer, unchanged."
        ],
        [
          "list_calls",
          { cursor: "bm9uc2Vuc2U" },
          "cursor is invalid: it must be the cursor of this tool's last answer, unchanged."
        ],
        ["list_calls", { from: "yesterday" }, "yesterday"],
        ["list_conversations", { status: "open" }, "status is invalid: it must be one of OPEN, ASSIGNED, RESOLVED."],
        ["get_contact", {}, "contactId is invalid: it is missing."],
        ["create_contact", { phone: "12" }, "phone is invalid: it must be a phone number with its country code"],
        ["send_message", { to: "+14155550123" }, "Send either text, or templateName with language."],
        ["send_broadcast", { name: "x", templateName: "t", language: "en", dryRun: true }, "must name somebody"],
        ["place_call", { agentId: "agt_1", to: "+14155550123" }, "There is no such voice agent."],
        ["get_analytics", { from: "2026-02-30" }, "2026-02-30"]
      ]
      for (const [name, args, sentence] of wrong) {
        const result = yield* call(name, args as Record<string, unknown>)
        assert.isTrue(result.isError, name)
        assert.include(textOf(result), sentence, name)
        assert.isAbove(textOf(result).split("\n").length, 1, name)
      }
    })
  )

  it.live("creates a contact, and is told whose number it is when it is known", () =>
    Effect.gen(function* () {
      const { call, textOf } = yield* stageWith()
      const made = yield* call("create_contact", { phone: "+1 415 555 0123", name: "Asha Rao", tags: ["book club"] })
      const { id } = made.structuredContent
      assert.include(
        textOf(yield* call("create_contact", { phone: "+14155550123" })),
        `There is already a contact with the number +14155550123: ${id}.`
      )
      assert.deepInclude((yield* call("get_contact", { contactId: id })).structuredContent, {
        name: "Asha Rao",
        optedIn: false
      })
    })
  )
})
