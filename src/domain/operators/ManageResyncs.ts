/** Use case: an operator starts, pauses, resumes and cancels a run that brings agents up to date. */
import { Clock, Effect, Schema } from "effect"
import { traced } from "../basics/Traced.ts"
import { Organizations } from "../people/organizations/Organization.ts"
import { type InstallationEventType, InstallationLog } from "./InstallationLog.ts"
import { NoSuchOrganization } from "./OperateOrganization.ts"
import { type Resync, Resyncs } from "./Resync.ts"

/** 404: there is no such run. */
export class NoSuchResync extends Schema.TaggedError<NoSuchResync>()("NoSuchResync", { id: Schema.String }) {}
/** 409: the run is in another state; `message` is a sentence. */
export class ResyncElsewhere extends Schema.TaggedError<ResyncElsewhere>()("ResyncElsewhere", {
  message: Schema.String
}) {}

interface Move {
  readonly from: ReadonlyArray<Resync["status"]>
  readonly to: Resync["status"]
  readonly type: InstallationEventType
}

const moves = {
  pause: { from: ["running"], to: "paused", type: "resync.paused" },
  resume: { from: ["paused"], to: "running", type: "resync.resumed" },
  cancel: { from: ["running", "paused"], to: "cancelled", type: "resync.cancelled" }
} as const satisfies Record<string, Move>
export type ResyncMove = keyof typeof moves

/** Needs Resyncs, Organizations and InstallationLog once; the functions it gives need nothing. */
export const makeManageResyncs = Effect.gen(function* () {
  const resyncs = yield* Resyncs
  const organizations = yield* Organizations
  const log = yield* InstallationLog

  const get = traced("ManageResyncs.get")(function* (id: string) {
    return (yield* resyncs.find(id)) ?? (yield* new NoSuchResync({ id }))
  })

  const start = traced("ManageResyncs.start")(function* (organizationId: string | null, reason: string) {
    if (organizationId !== null && (yield* organizations.find(organizationId)) === undefined)
      return yield* new NoSuchOrganization({ organizationId })
    const begun = resyncs.start({ organizationId, reason }, yield* Clock.currentTimeMillis)
    return yield* log.recorded(begun, ({ id }) => ({
      type: "resync.started",
      subjectId: id,
      ...(organizationId === null ? {} : { organizationId }),
      reason
    }))
  })

  const move = traced("ManageResyncs.move")(function* (id: string, what: ResyncMove) {
    const { from, to, type }: Move = moves[what]
    const { status } = yield* get(id)
    const now = yield* Clock.currentTimeMillis
    const moved = Effect.flatMap(resyncs.move(id, from, to, now), (done) =>
      done
        ? Effect.void
        : Effect.fail(new ResyncElsewhere({ message: `This run is ${status}: it cannot ${what} any more.` }))
    )
    yield* log.recorded(moved, () => ({ type, subjectId: id }))
    return yield* get(id)
  })

  return { start, get, move }
})
