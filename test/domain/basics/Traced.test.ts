import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, References, Tracer } from "effect"
import { traced } from "../../../src/domain/basics/Traced.ts"

/** Names of the spans that began while the effect ran. */
const spansOf = <A, E>(effect: Effect.Effect<A, E>, enabled: boolean) =>
  Effect.suspend(() => {
    const names: Array<string> = []
    const tracer = Tracer.make({
      span: (options) => {
        names.push(options.name)
        return new Tracer.NativeSpan(options)
      }
    })
    return effect.pipe(
      Effect.provideService(Tracer.Tracer, tracer),
      Effect.provideService(References.TracerEnabled, enabled),
      Effect.as(names)
    )
  })

describe("a traced function", () => {
  const add = traced("Sums.add")(function* (a: number, b: number) {
    return a + (yield* Effect.succeed(b))
  })

  it.effect("gives what its body gives, a generator or a function of effects", () =>
    Effect.gen(function* () {
      const double = traced("Sums.double")((a: number) => add(a, a))
      assert.deepStrictEqual([yield* add(1, 2), yield* double(4)], [3, 8])
    })
  )

  it.effect("begins its work when it is run, each time anew", () =>
    Effect.gen(function* () {
      let runs = 0
      const count = traced("Sums.count")(() => Effect.sync(() => ++runs))()
      assert.strictEqual(runs, 0)
      assert.deepStrictEqual([yield* count, yield* count], [1, 2])
    })
  )

  it.effect("passes its arguments to the functions after its body", () =>
    Effect.gen(function* () {
      const orItself = traced("Sums.refused")(
        function* (n: number) {
          return yield* Effect.fail(`not ${n}`)
        },
        (effect, n) => Effect.catch(effect, (why) => Effect.succeed(`${why}, but ${n + 1}`))
      )
      assert.strictEqual(yield* orItself(7), "not 7, but 8")
    })
  )

  it.effect("has a span when spans are collected, and none otherwise", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* spansOf(add(1, 2), true), ["Sums.add"])
      assert.deepStrictEqual(yield* spansOf(add(1, 2), false), [])
    })
  )

  it.effect("has its name in the stack of its errors", () =>
    Effect.gen(function* () {
      const fail = traced("Sums.divide")(function* () {
        return yield* Effect.die(new Error("by nothing"))
      })
      for (const enabled of [true, false]) {
        const exit = yield* Effect.exit(Effect.provideService(fail(), References.TracerEnabled, enabled))
        assert.match(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "", /at Sums\.divide$/m)
      }
    })
  )
})
