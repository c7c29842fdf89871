import { spawn } from "node:child_process"
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { type Duration, Effect, Fiber, Layer } from "effect"
import { ObjectStorage, ObjectStorageError } from "../../../src/domain/basics/ObjectStorage.ts"
import { decodeWav } from "../../../src/domain/basics/Wav.ts"
import type { CallEvent } from "../../../src/domain/voice/engine/CallEvent.ts"
import { CallJournal } from "../../../src/domain/voice/engine/CallJournal.ts"
import { Recordings } from "../../../src/domain/voice/engine/Recordings.ts"
import { Spool } from "../../../src/integrations/recordings/Spool.ts"
import * as SpooledRecordings from "../../../src/integrations/recordings/SpooledRecordings.ts"
import * as LocalObjectStorage from "../../../src/integrations/storage/LocalObjectStorage.ts"
import { eventually } from "../../support/eventually.ts"
import { temporaryFolder } from "../../support/folder.ts"
import { playsInRealTime } from "../../support/Slowness.ts"

playsInRealTime()

const call = { organizationId: "org_1", agentId: "agt_1", callId: "call_1" }
type Recorded = Extract<CallEvent, { readonly type: "recording" }>

const dataFolder = temporaryFolder("recordings")

/** Half a second of the call: every left sample is `value`, every right sample its negative. */
const block = (value: number) => Int16Array.from({ length: 8_000 }, (_, i) => (i % 2 === 0 ? value : -value))

/** A storage over the local folder that fails as long as it is told to. */
class Weather {
  bad = false
  puts = 0
  layer(folder: string) {
    return Layer.effect(
      ObjectStorage,
      Effect.map(ObjectStorage, (storage) => ({
        ...storage,
        put: (key, body, options) =>
          Effect.suspend(() => {
            this.puts++
            if (this.bad) return Effect.fail(new ObjectStorageError({ operation: "put", key, message: "stormy" }))
            return storage.put(key, body, options)
          })
      }))
    ).pipe(Layer.provide(LocalObjectStorage.layer({ folder })))
  }
}

/** Runs `use` in a process that can record; the process stops when `use` ends. */
const running = <A, E>(
  folder: string,
  events: Array<Recorded>,
  use: Effect.Effect<A, E, Recordings>,
  weather = new Weather(),
  flushEvery: Duration.Input = "20 millis"
) =>
  use.pipe(
    Effect.provide(
      SpooledRecordings.layer({ folder: join(folder, "recordings"), flushEvery }).pipe(
        Layer.provide([
          weather.layer(join(folder, "objects")),
          Layer.succeed(CallJournal, {
            leave: () => Effect.void,
            delivered: Effect.void,
            record: (event) => Effect.sync(() => void (event.type === "recording" && events.push(event)))
          })
        ])
      )
    )
  )

const stored = (folder: string, { key }: Recorded) => Effect.promise(() => readFile(join(folder, "objects", key)))
const spools = (folder: string) => Effect.promise(() => readdir(join(folder, "recordings")))
const recorded = (events: ReadonlyArray<Recorded>, count = 1) =>
  eventually(`${count} recordings`, () => events.length === count)

/** Waits until the spool file is removed, which happens after the event is sent. */
const nothingLeft = (folder: string) =>
  eventually(
    "nothing is left",
    Effect.map(spools(folder), (names) => names.length === 0)
  )

/** A call with `blocks` recorded half seconds. */
const callOf = (...values: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const { open } = yield* Recordings
    const { write } = yield* open(call)
    for (const value of values) write(block(value))
  }).pipe(Effect.scoped)

