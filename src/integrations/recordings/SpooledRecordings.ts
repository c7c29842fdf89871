/**
 * Records calls through a local file. The audio goes to a file in `folder` during the call. After the call the file is stored in the object
 * storage, reported to the app through the call journal, and then removed. At the start it finishes the files of an earlier process. The storage
 * key and the event id belong to the recording, so doing it twice changes nothing.
 */
import { createReadStream } from "node:fs"
import { mkdir, readdir, rm } from "node:fs/promises"
import { basename, join } from "node:path"
import { Deferred, type Duration, Effect, FiberMap, Layer, Schedule, Semaphore, Stream } from "effect"
import { newId } from "../../domain/basics/Ids.ts"
import { ObjectStorage } from "../../domain/basics/ObjectStorage.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { wavHeaderBytes } from "../../domain/basics/Wav.ts"
import { CallJournal } from "../../domain/voice/engine/CallJournal.ts"
import { bytesPerMs } from "../../domain/voice/engine/RecordingFormat.ts"
import {
  type RecordedCall,
  Recordings,
  recordingContentType,
  recordingKey
} from "../../domain/voice/engine/Recordings.ts"
import { quietly } from "../resilience/Quietly.ts"
import { repair, Spool } from "./Spool.ts"

export interface SpooledRecordingsOptions {
  readonly folder: string
  /** How often the recorded audio is written to disk; 2 s by default. */
  readonly flushEvery?: Duration.Input
  /** Calls whose sound goes on in another process, which writes their recordings. */
  readonly held?: Effect.Effect<ReadonlySet<string>>
}

/** A finished recording that cannot be written is given up after this many failed flushes. The audio on disk is kept. */
const lastFlushes = 30
/** Uploads at a time. */
const concurrency = 4
/** Retries for ever: the storage comes back at some time. */
const untilStored = Schedule.min([Schedule.exponential("500 millis"), Schedule.spaced("1 minute")]).pipe(
  Schedule.jittered
)

/** What the file name holds: enough to finish the recording without other data of the call. */
interface Spooled extends RecordedCall {
  readonly recordingId: string
}

const id = /^[A-Za-z0-9_-]{1,50}$/
const nameOf = ({ organizationId, agentId, callId, recordingId }: Spooled) =>
  `${organizationId}.${agentId}.${callId}.${recordingId}.wav`

const spooledOf = (name: string): Spooled | undefined => {
  const [organizationId, agentId, callId, recordingId, ending, ...more] = name.split(".")
  const ids = [organizationId, agentId, callId, recordingId]
  if (ending !== "wav" || more.length > 0 || !ids.every((part) => id.test(part))) return undefined
  return { organizationId, agentId, callId, recordingId }
}

