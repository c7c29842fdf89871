/** State that processes share through Redis and the database. Without Redis each process keeps its own. */

import { Effect, Layer, Option } from "effect"
import { RateLimiter } from "effect/persistence"
import * as EventHub from "../actors/events/EventHub.ts"
import * as Commands from "../actors/messaging/conversations/Commands.ts"
import type { Settings } from "../config/Environment.ts"
import { McpPosts } from "../domain/people/access/mcp/McpPosts.ts"
import { McpReplies } from "../domain/people/access/mcp/McpReplies.ts"
import { McpSessions } from "../domain/people/access/mcp/McpSessions.ts"
import { CallLeases } from "../domain/voice/engine/CallLeases.ts"
import { ReservationBoard } from "../domain/voice/engine/ReservationBoard.ts"
import * as Cluster from "../integrations/cluster/Cluster.ts"
import * as CallLeasesRedis from "../integrations/redis/CallLeasesRedis.ts"
import * as EventWakeUpRedis from "../integrations/redis/EventWakeUpRedis.ts"
import * as McpPostsRedis from "../integrations/redis/mcp/McpPostsRedis.ts"
import * as McpRepliesRedis from "../integrations/redis/mcp/McpRepliesRedis.ts"
import * as McpSessionsRedis from "../integrations/redis/mcp/McpSessionsRedis.ts"
import * as ProcessBusRedis from "../integrations/redis/ProcessBusRedis.ts"
import * as RateLimitRedis from "../integrations/redis/RateLimitRedis.ts"
import * as Redis from "../integrations/redis/Redis.ts"
import * as ReservationBoardRedis from "../integrations/redis/ReservationBoardRedis.ts"
import * as RateLimitMemory from "../integrations/resilience/RateLimitMemory.ts"
import { keyRing } from "./Storage.ts"

/** The rate limiter. Its counters are shared through Redis, or kept in this process. */
export const rateLimits = (settings: Settings) =>
  RateLimiter.layer.pipe(
    Layer.provide(
      Option.match(settings.redisUrl, {
        onSome: (url) => RateLimitRedis.layer({ prefix: "parley:limit:" }).pipe(Layer.provide(Redis.layer({ url }))),
        onNone: () => RateLimitMemory.layer
      })
    )
  )

/** What MCP clients have here: sessions, answers that can be resumed, and posts for streams of other processes. */
export const mcpState = (settings: Settings) =>
  Option.match(settings.redisUrl, {
    onSome: (url) =>
      Layer.mergeAll(McpSessionsRedis.layer, McpRepliesRedis.layer, McpPostsRedis.layer).pipe(
        Layer.provide(Redis.layer({ url }))
      ),
    onNone: () => Layer.mergeAll(McpSessions.layerAlone, McpReplies.layerAlone(), McpPosts.layerAlone)
  })

/** Reservations are shared only among workers, because only they share a port and the streams that come to it. */
export const reservationBoard = (settings: Settings) =>
  settings.worker !== undefined && Option.isSome(settings.redisUrl)
    ? ReservationBoardRedis.layer.pipe(
        Layer.provide([Redis.layer({ url: settings.redisUrl.value }), keyRing(settings)])
      )
    : ReservationBoard.layerAlone

/** The limit of concurrent calls of an organization, counted over all engines that share a Redis. */
export const callLeases = (settings: Settings) =>
  Option.match(settings.redisUrl, {
    onSome: (url) => CallLeasesRedis.layer.pipe(Layer.provide(Redis.layer({ url }))),
    onNone: () => CallLeases.layerAlone
  })

/** Several processes without Redis each allow the full limit. They work otherwise, so this is a warning and no refusal. */
const countedAlone = ({ cluster, redisUrl }: Settings) =>
  Layer.effectDiscard(
    cluster !== undefined && Option.isNone(redisUrl)
      ? Effect.logWarning(
          "Without REDIS_URL each process counts alone: MESSAGES_PER_SECOND, RATE_LIMIT_PER_MINUTE and calls of an organization hold for each of them, not for all together"
        )
      : Effect.void
  )

/** The actors of conversations: all in this process, or spread over all processes that share the database. */
export const conversations = (settings: Settings) =>
  Commands.layer.pipe(
    Layer.provideMerge(settings.cluster === undefined ? Cluster.layerAlone : Cluster.layerMember(settings.cluster)),
    Layer.merge(countedAlone(settings))
  )

/** The bus between processes. Without Redis each process has its own. */
export const bus = (settings: Settings) =>
  Option.match(settings.redisUrl, {
    onSome: (url) => ProcessBusRedis.layer.pipe(Layer.provide(Redis.layer({ url }))),
    onNone: () => Layer.empty
  })

/** The live event feed. With Redis it learns of other processes' events at once. Needs the stores. */
export const eventFeed = (settings: Settings) =>
  Option.match(settings.redisUrl, {
    onSome: (url) =>
      Layer.mergeAll(EventHub.layer(), EventWakeUpRedis.layer.pipe(Layer.provide(Redis.layer({ url }))), bus(settings)),
    onNone: () => EventHub.layer()
  })