describe("the recording of a call", () => {
  it.live("is stored when the call is over, reported to the app, and leaves no spool behind", () =>
    Effect.gen(function* () {
      const [folder, events] = [yield* dataFolder, [] as Recorded[]]
      yield* running(
        folder,
        events,
        Effect.gen(function* () {
          yield* callOf(1, 2, 3)
          yield* recorded(events)
          yield* nothingLeft(folder)
        })
      )
      const [event] = events
      assert.deepInclude(event, { ...call, bytes: 44 + 3 * 16_000, durationMs: 1_500 })
      assert.strictEqual(event.key, `recordings/org_1/call_1/${event.id}.wav`)
      const [left, right] = decodeWav(yield* stored(folder, event)).channels
      assert.deepStrictEqual([left.length, left[0], left[4_000], left[11_999]], [12_000, 1, 2, 3])
      assert.isTrue(left.every((sample, i) => right[i] === -sample))
    })
  )

  it.live("is stored at once when the call is over, however seldom it is flushed to disk", () =>
    Effect.gen(function* () {
      const [folder, events] = [yield* dataFolder, [] as Recorded[]]
      yield* running(folder, events, Effect.andThen(callOf(1), recorded(events)), new Weather(), "1 hour")
      assert.strictEqual(events[0].durationMs, 500)
    })
  )

  it.live("is a playable file up to the last seconds at any time during the call", () =>
    Effect.gen(function* () {
      const [folder, events] = [yield* dataFolder, [] as Recorded[]]
      yield* running(
        folder,
        events,
        Effect.gen(function* () {
          const { write } = yield* (yield* Recordings).open(call)
          for (let n = 1; n <= 4; n++) {
            write(block(n))
            yield* eventually(
              "it is on disk",
              Effect.gen(function* () {
                const [name] = yield* spools(folder)
                const file = yield* Effect.promise(() => readFile(join(folder, "recordings", name)))
                return decodeWav(file).channels[0].length === n * 4_000
              })
            )
          }
        }).pipe(Effect.scoped)
      )
    })
  )

  it.live("waits on disk while the storage is down, and is stored when it is back", () =>
    Effect.gen(function* () {
      const [folder, events, weather] = [yield* dataFolder, [] as Recorded[], new Weather()]
      weather.bad = true
      yield* running(
        folder,
        events,
        Effect.gen(function* () {
          yield* callOf(1)
          yield* eventually("it was tried twice", () => weather.puts >= 2)
          assert.lengthOf(yield* spools(folder), 1)
          weather.bad = false
          yield* recorded(events)
        }),
        weather
      )
      assert.strictEqual((yield* stored(folder, events[0])).length, 44 + 16_000)
    })
  )

  it.live("can be awaited until it is stored, so that the process can end afterwards", () =>
    Effect.gen(function* () {
      const [folder, events, weather] = [yield* dataFolder, [] as Recorded[], new Weather()]
      weather.bad = true
      yield* running(
        folder,
        events,
        Effect.gen(function* () {
          const { delivered } = yield* Recordings
          yield* delivered
          yield* callOf(1)
          const waiting = yield* Effect.forkChild(delivered)
          yield* eventually("it was tried twice", () => weather.puts >= 2)
          assert.isUndefined(waiting.pollUnsafe())
          weather.bad = false
          yield* Fiber.join(waiting)
          assert.lengthOf(events, 1)
          assert.deepStrictEqual(yield* spools(folder), [])
        }),
        weather
      )
    })
  )

  it.live("is finished by the next process when this one was stopped first, under the same key and event", () =>
    Effect.gen(function* () {
      const [folder, events, weather] = [yield* dataFolder, [] as Recorded[], new Weather()]
      weather.bad = true
      yield* running(folder, events, callOf(1, 2), weather)
      const [name] = yield* spools(folder)
      assert.deepStrictEqual(events, [])
      yield* running(folder, events, Effect.andThen(recorded(events), nothingLeft(folder)))
      assert.strictEqual(name, `org_1.agt_1.call_1.${events[0].id}.wav`)
      assert.strictEqual(events[0].durationMs, 1_000)
    })
  )

  it.live("consists of two separate parts when the call left and returned", () =>
    Effect.gen(function* () {
      const [folder, events] = [yield* dataFolder, [] as Recorded[]]
      yield* running(folder, events, callOf(1).pipe(Effect.andThen(callOf(2, 2)), Effect.andThen(recorded(events, 2))))
      assert.deepStrictEqual(events.map(({ durationMs }) => durationMs).sort(), [1_000, 500])
      assert.strictEqual(new Set(events.map(({ key }) => key)).size, 2)
    })
  )

  it.live("does not exist when nothing was recorded", () =>
    Effect.gen(function* () {
      const [folder, events, weather] = [yield* dataFolder, [] as Recorded[], new Weather()]
      yield* running(folder, events, callOf().pipe(Effect.andThen(Effect.sleep(200))), weather)
      assert.deepStrictEqual([events.length, weather.puts], [0, 0])
    })
  )

  it.live("survives the kill of its process, up to the last moments", () =>
    Effect.gen(function* () {
      const [folder, events] = [yield* dataFolder, [] as Recorded[]]
      const script = join(import.meta.dirname, "recorder-process.ts")
      const said = yield* Effect.promise(
        () =>
          new Promise<number>((resolve, reject) => {
            const child = spawn(process.execPath, [script, folder], { stdio: ["ignore", "pipe", "inherit"] })
            let last = 0
            child.stdout.on("data", (data) => {
              last = Number(/(\d+)\s*$/.exec(String(data))?.[1] ?? last)
              if (last >= 10_000) child.kill("SIGKILL")
            })
            child.once("exit", () => resolve(last))
            child.once("error", reject)
          })
      )
      yield* running(folder, events, recorded(events))
      const file = yield* stored(folder, events[0])
      const [left, right] = decodeWav(file).channels
      const kept = left.length / 8
      assert.strictEqual(44 + left.length * 4, file.length)
      // The process flushes five times a second, at ten times the speed of a call.
      assert.isAtLeast(kept, said - 5_000)
      assert.isTrue(left.every((sample, i) => sample === Math.floor(i / 8) + 1 && right[i] === -sample))
    })
  )
})

