/** The workers of a team chat over a simulated Slack, in one process on real stores. `reached` runs at each step between two writes. */
import { Effect, Layer, Option } from "effect"
import { RateLimiter } from "effect/persistence"
import type { SlackSimulator } from "../../simulators/team-chat/Slack.ts"
import * as ChatPostWorker from "../../src/actors/apps/ChatPostWorker.ts"
import * as SyncWorker from "../../src/actors/apps/SyncWorker.ts"
import * as EventHub from "../../src/actors/events/EventHub.ts"
import { ArrivalQueue } from "../../src/domain/apps/ArrivalQueue.ts"
import { ChatPosts } from "../../src/domain/apps/chat/ChatPost.ts"
import * as RateLimitMemory from "../../src/integrations/resilience/RateLimitMemory.ts"
import { readSlackEvent } from "../../src/integrations/slack/SlackEvents.ts"
import { absorbers } from "../../src/wiring/Apps.ts"
import { directCommands } from "./directCommands.ts"
import { storedMedia } from "./mediaOverStores.ts"
import { type StoresEnvironment, storesOf } from "./stores.ts"
import { testApps } from "./testApps.ts"

/**
 * In: `heard`: what was written is claimed. `absorbed`: it is stored, and not known to be. Out: `read`: events became posts. `claimed`: one is claimed, and
 * Slack was not asked. `written`: Slack has answered. `settled`: that is stored.
 */
export const steps = ["heard", "absorbed", "read", "claimed", "written", "settled"] as const
export type Step = (typeof steps)[number]
type Reached = (step: Step) => Effect.Effect<void>

const watchedArrivals = (reached: Reached) =>
  Layer.effect(
    ArrivalQueue,
    Effect.map(ArrivalQueue, (queue) =>
      ArrivalQueue.of({
        ...queue,
        claim: (...given) =>
          Effect.tap(queue.claim(...given), (claim) => (claim === undefined ? Effect.void : reached("heard"))),
        settle: (...given) => Effect.andThen(reached("absorbed"), queue.settle(...given))
      })
    )
  )

const watchedPosts = (reached: Reached) =>
  Layer.effect(
    ChatPosts,
    Effect.map(ChatPosts, (posts) =>
      ChatPosts.of({
        ...posts,
        read: (...given) => Effect.tap(posts.read(...given), () => reached("read")),
        claim: (...given) =>
          Effect.tap(posts.claim(...given), (claim) => (claim === undefined ? Effect.void : reached("claimed"))),
        settle: (...given) =>
          reached("written").pipe(Effect.andThen(posts.settle(...given)), Effect.andThen(reached("settled")))
      })
    )
  )

const publicBaseUrl = "https://parley.example"
const pace = { lookEveryMs: 50, leaseMs: 2_000 }

/** What reads Slack (`in`), and what writes there (`out`), as long as the scope lives. */
export const startChat = (
  environment: StoresEnvironment,
  slack: string,
  parts: { readonly in: boolean; readonly out: boolean },
  reached: Reached = () => Effect.void
) =>
  Layer.build(
    Layer.mergeAll(
      parts.in
        ? SyncWorker.layer({ publicBaseUrl, ...pace }).pipe(
            Layer.provide(absorbers),
            Layer.provide(watchedArrivals(reached))
          )
        : Layer.empty,
      parts.out
        ? ChatPostWorker.layer({ publicBaseUrl, ...pace }).pipe(Layer.provide(watchedPosts(reached)))
        : Layer.empty
    ).pipe(
      Layer.provide([
        storedMedia,
        directCommands,
        EventHub.layer(),
        testApps({ slack }),
        RateLimiter.layer.pipe(Layer.provide(RateLimitMemory.layer))
      ]),
      Layer.provide(storesOf(environment))
    )
  )

/** Stores what Slack has told, as the route does. Needs ArrivalQueue. */
export const store = Effect.fnUntraced(function* (
  connection: { readonly organizationId: string; readonly id: string },
  told: SlackSimulator["delivery"]["waiting"]
) {
  const queue = yield* ArrivalQueue
  for (const { body } of told) {
    const news = Option.fromUndefinedOr(readSlackEvent(JSON.stringify(body))?.news)
    if (Option.isSome(news) && news.value.type === "arrival")
      yield* Effect.orDie(queue.store(connection, [news.value.arrival], Date.now()))
  }
})
