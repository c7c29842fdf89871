/**
 * HTTP connections to the providers, kept alive between the turns of a call: a new one costs the caller two or three round trips
 * of silence. (Node's `fetch` closes an idle connection after 4 s, less than most callers take to answer.)
 */
import * as http from "node:http"
import * as https from "node:https"
import { Context, Data, Effect, Layer, type Scope } from "effect"

export interface ConnectionOptions {
  /** Milliseconds until a connection, TLS included, is there. Default 2,000. */
  readonly connectTimeoutMs?: number | undefined
  /** Milliseconds an unused connection is kept, unless the provider closes it first. Default 90,000. */
  readonly idleMs?: number | undefined
}

export interface ProviderRequest {
  /** Default POST. */
  readonly method?: "GET" | "POST" | "PUT" | "DELETE"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface ProviderAnswer {
  readonly status: number
  readonly text: string
  readonly headers: http.IncomingHttpHeaders
}

/** No answer: the connection could not be made, or broke. */
export class ConnectionLost extends Data.TaggedError("ConnectionLost")<{
  readonly message: string
  /** The connection had stood: the provider may have acted on the request. */
  readonly sent: boolean
}> {}

export class Connections extends Context.Service<
  Connections,
  {
    /**
     * Sends a request; resolves with the head of the answer, whatever its status. Its body belongs to the scope: read to the end, the
     * connection is kept; left before that, or interrupted, it is closed, and another is opened for what comes next. Redirects are
     * not followed.
     */
    readonly post: (request: ProviderRequest) => Effect.Effect<http.IncomingMessage, ConnectionLost, Scope.Scope>
    /** Sends a request and reads the answer as text, of which 1 MiB is enough. */
    readonly ask: (request: ProviderRequest) => Effect.Effect<ProviderAnswer, ConnectionLost>
    /** Begins to open a connection to the host of an address, unless an unused one is open. Neither waits nor fails. */
    readonly warm: (url: string) => Effect.Effect<void>
  }
>()("parley/integrations/Connections") {}

const maxTextBytes = 1 << 20

const lost = (cause: unknown, sent: boolean) =>
  new ConnectionLost({ message: `connection lost: ${cause instanceof Error ? cause.message : String(cause)}`, sent })

const unsent = (cause: unknown) => lost(cause, false)
const unread = (cause: unknown) => lost(cause, true)

/** At most about `limit` bytes of a body, as text; the rest is not waited for. Rejects when the connection breaks. */
export const readText = (response: http.IncomingMessage, limit: number): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ""
    response.setEncoding("utf8")
    response.on("data", (chunk: string) => {
      text += chunk
      if (text.length <= limit) return
      resolve(text)
      response.destroy()
    })
    response.once("end", () => resolve(text))
    response.once("error", reject)
    response.once("close", () => reject(new Error("the connection was closed in the middle")))
  })

/** Destroys a request whose socket, a new one, is not connected in time. */
const limitConnecting = (request: http.ClientRequest, secure: boolean, timeoutMs: number) =>
  request.once("socket", (socket) => {
    if (request.reusedSocket) return
    const late = setTimeout(() => request.destroy(new Error(`no connection within ${timeoutMs} ms`)), timeoutMs)
    const stop = () => clearTimeout(late)
    socket.once(secure ? "secureConnect" : "connect", stop)
    request.once("close", stop)
  })

const answered = (sent: http.ClientRequest, body: string) =>
  Effect.callback<http.IncomingMessage, ConnectionLost>((resume) => {
    let connected = false
    sent.once("socket", (socket) => {
      connected = sent.reusedSocket || !socket.connecting
      // A kept connection has many requests: a listener of each would stay with it.
      if (connected) return
      // Of a TLS connection nothing has passed before its handshake.
      socket.once("encrypted" in socket ? "secureConnect" : "connect", () => {
        connected = true
      })
    })
    sent.once("error", (error) => resume(Effect.fail(lost(error, connected))))
    sent.once("response", (response) => resume(Effect.succeed(response)))
    sent.end(body)
  })

/** Node's pools for plain and TLS connections. */
const openAgents = (idleMs: number) => {
  const settings: https.AgentOptions = {
    keepAlive: true,
    keepAliveMsecs: 10_000,
    timeout: idleMs,
    maxFreeSockets: 64,
    scheduling: "lifo"
  }
  return { plain: new http.Agent(settings), secure: new https.Agent(settings) }
}

/** A pool of connections, closed with the scope. */
export const makeConnections = Effect.fnUntraced(function* (options: ConnectionOptions = {}) {
  const connectTimeoutMs = options.connectTimeoutMs ?? 2_000
  let closed = false
  const agents = yield* Effect.acquireRelease(
    Effect.sync(() => openAgents(options.idleMs ?? 90_000)),
    ({ plain, secure }) =>
      Effect.sync(() => {
        closed = true
        plain.destroy()
        secure.destroy()
      })
  )

  const open = (url: URL, request: http.RequestOptions) => {
    const secure = url.protocol === "https:"
    const agent = secure ? agents.secure : agents.plain
    const opened = (secure ? https : http).request(url, { ...request, agent })
    // Without a listener an error after the answer, or after an interruption, would end the process.
    opened.on("error", () => undefined)
    return limitConnecting(opened, secure, connectTimeoutMs)
  }

  const isOpen = ({ protocol, hostname, port }: URL) => {
    const { freeSockets } = protocol === "https:" ? agents.secure : agents.plain
    const host = `${hostname}:${port || (protocol === "https:" ? 443 : 80)}:`
    return Object.keys(freeSockets).some((name) => name.startsWith(host))
  }

  /** Whatever the host says to OPTIONS, its connection is there afterwards. */
  const warmNow = (url: URL) => {
    if (closed || isOpen(url)) return
    const request = open(new URL("/", url), { method: "OPTIONS", timeout: connectTimeoutMs })
    request.on("response", (response) => response.resume())
    request.on("timeout", () => request.destroy())
    request.end()
  }

  const begin = ({ method = "POST", url, headers, body }: ProviderRequest) => {
    const target = new URL(url)
    const request = open(target, {
      method,
      headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body), ...headers }
    })
    const sent: { readonly request: http.ClientRequest; readonly target: URL; response?: http.IncomingMessage } = {
      request,
      target
    }
    request.once("response", (response) => {
      sent.response = response
    })
    return sent
  }

  const post: Connections["Service"]["post"] = (request) =>
    Effect.acquireRelease(Effect.try({ try: () => begin(request), catch: unsent }), ({ request, target, response }) =>
      Effect.sync(() => {
        // A response read to its end has given its connection back, destroying it then changes nothing.
        request.destroy()
        if (response !== undefined && !response.complete) warmNow(target)
      })
    ).pipe(Effect.flatMap((sent) => answered(sent.request, request.body)))

  const ask: Connections["Service"]["ask"] = (request) =>
    Effect.gen(function* () {
      const response = yield* post(request)
      const text = yield* Effect.tryPromise({ try: () => readText(response, maxTextBytes), catch: unread })
      return { status: response.statusCode ?? 0, text, headers: response.headers }
    }).pipe(Effect.scoped)

  const warm: Connections["Service"]["warm"] = (url) =>
    Effect.try({ try: () => warmNow(new URL(url)), catch: unsent }).pipe(
      Effect.catch((error) => Effect.logWarning("a provider's address is none", error))
    )

  return Connections.of({ post, ask, warm })
})

/** One pool for all adapters that are provided with it. */
export const layer: Layer.Layer<Connections> = Layer.effect(Connections, makeConnections())
