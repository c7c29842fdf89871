/**
 * Keeps a call's events until the app has them. `record` returns once the event is safe on disk. Delivery then runs in the background, in
 * order per call. It is retried until it succeeds, also after a restart. An event may arrive more than once; the app applies each id once.
 */
import { Context, type Effect } from "effect"
import type { CallEvent } from "./CallEvent.ts"

export class CallJournal extends Context.Service<
  CallJournal,
  {
    /** Another process goes on with the call, and records its end: what is here is delivered and put away. */
    readonly leave: (callId: string) => Effect.Effect<void>
    readonly record: (event: CallEvent) => Effect.Effect<void>
    /** Resolves when the app has everything that was recorded so far. */
    readonly delivered: Effect.Effect<void>
  }
>()("parley/domain/CallJournal") {}
