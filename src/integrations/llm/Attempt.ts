/** One request for one completion. A failure says what is worth trying next. */
import { Data, Effect } from "effect"
import {
  type ReasoningError as Failure,
  ReasoningError,
  type ReasoningEvent
} from "../../domain/ai/providers/Reasoning.ts"
import { messageOf } from "../../domain/basics/ErrorMessage.ts"
import { parsedJson } from "../../domain/basics/Json.ts"
import { type Answer, BodyLate, readText } from "../connections/Answer.ts"
import type { Connections } from "../connections/Connections.ts"
import { leftUntil } from "../connections/Deadline.ts"
import { errorIn, isChunk, ToolCallParts, usageIn } from "./Chunk.ts"
import { maxPendingCharacters, type SseEvent, SseParser } from "./SseParser.ts"

/** `again`: the same model may answer now. `next`: only another model may. `without_tools`: the model garbled a tool call. */
export type Remedy = "again" | "next" | "without_tools" | "none"

export class AttemptFailed extends Data.TaggedError("AttemptFailed")<{
  readonly error: Failure
  readonly remedy: Remedy
}> {}

export interface AttemptOptions {
  readonly url: string
  readonly apiKey: string
  readonly model: string
  readonly body: string
  readonly firstTokenTimeoutMs: number
  readonly chunkTimeoutMs: number
  /** Takes the model's events. The caller may have heard the first one, so the request is not repeated after it. */
  readonly emit: (event: ReasoningEvent) => Effect.Effect<unknown>
  /** Runs once, when the model begins to answer. */
  readonly begun: Effect.Effect<void>
}

const failed = (reason: Failure["reason"], message: string, remedy: Remedy) =>
  new AttemptFailed({ error: new ReasoningError({ reason, message }), remedy })

/** Judges an error: an answer with an error status, or an error in the middle of the stream (`status` undefined). */
const judge = (status: number | undefined, text: string): AttemptFailed => {
  // A proxy's HTML page has no code: the status alone decides.
  const { code, message: detail } = errorIn(parsedJson(text)) ?? { code: undefined, message: text.slice(0, 200) }
  const message = `${status ?? "mid-stream"} ${code ?? ""}: ${detail}`.replace(" :", ":")
  if (code === "tool_use_failed") return failed("rejected", message, "without_tools")
  if (code === "model_decommissioned" || code === "model_not_found") return failed("rejected", message, "next")
  if (status === 429 || code === "rate_limit_exceeded") return failed("rate_limited", message, "again")
  if (status === 498) return failed("rate_limited", message, "next")
  if (status === undefined || status >= 500 || status === 408) return failed("unavailable", message, "again")
  return failed("rejected", message, status === 404 || status === 413 ? "next" : "none")
}

const connectionLost = (cause: unknown) => failed("unavailable", messageOf(cause), "again")

/** Runs for every token, so a chunk without `error` is not decoded here. */
const isError = (json: unknown): boolean =>
  typeof json === "object" && json !== null && "error" in json && errorIn(json) !== undefined

const maxErrorBytes = 4_096
/** How long the end of the body may take after the end of the answer before the connection is closed. Milliseconds. */
const drainMs = 200

/** Resolves at the end of the body. Rejects when the end does not come within `drainMs`. */
const drained = async (answer: Answer): Promise<void> => {
  const until = performance.now() + drainMs
  while ((await answer.next(leftUntil(until))) !== undefined);
}

