/**
 * Sends the broadcasts of every organization. Any number of nodes may run it. A node claims a recipient; if it dies, another claims the
 * recipient when the lease ends. The organization's row keeps the pace over all nodes.
 */
import { Clock, Context, Effect, FiberMap, Layer } from "effect"
import { ProcessBus } from "../../../domain/basics/bus/ProcessBus.ts"
import { periodically } from "../../../domain/basics/Periodically.ts"
import { BroadcastQueue } from "../../../domain/messaging/broadcasts/BroadcastQueue.ts"
import { makeManageBroadcasts } from "../../../domain/messaging/broadcasts/ManageBroadcasts.ts"
import { makeSendToRecipient } from "./SendToRecipient.ts"

export interface BroadcastPolicy {
  /** Messages per second of one organization, which has one number at the channel. */
  readonly perSecond: number
  /** Milliseconds until another worker may claim a recipient whose worker died. */
  readonly leaseMs: number
}

export const broadcastDefaults: BroadcastPolicy = { perSecond: 80, leaseMs: 60_000 }

/** The policy for sending broadcasts in the whole service. */
export class BroadcastTerms extends Context.Service<BroadcastTerms, BroadcastPolicy>()(
  "parley/actors/BroadcastTerms"
) {}

const lookEvery = "500 millis"
const whilePaced = "50 millis"
/** The most recipients of one claim. Small, so that pausing a broadcast takes effect soon. */
const batch = 20
/** Messages of one organization that are stored at a time. */
const atOnce = 4

/** An error in the broadcasts of one organization is logged and does not hold up the others. */
const reported =
  (what: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>, organizationId: string) =>
    Effect.catchCause(work, (cause) => Effect.logError(what, { organizationId }, cause))

/** Needs BroadcastTerms, the stores, and what `SendMessage` needs. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const queue = yield* BroadcastQueue
    const { perSecond, leaseMs } = yield* BroadcastTerms
    const { act } = yield* makeManageBroadcasts
    const send = yield* makeSendToRecipient
    const bus = yield* ProcessBus
    const toldAt = new Map<string, number>()
    const starting = yield* FiberMap.make<string>()
    const running = yield* FiberMap.make<string>()
    const size = Math.max(1, Math.min(batch, Math.ceil(perSecond / 4)))

    const startDue = Effect.fnUntraced(function* (organizationId: string) {
      const now = yield* Clock.currentTimeMillis
      for (const id of yield* queue.due(organizationId, now))
        yield* act(organizationId, id, "start").pipe(
          Effect.catchTags({
            BroadcastNotAllowed: ({ message }) => queue.fail(organizationId, id, message, now),
            BroadcastNotReady: ({ message }) => queue.fail(organizationId, id, message, now),
            // Another node has started it.
            BroadcastNotMovable: () => Effect.void
          })
        )
    }, reported("broadcasts could not be started"))

    /** Tells of each broadcast at most once a second how it gets on. */
    const tellProgress = (
      organizationId: string,
      recipients: ReadonlyArray<{ readonly broadcastId: string }>,
      at: number
    ) => {
      for (const [id, told] of toldAt) if (at - told >= 1_000) toldAt.delete(id)
      for (const id of new Set(recipients.map(({ broadcastId }) => broadcastId))) {
        if (toldAt.has(id)) continue
        toldAt.set(id, at)
        bus.publish({ organizationId, type: "broadcast.updated", at, data: { broadcast: { id } } })
      }
    }

    /** True when there may be more. */
    const step = Effect.fnUntraced(function* (organizationId: string) {
      const now = yield* Clock.currentTimeMillis
      const most = yield* queue.pace(organizationId, size, perSecond, now)
      if (most === 0) return yield* Effect.as(Effect.sleep(whilePaced), true)
      const { recipients, looked } = yield* queue.claim(organizationId, most, leaseMs, now)
      yield* Effect.forEach(recipients, send, { concurrency: atOnce, discard: true })
      tellProgress(organizationId, recipients, yield* Clock.currentTimeMillis)
      // Also when all of these were skipped: later recipients may still get the message.
      if (looked > 0) return true
      yield* queue.complete(organizationId, yield* Clock.currentTimeMillis)
      return false
    })

    const serve = Effect.fnUntraced(function* (organizationId: string) {
      while (yield* step(organizationId));
    }, reported("broadcasts could not be worked off"))

    // In parallel: a due broadcast does not wait for those under way, and they do not wait while its audience is frozen.
    const look = Effect.gen(function* () {
      for (const organizationId of yield* queue.busy) {
        yield* FiberMap.run(starting, organizationId, startDue(organizationId), { onlyIfMissing: true })
        yield* FiberMap.run(running, organizationId, serve(organizationId), { onlyIfMissing: true })
      }
    })
    yield* periodically("the worker of broadcasts could not look", { first: lookEvery, every: lookEvery }, look)
  })
)
