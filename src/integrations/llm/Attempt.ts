/** One request for one completion: what came of it, and, when it failed, what is worth trying next. */
import { Clock, Data, Effect } from "effect"
import { type ReasoningError as Failure, ReasoningError, type ReasoningEvent } from "../../domain/Reasoning.ts"
import { Chunk, ErrorBody, ToolCallParts } from "./Chunk.ts"
import { type SseEvent, SseParser } from "./Sse.ts"

/** `again`: the same model may answer now. `next`: only another model may. `without_tools`: the model garbled a tool call. */
export type Remedy = "again" | "next" | "without_tools" | "none"

export class AttemptFailed extends Data.TaggedError("AttemptFailed")<{
  readonly error: Failure
  readonly remedy: Remedy
}> {}

export interface AttemptOptions {
  readonly url: string
  readonly apiKey: string
  readonly body: string
  readonly firstTokenTimeoutMs: number
  readonly chunkTimeoutMs: number
  /** Takes what the model says. From the first event on the caller may have heard it, so nothing is tried again. */
  readonly emit: (event: ReasoningEvent) => Effect.Effect<unknown>
}

const failed = (reason: Failure["reason"], message: string, remedy: Remedy) =>
  new AttemptFailed({ error: new ReasoningError({ reason, message }), remedy })

/** Judges an error answer, whether it came as a status or in the middle of the stream (`status` undefined). */
const judge = (status: number | undefined, text: string): AttemptFailed => {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    // A proxy's HTML page: the status alone has to do.
  }
  const parsed = ErrorBody.safeParse(body)
  const code = parsed.success ? (parsed.data.error.code ?? parsed.data.error.type ?? undefined) : undefined
  const detail = parsed.success ? parsed.data.error.message : text.slice(0, 200)
  const message = `${status ?? "mid-stream"} ${code ?? ""}: ${detail}`.replace(" :", ":")
  if (code === "tool_use_failed") return failed("rejected", message, "without_tools")
  if (code === "model_decommissioned" || code === "model_not_found") return failed("rejected", message, "next")
  if (status === 429 || code === "rate_limit_exceeded") return failed("rate_limited", message, "again")
  if (status === 498) return failed("rate_limited", message, "next")
  if (status === undefined || status >= 500 || status === 408) return failed("unavailable", message, "again")
  return failed("rejected", message, status === 404 || status === 413 ? "next" : "none")
}

const connectionLost = (cause: unknown) =>
  failed("unavailable", `connection lost: ${cause instanceof Error ? cause.message : String(cause)}`, "again")

/** Runs one completion to its `End`. Interruption and failure abort the HTTP request. */
export const attempt = Effect.fnUntraced(function* (options: AttemptOptions) {
  const abort = yield* Effect.acquireRelease(
    Effect.sync(() => new AbortController()),
    (controller) => Effect.sync(() => controller.abort())
  )
  const deadline = (yield* Clock.currentTimeMillis) + options.firstTokenTimeoutMs
  let spoke = false

  const within = Effect.fnUntraced(function* <A>(work: () => Promise<A>) {
    const allowed = spoke ? options.chunkTimeoutMs : deadline - (yield* Clock.currentTimeMillis)
    return yield* Effect.tryPromise({ try: work, catch: connectionLost }).pipe(
      Effect.timeoutOrElse({
        duration: Math.max(0, allowed),
        orElse: () =>
          Effect.fail(
            spoke
              ? failed("timeout", `nothing for ${options.chunkTimeoutMs} ms in mid-answer`, "none")
              : failed("timeout", `no first token within ${options.firstTokenTimeoutMs} ms`, "next")
          )
      })
    )
  })

  const response = yield* within(() =>
    fetch(options.url, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${options.apiKey}` },
      body: options.body,
      redirect: "error",
      signal: abort.signal
    })
  )
  if (!response.ok || response.body === null) {
    return yield* judge(response.status, yield* within(() => response.text()))
  }

  const parts = new ToolCallParts()
  let finishReason: string | undefined

  /** True at `[DONE]`. */
  const take = Effect.fnUntraced(function* (event: SseEvent) {
    if (event.data === "[DONE]") return true
    const json = yield* Effect.try({
      try: (): unknown => JSON.parse(event.data),
      catch: () => failed("protocol", `not JSON: ${event.data.slice(0, 200)}`, "again")
    })
    if (event.event === "error" || ErrorBody.safeParse(json).success) return yield* judge(undefined, event.data)
    const chunk = Chunk.safeParse(json)
    if (!chunk.success) return yield* failed("protocol", `unknown chunk: ${event.data.slice(0, 200)}`, "again")
    const choice = chunk.data.choices[0]
    for (const part of choice?.delta?.tool_calls ?? []) {
      // The model has begun to answer, but nobody has heard anything: the clock changes, the right to retry does not.
      spoke = true
      parts.add(part)
    }
    if (choice?.delta?.content) {
      spoke = true
      yield* options.emit({ _tag: "Text", text: choice.delta.content })
    }
    finishReason = choice?.finish_reason ?? finishReason
    return false
  })

  const parser = new SseParser()
  const reader = response.body.getReader()
  reading: while (true) {
    const { done, value } = yield* within(() => reader.read())
    for (const event of done ? parser.finish() : parser.push(value)) {
      if (yield* take(event)) break reading
    }
    if (done) break
  }
  if (finishReason === undefined) return yield* failed("unavailable", "the stream ended before the answer did", "again")
  const calls = parts.finish()
  if (calls === undefined) return yield* failed("protocol", "a tool call came without an id or a name", "again")
  for (const call of calls) yield* options.emit({ _tag: "ToolCall", call })
  yield* options.emit({ _tag: "End", finishReason })
}, Effect.scoped)
