/** Waits in tests until a condition holds. In real time, whatever clock the test has. */
import { type Context, Effect } from "effect"
import { patience } from "./patience.ts"

/** The first result of `look` that is neither undefined nor false and fails no assertion. Rejects after `seconds` without one. */
export const comesAbout = async <A>(
  what: string,
  look: () => A | Promise<A>,
  seconds = patience
): Promise<Exclude<A, undefined | false>> => {
  const until = performance.now() + seconds * 1_000
  for (;;) {
    let problem: unknown
    try {
      const found = await look()
      if (found !== undefined && found !== false) return found as Exclude<A, undefined | false>
    } catch (cause) {
      problem = cause
    }
    if (performance.now() > until) throw new Error(`not within ${seconds} s: ${what}`, { cause: problem })
    await new Promise((done) => setTimeout(done, 20))
  }
}

/** The same as an effect; `look` may be an effect, too. */
export const eventually = <A, E = never, R = never>(
  what: string,
  look: (() => A | Promise<A>) | Effect.Effect<A, E, R>,
  seconds?: number
): Effect.Effect<Exclude<A, undefined | false>, never, R> =>
  Effect.contextWith((context: Context.Context<R>) =>
    Effect.promise(() =>
      comesAbout(what, Effect.isEffect(look) ? () => Effect.runPromise(Effect.provide(look, context)) : look, seconds)
    )
  )
