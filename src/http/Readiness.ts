/** Whether this process can take calls, for `/readyz`. The composition of the process provides the dependencies to check. */
import { Context, type Effect } from "effect"

export class Readiness extends Context.Service<
  Readiness,
  {
    /** The state of each dependency by name (`database`, `conversations`, `engine`): true when it can be used now. */
    readonly check: Effect.Effect<Readonly<Record<string, boolean>>>
    /** How many processes serve this port (`alive`), and how many there should be (`of`); undefined when only this process serves it. */
    readonly workers: Effect.Effect<{ readonly alive: number; readonly of: number }> | undefined
  }
>()("parley/http/Readiness") {}
