/**
 * `/api/mcp`: Streamable HTTP. A request of 2026-07-28 carries all it needs. A request of 2025-11-25 or before names a session, which is a record that all
 * processes share: each request gets a server of its own for as long as it is answered, so any process answers it.
 */
import { randomUUID } from "node:crypto"
import {
  classifyInboundRequest,
  createMcpHandler,
  WebStandardStreamableHTTPServerTransport
} from "@modelcontextprotocol/server"
import { Effect, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { type McpSession, McpSessions, mostSessions } from "../../../domain/people/access/mcp/McpSessions.ts"
import { ServerClosing } from "../../server/ServerClosing.ts"
import { errorResponse } from "../../wire/Errors.ts"
import { type AssistantClient, clientOf, unnamedClient } from "../protocol/AssistantCaller.ts"
import type { Admitted, makeAdmission } from "./Admission.ts"
import { codes, readMessage, refuseWith, rpcError, sessionNotFound } from "./JsonRpc.ts"
import type { makeKeyWatch } from "./KeyWatch.ts"
import { eventStreamHeaders, liveResponse, liveText, liveTexts } from "./LiveStream.ts"
import { makeResumption } from "./Resumption.ts"
import type { SdkAnswers } from "./SdkAnswers.ts"
import { makeSecondSdkServer } from "./SecondSdkServer.ts"

export interface StreamableHttpParts {
  readonly admit: Effect.Success<ReturnType<typeof makeAdmission>>
  readonly watch: Effect.Success<typeof makeKeyWatch>
  readonly answers: SdkAnswers
}

type Message = Readonly<Record<string, unknown>>
type Respond = (request: Request, message: Message) => Promise<Response>

const sessionHeader = "mcp-session-id"
const tooManySessions = errorResponse(
  429,
  `This API key has ${mostSessions} sessions already. End some of them (DELETE), or wait: unused ones end after 30 minutes.`
)

/** The request as the SDK reads it. Its body was read before. */
const webRequest = ({ method, originalUrl, headers }: HttpServerRequest.HttpServerRequest, signal: AbortSignal) =>
  new Request(new URL(originalUrl, "http://mcp.invalid"), { method, headers: new Headers({ ...headers }), signal })

const isStream = (response: Response) => response.headers.get("content-type")?.startsWith("text/event-stream") === true

/** The SDK's answer as one of ours. A stream ends when `over` completes. */
const answerOf = Effect.fnUntraced(function* (
  response: Response,
  over: Effect.Effect<void>,
  added: Readonly<Record<string, string>>
) {
  const { status, body } = response
  if (body !== null && isStream(response)) {
    const bytes = Stream.fromReadableStream({
      evaluate: () => body,
      onError: (cause) => cause
    }).pipe(Stream.interruptWhen(over))
    return HttpServerResponse.stream(bytes, {
      status,
      contentType: "text/event-stream",
      headers: { ...eventStreamHeaders, ...added }
    })
  }
  const text = yield* Effect.promise(() => response.text())
  const headers = { ...added, ...(response.headers.has("allow") ? { allow: response.headers.get("allow") ?? "" } : {}) }
  return text === ""
    ? HttpServerResponse.empty({ status, headers })
    : HttpServerResponse.text(text, { status, headers, contentType: "application/json" })
})

const initializes = ({ method }: Message) => method === "initialize"

const clientInfoOf = ({ params }: Message): AssistantClient => {
  const info = typeof params === "object" && params !== null ? Reflect.get(params, "clientInfo") : undefined
  return typeof info === "object" && info !== null ? clientOf(info) : unnamedClient
}

/** Needs McpSessions and McpReplies. */
export const makeStreamableHttp = Effect.fnUntraced(function* ({ admit, watch, answers }: StreamableHttpParts) {
  const sessions = yield* McpSessions
  const { storeOf, resume } = yield* makeResumption
  const run = Effect.runPromiseWith(yield* Effect.context<never>())

  const modern = createMcpHandler(
    ({ authInfo }) => {
      const admitted = authInfo?.extra?.admitted as Admitted
      return makeSecondSdkServer(answers, (client) => admitted.callerAs(client, "http"))
    },
    { legacy: "reject", onerror: () => undefined }
  )
  yield* Effect.addFinalizer(() => Effect.promise(() => modern.close()))

  const ask = Effect.fnUntraced(function* (
    { secret, principal }: Admitted,
    message: Message,
    respond: Respond,
    added: Readonly<Record<string, string>> = {}
  ) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const closing = yield* ServerClosing
    const response = yield* Effect.promise((signal) => respond(webRequest(request, signal), message))
    return yield* answerOf(response, Effect.raceFirst(watch(secret, principal), closing), added)
  })

  const askModern = (admitted: Admitted, message: Message) =>
    ask(admitted, message, (request, parsedBody) =>
      modern.fetch(request, { parsedBody, authInfo: { token: "", clientId: "", scopes: [], extra: { admitted } } })
    )

  const askSession = (admitted: Admitted, session: McpSession, message: Message, added = {}) =>
    ask(
      admitted,
      message,
      async (request, parsedBody) => {
        const server = makeSecondSdkServer(answers, (client) => admitted.callerAs(client, "http"), session.client)
        const transport = new WebStandardStreamableHTTPServerTransport({ eventStore: storeOf(session.id, run) })
        await server.connect(transport)
        return transport.handleRequest(request, { parsedBody })
      },
      added
    )

  /** The session that the request names, if it is one of its key's. */
  const sessionOf = Effect.fnUntraced(function* ({ principal }: Admitted, use: boolean) {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const id = headers[sessionHeader]
    if (id === undefined || id === "")
      return yield* refuseWith(rpcError(400, codes.transport, "Bad Request: Mcp-Session-Id header is required"))
    return (yield* sessions.find(id.slice(0, 100), principal.keyId, use)) ?? (yield* refuseWith(sessionNotFound))
  })

  const begin = Effect.fnUntraced(function* (admitted: Admitted, message: Message) {
    const session = { id: randomUUID(), keyId: admitted.principal.keyId, client: clientInfoOf(message) }
    const response = yield* askSession(admitted, session, message, { [sessionHeader]: session.id })
    if (response.status >= 400) return response
    return (yield* sessions.open(session)) ? response : yield* refuseWith(tooManySessions)
  })

  const post = Effect.fnUntraced(function* () {
    const admitted = yield* admit("mcp")
    const message = yield* readMessage
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const { kind } = classifyInboundRequest({
      httpMethod: "POST",
      ...(headers["mcp-protocol-version"] === undefined
        ? {}
        : { protocolVersionHeader: headers["mcp-protocol-version"] }),
      ...(headers["mcp-method"] === undefined ? {} : { mcpMethodHeader: headers["mcp-method"] }),
      ...(headers["mcp-name"] === undefined ? {} : { mcpNameHeader: headers["mcp-name"] }),
      body: message
    })
    if (kind !== "legacy") return yield* askModern(admitted, message)
    if (initializes(message)) return yield* begin(admitted, message)
    return yield* askSession(admitted, yield* sessionOf(admitted, true), message)
  })

  /** The stream for messages that we begin, of which there are none, or the rest of an answer. */
  const get = Effect.fnUntraced(function* () {
    const admitted = yield* admit("mcp")
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const { secret, principal } = admitted
    if (!(headers.accept ?? "").includes("text/event-stream"))
      return yield* refuseWith(rpcError(406, codes.transport, "Not Acceptable: Client must accept text/event-stream"))
    const session = yield* sessionOf(admitted, true)
    const closing = yield* ServerClosing
    const ends = [watch(secret, principal), closing]
    const lastEventId = headers["last-event-id"]
    if (lastEventId !== undefined) return yield* resume(session.id, lastEventId, Effect.raceAllFirst(ends))
    const goesOn = Effect.map(sessions.find(session.id, principal.keyId, false), (found) => found !== undefined)
    const text = liveText({ head: ": open\n\n", texts: yield* liveTexts(), goesOn, ends })
    return liveResponse(text, { [sessionHeader]: session.id })
  })

  const end = Effect.fnUntraced(function* () {
    const admitted = yield* admit("mcp")
    yield* sessions.close(yield* sessionOf(admitted, false))
    return HttpServerResponse.empty({ status: 200 })
  })

  return { post, get, end }
})
