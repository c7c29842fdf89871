/** One session of an assistant, over each transport, with the SDKs' own clients. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { VoiceAgents } from "../../../src/domain/voice/agents/VoiceAgent.ts"
import { type McpClient, mcpClient, mcpTransports } from "../../support/assistants.ts"
import { startMessagingWith } from "../../support/messaging.ts"
import { agentOf } from "../../support/tenants.ts"

const draftReply = { type: "ref/prompt", name: "draft_reply" }
const complete = (client: McpClient, ref: object, name: string, value: string) =>
  client.ask("completion/complete", { ref, argument: { name, value } })

/** What an assistant does; each answer with the ids that differ between sessions left out. */
const script = async (client: McpClient, { conversationId, agentId }: { conversationId: string; agentId: string }) => ({
  tools: await client.ask("tools/list"),
  contacts: await client.call("list_contacts", { search: "asha", fields: ["name", "phone"] }),
  conversations: await client.call("list_conversations", { status: "OPEN" }),
  conversation: await client.call("get_conversation", { conversationId }),
  templates: await client.call("list_templates"),
  wrong: await client.call("list_contacts", { limit: 1_000 }),
  missing: await client.call("get_call", { callId: "call_01KAJ300000000000000000000" }),
  payment: await client.call("create_payment_link", {
    amount: "19.99",
    currency: "USD",
    description: "Order"
  }),
  unknown: await client.call("drop_tables").catch((error: Error & { code: number }) => [error.code, error.message]),
  resources: await client.ask("resources/list"),
  templatesOfResources: await client.ask("resources/templates/list"),
  agent: await client.ask("resources/read", { uri: `parley://agents/${agentId}` }),
  nothing: await client
    .ask("resources/read", { uri: "parley://calls/call_1/transcript" })
    .catch((error: Error) => error.message),
  prompts: await client.ask("prompts/list"),
  prompt: await client.ask("prompts/get", { name: "draft_reply", arguments: { conversationId } }),
  completedAgent: await complete(client, { type: "ref/resource", uri: "parley://agents/{id}" }, "id", "agt_"),
  completedConversation: await complete(client, draftReply, "conversationId", conversationId.slice(0, 8)),
  completedTone: await complete(client, draftReply, "tone", "fo"),
  completedNothing: await complete(client, { type: "ref/prompt", name: "none" }, "tone", "").catch(() => "refused")
})

describe("a session of an assistant", () => {
  it.live(
    "is the same over every transport",
    () =>
      Effect.gen(function* () {
        const { base, key, organizationId, run, conversation } = yield* startMessagingWith({})
        const { conversationId } = yield* Effect.promise(() => conversation("+14155550123", "Where is my book?"))
        const agent = agentOf(organizationId)
        yield* Effect.promise(() => run(Effect.flatMap(VoiceAgents, (agents) => agents.create(agent))))
        const sessions = yield* Effect.forEach(mcpTransports, (transport) =>
          Effect.gen(function* () {
            const client = yield* mcpClient(transport, { base, key })
            return yield* Effect.promise(() => script(client, { conversationId, agentId: agent.id }))
          })
        )
        const [first, ...others] = sessions
        assert.lengthOf((first.tools as { tools: ReadonlyArray<unknown> }).tools, 20)
        assert.include(JSON.stringify(first.conversation), "Where is my book?")
        assert.include(JSON.stringify(first.wrong), "limit is invalid: it must be at most 50.")
        assert.include(JSON.stringify(first.missing), "There is no such call.")
        assert.include(JSON.stringify(first.payment), "No payment provider is connected")
        const completed = (values: ReadonlyArray<string>) => ({
          completion: { values, total: values.length, hasMore: false }
        })
        assert.deepStrictEqual(first.completedAgent, completed([agent.id]))
        assert.deepStrictEqual(first.completedConversation, completed([conversationId]))
        assert.deepStrictEqual(first.completedTone, completed(["formal"]))
        assert.strictEqual(first.completedNothing, "refused")
        for (const [at, other] of others.entries()) {
          const [one, same] = [first, other].map(({ unknown, nothing, ...compared }) => compared)
          assert.deepStrictEqual(same, one, mcpTransports[at + 1])
          assert.include(String(other.unknown), "Unknown tool: drop_tables", mcpTransports[at + 1])
          assert.include(String(other.nothing), "Resource not found", mcpTransports[at + 1])
        }
      }),
    240_000
  )
})
