/**
 * Processes what the messaging channel sent: at once when this process received it, else within a second. Several processes may run it. A process
 * claims an inbox item and renews the claim while it works on it; if it dies, another claims the item when the lease ends. A failed item is tried
 * again with growing pauses. An item that keeps failing is given up: it is kept and counted, and the others go on.
 */
import { Cause, Clock, Effect, FiberSet, Layer, Metric, Option } from "effect"
import { periodically } from "../../../domain/basics/Periodically.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { asksChannel, ChannelInbox, type InboxItem } from "../../../domain/messaging/channel/ChannelInbox.ts"
import { InboxWakeUp } from "../../../domain/messaging/channel/InboxWakeUp.ts"
import { ChannelUnavailable } from "../../../domain/messaging/channel/MessagingChannel.ts"
import { inboxItemDays } from "../../../domain/privacy/RetentionKinds.ts"
import { makeTakeFile } from "./TakeFile.ts"
import { makeTakeMessage } from "./TakeMessage.ts"
import { makeTakeNews } from "./TakeNews.ts"

/** With the second between two looks, the items of a process that died are taken over within 10 s. Milliseconds. */
export const inboxLeaseMs = 8_000

export interface InboxWorkerOptions {
  /** Milliseconds until the first retry; doubles up to an hour. Default 1,000. */
  readonly firstRetryMs?: number
  /** Attempts at an inbox item; files get twice as many. Default 12, which take about an hour and a half. */
  readonly attempts?: number
  /** Milliseconds after its last renewal until another process may take over an item of this one. Default `inboxLeaseMs`. A claim is renewed by each look. */
  readonly leaseMs?: number
  /**
   * How many inbox items are worked on at the same time, and as many files (and template updates) beside them. Default 6: each may hold a
   * database connection, and some must be left for storing and answering webhooks. No more are claimed, so waiting items hold no connection. One
   * organization gets at most all but one of the places.
   */
  readonly atOnce?: number
}

const trouble = "the inbox of the messaging channel has trouble"
const deadline = "2 minutes"
const longestRetryMs = 3_600_000
const [doneKeptMs, failedKeptMs] = [inboxItemDays.done * 86_400_000, inboxItemDays.failed * 86_400_000]

const settled = Metric.counter("parley_channel_inbox_total", {
  description: "Items of the channel inbox, by kind and outcome (done, retried, failed)",
  incremental: true
})
const kept = Metric.gauge("parley_channel_inbox", {
  description: "Items of the channel inbox of all organizations that wait, and that were given up"
})

const counted = ({ kind }: InboxItem, outcome: string) =>
  Metric.update(Metric.withAttributes(settled, { kind, outcome }), 1)

const describe = (problem: unknown): string => {
  if (typeof problem !== "object") return String(problem)
  return problem instanceof Error && problem.message !== "" ? problem.message : JSON.stringify(problem)
}
/** The reason as an operator reads it. */
const sentenceOf = <E extends object>(cause: Cause.Cause<E | ChannelUnavailable>): string => {
  const problem = Option.getOrElse(Cause.findErrorOption(cause), () => Cause.squash(cause))
  return problem instanceof ChannelUnavailable ? problem.reason : describe(problem)
}

