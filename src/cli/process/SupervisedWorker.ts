/**
 * The worker's connection to its supervisor (`cli/process/supervisor`). It reports ready, receives the number of workers, and stops when told. It takes the
 * place of another worker, and leaves it to the next (`cli/process/reload`).
 */
import { Effect, Latch, Queue } from "effect"
import { checkpointVersion } from "../../actors/voice/call/Keeper.ts"
import type { Place } from "../../wiring/Succession.ts"
import type { Stopping } from "./Stopping.ts"

export type FromWorker =
  | { readonly type: "ready" }
  /** A successor: all that it may do before it has the place is done. It reads calls that are kept in this version. */
  | { readonly type: "prepared"; readonly checkpoints: number }
  /** A successor: the port is open, and requests wait. */
  | { readonly type: "listens" }
  /** It could leave its place now. */
  | { readonly type: "leaves" }
  /** It has left its place, or never had it. */
  | { readonly type: "left" }

export type ToWorker =
  | { readonly type: "status"; readonly alive: number; readonly of: number }
  /** Does what the first signal does: drain, then end. */
  | { readonly type: "drain" }
  /** Does what the second signal does: end at once. */
  | { readonly type: "stop" }
  /** To a successor: opens the port. */
  | { readonly type: "listen" }
  /** To a successor: the place is free. */
  | { readonly type: "take" }
  /** Is to leave its place to a worker that reads calls of this version. */
  | { readonly type: "leave"; readonly checkpoints: number }
  /** Its clients are let in by another one now. */
  | { readonly type: "go" }
  /** It need not leave after all. */
  | { readonly type: "stay" }

export interface WorkersAlive {
  readonly alive: number
  readonly of: number
}

/** For so long answers close their connection before a worker leaves: who uses a connection comes again over a new one. */
const sendingAway = "1 second"

export interface WorkerOptions {
  /** The number of workers. */
  readonly of: number
  /** Other processes have the sound of its calls and keep them, or it has none. */
  readonly keepsCalls: boolean
  readonly isSuccessor: boolean
}

/** Connects a process that a supervisor started. When the supervisor is gone, the worker drains. */
export const attach = Effect.fnUntraced(function* (options: WorkerOptions, { drain, stop }: Stopping) {
  let status: WorkersAlive = { alive: 0, of: options.of }
  let closesConnections = false
  const [listens, isFree, goes, ended] = yield* Effect.all([Latch.make(), Latch.make(), Latch.make(), Latch.make()])
  const asked = yield* Queue.unbounded<number>()
  const stays = yield* Queue.unbounded<void>()
  const tell = (message: FromWorker) => Effect.sync(() => void process.send?.(message))
  process.on("message", (message: ToWorker) => {
    switch (message.type) {
      case "status":
        status = { alive: message.alive, of: message.of }
        return
      case "drain":
        return drain()
      case "stop":
        return stop()
      case "listen":
        return listens.openUnsafe()
      case "take":
        return isFree.openUnsafe()
      case "leave":
        goes.closeUnsafe()
        return void Queue.offerUnsafe(asked, message.checkpoints)
      case "go":
        return goes.openUnsafe()
      case "stay":
        return void Queue.offerUnsafe(stays, undefined)
    }
  })
  process.on("disconnect", drain)

  const place: Place = {
    isTaken: options.isSuccessor,
    take: (open) =>
      options.isSuccessor
        ? tell({ type: "prepared", checkpoints: checkpointVersion }).pipe(
            Effect.andThen(Effect.raceFirst(Effect.as(listens.await, true), Effect.as(isFree.await, false))),
            Effect.flatMap((first) =>
              first ? Effect.tap(open, () => tell({ type: "listens" })) : Effect.succeed(undefined)
            ),
            Effect.tap(() => isFree.await)
          )
        : Effect.succeed(undefined),
    given: tell({ type: "left" }),
    asked: Effect.map(Queue.take(asked), (checkpoints) =>
      options.keepsCalls && checkpoints === checkpointVersion ? "go on" : "end"
    ),
    sendAway: Effect.suspend(() => {
      closesConnections = true
      return Effect.sleep(sendingAway)
    }),
    closesConnections: () => closesConnections,
    leaves: Effect.andThen(tell({ type: "leaves" }), goes.await),
    stays: Effect.map(Queue.take(stays), () => {
      closesConnections = false
    }),
    end: Effect.asVoid(ended.open)
  }
  return {
    alive: Effect.sync(() => status),
    ready: tell({ type: "ready" }),
    place,
    /** Completes when the process has left its place and is to end. */
    ended: ended.await
  }
})
