import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Exclusive } from "../../../../src/domain/basics/Exclusive.ts"
import * as ExclusivePostgres from "../../../../src/integrations/postgres/tenancy/ExclusivePostgres.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { newOrganization, testStores } from "../../../support/tenants.ts"

const name = "telephony"

/** A database with an organization, and processes that take turns. */
const office = Effect.gen(function* () {
  const stores = yield* Layer.build(testStores)
  const { id } = yield* newOrganization().pipe(Effect.provide(stores))
  const node = (options?: ExclusivePostgres.ExclusiveOptions) =>
    Layer.build(ExclusivePostgres.layer(options)).pipe(
      Effect.flatMap((built) => Exclusive.pipe(Effect.provide(built))),
      Effect.provide(stores)
    )
  /** The state that a process leaves behind when it dies during its turn. */
  const died = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* tenant(id)(sql`INSERT INTO leases (organization_id, name, holder, expires_at)
      VALUES (${id}, ${name}, 'dead', clock_timestamp() + interval '400 milliseconds')`)
  }).pipe(Effect.provide(stores))
  return { stores, id, node, died }
})

describe("turns of an organization", () => {
  it.live("are taken one after the other across all processes, while other organizations take theirs", () =>
    Effect.gen(function* () {
      const { stores, id, node } = yield* office
      const other = yield* newOrganization().pipe(Effect.provide(stores))
      const nodes = [yield* node(), yield* node()]
      let inside = 0
      let most = 0
      const work = Effect.gen(function* () {
        most = Math.max(most, ++inside)
        yield* Effect.sleep("30 millis")
        inside--
      })
      yield* Effect.all(
        Array.from({ length: 6 }, (_, i) => nodes[i % 2].run(id, name)(work)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(most, 1)
      const held = yield* Deferred.make<void>()
      const holding = yield* Effect.forkChild(nodes[0].run(id, name)(Deferred.await(held)))
      assert.strictEqual(yield* nodes[1].run(other.id, name)(Effect.succeed("at once")), "at once")
      yield* Deferred.succeed(held, undefined)
      yield* Fiber.join(holding)
    }).pipe(Effect.scoped)
  )

  it.live("come in the order in which a process requested them", () =>
    Effect.gen(function* () {
      const { id, node } = yield* office
      const { run } = yield* node()
      const [held, served] = [yield* Deferred.make<void>(), [] as number[]]
      const holding = yield* Effect.forkChild(run(id, name)(Deferred.await(held)))
      const waiting = []
      for (let i = 0; i < 8; i++) {
        yield* Effect.sleep("20 millis")
        waiting.push(yield* Effect.forkChild(run(id, name)(Effect.sync(() => served.push(i)))))
      }
      yield* Effect.sleep("20 millis")
      yield* Deferred.succeed(held, undefined)
      yield* Fiber.joinAll([holding, ...waiting])
      assert.deepStrictEqual(served, [0, 1, 2, 3, 4, 5, 6, 7])
    }).pipe(Effect.scoped)
  )

  it.live("are given back by work that fails or is interrupted", () =>
    Effect.gen(function* () {
      const { id, node } = yield* office
      const { run } = yield* node({ waitMs: 100 })
      assert.strictEqual(yield* Effect.flip(run(id, name)(Effect.fail("broken"))), "broken")
      const begun = yield* Deferred.make<void>()
      const work = Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
      const fiber = yield* Effect.forkChild(run(id, name)(work))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(fiber)
      assert.isTrue(yield* run(id, name)(Effect.succeed(true)))
    }).pipe(Effect.scoped)
  )

  it.live("last as long as the work takes, and a request that waits too long fails", () =>
    Effect.gen(function* () {
      const { id, node } = yield* office
      const holder = yield* node({ leaseMs: 1_500 })
      const waiting = yield* node({ waitMs: 2_000 })
      const [begun, over] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const work = Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(over))
      const fiber = yield* Effect.forkChild(holder.run(id, name)(work))
      yield* Deferred.await(begun)
      assert.strictEqual((yield* Effect.flip(waiting.run(id, name)(Effect.void)))._tag, "Busy")
      yield* Deferred.succeed(over, undefined)
      yield* Fiber.join(fiber)
      yield* waiting.run(id, name)(Effect.void)
    }).pipe(Effect.scoped)
  )

  it.live("expire by themselves when their process has died", () =>
    Effect.gen(function* () {
      const { id, node, died } = yield* office
      const { run } = yield* node()
      const began = Date.now()
      yield* died
      yield* run(id, name)(Effect.void)
      assert.isAtLeast(Date.now() - began, 400)
    }).pipe(Effect.scoped)
  )
})
