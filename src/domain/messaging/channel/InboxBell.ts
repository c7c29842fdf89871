/** Tells the worker of this process that there is something in the inbox, so that nobody waits for its next look. */
import { Context, Effect, Layer, Queue } from "effect"

export class InboxBell extends Context.Service<
  InboxBell,
  {
    readonly ring: Effect.Effect<void>
    /** Waits for a ring; one that came since the last wait counts. */
    readonly heard: Effect.Effect<void>
  }
>()("parley/domain/InboxBell") {
  static readonly layer = Layer.effect(
    InboxBell,
    Effect.map(Queue.sliding<true>(1), (rings) => ({
      ring: Effect.asVoid(Queue.offer(rings, true)),
      heard: Effect.asVoid(Queue.take(rings))
    }))
  )
}
