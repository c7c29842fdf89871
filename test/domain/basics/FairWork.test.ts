/** Work in lanes: what runs at a time, and that slow lanes do not keep the others from theirs. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { startFairWork } from "../../../src/domain/basics/FairWork.ts"

const most = { perLane: 4, perOrganization: 8, perProcess: 32 }

/** Lanes with endless work, by how long an item of each takes; each lane is of an organization of its own. A look gives the first `shown`. */
const lanesOf = (all: ReadonlyMap<string, number>, shown = all.size) => {
  const running = new Map<string, number>()
  const done = new Map<string, number>()
  let [now, busiest] = [0, 0]
  const work = (lane: string) =>
    Effect.suspend(() => {
      now++
      busiest = Math.max(busiest, now)
      running.set(lane, (running.get(lane) ?? 0) + 1)
      return Effect.sleep(all.get(lane) ?? 0)
    }).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          now--
          running.set(lane, (running.get(lane) ?? 0) - 1)
          done.set(lane, (done.get(lane) ?? 0) + 1)
        })
      )
    )
  const start = startFairWork({
    ...{ what: "items", most, lookEveryMs: 1_000 },
    due: (_now, full) =>
      Effect.succeed(
        [...all.keys()]
          .filter((lane) => !full.includes(lane))
          .slice(0, shown)
          .map((lane) => ({ organizationId: `org_${lane}`, lane }))
      ),
    claim: ({ lane }, _now, room) => Effect.succeed(Array.from({ length: room.most }, () => work(lane)))
  })
  return { start, running, done, busiest: () => busiest }
}

const names = (what: string, count: number) => Array.from({ length: count }, (_, n) => `${what}${n}`)

describe("work in lanes", () => {
  it.effect("begins with one item of a lane, and goes on with as many as the lane may have", () =>
    Effect.gen(function* () {
      const { start, running } = lanesOf(new Map([["a", 100]]))
      yield* start
      yield* TestClock.adjust(50)
      assert.strictEqual(running.get("a"), 1)
      yield* TestClock.adjust(100)
      assert.strictEqual(running.get("a"), most.perLane)
    }).pipe(Effect.scoped)
  )

  it.effect("never runs more at a time than the process may", () =>
    Effect.gen(function* () {
      const { start, busiest } = lanesOf(new Map(names("a", 40).map((lane) => [lane, 100])))
      yield* start
      yield* TestClock.adjust("5 seconds")
      assert.isAtMost(busiest(), most.perProcess)
      assert.isAtLeast(busiest(), most.perProcess - 4)
    }).pipe(Effect.scoped)
  )

  it.effect("goes on in a lane that is well while more lanes are dead than there is room for", () =>
    Effect.gen(function* () {
      const dead = names("dead", 60)
      const { start, running, done } = lanesOf(
        new Map([["well", 100] as const, ...dead.map((lane) => [lane, 15_000] as const)])
      )
      yield* start
      yield* TestClock.adjust("60 seconds")
      const before = done.get("well") ?? 0
      yield* TestClock.adjust("10 seconds")
      assert.isAtLeast((done.get("well") ?? 0) - before, 300)
      const held = dead.reduce((sum, lane) => sum + (running.get(lane) ?? 0), 0)
      assert.isAtMost(held, most.perProcess / 4)
      for (const lane of dead) assert.isAtMost(running.get(lane) ?? 0, 1)
    }).pipe(Effect.scoped)
  )

  it.effect("finds a lane that is well behind more dead ones than a look gives", () =>
    Effect.gen(function* () {
      const dead = names("dead", 60)
      const all = new Map([...dead.map((lane) => [lane, 15_000] as const), ["well", 100] as const])
      const { start, done } = lanesOf(all, 20)
      yield* start
      yield* TestClock.adjust("120 seconds")
      const before = done.get("well") ?? 0
      yield* TestClock.adjust("10 seconds")
      assert.isAtLeast((done.get("well") ?? 0) - before, 300)
    }).pipe(Effect.scoped)
  )

  it.effect("gives a lane that was slow its full part again when it is well", () =>
    Effect.gen(function* () {
      const all = new Map([["a", 15_000]])
      const { start, running } = lanesOf(all)
      yield* start
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual(running.get("a"), 1)
      all.set("a", 100)
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual(running.get("a"), most.perLane)
    }).pipe(Effect.scoped)
  )
})
