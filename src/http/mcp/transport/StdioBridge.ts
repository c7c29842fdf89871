/**
 * `/api/mcp/stdio`: what `parley mcp` asks on behalf of the assistant that started it. It is no transport of the protocol: plans have MCP over stdio that do not
 * have it over the network. The GET is open as long as the key is good.
 */
import { Effect, Predicate } from "effect"
import { HttpServerResponse } from "effect/http"
import { ServerClosing } from "../../server/ServerClosing.ts"
import type { Assistant } from "../assistant/Assistant.ts"
import { codeOf } from "../assistant/ProtocolFailure.ts"
import { clientOf } from "../protocol/AssistantCaller.ts"
import { readMessage } from "./JsonRpc.ts"
import { liveResponse, liveText, liveTexts } from "./LiveStream.ts"
import type { StreamableHttpParts } from "./StreamableHttp.ts"

export const makeStdioBridge = ({ admit, watch }: StreamableHttpParts, assistant: Assistant) => ({
  post: Effect.gen(function* () {
    const { callerAs } = yield* admit("mcpStdio")
    const { method, params, client } = yield* readMessage
    const caller = callerAs(clientOf(Predicate.isObject(client) ? client : undefined), "stdio")
    const given = Predicate.isObject(params) ? (params as Readonly<Record<string, unknown>>) : {}
    const answer = yield* Effect.match(assistant(String(method), given, caller), {
      onSuccess: (result) => ({ result }),
      onFailure: (failure) => ({ failure: { code: codeOf(failure), message: failure.message } })
    })
    return HttpServerResponse.jsonUnsafe(answer)
  }),
  get: Effect.gen(function* () {
    const { secret, principal } = yield* admit("mcpStdio")
    const ends = [watch(secret, principal), yield* ServerClosing]
    const texts = yield* liveTexts()
    return liveResponse(liveText({ head: ": open\n\n", texts, goesOn: Effect.succeed(true), ends }))
  })
})
