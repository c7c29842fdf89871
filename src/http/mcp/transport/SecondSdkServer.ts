/** The protocol server of the second SDK, for Streamable HTTP: one for each request, in both eras of the protocol. */
import { type jsonSchemaValidator, Server } from "@modelcontextprotocol/server"
import { assistantMethods, instructions, serverInfo } from "../assistant/Assistant.ts"
import { type AssistantCaller, type AssistantClient, clientOf } from "../protocol/AssistantCaller.ts"
import type { SdkAnswers } from "./SdkAnswers.ts"

/** Tools and prompts change with the service, and with the key's scopes. */
const listHint = { ttlMs: 60_000, cacheScope: "private" as const }
const readHint = { ttlMs: 0, cacheScope: "private" as const }

const noValidator: jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "this server asks clients for nothing" })
}

const options = {
  capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
  instructions,
  jsonSchemaValidator: noValidator,
  cacheHints: {
    "tools/list": listHint,
    "prompts/list": listHint,
    "resources/templates/list": listHint,
    "resources/list": readHint,
    "resources/read": readHint,
    "server/discover": listHint
  }
}

/** `client`: the program, as its session says; otherwise as the request itself says. */
export const makeSecondSdkServer = (
  answers: SdkAnswers,
  callerAs: (client: AssistantClient) => AssistantCaller,
  client?: AssistantClient
): Server => {
  const server = new Server(serverInfo, options)
  for (const method of assistantMethods)
    server.setRequestHandler(method, async ({ params }, { mcpReq }) => {
      const caller = callerAs(client ?? clientOf(server.getClientVersion()))
      const given = (params ?? {}) as Readonly<Record<string, unknown>>
      return { ...(await answers(method, given, caller, mcpReq.signal)) } as never
    })
  return server
}
