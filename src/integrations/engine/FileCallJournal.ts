/**
 * The call journal on disk: one file of JSON lines per call under `<folder>`. An event is appended before it is delivered; the file goes
 * when the app has taken the call's end. What a crashed process left is delivered at the next start, with an end (`error`)
 * added for calls that were cut off. Order is kept per call; delivery is at least once. A recording, which may be ready long after the
 * end, has a file of its own.
 */
import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { Effect, FiberMap, Layer, Queue, Schedule, Schema } from "effect"
import { CallJournal } from "../../domain/CallJournal.ts"
import { AppCallbacks, CallEvent, type EngineProtocolError } from "../../domain/EngineProtocol.ts"
import { newId } from "../../domain/Ids.ts"
import { DiskPace } from "./DiskPace.ts"
import { JournalFile } from "./JournalFile.ts"
import { SpareFiles } from "./SpareFiles.ts"

export interface FileCallJournalOptions {
  readonly folder: string
}

/** Retried for ever: the app comes back some day, and nothing may be lost until then. */
const untilTaken = Schedule.min([Schedule.exponential("200 millis"), Schedule.spaced("10 seconds")]).pipe(
  Schedule.jittered
)

const decodeEvent = Schema.decodeUnknownSync(Schema.fromJsonString(CallEvent))

/** Characters that mean something to a file system are written as `%` and their code, so that no two ids share a file. */
const fileOf = (folder: string, thread: string) =>
  join(folder, `${thread.replace(/[^A-Za-z0-9_]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)}.jsonl`)

/** What is delivered in order, in one file: a call without its recordings, or one recording. */
const threadOf = (event: CallEvent) => (event.type === "recording" ? event.id : event.callId)
const isLast = (event: CallEvent) => event.type === "call_end" || event.type === "recording"

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

/** Seconds with one place from the start of the events' call; 0 when they do not tell it. */
const secondsUntil = (events: ReadonlyArray<CallEvent>, at: number): number => {
  const started = events.find((event) => event.type === "call_started")
  return started === undefined ? 0 : Math.max(0, Math.round((at - Date.parse(started.startedAt)) / 100) / 10)
}

/**
 * The end of a call that was cut off at `lastSign` (Unix milliseconds), when its file was last written to: time after that was not a call, and
 * must not be counted as one.
 */
const endOf = (events: ReadonlyArray<CallEvent>, last: CallEvent, lastSign: number): CallEvent => ({
  type: "call_end",
  id: newId("evt"),
  organizationId: last.organizationId,
  agentId: last.agentId,
  callId: last.callId,
  endReason: "error",
  endedAt: new Date(lastSign).toISOString(),
  durationSeconds: secondsUntil(events, lastSign),
  turns: [],
  interruptions: 0,
  toolCalls: 0
})

interface Entry {
  readonly event: CallEvent
  /** Resolves when the event is on disk, or could not be written. */
  readonly written: Promise<void>
}

interface Thread {
  readonly file: JournalFile
  readonly entries: Queue.Queue<Entry>
}

const onDisk = Promise.resolve()

const make = Effect.fnUntraced(function* ({ folder }: FileCallJournalOptions) {
  const app = yield* AppCallbacks
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  yield* Effect.promise(() => mkdir(folder, { recursive: true }))
  const disk = new DiskPace()
  const spares = new SpareFiles(`${folder}.spare`)
  // Those of a process that was killed, too.
  spares.clear()
  yield* Effect.addFinalizer(() => Effect.sync(() => spares.clear()))
  const threads = new Map<string, Thread>()
  const deliverers = yield* FiberMap.make<string, void, never>()

  const retire = (name: string, thread: Thread, refused: boolean) =>
    Effect.promise(async () => {
      // At the same moment as the file: whoever has one more line of this call begins another one.
      threads.delete(name)
      if (!refused) return thread.file.remove()
      const file = fileOf(folder, name)
      await thread.file.close()
      await rename(file, `${file}.refused`)
    }).pipe(
      // Nothing was lost: at the next start the app gets events once more that it already has.
      Effect.catchCause((cause) => Effect.logError("a delivered call could not be put away", { thread: name }, cause))
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
  const deliverAll = Effect.fnUntraced(function* (name: string, thread: Thread) {
    let refused = false
    while (true) {
      const { event, written } = yield* Queue.take(thread.entries)
      yield* Effect.promise(() => written)
      refused = (yield* deliverOne(event)) || refused
      if (isLast(event)) return yield* retire(name, thread, refused)
    }
  })

  const threadFor = Effect.fnUntraced(function* (event: CallEvent) {
    const name = threadOf(event)
    const known = threads.get(name)
    if (known !== undefined) return known
    const thread: Thread = {
      file: new JournalFile(fileOf(folder, name), disk, spares),
      entries: yield* Queue.unbounded<Entry>()
    }
    threads.set(name, thread)
    yield* FiberMap.run(deliverers, name, deliverAll(name, thread))
    return thread
  })

  const append = (thread: Thread, event: CallEvent, before = "") =>
    thread.file.append(`${before}${JSON.stringify(event)}\n`).catch((error: unknown) => {
      // A full disk must not end a call: the event still goes to the app from memory.
      runFork(Effect.logError("the call journal could not be written", error))
    })

  /** Takes its place in the order at once, then waits for the disk. */
  const record = Effect.fnUntraced(function* (event: CallEvent) {
    const thread = yield* threadFor(event)
    const written = append(thread, event)
    Queue.offerUnsafe(thread.entries, { event, written })
    yield* Effect.promise(() => written)
  })

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
      const thread = yield* threadFor(last)
      for (const event of events) Queue.offerUnsafe(thread.entries, { event, written: onDisk })
      if (isLast(last)) continue
      const { mtimeMs } = yield* Effect.promise(() => stat(join(folder, name)))
      const end = endOf(events, last, mtimeMs)
      // A line of its own, also behind a torn one.
      const written = append(thread, end, text.endsWith("\n") ? "" : "\n")
      Queue.offerUnsafe(thread.entries, { event: end, written })
    }
    if (files.length > 0) yield* Effect.logInfo("delivering call events of an earlier run", { calls: files.length })
  })
  yield* recover

  return CallJournal.of({
    record,
    delivered: FiberMap.awaitEmpty(deliverers)
  })
})

export const layer = (options: FileCallJournalOptions) => Layer.effect(CallJournal, make(options))
