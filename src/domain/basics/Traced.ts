/**
 * `Effect.fn` for what runs with each request, turn or delivery. `Effect.fn` notes where it was called and makes a span also when nobody collects
 * them, 4 µs each time, more among other work (docs/performance.md). This says its name in the traces of errors, and has a span where spans are
 * collected.
 */
import { Effect, References } from "effect"

type Work = Effect.Effect<unknown, unknown, unknown>
type Pipeable = (effect: Work, ...args: ReadonlyArray<unknown>) => Work
type Body = (...args: ReadonlyArray<unknown>) => Work

const nowhere = (): undefined => undefined

const isGenerator = (body: Body): boolean => Object.prototype.toString.call(body) === "[object GeneratorFunction]"

/** The effect that a function gives when it is run, not when it is called. */
const suspended =
  (body: Body): Body =>
  (...args) =>
    Effect.suspend(() => body(...args))

/** As `Effect.fn(name)`. */
export const traced = (name: string): Effect.fn.Traced => {
  const frame = (parent: References.StackFrame | undefined): References.StackFrame => ({ name, stack: nowhere, parent })
  const named: Pipeable = (effect) =>
    Effect.flatMap(References.TracerEnabled, (enabled) =>
      enabled
        ? Effect.withSpan(effect, name, { captureStackTrace: false })
        : Effect.updateService(effect, References.CurrentStackFrame, frame)
    )
  const make: unknown = (body: Body, ...pipeables: ReadonlyArray<Pipeable>) => {
    const run: Body = isGenerator(body) ? Effect.fnUntraced(body as never) : suspended(body)
    return (...args: ReadonlyArray<unknown>) =>
      named(pipeables.reduce((effect, pipeable) => pipeable(effect, ...args), run(...args)))
  }
  // The name is put around what is made of the body: nothing of the type changes.
  return make as Effect.fn.Traced
}
