/** Tells team chats what happens: events become posts (`FollowLog`), and posts are written, those of a lane in order. Several processes may run it. */
import { Clock, Effect, Layer, Metric } from "effect"
import type { StoredConnection } from "../../domain/apps/AppConnection.ts"
import { alertOf } from "../../domain/apps/chat/ChatAlert.ts"
import { ChatPosts, type ClaimedPost } from "../../domain/apps/chat/ChatPost.ts"
import { makeWritePost } from "../../domain/apps/chat/WritePost.ts"
import { startFairWork } from "../../domain/basics/FairWork.ts"
import { periodically } from "../../domain/basics/Periodically.ts"
import { followLog } from "../../domain/events/FollowLog.ts"

/** The most posts at a time, in this process. */
const most = { perLane: 4, perOrganization: 4, perProcess: 32 }

const summariesEvery = "10 seconds"

const count = Metric.counter("parley_chat_posts_total", {
  description: "Attempts to write into team chats by the service itself, by what came of them",
  incremental: true
})

export interface ChatPostOptions {
  /** The service's address, for links to what is told of. */
  readonly publicBaseUrl: string
  /** How often it looks for what is due, in milliseconds. Default 1,000. */
  readonly lookEveryMs?: number
  /** Milliseconds until another process may take over a post of this one. Default 120,000. */
  readonly leaseMs?: number
}

/** Needs ChatPosts, EventFeed, and what `makeWritePost` needs. */
export const layer = ({ publicBaseUrl, lookEveryMs = 1_000, leaseMs = 120_000 }: ChatPostOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const posts = yield* ChatPosts
      const write = yield* makeWritePost(publicBaseUrl)
      const terms = { publicBaseUrl, alert: alertOf }

      const handle = Effect.fnUntraced(function* (connection: StoredConnection, post: ClaimedPost) {
        const result = yield* write(connection, post)
        yield* Metric.update(Metric.withAttributes(count, { outcome: result.outcome.task }), 1)
        yield* posts.settle(connection, post, result, yield* Clock.currentTimeMillis)
      })

      const wake = yield* startFairWork({
        ...{ what: "posts for a team chat", most, lookEveryMs },
        due: posts.due,
        claim: Effect.fnUntraced(function* ({ organizationId, lane }, now, { most: room }) {
          const taken = yield* posts.claim(organizationId, lane, now, leaseMs, room)
          return taken === undefined ? [] : taken.posts.map((post) => handle(taken.connection, post))
        })
      })
      yield* periodically(
        "daily summaries could not be made",
        { every: summariesEvery },
        Effect.andThen(Effect.flatMap(Clock.currentTimeMillis, posts.summarize), wake)
      )
      yield* Effect.forkScoped(
        followLog({
          what: "team chats",
          behind: posts.behind,
          read: (organizationId, now) => posts.read(organizationId, terms, now),
          made: wake
        })
      )
    })
  )
