/**
 * The call journal on disk: one file of JSON lines per call under `<folder>`. An event is appended before it is delivered. The file is removed when
 * the app has taken the call's end and no later event has come: a call that comes back from a human goes on and ends once more. The next start
 * delivers the events of a crashed process, and adds an end (`error`) to calls that were cut off. Order is kept per call; delivery is at least
 * once. A line says now and then that the app has taken all before it, so that whoever goes on with a long call need not tell it from the beginning. A
 * recording may be ready long after the end, so it has its own file.
 */
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { type Context, Effect, FiberMap, Layer, Queue, Schedule, Schema } from "effect"
import { newId } from "../../domain/basics/Ids.ts"
import { CallEvent } from "../../domain/voice/engine/CallEvent.ts"
import { CallJournal } from "../../domain/voice/engine/CallJournal.ts"
import { AppCallbacks, type EngineProtocolError } from "../../domain/voice/engine/EnginePorts.ts"
import { DiskPace } from "./DiskPace.ts"
import { JournalFile } from "./JournalFile.ts"
import { SpareFiles } from "./SpareFiles.ts"

export interface FileCallJournalOptions {
  readonly folder: string
  /** Calls that have not ended although their engine has: their sound goes on in another process. */
  readonly held?: Effect.Effect<ReadonlySet<string>>
}

/** Retries for ever: the app comes back at some time, and no event may be lost until then. */
const untilTaken = Schedule.min([Schedule.exponential("200 millis"), Schedule.spaced("10 seconds")]).pipe(
  Schedule.jittered
)

/** Every time this many deliveries of an event have failed, a warning is logged. The first comes after some 3 s; shorter outages need none. */
const failuresTold = 5

const decodeEvent = Schema.decodeUnknownSync(Schema.fromJsonString(CallEvent))

/** Characters that mean something to a file system are written as `%` and their code, so that no two ids share a file. */
const fileOf = (folder: string, thread: string) =>
  join(folder, `${thread.replace(/[^A-Za-z0-9_]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)}.jsonl`)

/** The name of a thread: events that are delivered in order from one file. A thread is a call without its recordings, or one recording. */
const threadOf = (event: CallEvent) => (event.type === "recording" ? event.id : event.callId)
const isLast = (event: CallEvent) => event.type === "call_end" || event.type === "recording"

/** The app has taken all events before this line. */
const takenLine = '{"taken":true}'
/** It is written when the app has taken so many events since the last one, and none is waiting. */
const takenTogether = 16

/** Leaves out lines that cannot be read: the last line may be torn when the process died while writing it. It was never acknowledged. */
const eventsOf = (lines: ReadonlyArray<string>): ReadonlyArray<CallEvent> =>
  lines.flatMap((line) => {
    if (line === "" || line === takenLine) return []
    try {
      return [decodeEvent(line)]
    } catch {
      return []
    }
  })

/** What is in a file. */
interface Journaled {
  /** The first event, and those that the app may not have taken. */
  readonly events: ReadonlyArray<CallEvent>
  readonly due: ReadonlyArray<CallEvent>
  /** Undefined when there is none that can be read. */
  readonly last: CallEvent | undefined
}

const readJournal = (text: string): Journaled => {
  const lines = text.split("\n")
  const from = lines.lastIndexOf(takenLine) + 1
  const due = eventsOf(lines.slice(from))
  if (from === 0) return { events: due, due, last: due.at(-1) }
  // A long call has thousands that were taken: of those one is enough to know whose they are.
  const first = eventsOf(lines.slice(0, 1))
  const taken = first.length > 0 ? first : eventsOf(lines.slice(0, from))
  return { events: [...taken, ...due], due, last: due.at(-1) ?? taken.at(-1) }
}

/** Seconds from the start of the call until `at`, with one decimal; 0 when the events do not include the start. */
const secondsUntil = (events: ReadonlyArray<CallEvent>, at: number): number => {
  const started = events.find((event) => event.type === "call_started")
  return started === undefined ? 0 : Math.max(0, Math.round((at - Date.parse(started.startedAt)) / 100) / 10)
}

