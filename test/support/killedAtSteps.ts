/**
 * The frame of stories in which a process is killed between any two of its steps: one process works on a case for each step, in an organization and database
 * of its own. It freezes each case at its step (`freezing`), and is killed when all are there. What is left of each case is told by a test.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { eventually } from "./eventually.ts"
import { killable, startWithin } from "./killed.ts"
import { variablesOfAll } from "./stores.ts"

const longest = 240_000

type Killable = Effect.Success<ReturnType<typeof killable>>

export interface KilledStories<Step extends string, Case, Left> {
  /** A program of this folder, which runs each case by its variables (`eachOf`). */
  readonly program: string
  /** The name of the test of each step. */
  readonly what: Readonly<Record<Step, string>>
  /** Makes what the process works on. */
  readonly make: (step: Step) => Effect.Effect<Case, unknown, Scope.Scope>
  readonly variables: (one: Case) => Readonly<Record<string, string>>
  /** Runs over each case while the process runs; gives what the test is told. */
  readonly begin: (one: Case, child: Killable) => Effect.Effect<Left, unknown, Scope.Scope>
  readonly tell: (left: Left, step: Step) => Effect.Effect<void, unknown, Scope.Scope>
}

/** To be called within `describe`. */
export const killedAtSteps = <Step extends string, Case, Left>(
  steps: ReadonlyArray<Step>,
  { program, what, make, variables, begin, tell }: KilledStories<Step, Case, Left>
) => {
  const killed = Effect.gen(function* () {
    const cases = yield* Effect.forEach(steps, make, { concurrency: 2 })
    const each = cases.map((one, index) => ({ ...variables(one), FREEZE_AT: steps[index] }))
    const child = yield* killable(program, variablesOfAll(each))
    const left = yield* Effect.forEach(cases, (one) => begin(one, child))
    for (const step of steps)
      yield* eventually(`it is at ${step}`, async () => child.said(`frozen at ${step}.`) || undefined, startWithin)
    // What is under way beside it comes to its end, too.
    yield* Effect.sleep("300 millis")
    yield* Effect.promise(child.kill)
    return new Map(steps.map((step, index) => [step, left[index]]))
  })
  const scope = Scope.makeUnsafe()
  let left: Effect.Success<typeof killed>
  beforeAll(async () => {
    left = await Effect.runPromise(Scope.provide(killed, scope))
  }, longest)
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)), longest)

  for (const step of steps)
    it.live(
      what[step],
      () => Effect.scoped(Effect.suspend(() => tell(left.get(step) ?? assert.fail(step), step))),
      longest
    )
}
