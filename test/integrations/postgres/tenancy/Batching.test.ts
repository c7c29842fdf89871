/** Requests that are made at the same moment become one statement, and callers notice no other difference. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { SqlError } from "effect/sql"
import { makeBatching, makeSharedBatching } from "../../../../src/integrations/postgres/tenancy/Batching.ts"

const broken = (name: string) =>
  new SqlError.SqlError({ reason: new SqlError.UnknownError({ cause: new Error(name), message: name }) })

/** Statements that wait until they are released, and return each name in capitals. The name "bad" makes its statement fail. */
const noting = Effect.gen(function* () {
  const statements: Array<ReadonlyArray<string>> = []
  const go = yield* Deferred.make<void>()
  const ask = yield* makeBatching((organizationId: string, names: ReadonlyArray<string>) => {
    statements.push([organizationId, ...names])
    return Effect.andThen(
      Deferred.await(go),
      names.includes("bad") ? Effect.fail(broken("bad")) : Effect.succeed(names.map((name) => name.toUpperCase()))
    )
  })
  const begin = (name: string, organizationId = "acme") => Effect.forkChild(ask(organizationId, name))
  const settled = Effect.replicateEffect(Effect.yieldNow, 20, { discard: true })
  return { statements, begin, settled, letGo: Deferred.succeed(go, undefined) }
})

describe("batching", () => {
  it.effect("puts requests of the same moment into one statement, and gives each its own answer", () =>
    Effect.gen(function* () {
      const { statements, begin, settled, letGo } = yield* noting
      const asked = [yield* begin("a"), yield* begin("b"), yield* begin("c")]
      yield* settled
      assert.deepStrictEqual(statements, [["acme", "a", "b", "c"]])
      yield* letGo
      assert.deepStrictEqual(yield* Fiber.joinAll(asked), ["A", "B", "C"])
    })
  )

  it.effect("starts a lone request at once, and joins the requests that come while two statements run", () =>
    Effect.gen(function* () {
      const { statements, begin, settled, letGo } = yield* noting
      const asked: Array<Fiber.Fiber<string, SqlError.SqlError>> = []
      for (const name of ["a", "b", "c", "d", "e"]) {
        asked.push(yield* begin(name))
        yield* settled
      }
      assert.deepStrictEqual(statements, [
        ["acme", "a"],
        ["acme", "b"]
      ])
      yield* letGo
      assert.deepStrictEqual(yield* Fiber.joinAll(asked), ["A", "B", "C", "D", "E"])
      assert.deepStrictEqual(statements.slice(2), [["acme", "c", "d", "e"]])
    })
  )

  it.effect("uses separate statements for each organization", () =>
    Effect.gen(function* () {
      const { statements, begin, settled } = yield* noting
      yield* begin("a")
      yield* begin("b", "globex")
      yield* begin("c")
      yield* settled
      assert.deepStrictEqual(statements, [
        ["acme", "a", "c"],
        ["globex", "b"]
      ])
    })
  )

  it.effect("fails only the request that cannot be carried out", () =>
    Effect.gen(function* () {
      const { begin, letGo } = yield* noting
      const asked = [yield* begin("a"), yield* begin("bad"), yield* begin("c")]
      yield* letGo
      const [a, bad, c] = yield* Effect.forEach(asked, Fiber.await)
      assert.deepStrictEqual([a, c], [Exit.succeed("A"), Exit.succeed("C")])
      assert.deepStrictEqual(bad, Exit.fail(broken("bad")))
    })
  )

  it.effect("leaves out a request that is interrupted before its statement starts", () =>
    Effect.gen(function* () {
      const { statements, begin, settled, letGo } = yield* noting
      for (const name of ["a", "b"]) {
        yield* begin(name)
        yield* settled
      }
      const [c, d] = [yield* begin("c"), yield* begin("d")]
      yield* settled
      yield* Fiber.interrupt(c)
      yield* letGo
      assert.strictEqual(yield* Fiber.join(d), "D")
      assert.deepStrictEqual(statements.at(-1), ["acme", "d"])
    })
  )

  it.effect("splits requests into several statements when one cannot take them all", () =>
    Effect.gen(function* () {
      const { statements, begin, letGo } = yield* noting
      const names = Array.from({ length: 150 }, (_, i) => `n${i}`)
      const asked = yield* Effect.forEach(names, (name) => begin(name))
      yield* letGo
      assert.deepStrictEqual(
        yield* Fiber.joinAll(asked),
        names.map((name) => name.toUpperCase())
      )
      assert.deepStrictEqual(
        statements.map((all) => all.length - 1),
        [64, 64, 22]
      )
    })
  )

  it.effect("can share statements among organizations, which are taken in turn", () =>
    Effect.gen(function* () {
      const statements: Array<ReadonlyArray<string>> = []
      const go = yield* Deferred.make<void>()
      const ask = yield* makeSharedBatching((asked: ReadonlyArray<{ organizationId: string; name: string }>) => {
        statements.push(asked.map(({ organizationId, name }) => `${organizationId} ${name}`))
        return Effect.as(
          Deferred.await(go),
          asked.map(({ name }) => name.toUpperCase())
        )
      })
      const begin = (organizationId: string, name: string) => Effect.forkChild(ask({ organizationId, name }))
      const many = yield* Effect.forEach(Array.from({ length: 200 }).keys(), (n) => begin("acme", `n${n}`))
      const few = [yield* begin("globex", "a"), yield* begin("globex", "b")]
      yield* Effect.replicateEffect(Effect.yieldNow, 20, { discard: true })
      yield* Deferred.succeed(go, undefined)
      assert.deepStrictEqual(yield* Fiber.joinAll(few), ["A", "B"])
      assert.strictEqual((yield* Fiber.joinAll(many)).at(-1), "N199")
      assert.deepStrictEqual(statements[0].slice(0, 4), ["acme n0", "globex a", "acme n1", "globex b"])
      assert.deepStrictEqual(
        statements.map(({ length }) => length),
        [64, 64, 64, 10]
      )
    })
  )

  it.effect("leaves no request waiting when the service stops", () =>
    Effect.gen(function* () {
      const left = yield* Effect.scoped(
        Effect.gen(function* () {
          const { settled } = yield* noting
          const ask = yield* makeBatching((_, names: ReadonlyArray<number>) => Effect.as(Effect.never, names))
          const asked: Array<Fiber.Fiber<number, SqlError.SqlError>> = []
          for (let i = 0; i < 3; i++) {
            asked.push(yield* Effect.forkDetach(ask("acme", i)))
            yield* settled
          }
          return asked
        })
      )
      for (const fiber of left) assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
    })
  )
})
