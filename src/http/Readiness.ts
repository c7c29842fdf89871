/** Can this process take calls? Asked by `/readyz`; main knows what it depends on. */
import { Context, type Effect } from "effect"

export class Readiness extends Context.Service<
  Readiness,
  {
    /** Each dependency by name (`database`, `conversations`, `engine`): true when it can be used now. */
    readonly check: Effect.Effect<Readonly<Record<string, boolean>>>
    /** Processes that serve this port, of those there should be; undefined: this one alone. */
    readonly workers: Effect.Effect<{ readonly alive: number; readonly of: number }> | undefined
  }
>()("parley/http/Readiness") {}
