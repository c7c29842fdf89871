/** From an Effect with resources to the exit code of a bench: what was started is stopped, also on Ctrl-C. */
import { Effect, Logger, type Scope } from "effect"
import { OptionsInvalid } from "./Options.ts"

/** 130 as a shell has it when interrupted. */
export const interruptedCode = 130

export const runBench = async <E>(bench: () => Effect.Effect<number, E, Scope.Scope>): Promise<number> => {
  const interruption = new AbortController()
  const interrupt = () => interruption.abort()
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt)
  try {
    const quiet = Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])
    return await Effect.runPromise(Effect.scoped(bench()).pipe(Effect.provide(quiet)), { signal: interruption.signal })
  } catch (cause) {
    if (cause instanceof OptionsInvalid) {
      console.error(cause.message)
      return 2
    }
    if (interruption.signal.aborted) return interruptedCode
    throw cause
  } finally {
    process.removeListener("SIGINT", interrupt).removeListener("SIGTERM", interrupt)
  }
}

/** Runs `task` for every item, `most` at a time, in order of the list. */
export const inTurn = async <A, B>(
  items: ReadonlyArray<A>,
  most: number,
  task: (item: A, index: number) => Promise<B>
): Promise<ReadonlyArray<B>> => {
  const results: Array<B> = []
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const index = next++
      results[index] = await task(items[index], index)
    }
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker))
  return results
}
