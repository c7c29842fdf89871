/** Sends requests: addresses, headers, keys, time-outs, repetitions, and errors. */
import { AnswerError, answerError, ConnectionError, type FailedRequest, ParleyError, TimedOutError } from "./Errors.ts"
import { toBlob } from "./Files.ts"
import type { Operation } from "./Operation.ts"
import type { ParleyOptions, RequestOptions } from "./Options.ts"
import { mayRepeat, type Outcome, pause, retryAfterOf, waitMs } from "./Retry.ts"

export interface Call {
  /** `contacts.create` */
  readonly name: string
  readonly operation: Operation
  /** With its parameters filled in. */
  readonly path: string
  readonly query: Readonly<Record<string, unknown>> | undefined
  readonly body: unknown
  readonly options: RequestOptions
}

interface Prepared {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Blob | FormData | undefined
  readonly key: string | undefined
}

/** 128 random bits. `crypto.randomUUID` is not there in pages without TLS. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("")

const isRepeatableMethod = (method: string): boolean => ["GET", "HEAD", "PUT", "DELETE"].includes(method)

const inQuery = (value: unknown): string => {
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? value.map(inQuery).join(",") : String(value)
}

const searchOf = (query: Readonly<Record<string, unknown>> = {}): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  return given.length === 0
    ? ""
    : `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, inQuery(value)]))}`
}

const formOf = async (body: unknown): Promise<FormData> => {
  const form = new FormData()
  for (const [name, value] of Object.entries(body as Record<string, unknown>)) {
    if (value === undefined) continue
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      form.append(name, `${value}`)
    else form.append(name, await toBlob(value as Parameters<typeof toBlob>[0]))
  }
  return form
}

const sentenceOf = (text: string, status: number): string => {
  try {
    const { error } = JSON.parse(text) as { readonly error?: unknown }
    if (typeof error === "string") return error
  } catch {
    // No JSON: a proxy before the service has answered.
  }
  return `The request was answered with status ${status}.`
}

const noAnswer: Outcome = { status: undefined, retryAfterSeconds: undefined }

export class Executor {
  readonly #options: ParleyOptions
  readonly #base: string

  constructor(options: ParleyOptions) {
    this.#options = options
    this.#base = options.baseUrl.replace(/\/+$/, "")
  }

  /** Sends a request until it is answered with success, or may not be sent again. `read` reads the answer. */
  readonly send = async <A>(call: Call, read: (response: Response) => Promise<A>): Promise<A> => {
    const { operation, options } = call
    const retries = options.retries ?? this.#options.retries ?? 3
    const longestWait = this.#options.longestWaitMs ?? 60_000
    const prepared = await this.#prepare(call)
    const keyed = prepared.key !== undefined && operation.takesKey === true
    const safe = options.repeatable ?? (keyed || operation.repeatable === true || isRepeatableMethod(operation.method))
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(call, prepared, attempt, read)
      } catch (cause) {
        const outcome = cause instanceof AnswerError ? cause : cause instanceof ConnectionError ? noAnswer : undefined
        if (outcome === undefined || attempt > retries || !mayRepeat(outcome, { safe, keyed })) throw cause
        const wait = waitMs(attempt, outcome.retryAfterSeconds)
        if (wait > longestWait + 250) throw cause
        await pause(wait, options.signal)
      }
    }
  }

  async #prepare({ operation, path, query, body, options }: Call): Promise<Prepared> {
    const { apiKey, csrfToken } = this.#options
    const token = operation.method === "GET" ? undefined : csrfToken?.()
    const key = options.idempotencyKey ?? (operation.takesKey === true ? newKey() : undefined)
    const json = operation.body === "json" && body !== undefined
    const sent =
      operation.body === "form"
        ? await formOf(body)
        : operation.body === "raw"
          ? await toBlob(body as Parameters<typeof toBlob>[0])
          : json
            ? JSON.stringify(body)
            : undefined
    return {
      url: `${this.#base}${path}${searchOf(query)}`,
      headers: {
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        ...(token === undefined ? {} : { "x-csrf-token": token }),
        ...(key === undefined ? {} : { "idempotency-key": key }),
        ...(json ? { "content-type": "application/json" } : {}),
        ...options.headers
      },
      body: sent,
      key
    }
  }

  async #attempt<A>(
    call: Call,
    prepared: Prepared,
    attempt: number,
    read: (response: Response) => Promise<A>
  ): Promise<A> {
    const { name, operation, options } = call
    const { fetch = globalThis.fetch } = this.#options
    const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs ?? 60_000
    const failed: FailedRequest = { operation: name, attempts: attempt, idempotencyKey: prepared.key }
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), timeoutMs)
    /** Waits for the other side. */
    const reached = async <B>(waiting: Promise<B>): Promise<B> => {
      try {
        return await waiting
      } catch (cause) {
        if (options.signal?.aborted === true) throw options.signal.reason
        if (late.signal.aborted)
          throw new TimedOutError(`There was no answer within ${timeoutMs / 1000} seconds.`, failed, { cause })
        if (cause instanceof SyntaxError)
          throw new ParleyError("The answer is not JSON: does baseUrl lead to the service?", failed, { cause })
        throw new ConnectionError(
          `The service cannot be reached, or the connection broke off: ${reasonOf(cause)}`,
          failed,
          {
            cause
          }
        )
      }
    }
    try {
      const response = await reached(
        fetch(prepared.url, {
          method: operation.method,
          headers: prepared.headers,
          // The service does not redirect; a request that was redirected would lose its body or its key.
          redirect: "error",
          signal: options.signal === undefined ? late.signal : AbortSignal.any([options.signal, late.signal]),
          ...(prepared.body === undefined ? {} : { body: prepared.body })
        })
      )
      const { status, headers } = response
      const requestId = headers.get("x-request-id") ?? undefined
      this.#options.onAnswer?.({
        operation: name,
        method: operation.method,
        url: prepared.url,
        status,
        attempt,
        requestId,
        replayed: headers.get("idempotent-replayed") === "true"
      })
      if (response.ok) return await reached(read(response))
      throw answerError(sentenceOf(await reached(response.text()), status), failed, {
        status,
        requestId,
        retryAfterSeconds: retryAfterOf(headers.get("retry-after")),
        existingId: headers.get("x-existing-id") ?? undefined
      })
    } finally {
      clearTimeout(timer)
    }
  }
}

/** What went wrong, as the platform says it: Node names the reason in the cause. */
const reasonOf = (cause: unknown): string => {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  return inner instanceof Error ? inner.message || inner.name : String(inner)
}
