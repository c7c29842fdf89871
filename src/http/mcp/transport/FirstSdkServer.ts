/** The protocol server of the first SDK, for HTTP+SSE (2024-11-05) and stdio. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import type { jsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/types.js"
import { assistantMethods, instructions, type Params, serverInfo } from "../assistant/Assistant.ts"
import type { AssistantClient } from "../protocol/AssistantCaller.ts"
import { clientOf } from "../protocol/AssistantCaller.ts"
import { RpcFailure } from "./SdkAnswers.ts"

const known = new Set<string>(assistantMethods)

/** Only answers to forms are validated by it, and we ask clients for nothing. The SDK's own would take half a megabyte for each session. */
const noValidator: jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "this server asks clients for nothing" })
}

export type AnswerOf = (method: string, params: Params, client: AssistantClient, signal: AbortSignal) => Promise<object>

/** A server for one connection. It has no handlers of the SDK's for our methods, so requests reach us as they were sent. */
export const makeFirstSdkServer = (answerOf: AnswerOf): Server => {
  const server = new Server(serverInfo, {
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    instructions,
    jsonSchemaValidator: noValidator
  })
  server.fallbackRequestHandler = async ({ method, params }, { signal }) => {
    if (!known.has(method)) throw new RpcFailure(-32_601, "Method not found")
    return { ...(await answerOf(method, params ?? {}, clientOf(server.getClientVersion()), signal)) }
  }
  return server
}
