/** The routes of the MCP server. They are not in the description of the REST interface: the protocol describes itself. */
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { makeAssistant } from "../assistant/Assistant.ts"
import type { SendLimits } from "../assistant/SendOnce.ts"
import { type AdmissionOptions, makeAdmission } from "./Admission.ts"
import { makeHttpSse, messagesPath } from "./HttpSse.ts"
import { answered } from "./JsonRpc.ts"
import { makeKeyWatch } from "./KeyWatch.ts"
import { makeSdkAnswers } from "./SdkAnswers.ts"
import { makeStdioBridge } from "./StdioBridge.ts"
import { makeStreamableHttp } from "./StreamableHttp.ts"

export interface McpOptions extends AdmissionOptions, SendLimits {}

/** The addresses with the methods that they take. */
export const mcpAddresses: Readonly<Record<string, ReadonlyArray<string>>> = {
  "/api/mcp": ["GET", "POST", "DELETE"],
  "/api/mcp/sse": ["GET"],
  [messagesPath]: ["POST"],
  "/api/mcp/stdio": ["GET", "POST"]
}

/** Needs the services of the use cases, ApiKeys, Organizations, McpSessions, McpReplies and McpPosts. */
export const layer = (options: McpOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const assistant = yield* makeAssistant(options)
      const admit = yield* makeAdmission(options)
      const watch = yield* makeKeyWatch
      const parts = { admit, watch, answers: yield* makeSdkAnswers(assistant) }
      const http = yield* makeStreamableHttp(parts)
      const sse = yield* makeHttpSse(parts)
      const stdio = makeStdioBridge(parts, assistant)
      return Layer.mergeAll(
        HttpRouter.add("POST", "/api/mcp", answered(Effect.suspend(http.post))),
        HttpRouter.add("GET", "/api/mcp", answered(Effect.suspend(http.get))),
        HttpRouter.add("DELETE", "/api/mcp", answered(Effect.suspend(http.end))),
        HttpRouter.add("GET", "/api/mcp/sse", answered(Effect.suspend(sse.get))),
        HttpRouter.add("POST", messagesPath, answered(Effect.suspend(sse.post))),
        HttpRouter.add("POST", "/api/mcp/stdio", answered(stdio.post)),
        HttpRouter.add("GET", "/api/mcp/stdio", answered(stdio.get))
      )
    })
  )
