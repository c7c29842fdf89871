/**
 * HTTP connections to the providers, kept alive between the turns of a call: a new one costs the caller two or three round trips of silence. Node's
 * `fetch` closes an idle connection after 4 s, less than most callers take to answer. undici without its streams takes a third of the processor
 * time of Node's own client.
 */
import type { IncomingHttpHeaders } from "node:http"
import { Context, Data, Effect, Layer, type Scope } from "effect"
import { messageOf } from "../../domain/basics/ErrorMessage.ts"
import { Answer, readText } from "./Answer.ts"
import { startDeadline } from "./Deadline.ts"
import { OriginConnections } from "./OriginConnections.ts"

export interface ConnectionOptions {
  /** Milliseconds for opening a connection, TLS included. Default 2,000. */
  readonly connectTimeoutMs?: number | undefined
  /** Milliseconds an unused connection is kept, unless the provider closes it first. Default 90,000. */
  readonly idleMs?: number | undefined
}

export interface ProviderRequest {
  /** Default POST. */
  readonly method?: "GET" | "POST" | "PUT" | "DELETE"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** Milliseconds until the head of the answer; with `ask` until all of it. Default: no limit. */
  readonly timeoutMs?: number
}

export interface ProviderAnswer {
  readonly status: number
  readonly text: string
  readonly headers: IncomingHttpHeaders
}

/** No answer: the connection could not be made, or broke. */
export class ConnectionLost extends Data.TaggedError("ConnectionLost")<{
  readonly message: string
  /** The connection was open, so the provider may have acted on the request. */
  readonly sent: boolean
}> {}

/** No answer within the request's time limit. */
export class AnswerLate extends Data.TaggedError("AnswerLate")<{ readonly timeoutMs: number }> {}

export type Unanswered = ConnectionLost | AnswerLate

export class Connections extends Context.Service<
  Connections,
  {
    /**
     * Sends a request. Returns the head of the answer, whatever its status. The body belongs to the scope. When it is read to the end, the
     * connection is kept. When it is left or interrupted before that, the connection is closed and another is opened for the next request.
     * Redirects are not followed.
     */
    readonly post: (request: ProviderRequest) => Effect.Effect<Answer, Unanswered, Scope.Scope>
    /** Sends a request and reads the answer as text, at most about 1 MiB. */
    readonly ask: (request: ProviderRequest) => Effect.Effect<ProviderAnswer, Unanswered>
    /** Starts opening a connection to the host of an address, unless an unused one is open. Neither waits nor fails. */
    readonly warm: (url: string) => Effect.Effect<void>
  }
>()("parley/integrations/Connections") {}

const maxTextBytes = 1 << 20

const lost = (cause: unknown, sent: boolean) =>
  new ConnectionLost({ message: `connection lost: ${messageOf(cause)}`, sent })

/** A request that only opens a connection. */
type Opening = Omit<ProviderRequest, "method"> & { readonly method: "OPTIONS" }
type Outcome = Effect.Effect<never, Unanswered>

/** The connections to all origins, by origin. */
const openOrigins = (connectTimeoutMs: number, idleMs: number) => {
  const origins = new Map<string, OriginConnections>()
  const of = (origin: string): OriginConnections => {
    const known = origins.get(origin)
    if (known !== undefined) return known
    const connections = new OriginConnections(origin, {
      allowH2: false,
      keepAliveTimeout: idleMs,
      // A provider's offer of a longer time is ignored.
      keepAliveMaxTimeout: idleMs,
      // Each request has its own deadlines.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: connectTimeoutMs, keepAliveInitialDelay: 10_000 }
    })
    origins.set(origin, connections)
    return connections
  }
  const close = () => Promise.all([...origins.values()].map((connections) => connections.close()))
  return { of, close }
}

