/** What people of the organization can look up by its agent in a team chat: reading tools of the MCP server, with the rights of whoever asks. */
import { Effect, Layer, Schema } from "effect"
import { toolFailed } from "../domain/ai/tools/ToolRunner.ts"
import { OpsReading } from "../domain/apps/chat/OpsAgent.ts"
import { JsonRecord } from "../domain/basics/Json.ts"
import { Organizations } from "../domain/people/organizations/Organization.ts"
import { type AssistantCaller, unnamedClient } from "../http/mcp/protocol/AssistantCaller.ts"
import { everything } from "../http/mcp/protocol/Toolset.ts"
import { getAnalytics } from "../http/mcp/tools/getAnalytics.ts"
import { getCall } from "../http/mcp/tools/getCall.ts"
import { getConversation } from "../http/mcp/tools/getConversation.ts"
import { listCalls } from "../http/mcp/tools/listCalls.ts"
import { listConversations } from "../http/mcp/tools/listConversations.ts"

const makeTools = Effect.all([getAnalytics, listConversations, getConversation, listCalls, getCall])
const readSchema = Schema.decodeUnknownSync(JsonRecord)

/** Needs the stores. */
export const layer = Layer.effect(
  OpsReading,
  Effect.gen(function* () {
    const tools = yield* makeTools
    const organizations = yield* Organizations
    return OpsReading.of({
      tools: tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        parameters: readSchema(inputSchema)
      })),
      run: Effect.fnUntraced(function* (name, input, { organizationId, userId: keyId, scopes }) {
        const tool = tools.find((one) => one.name === name)
        const organization = yield* organizations.find(organizationId)
        if (tool === undefined || organization === undefined) return toolFailed("There is nothing to look up.")
        if (!scopes.includes(tool.scope) || !tool.isInPlan(organization))
          return toolFailed("Whoever asks may not see this.")
        const caller: AssistantCaller = {
          principal: { organizationId, keyId, scopes },
          organization,
          narrowing: everything,
          client: unnamedClient,
          transport: "http",
          origin: { ip: null, requestId: null }
        }
        return yield* tool.run(input, caller).pipe(
          Effect.match({
            onSuccess: ({ text }) => ({ outcome: "ok" as const, result: text }),
            onFailure: ({ message, next }) => toolFailed(`${message}\n${next}`)
          })
        )
      })
    })
  })
)
