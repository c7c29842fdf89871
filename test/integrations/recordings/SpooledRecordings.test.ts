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

/** Half a second of the call in which every left sample is `value` and every right one its negative. */
const block = (value: number) => Int16Array.from({ length: 8_000 }, (_, i) => (i % 2 === 0 ? value : -value))

/** A storage that fails as long as it is told to, in front of the local folder. */
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

/** A process that can record, for as long as `use` takes. */
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

/** The event comes before the file goes. */
const nothingLeft = (folder: string) =>
  eventually(
    "nothing is left",
    Effect.map(spools(folder), (names) => names.length === 0)
  )

/** A call in which `blocks` half seconds are recorded. */
const callOf = (...values: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const { open } = yield* Recordings
    const { write } = yield* open(call)
    for (const value of values) write(block(value))
  }).pipe(Effect.scoped)

describe("the recording of a call", () => {
  it.live("is stored when the call is over, told to the app, and leaves nothing behind", () =>
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

  it.live("is stored at once when the call is over, however seldom it goes to disk", () =>
    Effect.gen(function* () {
      const [folder, events] = [yield* dataFolder, [] as Recorded[]]
      yield* running(folder, events, Effect.andThen(callOf(1), recorded(events)), new Weather(), "1 hour")
      assert.strictEqual(events[0].durationMs, 500)
    })
  )

  it.live("is a playable file of its last seconds at any time during the call", () =>
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

  it.live("is waited for until it is stored, by who wants to end the process", () =>
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

  it.live("keeps two parts of a call that came back apart", () =>
    Effect.gen(function* () {
      const [folder, events] = [yield* dataFolder, [] as Recorded[]]
      yield* running(folder, events, callOf(1).pipe(Effect.andThen(callOf(2, 2)), Effect.andThen(recorded(events, 2))))
      assert.deepStrictEqual(events.map(({ durationMs }) => durationMs).sort(), [1_000, 500])
      assert.strictEqual(new Set(events.map(({ key }) => key)).size, 2)
    })
  )

  it.live("of nothing is no recording", () =>
    Effect.gen(function* () {
      const [folder, events, weather] = [yield* dataFolder, [] as Recorded[], new Weather()]
      yield* running(folder, events, callOf().pipe(Effect.andThen(Effect.sleep(200))), weather)
      assert.deepStrictEqual([events.length, weather.puts], [0, 0])
    })
  )

  it.live("survives a process that is killed, up to its last moments", () =>
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
      // It flushes five times a second, at ten times the speed of a call.
      assert.isAtLeast(kept, said - 5_000)
      assert.isTrue(left.every((sample, i) => sample === Math.floor(i / 8) + 1 && right[i] === -sample))
    })
  )
})

describe("spools that are not as they should be", () => {
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

  it.live("torn in the middle of a sample, before any header was written: what is whole is kept", () =>
    Effect.gen(function* () {
      const content = new Uint8Array(44 + 16_002).fill(7, 44)
      const { folder, events } = yield* left(content)
      assert.strictEqual(events[0].bytes, 44 + 16_000)
      assert.strictEqual(decodeWav(yield* stored(folder, events[0])).channels[0].length, 4_000)
    })
  )

  it.live("without audio: removed, and the rest of the folder is left alone", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* left(new Uint8Array(45))).events, [])
      assert.deepStrictEqual((yield* left(new Uint8Array(0))).events, [])
    })
  )
})

describe("a spool whose disk does not take anything", () => {
  it.live("keeps eight seconds in memory, and what is lost is silence in its place", () =>
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

  it.live("does not disturb the call: opening, writing and closing go on", () =>
    Effect.gen(function* () {
      const [folder, events] = [yield* dataFolder, [] as Recorded[]]
      // A file where the folder should be: nothing can be created below it, whoever runs this.
      yield* Effect.promise(() => writeFile(join(folder, "recordings"), ""))
      const before = Date.now()
      yield* running(folder, events, callOf(1, 2, 3))
      assert.isBelow(Date.now() - before, 2_000)
      assert.deepStrictEqual(events, [])
    })
  )
})