/** Runs one completion to its `End`. Interruption and failure abort the HTTP request. */
export const attempt = Effect.fnUntraced(function* (connections: Connections["Service"], options: AttemptOptions) {
  const firstTokenBy = performance.now() + options.firstTokenTimeoutMs
  let spoke = false

  const allowedMs = () => (spoke ? options.chunkTimeoutMs : leftUntil(firstTokenBy))
  const late = () =>
    spoke
      ? failed("timeout", `nothing for ${options.chunkTimeoutMs} ms in mid-answer`, "none")
      : failed("timeout", `no first token within ${options.firstTokenTimeoutMs} ms`, "next")
  const interrupted = (cause: unknown) => (cause instanceof BodyLate ? late() : connectionLost(cause))

  const begin = Effect.suspend(() => {
    if (spoke) return Effect.void
    spoke = true
    return options.begun
  })

  const response = yield* connections
    .post({
      url: options.url,
      headers: { authorization: `Bearer ${options.apiKey}` },
      body: options.body,
      timeoutMs: allowedMs()
    })
    .pipe(Effect.mapError((error) => (error._tag === "AnswerLate" ? late() : connectionLost(error))))
  const { status } = response
  if (status < 200 || status >= 300) {
    const explanation = yield* Effect.tryPromise({
      try: () => readText(response, maxErrorBytes, performance.now() + allowedMs()),
      catch: interrupted
    })
    return yield* judge(status, explanation)
  }

  const parts = new ToolCallParts()
  let finishReason: string | undefined
  let usage: ReturnType<typeof usageIn>
  let text = ""
  let answering = false

  /** Takes one event, adding its words to `text`. Says when it was the last one, and what is wrong with it. */
  const take = (event: SseEvent): AttemptFailed | "done" | undefined => {
    if (event.data === "[DONE]") return "done"
    const json = parsedJson(event.data)
    if (json === undefined) return failed("protocol", `not JSON: ${event.data.slice(0, 200)}`, "again")
    if (event.event === "error" || isError(json)) return judge(undefined, event.data)
    if (!isChunk(json)) return failed("protocol", `unknown chunk: ${event.data.slice(0, 200)}`, "again")
    const choice = json.choices[0]
    for (const part of choice?.delta?.tool_calls ?? []) {
      // The model has begun to answer, but nobody has heard anything: the clock changes, the right to retry does not.
      answering = true
      parts.add(part)
    }
    if (choice?.delta?.content) {
      answering = true
      text += choice.delta.content
    }
    finishReason = choice?.finish_reason ?? finishReason
    usage = usageIn(json) ?? usage
    return undefined
  }

  /** Takes what came over the network at once, and gives out its words in one piece: one effect, not one for each token. */
  const takeAll = (events: ReadonlyArray<SseEvent>) => {
    let outcome: AttemptFailed | "done" | undefined
    for (const event of events) {
      outcome = take(event)
      if (outcome !== undefined) break
    }
    const said = text
    text = ""
    const begun = answering ? begin : Effect.void
    const told = said === "" ? begun : Effect.andThen(begun, options.emit({ _tag: "Text", text: said }))
    const ended =
      outcome === undefined || outcome === "done" ? Effect.succeed(outcome === "done") : Effect.fail(outcome)
    return Effect.andThen(told, ended)
  }

  const parser = new SseParser()
  while (true) {
    const piece = yield* Effect.tryPromise({
      try: () => response.next(allowedMs()),
      catch: interrupted
    })
    if (yield* takeAll(piece === undefined ? parser.finish() : parser.push(piece))) break
    if (parser.tooLong)
      return yield* failed("protocol", `an event longer than ${maxPendingCharacters} characters`, "again")
    if (piece === undefined) break
  }
  if (finishReason === undefined) return yield* failed("unavailable", "the stream ended before the answer did", "again")
  const calls = parts.finish()
  if (calls === undefined) return yield* failed("protocol", "a tool call came without an id or a name", "again")
  for (const call of calls) yield* options.emit({ _tag: "ToolCall", call })
  yield* options.emit({
    _tag: "End",
    finishReason,
    ...(usage === undefined ? {} : { usage: { model: options.model, ...usage } })
  })
  // A body that is read to its end leaves a connection for the next turn.
  yield* Effect.tryPromise(() => drained(response)).pipe(Effect.ignore)
}, Effect.scoped)
