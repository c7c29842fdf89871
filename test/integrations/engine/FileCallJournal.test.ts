import { appendFile, readdir, readFile, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { objectKey } from "../../../src/domain/basics/ObjectStorage.ts"
import type { CallEvent } from "../../../src/domain/voice/engine/CallEvent.ts"
import { CallJournal } from "../../../src/domain/voice/engine/CallJournal.ts"
import { AppCallbacks, EngineProtocolError } from "../../../src/domain/voice/engine/EnginePorts.ts"
import * as FileCallJournal from "../../../src/integrations/engine/FileCallJournal.ts"
import { eventually } from "../../support/eventually.ts"
import { temporaryFolder } from "../../support/folder.ts"
import { warnings } from "../../support/warnings.ts"

/** An app that refuses events when told to, and remembers the events it took. */
class App {
  readonly taken: Array<CallEvent> = []
  attempts = 0
  refuse: (event: CallEvent) => number | undefined = () => undefined

  readonly layer = Layer.succeed(AppCallbacks, {
    runTool: () => Effect.die("not asked for"),
    notices: () => Effect.die("not asked for"),
    lookUp: () => Effect.die("not asked for"),
    deliver: (event) =>
      Effect.suspend(() => {
        this.attempts++
        const status = this.refuse(event)
        if (status === undefined) {
          this.taken.push(event)
          return Effect.void
        }
        return Effect.fail(new EngineProtocolError({ status, retryable: status >= 500, message: `answered ${status}` }))
      })
  })

  of(callId: string) {
    return this.taken.filter((event) => event.callId === callId)
  }
}

const base = (callId: string) => ({ organizationId: "org_1", agentId: "agt_1", callId })
const started = (callId: string): CallEvent => ({
  type: "call_started",
  id: `started of ${callId}`,
  ...base(callId),
  startedAt: "2026-11-01T00:00:00.000Z"
})
const utterance = (callId: string, sequence: number): CallEvent => ({
  type: "transcript",
  id: `${sequence} of ${callId}`,
  ...base(callId),
  sequence,
  role: "caller",
  text: "नमस्ते\nHello",
  interrupted: false,
  startMs: 0,
  endMs: 1
})
const ended = (callId: string): CallEvent => ({
  type: "call_end",
  id: `end of ${callId}`,
  ...base(callId),
  endReason: "caller_hangup",
  endedAt: "2026-11-01T00:00:01.000Z",
  durationSeconds: 1,
  turns: [],
  interruptions: 0,
  toolCalls: 0
})
const line = (event: CallEvent) => `${JSON.stringify(event)}\n`
const ids = (events: ReadonlyArray<CallEvent>) => events.map((event) => event.id)

const folder = temporaryFolder("journal")
const files = (path: string) => Effect.promise(() => readdir(path))

const untilTaken = (app: App, count: number) => eventually(`${count} events`, () => app.taken.length >= count)
const untilFiles = (path: string, expected: ReadonlyArray<string>) =>
  eventually(
    `files ${expected.join()}`,
    Effect.map(files(path), (found) => found.sort().join() === expected.join())
  )

/** Runs `use` in a process with a journal; the process stops when `use` ends. */
const running = <A, E>(
  path: string,
  app: App,
  use: (record: CallJournal["Service"]["record"]) => Effect.Effect<A, E>
) =>
  Effect.flatMap(CallJournal, ({ record }) => use(record)).pipe(
    Effect.provide(FileCallJournal.layer({ folder: path }).pipe(Layer.provide(app.layer)))
  )

describe("the call journal on disk", () => {
  it.effect("logs an event that the app does not take for seconds, and does not log shorter trouble", () =>
    Effect.gen(function* () {
      const [path, app, log] = [yield* folder, new App(), warnings()]
      const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      const passing = (until: () => boolean) =>
        Effect.andThen(TestClock.adjust("100 millis"), turn).pipe(Effect.repeat({ until }))
      app.refuse = () => 503
      yield* running(path, app, (record) =>
        Effect.gen(function* () {
          yield* record(started("call_A"))
          yield* passing(() => app.attempts === 4)
          assert.deepStrictEqual(log.lines, [])
          yield* passing(() => app.attempts === 5)
          yield* turn
        })
      ).pipe(Effect.provide(log.layer))
      assert.deepStrictEqual(log.lines, [
        ["a call event is not delivered yet", { callId: "call_A", type: "call_started", reason: "answered 503" }]
      ])
    })
  )

  it.live("delivers each call's events in order, and keeps nothing once the app has taken the end", () =>
    Effect.gen(function* () {
      const [path, app] = [yield* folder, new App()]
      const calls = ["call_A", "call_B", "call_C"]
      yield* running(path, app, (record) =>
        Effect.gen(function* () {
          const live = (callId: string) =>
            Effect.forEach([started(callId), utterance(callId, 1), utterance(callId, 2), ended(callId)], record)
          yield* Effect.forEach(calls, live, { concurrency: "unbounded" })
          yield* untilTaken(app, 12)
          yield* untilFiles(path, [])
        })
      )
      for (const call of calls)
        assert.deepStrictEqual(ids(app.of(call)), [
          `started of ${call}`,
          `1 of ${call}`,
          `2 of ${call}`,
          `end of ${call}`
        ])
    })
  )

  it.live("writes an event to disk before the caller goes on, and delivers it when the app is back", () =>
    Effect.gen(function* () {
      const [path, app] = [yield* folder, new App()]
      app.refuse = () => (app.attempts <= 3 ? 503 : undefined)
      yield* running(path, app, (record) =>
        Effect.gen(function* () {
          yield* record(started("call_A"))
          assert.strictEqual(
            yield* Effect.promise(() => readFile(join(path, "call_A.jsonl"), "utf8")),
            line(started("call_A"))
          )
          yield* record(ended("call_A"))
          yield* untilTaken(app, 2)
          yield* untilFiles(path, [])
        })
      )
      assert.deepStrictEqual(ids(app.taken), ["started of call_A", "end of call_A"])
    })
  )

  it.live("does not delay one call when the app does not take another call's event", () =>
    Effect.gen(function* () {
      const [path, app] = [yield* folder, new App()]
      app.refuse = (event) => (event.callId === "call_A" ? 500 : undefined)
      yield* running(path, app, (record) =>
        Effect.gen(function* () {
          yield* record(started("call_A"))
          yield* record(started("call_B"))
          yield* record(ended("call_B"))
          yield* untilFiles(path, ["call_A.jsonl"])
        })
      )
      assert.deepStrictEqual(ids(app.taken), ["started of call_B", "end of call_B"])
    })
  )

  it.live("delivers the events after a restart that the app could not take before", () =>
    Effect.gen(function* () {
      const [path, app] = [yield* folder, new App()]
      app.refuse = () => 503
      yield* running(path, app, (record) => Effect.forEach([started("call_A"), ended("call_A")], record))
      assert.deepStrictEqual(app.taken, [])
      app.refuse = () => undefined
      yield* running(path, app, () => untilFiles(path, []))
      assert.deepStrictEqual(ids(app.taken), ["started of call_A", "end of call_A"])
    })
  )

  for (const [what, torn] of [
    ["a crashed process", ""],
    ["a process that died while writing", '{"type":"transcript","id":"2 of']
  ] as const)
    it.live(`ends the calls of ${what}, once and with the reason "error"`, () =>
      Effect.gen(function* () {
        const [path, app] = [yield* folder, new App()]
        const file = join(path, "call_A.jsonl")
        yield* Effect.promise(() => writeFile(file, line(started("call_A")) + line(utterance("call_A", 1)) + torn))
        // The first restart does not reach the app; what it adds must be readable by the second.
        app.refuse = () => 503
        yield* running(path, app, () => Effect.sleep(20))
        const kept = (yield* Effect.promise(() => readFile(file, "utf8"))).trimEnd().split("\n").at(-1) ?? ""
        app.refuse = () => undefined
        yield* running(path, app, () => untilFiles(path, []))
        assert.deepStrictEqual(
          app.taken.map((event) => event.type),
          ["call_started", "transcript", "call_end"]
        )
        const end = app.taken.at(-1)
        assert.strictEqual(end?.type === "call_end" ? end.endReason : "", "error")
        assert.strictEqual(JSON.parse(kept).id, end?.id)
      })
    )

  it.live("removes a journal file without a readable event, and leaves other files alone", () =>
    Effect.gen(function* () {
      const [path, app] = [yield* folder, new App()]
      yield* Effect.promise(() => writeFile(join(path, "call_A.jsonl"), '{"type":'))
      yield* Effect.promise(() => appendFile(join(path, "notes.txt"), "mine"))
      yield* running(path, app, () => untilFiles(path, ["notes.txt"]))
      assert.deepStrictEqual(app.taken, [])
    })
  )

  it.live("ends a call that was cut off at its last sign of life, however long the process was away", () =>
    Effect.gen(function* () {
      const [path, app] = [yield* folder, new App()]
      const file = join(path, "call_A.jsonl")
      const lastSign = new Date("2026-11-01T00:02:30.000Z")
      yield* Effect.promise(() => writeFile(file, line(started("call_A"))))
      yield* Effect.promise(() => utimes(file, lastSign, lastSign))
      yield* running(path, app, () => untilFiles(path, []))
      const { endedAt: at, durationSeconds } = app.taken.at(-1) as Extract<CallEvent, { type: "call_end" }>
      assert.deepStrictEqual({ at, durationSeconds }, { at: lastSign.toISOString(), durationSeconds: 150 })
    })
  )

  it.live("sets a call aside when the app refuses one of its events for good, and delivers the other calls", () =>
    Effect.gen(function* () {
      const [path, app] = [yield* folder, new App()]
      app.refuse = (event) => (event.type === "transcript" ? 400 : undefined)
      yield* running(path, app, (record) =>
        Effect.gen(function* () {
          yield* Effect.forEach([started("call_A"), utterance("call_A", 1), ended("call_A")], record)
          yield* untilFiles(path, ["call_A.jsonl.refused"])
        })
      )
      assert.deepStrictEqual(ids(app.taken), ["started of call_A", "end of call_A"])
      assert.strictEqual(app.attempts, 3)
      yield* running(path, app, () => Effect.sleep(20))
      assert.strictEqual(app.attempts, 3)
    })
  )

  it.live("delivers a recording separately, before or long after the call's end, without adding an end", () =>
    Effect.gen(function* () {
      const [path, app] = [yield* folder, new App()]
      const recording: CallEvent = {
        type: "recording",
        id: "rec_1",
        ...base("call_A"),
        key: objectKey("recordings", "org_1", "call_A", "rec_1.wav"),
        bytes: 44,
        durationMs: 0
      }
      yield* running(path, app, (record) =>
        Effect.gen(function* () {
          yield* Effect.forEach([started("call_A"), recording], record)
          yield* untilFiles(path, ["call_A.jsonl"])
          yield* record(ended("call_A"))
          yield* untilFiles(path, [])
          app.refuse = () => 503
          yield* record({ ...recording, id: "rec_2" })
        })
      )
      app.refuse = () => undefined
      yield* running(path, app, () => untilFiles(path, []))
      assert.deepStrictEqual(ids(app.taken).sort(), ["end of call_A", "rec_1", "rec_2", "started of call_A"])
    })
  )

  const firstPart = [started("call_A"), ended("call_A")]
  /** What is said after the call returned from a human to the agent. */
  const secondPart = [{ ...started("call_A"), id: "started again" }, utterance("call_A", 1)]
  const secondEnd = { ...ended("call_A"), id: "second end" }
  const bothParts = ["started of call_A", "end of call_A", "started again", "1 of call_A"]

  it.live("continues after an end that the app takes late, when the call has returned from a human", () =>
    Effect.gen(function* () {
      const [path, app] = [yield* folder, new App()]
      let held = true
      app.refuse = (event) => (held && event.type === "call_end" ? 503 : undefined)
      yield* running(path, app, (record) =>
        Effect.gen(function* () {
          yield* Effect.forEach([...firstPart, ...secondPart], record)
          held = false
          yield* untilTaken(app, 4)
          assert.deepStrictEqual(ids(app.taken), bothParts)
          assert.strictEqual(
            yield* Effect.promise(() => readFile(join(path, "call_A.jsonl"), "utf8")),
            [...firstPart, ...secondPart].map(line).join("")
          )
          yield* record(secondEnd)
          yield* untilFiles(path, [])
        })
      )
      assert.deepStrictEqual(ids(app.taken), [...bothParts, "second end"])
    })
  )

  it.live("keeps events that arrive at the very moment when the app takes the call's end", () =>
    Effect.gen(function* () {
      const [path, app] = [yield* folder, new App()]
      yield* running(path, app, (record) =>
        Effect.forEach(
          Array.from({ length: 200 }, (_, i) => `call_${i}`),
          (callId) =>
            Effect.gen(function* () {
              yield* Effect.forEach([started(callId), ended(callId)], record)
              for (let waits = Number(callId.slice(5)) % 20; waits > 0; waits--) yield* Effect.promise(async () => {})
              yield* Effect.forEach([{ ...started(callId), id: `again ${callId}` }, utterance(callId, 1)], record)
              yield* eventually(`all of ${callId}`, () => app.of(callId).length >= 4)
              // Whether or not an end came before it, the file still holds the call that is not over.
              const kept = yield* Effect.promise(() => readFile(join(path, `${callId}.jsonl`), "utf8"))
              assert.isTrue(kept.endsWith(line(utterance(callId, 1))), kept)
            }),
          { concurrency: 20, discard: true }
        )
      )
    })
  )

  for (const [what, later, expected] of [
    ["with what came behind it", secondPart, [...bothParts, "an end"]],
    ["and the end of what came behind it", [...secondPart, secondEnd], [...bothParts, "second end"]]
  ] as const)
    it.live(`delivers an end after a restart that the app had not taken before it, ${what}`, () =>
      Effect.gen(function* () {
        const [path, app] = [yield* folder, new App()]
        app.refuse = () => 503
        const events = [...firstPart, ...later]
        yield* Effect.promise(() => writeFile(join(path, "call_A.jsonl"), events.map(line).join("")))
        // The first restart does not reach the app; what it adds must be there for the second.
        yield* running(path, app, () => Effect.sleep(20))
        app.refuse = () => undefined
        yield* running(path, app, () => untilFiles(path, []))
        const told = app.taken.map(({ type, id }) => (type === "call_end" && id.startsWith("evt_") ? "an end" : id))
        assert.deepStrictEqual(told, [...expected])
      })
    )

  it.live("does not tell the app a long call from its beginning when another process goes on with it", () =>
    Effect.gen(function* () {
      const [path, app] = [yield* folder, new App()]
      const said = Array.from({ length: 100 }, (_, at) => utterance("call_A", at + 1))
      yield* running(path, app, (record) =>
        Effect.gen(function* () {
          yield* record(started("call_A"))
          for (const event of said) {
            const before = app.taken.length
            yield* record(event)
            yield* untilTaken(app, before + 1)
          }
        })
      )
      assert.lengthOf(app.taken, 101)
      const next = new App()
      const journal = FileCallJournal.layer({ folder: path, held: Effect.succeed(new Set(["call_A"])) })
      yield* Effect.gen(function* () {
        const { record } = yield* CallJournal
        yield* record(utterance("call_A", 101))
        yield* record(ended("call_A"))
        yield* eventually("the end", () => next.taken.some(({ type }) => type === "call_end"))
        yield* untilFiles(path, [])
      }).pipe(Effect.provide(journal.pipe(Layer.provide(next.layer))))
      assert.isAtMost(next.taken.length, 16 + 2)
      assert.deepStrictEqual(
        ids(next.taken),
        ids([...said.slice(102 - next.taken.length), utterance("call_A", 101), ended("call_A")])
      )
    })
  )

  it.live("knows when a call began whose events the app has taken, when it was cut off", () =>
    Effect.gen(function* () {
      const [path, app] = [yield* folder, new App()]
      const file = join(path, "call_A.jsonl")
      const taken = `${line(started("call_A"))}${line(utterance("call_A", 1))}{"taken":true}\n`
      yield* Effect.promise(() => writeFile(file, `${taken}${line(utterance("call_A", 2))}`))
      const lastSign = new Date("2026-11-01T00:01:30.000Z")
      yield* Effect.promise(() => utimes(file, lastSign, lastSign))
      yield* running(path, app, () => untilFiles(path, []))
      assert.deepStrictEqual(
        app.taken.map(({ type }) => type),
        ["transcript", "call_end"]
      )
      assert.deepInclude(app.taken[1], { endReason: "error", durationSeconds: 90 })
    })
  )

  it.live("starts a new line after a line that a crash cut short", () =>
    Effect.gen(function* () {
      const [path, app] = [yield* folder, new App()]
      app.refuse = () => 503
      yield* Effect.promise(() =>
        writeFile(join(path, "call_A.jsonl"), `${firstPart.map(line).join("")}{"type":"call_st`)
      )
      yield* running(path, app, (record) => Effect.forEach(secondPart, record))
      app.refuse = () => undefined
      yield* running(path, app, () => untilFiles(path, []))
      assert.deepStrictEqual(ids(app.taken).slice(0, 4), bothParts)
      assert.lengthOf(app.taken, 5)
    })
  )

  it.live("keeps each call in a file of its own inside the folder, whatever the call's id", () =>
    Effect.gen(function* () {
      const [outer, app] = [yield* folder, new App()]
      const path = join(outer, "journal")
      const odd = ["../../up", "/etc/call", "..", ".", "a/b", "ab", "a\0b", "a%2fb", "\ud800", "संख्या"]
      app.refuse = () => 503
      yield* running(path, app, (record) => Effect.forEach(odd, (callId) => record(started(callId))))
      assert.deepStrictEqual(yield* files(outer), ["journal"])
      const kept = yield* files(path)
      assert.lengthOf(kept, odd.length)
      assert.isTrue(kept.every((name) => /^[A-Za-z0-9_%]+\.jsonl$/.test(name)))
      app.refuse = () => undefined
      yield* running(path, app, () => untilFiles(path, []))
      assert.lengthOf(app.taken, odd.length * 2)
    })
  )
})