const make = Effect.fnUntraced(function* (options: SpooledRecordingsOptions) {
  const { folder, held = Effect.succeed(new Set<string>()) } = options
  const flushEvery = options.flushEvery ?? "2 seconds"
  const storage = yield* ObjectStorage
  const journal = yield* CallJournal
  const uploads = yield* Semaphore.make(concurrency)
  const running = yield* FiberMap.make<string, void, never>()
  const onDisk = quietly("recordings cannot be written to disk")

  const put = (spooled: Spooled, file: string, size: number) => {
    const key = recordingKey(spooled.organizationId, spooled.callId, spooled.recordingId)
    const bytes = Stream.suspend(() => Stream.fromAsyncIterable(createReadStream(file), (cause) => cause))
    return storage.put(key, bytes, { contentType: recordingContentType, size }).pipe(
      uploads.withPermits(1),
      Effect.tapError((error) => Effect.logWarning("a recording could not be stored yet", { file }, error)),
      Effect.retry(untilStored),
      Effect.as(key)
    )
  }

  /** Stores a complete file, records its event in the journal, and removes the file. */
  const deliver = traced("Recordings.deliver")(
    function* (spooled: Spooled, file: string) {
      const { recordingId, ...call } = spooled
      const size = yield* Effect.tryPromise(() => repair(file))
      if (size > 0) {
        const key = yield* put(spooled, file, size)
        const durationMs = Math.round((size - wavHeaderBytes) / bytesPerMs)
        yield* journal.record({ type: "recording", id: recordingId, ...call, key, bytes: size, durationMs })
      }
      yield* Effect.tryPromise(() => rm(file, { force: true }))
    },
    // The file is still there: the next start tries again.
    Effect.catchCause((cause) => Effect.logError("a recording could not be finished", cause))
  )

  /** Flushes once. True when everything is written. */
  const flush = (spool: Spool) =>
    onDisk(Effect.tryPromise(() => spool.flush().then(() => true))).pipe(
      Effect.map((done) => done === true),
      Effect.uninterruptible
    )

  /** Flushes until the call is over and everything is written. When the process stops before that, it flushes once more. */
  const spoolUntil = (spool: Spool, closed: Deferred.Deferred<void>) =>
    Effect.gen(function* () {
      for (let failures = 0; failures < lastFlushes; ) {
        yield* Effect.timeoutOption(Deferred.await(closed), flushEvery)
        const over = yield* Deferred.isDone(closed)
        if (yield* flush(spool)) {
          if (over) return
        } else if (over) {
          failures++
          yield* Effect.sleep(flushEvery)
        }
      }
    }).pipe(
      Effect.ensuring(
        Effect.gen(function* () {
          yield* flush(spool)
          yield* onDisk(Effect.tryPromise(() => spool.close()))
          if (spool.lostMs > 0) yield* Effect.logWarning("a recording has gaps", { lostMs: spool.lostMs })
        })
      )
    )

  const recover = Effect.gen(function* () {
    yield* Effect.tryPromise(() => mkdir(folder, { recursive: true }))
    const found = (yield* Effect.tryPromise(() => readdir(folder))).flatMap((name) => spooledOf(name) ?? [])
    const goingOn = found.length === 0 ? new Set<string>() : yield* held
    const left = found.filter(({ callId }) => !goingOn.has(callId))
    for (const spooled of left)
      yield* FiberMap.run(running, spooled.recordingId, deliver(spooled, join(folder, nameOf(spooled))))
    if (left.length > 0) yield* Effect.logInfo("finishing recordings of an earlier run", { recordings: left.length })
  })
  yield* Effect.catch(recover, (error) => Effect.logError("the folder of recordings cannot be used", error))

  return Recordings.of({
    open: Effect.fnUntraced(function* (call) {
      const spooled = { ...call, recordingId: newId("rec") }
      const name = nameOf(spooled)
      if (spooledOf(name) === undefined) {
        yield* Effect.logError("a call with such ids cannot be recorded", call)
        return { write: () => undefined }
      }
      const spool = new Spool(join(folder, name))
      const closed = yield* Effect.acquireRelease(Deferred.make<void>(), (closed) =>
        Deferred.succeed(closed, undefined)
      )
      // Not in the call's fiber: the call ends with its caller, without waiting for the disk.
      yield* FiberMap.run(
        running,
        spooled.recordingId,
        Effect.andThen(spoolUntil(spool, closed), deliver(spooled, spool.file)).pipe(
          Effect.annotateLogs({ callId: call.callId })
        )
      )
      return { write: (interleaved) => spool.write(interleaved) }
    }),
    fileElsewhere: (call) => {
      const name = nameOf({ ...call, recordingId: newId("rec") })
      return spooledOf(name) === undefined ? undefined : join(folder, name)
    },
    finish: Effect.fnUntraced(function* (file, complete) {
      const spooled = spooledOf(basename(file))
      if (spooled === undefined) return
      yield* FiberMap.run(running, spooled.recordingId, Effect.andThen(complete, deliver(spooled, file)))
    }),
    delivered: FiberMap.awaitEmpty(running)
  })
})

/** Needs ObjectStorage and CallJournal. */
export const layer = (options: SpooledRecordingsOptions) => Layer.effect(Recordings, make(options))