/** A pool of connections, closed with the scope. */
export const makeConnections = Effect.fnUntraced(function* (options: ConnectionOptions = {}) {
  const connectTimeoutMs = options.connectTimeoutMs ?? 2_000
  let closed = false
  const origins = yield* Effect.acquireRelease(
    Effect.sync(() => openOrigins(connectTimeoutMs, options.idleMs ?? 90_000)),
    ({ close }) =>
      Effect.promise(() => {
        closed = true
        return close()
      })
  )

  const unanswered = (cause: Error, sent: boolean) =>
    "code" in cause && cause.code === "UND_ERR_CONNECT_TIMEOUT"
      ? lost(`no connection within ${connectTimeoutMs} ms`, false)
      : lost(cause, sent)

  /** Sends a request whose answer `answer` takes. Throws for an invalid address. */
  const send = (answer: Answer, { method = "POST", url, headers, body }: ProviderRequest | Opening) => {
    const target = new URL(url)
    origins.of(target.origin).send(
      {
        method,
        path: `${target.pathname}${target.search}`,
        headers: { "content-type": "application/json", ...headers },
        body
      },
      answer
    )
  }

  /** Whatever the host answers to OPTIONS, the connection is open afterwards. */
  const warmNow = (url: URL) => {
    if (closed || origins.of(url.origin).hasFree) return
    const answer = new Answer()
    send(answer, { method: "OPTIONS", url: new URL("/", url).href, headers: {}, body: "" })
    const cancel = startDeadline(connectTimeoutMs, () => answer.leave())
    readText(answer, maxTextBytes)
      // The next request opens a connection and gets the error.
      .catch(() => undefined)
      .finally(cancel)
  }

  /** Sends a request. Calls `begun` when the head of its answer has come, or `failed` when none will come. */
  const answered = (
    answer: Answer,
    request: ProviderRequest,
    failed: (outcome: Outcome) => void,
    begun: () => void
  ) => {
    answer.listener = { begun, lost: (cause, sent) => failed(Effect.fail(unanswered(cause, sent))) }
    try {
      send(answer, request)
    } catch (cause) {
      failed(Effect.fail(lost(cause, false)))
    }
  }

  /** Starts the request's time limit. Returns a function that cancels it. */
  const limited = ({ timeoutMs }: ProviderRequest, late: (outcome: Outcome) => void): (() => void) =>
    timeoutMs === undefined
      ? () => undefined
      : startDeadline(timeoutMs, () => late(Effect.fail(new AnswerLate({ timeoutMs }))))

  /** Leaves an answer. When it was not read to its end, its connection is closed, and another one is opened for the next request. */
  const leave = (answer: Answer, { url }: ProviderRequest) => {
    const { underWay } = answer
    answer.leave()
    if (underWay) warmNow(new URL(url))
  }

  const post: Connections["Service"]["post"] = (request) =>
    Effect.acquireRelease(
      Effect.sync(() => new Answer()),
      (answer) => Effect.sync(() => leave(answer, request))
    ).pipe(
      Effect.flatMap((answer) =>
        Effect.callback<Answer, Unanswered>((resume) => {
          /** Leaves the failed request at once: a retry in the same scope must not hold it. */
          const fail = (outcome: Outcome) => {
            inTime()
            resume(outcome)
            leave(answer, request)
          }
          const inTime = limited(request, fail)
          answered(answer, request, fail, () => {
            inTime()
            resume(Effect.succeed(answer))
          })
          return Effect.sync(inTime)
        })
      )
    )

  const ask: Connections["Service"]["ask"] = (request) =>
    Effect.callback<ProviderAnswer, Unanswered>((resume) => {
      const answer = new Answer()
      const settle = (outcome: Effect.Effect<ProviderAnswer, Unanswered>) => {
        inTime()
        resume(outcome)
        leave(answer, request)
      }
      const inTime = limited(request, settle)
      answered(answer, request, settle, () => {
        readText(answer, maxTextBytes).then(
          (text) => settle(Effect.succeed({ status: answer.status, text, headers: answer.headers })),
          (cause: unknown) => settle(Effect.fail(lost(cause, true)))
        )
      })
      return Effect.sync(() => {
        inTime()
        leave(answer, request)
      })
    })

  const warm: Connections["Service"]["warm"] = (url) =>
    Effect.try({ try: () => warmNow(new URL(url)), catch: (cause) => lost(cause, false) }).pipe(
      Effect.catch((error) => Effect.logWarning("a provider's address is none", error))
    )

  return Connections.of({ post, ask, warm })
})

/** One pool, shared by all adapters that get this layer. */
export const layer: Layer.Layer<Connections> = Layer.effect(Connections, makeConnections())
