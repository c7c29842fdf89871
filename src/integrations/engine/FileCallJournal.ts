/**
 * The call journal on disk: one file of JSON lines per call under `<folder>`. An event is appended before it is delivered; the file goes
 * when the app has taken the call's end. What a crashed process left is delivered at the next start, with an end (`error`)
 * added for calls that were cut off. Order is kept per call; delivery is at least once.
 */
import { appendFile, mkdir, readdir, readFile, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { Effect, FiberMap, Layer, Queue, Schedule, Schema } from "effect"
import { CallJournal } from "../../domain/CallJournal.ts"
import { AppCallbacks, CallEvent, type EngineProtocolError } from "../../domain/EngineProtocol.ts"
import { newId } from "../../domain/Ids.ts"

export interface FileCallJournalOptions {
  readonly folder: string
}

/** Retried for ever: the app comes back some day, and nothing may be lost until then. */
const untilTaken = Schedule.min([Schedule.exponential("200 millis"), Schedule.spaced("10 seconds")]).pipe(
  Schedule.jittered
)

const decodeEvent = Schema.decodeUnknownSync(Schema.fromJsonString(CallEvent))

/** Characters that mean something to a file system are written as `%` and their code, so that no two ids share a file. */
const fileOf = (folder: string, callId: string) =>
  join(folder, `${callId.replace(/[^A-Za-z0-9_]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)}.jsonl`)

/** A torn last line (the process died while writing it) is left out; it was never acknowledged to anybody. */
const readEvents = (text: string): ReadonlyArray<CallEvent> =>
  text.split("\n").flatMap((line) => {
    if (line === "") return []
    try {
      return [decodeEvent(line)]
    } catch {
      return []
    }
  })

const endOf = (last: CallEvent): CallEvent => ({
  type: "call_end",
  id: newId("evt"),
  organizationId: last.organizationId,
  agentId: last.agentId,
  callId: last.callId,
  endReason: "error",
  endedAt: new Date().toISOString(),
  durationSeconds: 0,
  turns: [],
  interruptions: 0,
  toolCalls: 0
})

const make = Effect.fnUntraced(function* ({ folder }: FileCallJournalOptions) {
  const app = yield* AppCallbacks
  yield* Effect.promise(() => mkdir(folder, { recursive: true }))
  const queues = new Map<string, Queue.Queue<CallEvent>>()
  const deliverers = yield* FiberMap.make<string>()

  const retire = (callId: string, refused: boolean) =>
    Effect.promise(() => {
      const file = fileOf(folder, callId)
      return refused ? rename(file, `${file}.refused`) : rm(file, { force: true })
    }).pipe(
      // Nothing was lost: at the next start the app gets events once more that it already has.
      Effect.catchCause((cause) => Effect.logError("a delivered call could not be put away", { callId }, cause))
    )

  /** The app refused it for good (not a network matter): kept aside for a person to look at, never retried. */
  const refuse = (event: CallEvent, error: EngineProtocolError) =>
    Effect.logError("the app refused a call event", { callId: event.callId, id: event.id, error: error.message })

  const deliverOne = (event: CallEvent) =>
    app.deliver(event).pipe(
      Effect.as(false),
      Effect.tapError((error) => Effect.logDebug("call event not delivered yet", error.message)),
      Effect.retry({ schedule: untilTaken, while: (error) => error.retryable }),
      Effect.catch((error) => Effect.as(refuse(event, error), true))
    )

  /** One fiber per call, from its first event to the delivery of its end. */
  const deliverAll = Effect.fnUntraced(function* (callId: string, queue: Queue.Queue<CallEvent>) {
    let refused = false
    while (true) {
      const event = yield* Queue.take(queue)
      refused = (yield* deliverOne(event)) || refused
      if (event.type !== "call_end") continue
      queues.delete(callId)
      return yield* retire(callId, refused)
    }
  })

  const enqueue = Effect.fnUntraced(function* (event: CallEvent) {
    const known = queues.get(event.callId)
    if (known !== undefined) {
      Queue.offerUnsafe(known, event)
      return
    }
    const queue = yield* Queue.unbounded<CallEvent>()
    queues.set(event.callId, queue)
    Queue.offerUnsafe(queue, event)
    yield* FiberMap.run(deliverers, event.callId, deliverAll(event.callId, queue))
  })

  const append = (event: CallEvent, before = "") =>
    Effect.tryPromise(() => appendFile(fileOf(folder, event.callId), `${before}${JSON.stringify(event)}\n`)).pipe(
      // A full disk must not end a call: the event still goes to the app from memory.
      Effect.catch((error) => Effect.logError("the call journal could not be written", error))
    )

  const recover = Effect.gen(function* () {
    const files = (yield* Effect.promise(() => readdir(folder))).filter((name) => name.endsWith(".jsonl"))
    for (const name of files) {
      const text = yield* Effect.promise(() => readFile(join(folder, name), "utf8"))
      const events = readEvents(text)
      const last = events.at(-1)
      if (last === undefined) {
        yield* Effect.promise(() => rm(join(folder, name), { force: true }))
        continue
      }
      for (const event of events) yield* enqueue(event)
      if (last.type === "call_end") continue
      const end = endOf(last)
      // A line of its own, also behind a torn one.
      yield* append(end, text.endsWith("\n") ? "" : "\n")
      yield* enqueue(end)
    }
    if (files.length > 0) yield* Effect.logInfo("delivering call events of an earlier run", { calls: files.length })
  })
  yield* recover

  return CallJournal.of({ record: (event) => Effect.andThen(append(event), enqueue(event)) })
})

export const layer = (options: FileCallJournalOptions) => Layer.effect(CallJournal, make(options))
