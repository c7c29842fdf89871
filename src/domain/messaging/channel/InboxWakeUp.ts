/** Wakes the inbox worker of this process when an item was stored, so that the item does not wait for the worker's next poll. */
import { Context, Effect, Layer, Queue } from "effect"

export class InboxWakeUp extends Context.Service<
  InboxWakeUp,
  {
    readonly wake: Effect.Effect<void>
    /** Waits for a wake-up; one that came since the last wait counts. */
    readonly woken: Effect.Effect<void>
  }
>()("parley/domain/InboxWakeUp") {
  static readonly layer = Layer.effect(
    InboxWakeUp,
    Effect.map(Queue.sliding<true>(1), (wakeUps) => ({
      wake: Effect.asVoid(Queue.offer(wakeUps, true)),
      woken: Effect.asVoid(Queue.take(wakeUps))
    }))
  )
}
