/**
 * Where a call's events are kept until the app has them. `record` returns once the event is safe on disk; delivery happens
 * behind it, in order per call, for as long as it takes, also after a restart. At least once: the app applies an id once.
 */
import { Context, type Effect } from "effect"
import type { CallEvent } from "./CallEvent.ts"

export class CallJournal extends Context.Service<
  CallJournal,
  {
    readonly record: (event: CallEvent) => Effect.Effect<void>
    /** Resolves when the app has everything that was recorded so far. */
    readonly delivered: Effect.Effect<void>
  }
>()("parley/domain/CallJournal") {}
