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
  readonly emit: (event: ReasoningEvent) => void
  /** Whether these words are enough for an event. */
  readonly enough: (words: string) => boolean
  /** Called when the model begins to answer, and perhaps again later. */
  readonly begun: () => void
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

/**
 * What has come of one answer. Pieces of the network are taken without an effect for each of them: a model sends one for each token, and a turn has no
 * dearer part.
 */
class Completion {
  /** Whether the model has begun to answer. */
  begun = false
  readonly #options: AttemptOptions
  readonly #parts = new ToolCallParts()
  #finishReason: string | undefined
  #usage: ReturnType<typeof usageIn>
  /** Words that were not given out yet. */
  #text = ""

  constructor(options: AttemptOptions) {
    this.#options = options
  }

  /** Takes what came over the network at once, and gives out its words in one piece if they are enough. Says whether that was the end; throws AttemptFailed. */
  take(events: ReadonlyArray<SseEvent>): boolean {
    let outcome: AttemptFailed | "done" | undefined
    for (const event of events) {
      outcome = this.#takeOne(event)
      if (outcome !== undefined) break
    }
    if (this.begun) this.#options.begun()
    if (this.#text !== "" && (outcome !== undefined || this.#options.enough(this.#text))) this.#giveOut()
    if (outcome === undefined || outcome === "done") return outcome === "done"
    throw outcome
  }

  /** Gives out what is left. Throws AttemptFailed when the answer is not whole. */
  end(): void {
    this.#giveOut()
    const { emit, model } = this.#options
    if (this.#finishReason === undefined) throw failed("unavailable", "the stream ended before the answer did", "again")
    const calls = this.#parts.finish()
    if (calls === undefined) throw failed("protocol", "a tool call came without an id or a name", "again")
    for (const call of calls) emit({ _tag: "ToolCall", call })
    const usage = this.#usage === undefined ? {} : { usage: { model, ...this.#usage } }
    emit({ _tag: "End", finishReason: this.#finishReason, ...usage })
  }

  #giveOut(): void {
    const text = this.#text
    this.#text = ""
    if (text !== "") this.#options.emit({ _tag: "Text", text })
  }

  /** Takes one event, adding its words to `#text`. Says when it was the last one, and what is wrong with it. */
  #takeOne(event: SseEvent): AttemptFailed | "done" | undefined {
    if (event.data === "[DONE]") return "done"
    const json = parsedJson(event.data)
    if (json === undefined) return failed("protocol", `not JSON: ${event.data.slice(0, 200)}`, "again")
    if (event.event === "error" || isError(json)) return judge(undefined, event.data)
    if (!isChunk(json)) return failed("protocol", `unknown chunk: ${event.data.slice(0, 200)}`, "again")
    const choice = json.choices[0]
    for (const part of choice?.delta?.tool_calls ?? []) {
      // The model has begun to answer, but nobody has heard anything: the clock changes, the right to retry does not.
      this.begun = true
      this.#parts.add(part)
    }
    if (choice?.delta?.content) {
      this.begun = true
      this.#text += choice.delta.content
    }
    this.#finishReason = choice?.finish_reason ?? this.#finishReason
    this.#usage = usageIn(json) ?? this.#usage
    return undefined
  }
}

/** Reads the whole answer. Rejects with AttemptFailed, with `BodyLate`, or because the connection broke. */
const read = async (response: Answer, completion: Completion, allowedMs: () => number): Promise<void> => {
  const parser = new SseParser()
  while (true) {
    const piece = await response.next(allowedMs())
    if (completion.take(piece === undefined ? parser.finish() : parser.push(piece))) break
    if (parser.tooLong) throw failed("protocol", `an event longer than ${maxPendingCharacters} characters`, "again")
    if (piece === undefined) break
  }
  completion.end()
}

/** Runs one completion to its `End`. Interruption and failure abort the HTTP request. */
export const attempt = Effect.fnUntraced(function* (connections: Connections["Service"], options: AttemptOptions) {
  const firstTokenBy = performance.now() + options.firstTokenTimeoutMs
  const completion = new Completion(options)
  const allowedMs = () => (completion.begun ? options.chunkTimeoutMs : leftUntil(firstTokenBy))
  const late = () =>
    completion.begun
      ? failed("timeout", `nothing for ${options.chunkTimeoutMs} ms in mid-answer`, "none")
      : failed("timeout", `no first token within ${options.firstTokenTimeoutMs} ms`, "next")
  const interrupted = (cause: unknown) => {
    if (cause instanceof AttemptFailed) return cause
    return cause instanceof BodyLate ? late() : connectionLost(cause)
  }
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
  yield* Effect.tryPromise({ try: () => read(response, completion, allowedMs), catch: interrupted })
  // A body that is read to its end leaves a connection for the next turn.
  if (response.underWay) yield* Effect.tryPromise(() => drained(response)).pipe(Effect.ignore)
}, Effect.scoped)
