/** The worker that tells a simulated HubSpot what happens, in one process on real stores. `reached` runs at each step between two writes. */
import { Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import * as SyncWorker from "../../src/actors/apps/SyncWorker.ts"
import * as EventHub from "../../src/actors/events/EventHub.ts"
import { SyncQueue } from "../../src/domain/apps/SyncQueue.ts"
import * as RateLimitMemory from "../../src/integrations/resilience/RateLimitMemory.ts"
import { type StoresEnvironment, storesOf } from "./stores.ts"
import { testApps } from "./testApps.ts"

/** `made`: events became tasks. `claimed`: tasks are claimed, and nobody was asked. `told`: HubSpot has answered. `settled`: that is stored. */
export const steps = ["made", "claimed", "told", "settled"] as const
export type Step = (typeof steps)[number]

type Reached = (step: Step) => Effect.Effect<void>

const watchedQueue = (reached: Reached) =>
  Layer.effect(
    SyncQueue,
    Effect.map(SyncQueue, (queue) =>
      SyncQueue.of({
        ...queue,
        fanOut: (organizationId, told, now) =>
          Effect.tap(queue.fanOut(organizationId, told, now), () => reached("made")),
        claim: (organizationId, connectionId, now, leaseMs, room) =>
          Effect.tap(queue.claim(organizationId, connectionId, now, leaseMs, room), (claim) =>
            claim === undefined ? Effect.void : reached("claimed")
          ),
        settle: (connection, task, result, now) =>
          reached("told").pipe(
            Effect.andThen(queue.settle(connection, task, result, now)),
            Effect.andThen(reached("settled"))
          )
      })
    )
  )

/** Tells what happens as long as the scope lives. */
export const startTelling = (environment: StoresEnvironment, hubspot: string, reached: Reached = () => Effect.void) =>
  Layer.build(
    SyncWorker.layer({ publicBaseUrl: "https://parley.example", lookEveryMs: 50, leaseMs: 2_000 }).pipe(
      Layer.provide(watchedQueue(reached)),
      Layer.provide([
        EventHub.layer(),
        testApps({ hubspot }),
        RateLimiter.layer.pipe(Layer.provide(RateLimitMemory.layer))
      ]),
      Layer.provide(storesOf(environment))
    )
  )
