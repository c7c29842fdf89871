/** A contact asks a text agent what only an external MCP server knows. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { start, text } from "../../../../simulators/mcp/McpServer.ts"
import { McpServers } from "../../../../src/domain/ai/tools/McpServer.ts"
import type { McpTool } from "../../../../src/domain/ai/tools/McpTool.ts"
import { ConversationCommands } from "../../../../src/domain/messaging/conversations/ConversationCommand.ts"
import * as McpCredentials from "../../../../src/integrations/mcp/McpCredentials.ts"
import * as McpOAuthClient from "../../../../src/integrations/mcp/McpOAuthClient.ts"
import * as McpPool from "../../../../src/integrations/mcp/McpPool.ts"
import { newConversation, shownConversation } from "../../../support/conversations.ts"
import { eventually } from "../../../support/eventually.ts"
import { connectChannel } from "../../../support/messaging.ts"
import { newOrganization, testStores } from "../../../support/tenants.ts"
import { answering, newTextAgent, startModels } from "../../../support/textAgents.ts"

const parcel = {
  name: "track_parcel",
  description: "Says where a parcel is.",
  inputSchema: { type: "object" as const, properties: { number: { type: "string" } }, required: ["number"] },
  run: () => text("In Pune since Monday.")
}
const bill = {
  name: "read_bill",
  description: "Reads a bill.",
  inputSchema: { type: "object" as const, properties: {} },
  run: () => new Promise<never>(() => undefined)
}
const tools = [parcel, bill]

const script = [
  {
    when: /parcel/i,
    tool: { name: "post_track_parcel", arguments: { number: "42" } },
    reply: (said: string) => `It is here: ${said}`
  },
  {
    when: /bill/i,
    tool: { name: "post_read_bill", arguments: {} },
    reply: (said: string) => `I cannot read it. ${said}`
  }
]

const offered = tools.map(({ run: _, ...tool }): McpTool => ({ title: null, ...tool }))

layer(testStores, { excludeTestServices: true })("a text agent with tools of an MCP server", (it) => {
  it.effect("answers with what the server says, and with a sentence when a tool hangs", () =>
    Effect.gen(function* () {
      const remote = yield* Effect.acquireRelease(
        Effect.promise(() => start({ tools })),
        (server) => Effect.promise(server.close)
      )
      const stores = yield* Effect.context<Layer.Success<typeof testStores>>()
      const models = yield* startModels({ script })
      const pool = McpPool.layer({ allowPrivateNetwork: true }).pipe(
        Layer.provide(McpCredentials.layer),
        Layer.provide(McpOAuthClient.layer({ allowPrivateNetwork: true })),
        Layer.provide(Layer.succeedContext(stores))
      )
      const actors = yield* Layer.build(answering(models, pool)).pipe(Effect.provide(stores))
      const commands = yield* Effect.provide(ConversationCommands, actors)

      const { id: organizationId } = yield* newOrganization({ plan: "PRO" })
      yield* connectChannel(organizationId)
      const servers = yield* McpServers
      const settings = { name: "Post", url: remote.url, timeoutMs: 4_000, auth: { type: "none" as const } }
      const server = yield* servers.create(organizationId, {
        ...settings,
        secrets: undefined,
        another: false,
        ungranted: false
      })
      assert.isDefined(server)
      const health = { status: "ok" as const, checkedAt: new Date().toISOString(), error: null }
      yield* servers.observe(server, health, { transport: "streamable_http", offered })
      yield* servers.approve(organizationId, server.id, offered)
      const handled = tools.map(({ name }) => ({
        name: `post_${name}`,
        description: "",
        parameters: { type: "object" as const, properties: {} },
        handler: { type: "mcp" as const, serverId: server.id, tool: name }
      }))
      const agent = yield* newTextAgent(organizationId, { tools: handled })
      const place = yield* newConversation(organizationId)
      const { conversationId } = place
      const write = (body: string) =>
        commands.receive(
          {
            ...{ organizationId, conversationId, type: "text", content: { text: body } },
            channelMessageId: `wamid.${conversationId}.${body.length}`
          },
          Date.now()
        )
      const answered = (words: RegExp) =>
        eventually(
          `an answer with ${words}`,
          Effect.map(shownConversation(place), ({ messages }) =>
            messages.find(({ sentBy, content }) => sentBy === agent.id && words.test(String(content.text)))
          )
        )
      yield* write("Where is my parcel?")
      yield* answered(/It is here: .*In Pune since Monday/)
      yield* write("And what does my bill say, please?")
      yield* answered(/I cannot read it\. .*(did not answer|within)/)
    })
  )
})