/** Needs ChannelInbox, InboxWakeUp and what the three makers need. */
export const layer = (options: InboxWorkerOptions = {}) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { firstRetryMs = 1_000, attempts = 12, leaseMs = inboxLeaseMs, atOnce = 6 } = options
      const inbox = yield* ChannelInbox
      const wakeUp = yield* InboxWakeUp
      const message = yield* makeTakeMessage
      const file = yield* makeTakeFile
      const news = yield* makeTakeNews
      const running = yield* FiberSet.make()
      /** The organization of each item under way. Files and template lists may take minutes, so they do not use the places of messages. */
      const underWay: Readonly<Record<"items" | "files", Array<string>>> = { items: [], files: [] }
      /** The items under way, and when the claim of each was made or renewed (Unix milliseconds). */
      const claims = new Map<InboxItem, number>()
      const placesOf = (whose: Array<string>) => ({
        free: atOnce - whose.length,
        perOrganization: Math.max(1, atOnce - 1),
        underWay: whose
      })

      const work = Effect.fnUntraced(function* (item: InboxItem, now: number) {
        switch (item.kind) {
          case "message":
            return yield* message(item, now)
          case "media":
            return yield* file.take(item, now)
          default:
            return yield* news[item.kind](item, now)
        }
      })

      const giveUp = Effect.fnUntraced(function* (item: InboxItem, reason: string) {
        const { id, kind, organizationId } = item
        const now = yield* Clock.currentTimeMillis
        yield* Effect.logError("an item of the channel inbox was given up", { organizationId, id, kind, reason })
        yield* counted(item, "failed")
        if (kind === "media") yield* file.givenUp(item, now)
        yield* inbox.giveUp(item, reason, now)
      })

      const tryAgain = Effect.fnUntraced(function* (item: InboxItem, reason: string) {
        const { id, kind, organizationId, attempts: before } = item
        if (before + 1 >= (kind === "media" ? 2 * attempts : attempts)) return yield* giveUp(item, reason)
        const now = yield* Clock.currentTimeMillis
        yield* Effect.logInfo("an item of the channel inbox is tried again", { organizationId, id, kind, reason })
        yield* counted(item, "retried")
        yield* inbox.postpone(item, now + Math.min(longestRetryMs, firstRetryMs * 2 ** before), reason)
      })

      const process = traced("Inbox.process")((item: InboxItem) =>
        Clock.currentTimeMillis.pipe(
          Effect.flatMap((now) => work(item, now)),
          Effect.timeout(deadline),
          Effect.andThen(counted(item, "done")),
          // Another attempt would not make it readable.
          Effect.catchTag("Unreadable", ({ message }) => giveUp(item, message)),
          Effect.catchCause((cause) => tryAgain(item, sentenceOf(cause)))
        )
      )

      const begin = (item: InboxItem) =>
        Effect.suspend(() => {
          const whose = asksChannel(item.kind) ? underWay.files : underWay.items
          whose.push(item.organizationId)
          const end = Effect.sync(() => {
            claims.delete(item)
            whose.splice(whose.indexOf(item.organizationId), 1)
          })
          // Now the next item of its partition may be claimed.
          return FiberSet.run(running, Effect.ensuring(process(item), Effect.andThen(end, wakeUp.wake)))
        })

      /** Most items are done long before their claim needs this. */
      const renew = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const due = [...claims].filter(([, since]) => now - since >= leaseMs / 6).map(([item]) => item)
        if (due.length === 0) return
        yield* inbox.renew(due, now + leaseMs)
        for (const item of due) if (claims.has(item)) claims.set(item, now)
      })

      const look = Effect.gen(function* () {
        // First: a process that stood still must not claim its own items anew.
        yield* renew
        const places = { items: placesOf(underWay.items), files: placesOf(underWay.files) }
        if (places.items.free <= 0 && places.files.free <= 0) return
        const now = yield* Clock.currentTimeMillis
        const due = yield* inbox.claim(now, leaseMs, places)
        for (const item of due) claims.set(item, now)
        yield* Effect.forEach(due, begin, { discard: true })
      })

      const show = Effect.gen(function* () {
        const { waiting, failed: given } = yield* inbox.count
        yield* Metric.update(Metric.withAttributes(kept, { state: "waiting" }), waiting)
        yield* Metric.update(Metric.withAttributes(kept, { state: "failed" }), given)
      })
      const forget = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        while ((yield* inbox.expire(now - doneKeptMs, now - failedKeptMs, 1_000)) === 1_000) yield* Effect.yieldNow
      })

      yield* periodically(trouble, { every: "1 second", wake: wakeUp.woken }, look)
      yield* periodically(trouble, { every: "15 seconds" }, show)
      yield* periodically(trouble, { first: "1 hour", every: "1 hour" }, forget)
    })
  )