describe("the next process handles a damaged spool", () => {
  const odd = "org_1.agt_1.call_1.rec_1.wav"
  const left = (content: Uint8Array) =>
    Effect.gen(function* () {
      const [folder, events] = [yield* dataFolder, [] as Recorded[]]
      yield* Effect.promise(async () => {
        await mkdir(join(folder, "recordings"))
        await writeFile(join(folder, "recordings", odd), content)
        await writeFile(join(folder, "recordings", "notes.txt"), "mine")
      })
      yield* running(
        folder,
        events,
        eventually(
          "only the other file is left",
          Effect.map(spools(folder), (names) => names.join() === "notes.txt")
        )
      )
      return { folder, events }
    })

  it.live("that was cut in mid-sample before any header was written, by keeping all complete samples", () =>
    Effect.gen(function* () {
      const content = new Uint8Array(44 + 16_002).fill(7, 44)
      const { folder, events } = yield* left(content)
      assert.strictEqual(events[0].bytes, 44 + 16_000)
      assert.strictEqual(decodeWav(yield* stored(folder, events[0])).channels[0].length, 4_000)
    })
  )

  it.live("without audio, by removing it and leaving the rest of the folder alone", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* left(new Uint8Array(45))).events, [])
      assert.deepStrictEqual((yield* left(new Uint8Array(0))).events, [])
    })
  )
})

describe("a spool on a disk that takes no writes", () => {
  it.live("keeps eight seconds in memory, and replaces lost audio by silence", () =>
    Effect.gen(function* () {
      const folder = yield* dataFolder
      const file = join(folder, "absent", "a.wav")
      const spool = new Spool(file)
      for (let n = 1; n <= 20; n++) spool.write(block(n))
      const refused = yield* Effect.promise(() =>
        spool.flush().then(
          () => false,
          () => true
        )
      )
      assert.isTrue(refused)
      assert.strictEqual(spool.lostMs, 2_000)
      yield* Effect.promise(async () => {
        await mkdir(join(folder, "absent"))
        await spool.flush()
        await spool.close()
      })
      const [heard] = decodeWav(yield* Effect.promise(() => readFile(file))).channels
      assert.strictEqual(heard.length, 20 * 4_000)
      assert.isTrue(heard.every((sample, i) => sample === (i < 4 * 4_000 ? 0 : Math.floor(i / 4_000) + 1)))
    })
  )

  it.live("does not disturb the call: opening, writing and closing still succeed", () =>
    Effect.gen(function* () {
      const [folder, events] = [yield* dataFolder, [] as Recorded[]]
      // A file stands in place of the folder, so that not even root can create anything below it.
      yield* Effect.promise(() => writeFile(join(folder, "recordings"), ""))
      const before = Date.now()
      yield* running(folder, events, callOf(1, 2, 3))
      assert.isBelow(Date.now() - before, 2_000)
      assert.deepStrictEqual(events, [])
    })
  )
})
