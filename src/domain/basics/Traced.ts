/**
 * `Effect.fn` for functions that run with each request, turn or delivery. `Effect.fn` records its caller and makes a span even when nobody collects
 * spans. That takes 4 µs each time, more in a busy process (docs/performance.md). `traced` puts its name into the traces of errors, and makes a
 * span only where spans are collected.
 */
import { Effect, References } from "effect"

type Work = Effect.Effect<unknown, unknown, unknown>
type Pipeable = (effect: Work, ...args: ReadonlyArray<unknown>) => Work
type Body = (...args: ReadonlyArray<unknown>) => Work

const nowhere = (): undefined => undefined

const isGenerator = (body: Body): boolean => Object.prototype.toString.call(body) === "[object GeneratorFunction]"

/** Calls the function when its effect runs, not before. */
const suspended =
  (body: Body): Body =>
  (...args) =>
    Effect.suspend(() => body(...args))

/** Used like `Effect.fn(name)`. */
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
  // The wrapper only adds the name, so the type of the function stays the same.
  return make as Effect.fn.Traced
}