/**
 * The end of a call that was cut off. `lastSign`: when its file was last written to (Unix milliseconds). The time after that does not count as
 * part of the call.
 */
const endOf = (events: ReadonlyArray<CallEvent>, last: CallEvent, lastSign: number): CallEvent => ({
  type: "call_end",
  id: newId("evt"),
  organizationId: last.organizationId,
  agentId: last.agentId,
  callId: last.callId,
  ...(last.fence === undefined ? {} : { fence: last.fence }),
  endReason: "error",
  endedAt: new Date(lastSign).toISOString(),
  durationSeconds: secondsUntil(events, lastSign),
  turns: [],
  interruptions: 0,
  toolCalls: 0
})

interface Entry {
  /** Undefined: nothing more comes, and the end is recorded elsewhere. */
  readonly event: CallEvent | undefined
  /** Resolves when the event is on disk, or could not be written. */
  readonly written: Promise<void>
}

interface Thread {
  readonly file: JournalFile
  readonly entries: Queue.Queue<Entry>
}

const onDisk = Promise.resolve()

const make = Effect.fnUntraced(function* ({ folder, held = Effect.succeed(new Set()) }: FileCallJournalOptions) {
  const app = yield* AppCallbacks
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  yield* Effect.promise(() => mkdir(folder, { recursive: true }))
  const disk = new DiskPace()
  const spares = new SpareFiles(`${folder}.spare`)
  // Also removes those of a process that was killed.
  spares.clear()
  yield* Effect.addFinalizer(() => Effect.sync(() => spares.clear()))
  const threads = new Map<string, Thread>()
  const deliverers = yield* FiberMap.make<string, void, never>()

  /**
   * Removes a thread's file from the disk. False when more events have come, which are in that file. The check and the removal happen in one step,
   * so no event can come in between; a later event begins a new file.
   */
  const putAway = (name: string, { file, entries }: Thread, refused: boolean) =>
    Effect.promise(async () => {
      if (Queue.sizeUnsafe(entries) > 0) return false
      await (refused ? file.putAside(`${fileOf(folder, name)}.refused`) : file.remove())
      return true
    }).pipe(
      // Nothing is lost: at the next start the app gets these events once more.
      Effect.catchCause((cause) =>
        Effect.as(Effect.logError("a delivered call could not be put away", { thread: name }, cause), false)
      )
    )

  /** Forgets the thread when no event waits. A later event of this call begins a new thread. */
  const isOver = (name: string, { entries }: Thread) =>
    Effect.sync(() => Queue.sizeUnsafe(entries) === 0 && threads.delete(name))

  /** The app refused the event for good. It is not retried; `putAway` keeps the file for a person to look at. */
  const refuse = (event: CallEvent, error: EngineProtocolError) =>
    Effect.logError("the app refused a call event", { callId: event.callId, id: event.id, error: error.message })

  const deliverOne = (event: CallEvent) =>
    Effect.suspend(() => {
      let failures = 0
      return app.deliver(event).pipe(
        Effect.as(false),
        Effect.tapError(({ message: reason }) =>
          ++failures % failuresTold > 0
            ? Effect.logDebug("call event not delivered yet", reason)
            : Effect.logWarning("a call event is not delivered yet", { callId: event.callId, type: event.type, reason })
        ),
        Effect.retry({ schedule: untilTaken, while: (error) => error.retryable }),
        Effect.catch((error) => Effect.as(refuse(event, error), true))
      )
    })

  /** Delivers a thread's events in order. One fiber per thread, from its first event to the delivery of its last end. */
  const deliverAll = Effect.fnUntraced(function* (name: string, thread: Thread) {
    let refused = false
    let taken = 0
    while (true) {
      const { event, written } = yield* Queue.take(thread.entries)
      yield* Effect.promise(() => written)
      if (event === undefined) {
        yield* putAway(name, thread, refused)
        if (yield* isOver(name, thread)) return
        continue
      }
      refused = (yield* deliverOne(event)) || refused
      if (!isLast(event)) {
        // The file of a refused event is kept, and all that is in it is told again.
        if (++taken < takenTogether || refused || Queue.sizeUnsafe(thread.entries) > 0) continue
        taken = 0
        // Nobody waits for it: without it these events are told once more.
        append(thread, takenLine)
        continue
      }
      if (yield* putAway(name, thread, refused)) refused = false
      if (yield* isOver(name, thread)) return
    }
  })

  const append = (thread: Thread, ...lines: ReadonlyArray<string>) =>
    thread.file.append(`${lines.join("\n")}\n`).catch((error: unknown) => {
      // A full disk must not end a call: the event still goes to the app from memory.
      runFork(Effect.logError("the call journal could not be written", error))
    })

  /**
   * The thread that an event belongs to. The caller must add an entry without a wait: a thread without entries may end at any other moment.
   * `context`: the fiber context in which a new thread runs.
   */
  const threadFor = (event: CallEvent, context: Context.Context<never>): Thread => {
    const name = threadOf(event)
    const known = threads.get(name)
    if (known !== undefined) return known
    const thread = {
      file: new JournalFile(fileOf(folder, name), disk, spares),
      entries: Effect.runSync(Queue.unbounded<Entry>())
    }
    threads.set(name, thread)
    FiberMap.setUnsafe(deliverers, name, Effect.runForkWith(context)(deliverAll(name, thread)))
    return thread
  }

  /** The event takes its place in the order at once; the effect ends when it is on disk. */
  const record = (event: CallEvent) =>
    Effect.withFiber(({ context }) => {
      const thread = threadFor(event, context)
      const written = append(thread, JSON.stringify(event))
      Queue.offerUnsafe(thread.entries, { event, written })
      return Effect.promise(() => written)
    })

  /** Continues a call of an earlier process. `end`: the event to add when the call was cut off. */
  const goOn = (text: string, events: ReadonlyArray<CallEvent>, last: CallEvent, end: CallEvent | undefined) =>
    Effect.withFiber(({ context }) => {
      const thread = threadFor(last, context)
      for (const event of events) Queue.offerUnsafe(thread.entries, { event, written: onDisk })
      // The next event starts on a new line, also after a torn one.
      const torn = text.endsWith("\n") ? [] : [""]
      if (end !== undefined) {
        const written = append(thread, ...torn, JSON.stringify(end))
        Queue.offerUnsafe(thread.entries, { event: end, written })
      } else if (torn.length > 0) append(thread, ...torn)
      return Effect.void
    })

  const recover = Effect.gen(function* () {
    const files = (yield* Effect.promise(() => readdir(folder))).filter((name) => name.endsWith(".jsonl"))
    const alive = files.length === 0 ? new Set<string>() : yield* held
    for (const name of files) {
      const text = yield* Effect.promise(() => readFile(join(folder, name), "utf8"))
      const { events, due, last } = readJournal(text)
      if (last === undefined) {
        yield* Effect.promise(() => rm(join(folder, name), { force: true }))
        continue
      }
      const { mtimeMs } = yield* Effect.promise(() => stat(join(folder, name)))
      const goesOn = isLast(last) || alive.has(last.callId)
      yield* goOn(text, due, last, goesOn ? undefined : endOf(events, last, mtimeMs))
    }
    if (files.length > 0) yield* Effect.logInfo("delivering call events of an earlier run", { calls: files.length })
  })
  yield* recover

  return CallJournal.of({
    record,
    leave: (callId) =>
      Effect.sync(() => {
        const thread = threads.get(callId)
        if (thread !== undefined) Queue.offerUnsafe(thread.entries, { event: undefined, written: onDisk })
      }),
    delivered: FiberMap.awaitEmpty(deliverers)
  })
})

export const layer = (options: FileCallJournalOptions) => Layer.effect(CallJournal, make(options))
