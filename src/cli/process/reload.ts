/**
 * Replaces a worker by a process with the code that is on disk now. The new one prepares itself beside the old one; only then is the old one told to leave
 * its place. What comes to the port in between waits at the new one. Until the old one is told to go, it can stay.
 */
import type { ChildProcess } from "node:child_process"
import { Effect, Schema } from "effect"
import type { FromWorker, ToWorker } from "./SupervisedWorker.ts"

/** A process of the supervisor, and what it has told. */
export interface Enlisted {
  readonly child: ChildProcess
  /** How it ended. */
  readonly ended: Promise<string>
  readonly tell: (message: ToWorker) => void
  /** Resolves with the first message of this type that comes from now on. */
  readonly hears: <Type extends FromWorker["type"]>(type: Type) => Promise<Extract<FromWorker, { readonly type: Type }>>
}

export class ReloadFailed extends Schema.TaggedError<ReloadFailed>()("ReloadFailed", { message: Schema.String }) {}

export interface Reload {
  readonly before: Enlisted
  readonly next: Enlisted
  /** Nobody else listens on the port: the new worker has to do so before the old one goes. */
  readonly alone: boolean
}

/** A process that has not prepared itself by then is given up. */
const preparedWithin = "2 minutes"
/** Longer than a process takes to close (`Stopping.endSoon`): one that stands still is killed. */
const goneWithin = "30 seconds"

const endOf = ({ ended }: Enlisted, who: string) =>
  Effect.flatMap(
    Effect.promise(() => ended),
    (how) => new ReloadFailed({ message: `${who} ended: ${how}` })
  )

/** Completes when the new worker is ready and the old one has ended. Fails while the old one can stay, which then stays. */
export const replace = Effect.fnUntraced(function* ({ before, next, alone }: Reload) {
  const newEnds = endOf(next, "the new process")
  const oldGone = Effect.promise(() => before.ended)
  const from = <A>(told: Promise<A>) =>
    Effect.raceFirst(
      Effect.promise(() => told),
      newEnds
    )

  const orKilled = Effect.timeoutOrElse({
    duration: goneWithin,
    orElse: () => Effect.sync(() => void before.child.kill("SIGKILL"))
  })

  const prepared = yield* from(next.hears("prepared")).pipe(
    Effect.timeoutOrElse({
      duration: preparedWithin,
      orElse: () => new ReloadFailed({ message: "the new process did not get ready in time" })
    })
  )
  const leaves = before.hears("leaves")
  before.tell({ type: "leave", checkpoints: prepared.checkpoints })
  yield* Effect.gen(function* () {
    yield* Effect.raceFirst(from(leaves), oldGone)
    if (!alone) return
    const listens = next.hears("listens")
    next.tell({ type: "listen" })
    yield* from(listens)
  }).pipe(Effect.tapError(() => Effect.sync(() => before.tell({ type: "stay" }))))

  const ready = next.hears("ready")
  const left = before.hears("left")
  before.tell({ type: "go" })
  yield* Effect.raceFirst(
    Effect.promise(() => left),
    oldGone
  ).pipe(orKilled)
  next.tell({ type: "take" })
  yield* from(ready)
  yield* Effect.asVoid(oldGone).pipe(orKilled)
})
