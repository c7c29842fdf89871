/**
 * `GET /api/mcp/sse` and `POST /api/mcp/messages`: the transport of 2024-11-05. The stream carries the answers to what is posted. A post may reach another
 * process than the stream's; `McpPosts` brings it there.
 */
import { randomUUID } from "node:crypto"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js"
import { Clock, Effect, Queue, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { parsedJson } from "../../../domain/basics/Json.ts"
import type { KeyPrincipal } from "../../../domain/people/access/Access.ts"
import { McpPosts, type McpStream } from "../../../domain/people/access/mcp/McpPosts.ts"
import { idleSeconds, mostSessions } from "../../../domain/people/access/mcp/McpSessions.ts"
import { Organizations } from "../../../domain/people/organizations/Organization.ts"
import { ServerClosing } from "../../server/ServerClosing.ts"
import { errorResponse } from "../../wire/Errors.ts"
import type { Admitted } from "./Admission.ts"
import { makeFirstSdkServer } from "./FirstSdkServer.ts"
import { codes, readMessage, refuseWith, rpcError, sessionNotFound } from "./JsonRpc.ts"
import { liveResponse, liveText, liveTexts } from "./LiveStream.ts"
import type { StreamableHttpParts } from "./StreamableHttp.ts"

export const messagesPath = "/api/mcp/messages"

/** Answers that wait for a client to read them. A client with more is disconnected. */
const mostWaiting = 64

/** What connects the SDK's server with a stream: `send` gets what the server says, `onmessage` what was posted. */
class SseTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #say: (event: string) => void

  constructor(say: (event: string) => void) {
    this.#say = say
  }
  async start(): Promise<void> {}
  async send(message: JSONRPCMessage): Promise<void> {
    this.#say(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
  }
  async close(): Promise<void> {
    this.onclose?.()
  }
  /** A message that was posted; it was checked when it was taken. */
  hear(text: string): void {
    const read = JSONRPCMessageSchema.safeParse(parsedJson(text))
    if (read.success) this.onmessage?.(read.data)
  }
}

/** Needs McpPosts and Organizations. */
export const makeHttpSse = Effect.fnUntraced(function* ({ admit, watch, answers }: StreamableHttpParts) {
  const posts = yield* McpPosts
  const organizations = yield* Organizations
  const open = new Map<string, number>()
  const count = ({ keyId }: KeyPrincipal, change: 1 | -1) =>
    Effect.sync(() => {
      const streams = (open.get(keyId) ?? 0) + change
      if (streams === 0) open.delete(keyId)
      else open.set(keyId, streams)
    })

  /** The stream of one client, with the server behind it. */
  const serve = Effect.fnUntraced(function* (stream: McpStream, admitted: Admitted, closing: Effect.Effect<void>) {
    const { secret, principal, callerAs } = admitted
    yield* Effect.acquireRelease(count(principal, 1), () => count(principal, -1))
    const texts = yield* liveTexts(mostWaiting)
    let usedAt = yield* Clock.currentTimeMillis
    const transport = new SseTransport((event) => {
      if (!Queue.offerUnsafe(texts, event)) Queue.endUnsafe(texts)
    })
    const server = makeFirstSdkServer((method, params, client, signal) => {
      const caller = callerAs(client, "sse")
      // The organization's plan may have changed since the stream was opened.
      const current = Effect.map(organizations.find(principal.organizationId), (organization) => ({
        ...caller,
        organization: organization ?? caller.organization
      }))
      return answers(method, params, current, signal)
    })
    yield* Effect.promise(() => server.connect(transport))
    yield* Effect.addFinalizer(() => Effect.promise(() => server.close()))
    yield* posts.listen(stream, (message) => {
      usedAt = Date.now()
      transport.hear(message)
    })
    const goesOn = Effect.map(Clock.currentTimeMillis, (now) => now - usedAt < idleSeconds * 1_000)
    const head = `event: endpoint\ndata: ${messagesPath}?sessionId=${stream.id}\n\n`
    return liveText({ head, texts, goesOn, ends: [watch(secret, principal), closing] })
  })

  const get = Effect.fnUntraced(function* () {
    const admitted = yield* admit("mcp")
    const { keyId } = admitted.principal
    if ((open.get(keyId) ?? 0) >= mostSessions)
      return yield* refuseWith(
        errorResponse(429, `This API key has ${mostSessions} streams open already. Close some of them.`)
      )
    const closing = yield* ServerClosing
    const stream = { id: randomUUID(), keyId }
    return liveResponse(Stream.unwrap(serve(stream, admitted, closing)))
  })

  const post = Effect.fnUntraced(function* () {
    const { principal } = yield* admit("mcp")
    const { originalUrl } = yield* HttpServerRequest.HttpServerRequest
    const id = new URL(originalUrl, "http://mcp.invalid").searchParams.get("sessionId")
    if (id === null) return yield* refuseWith(rpcError(400, codes.transport, "Bad Request: sessionId is missing"))
    const message = yield* readMessage
    if (!JSONRPCMessageSchema.safeParse(message).success)
      return yield* refuseWith(
        rpcError(400, codes.invalidRequest, "Invalid Request: this is not a message of JSON-RPC 2.0")
      )
    const stream = { id: id.slice(0, 100), keyId: principal.keyId }
    if (!(yield* posts.deliver(stream, JSON.stringify(message)))) return yield* refuseWith(sessionNotFound)
    return HttpServerResponse.text("Accepted", { status: 202 })
  })

  return { get, post }
})
