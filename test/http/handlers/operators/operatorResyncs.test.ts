import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { makeRunResync } from "../../../../src/domain/operators/RunResync.ts"
import { VoiceAgents } from "../../../../src/domain/voice/agents/VoiceAgent.ts"
import * as HttpEngineClient from "../../../../src/integrations/engine/HttpEngineClient.ts"
import { eventually } from "../../../support/eventually.ts"
import { makeOperatorWorld } from "../../../support/operators.ts"
import { agentOf } from "../../../support/tenants.ts"
import { secret } from "../../world.ts"

/** An installation whose organization has so many agents from before the provider stack was locked. */
const withAgents = Effect.fnUntraced(function* (count: number) {
  const world = yield* makeOperatorWorld()
  const { provide, organizationId, direct } = world
  const agents = Array.from({ length: count }, () => agentOf(organizationId))
  yield* provide(Effect.flatMap(VoiceAgents, (store) => Effect.forEach(agents, store.create)))
  const client = yield* Layer.build(HttpEngineClient.layer({ baseUrl: direct, secret, placeTimeoutMs: 500 }))
  /** One process looks for a run and works on it. */
  const run = yield* provide(Effect.provide(makeRunResync, client))
  const start = (organization: string | null = null) =>
    world.ask("POST", "resyncs", { body: { organizationId: organization, reason: "The new voices reach everybody." } })
  const locked = provide(
    Effect.flatMap(VoiceAgents, (store) => store.list(organizationId, 1, 100)).pipe(
      Effect.map(({ data }) => data.filter(({ providerStack }) => providerStack.lockedAt !== null).length)
    )
  )
  /** Waits until an agent of the run is done. */
  const begun = (id: string) =>
    eventually(
      "an agent is done",
      Effect.map(world.ask("GET", `resyncs/${id}`), ({ body }) => body.updated >= 1)
    )
  return { ...world, agents, run, start, locked, begun }
})

describe("at /api/operator/resyncs", () => {
  it.live("a run brings every agent up to date, and tells what became of each", () =>
    Effect.gen(function* () {
      const { run, start, ask, locked, events, engine } = yield* withAgents(3)
      assert.isFalse(yield* run(), "nothing to do yet")
      const { status, body } = yield* start()
      assert.deepStrictEqual([status, body.status, body.total], [201, "running", null])
      assert.strictEqual((yield* start()).status, 409)
      assert.isTrue(yield* run())
      const done = yield* ask("GET", `resyncs/${body.id}`)
      assert.deepInclude(done.body, {
        status: "completed",
        total: 3,
        updated: 3,
        unchanged: 0,
        failed: 0,
        failures: []
      })
      assert.isNotNull(done.body.endedAt)
      assert.strictEqual(yield* locked, 3)
      assert.strictEqual(engine.configs.size, 3)

      yield* start()
      engine.rejects = "this voice cannot be heard"
      yield* run()
      const { body: list } = yield* ask("GET", "resyncs")
      assert.deepInclude(list.data[0], { status: "completed", total: 3, updated: 0, unchanged: 0, failed: 3 })
      const failed = yield* ask("GET", `resyncs/${list.data[0].id}`)
      assert.lengthOf(failed.body.failures, 3)
      assert.include(failed.body.failures[0].reason, "this voice cannot be heard")
      assert.includeMembers(
        (yield* events).map(({ type }) => type),
        ["resync.started", "resync.completed"]
      )
    }).pipe(Effect.scoped)
  )

  it.live("a run that is paused stops behind an agent, goes on there, and ends when it is cancelled", () =>
    Effect.gen(function* () {
      const { run, start, ask, engine, begun } = yield* withAgents(6)
      engine.delayMs = 300
      const { body } = yield* start()
      const path = `resyncs/${body.id}`
      const working = yield* Effect.forkScoped(run())
      yield* begun(body.id)
      const paused = yield* ask("POST", `${path}/pause`)
      assert.strictEqual(paused.body.status, "paused")
      yield* Fiber.await(working)
      const puts = engine.puts
      const stopped = (yield* ask("GET", path)).body
      assert.isBelow(puts, 6)
      assert.isAtLeast(stopped.updated, 1)
      assert.isFalse(yield* run(), "a paused run is nobody's")
      assert.strictEqual((yield* ask("POST", `${path}/pause`)).status, 409)

      yield* ask("POST", `${path}/resume`)
      engine.delayMs = 0
      yield* run()
      const done = (yield* ask("GET", path)).body
      // The agent that was under way when the run was paused is done again.
      assert.deepInclude(done, { status: "completed", total: 6, failed: 0 })
      assert.strictEqual(done.updated + done.unchanged, 6)
      assert.isAtMost(engine.puts, 7)
      assert.strictEqual((yield* ask("POST", `${path}/cancel`)).status, 409)

      const next = yield* start()
      assert.strictEqual((yield* ask("POST", `resyncs/${next.body.id}/cancel`)).body.status, "cancelled")
      assert.isFalse(yield* run())
      assert.strictEqual((yield* ask("POST", "resyncs/rsy_nothing/pause")).status, 404)
      assert.strictEqual((yield* start("org_nothing")).status, 404)
    }).pipe(Effect.scoped)
  )

  it.live("a run whose process died goes on in another one, behind the last agent that was noted", () =>
    Effect.gen(function* () {
      const { run, start, ask, engine, provide, begun } = yield* withAgents(4)
      engine.delayMs = 300
      const { body } = yield* start()
      const working = yield* Effect.forkScoped(run())
      yield* begun(body.id)
      // The process dies: nothing releases its claim.
      const dead = Effect.flatMap(
        SqlClient.SqlClient,
        (sql) =>
          sql`UPDATE resyncs SET claim = 'dead', claimed_until = now() + interval '1 minute' WHERE id = ${body.id}`
      )
      yield* provide(dead)
      yield* Fiber.await(working)
      const before = (yield* ask("GET", `resyncs/${body.id}`)).body
      assert.strictEqual(before.status, "running")
      assert.isFalse(yield* run(), "it may still be alive")
      yield* provide(
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`UPDATE resyncs SET claimed_until = now() - interval '1 second' WHERE id = ${body.id}`
        )
      )
      engine.delayMs = 0
      assert.isTrue(yield* run())
      const done = (yield* ask("GET", `resyncs/${body.id}`)).body
      assert.deepInclude(done, { status: "completed", failed: 0 })
      assert.strictEqual(done.updated + done.unchanged, 4)
    }).pipe(Effect.scoped)
  )
})
