/** Use case: preview, create, start, pause, resume and cancel broadcasts. The audit log records each change. */
import { Clock, Effect, Schema } from "effect"
import { ProcessBus } from "../../basics/bus/ProcessBus.ts"
import { traced } from "../../basics/Traced.ts"
import { Audit } from "../../people/access/Audit.ts"
import { idOfOperation, Operation } from "../../people/access/Idempotency.ts"
import { broadcastRefusal, plans } from "../../people/organizations/Organization.ts"
import { makeOrganizationOf } from "../../people/organizations/PlanGate.ts"
import { checkTemplate } from "../templates/CheckTemplate.ts"
import { placeholderProblem } from "../templates/Placeholders.ts"
import { parameterTexts } from "../templates/TemplateComponents.ts"
import { Templates } from "../templates/Templates.ts"
import {
  type Broadcast,
  type BroadcastAction,
  type BroadcastNotMovable,
  type BroadcastPreview,
  Broadcasts,
  done,
  moved,
  type NewBroadcast
} from "./Broadcast.ts"

/** 400: the broadcast that is asked for cannot be sent. */
export class InvalidBroadcast extends Schema.TaggedError<InvalidBroadcast>()("InvalidBroadcast", {
  message: Schema.String
}) {}
/** 403: the plan does not allow broadcasts, or not of this size. */
export class BroadcastNotAllowed extends Schema.TaggedError<BroadcastNotAllowed>()("BroadcastNotAllowed", {
  message: Schema.String
}) {}
/** 409: the broadcast cannot start now. */
export class BroadcastNotReady extends Schema.TaggedError<BroadcastNotReady>()("BroadcastNotReady", {
  message: Schema.String
}) {}

export type StartProblem = BroadcastNotAllowed | BroadcastNotReady | BroadcastNotMovable

const longestAheadMs = 366 * 86_400_000

const tooLarge = (recipients: number, limit: number, plan: string) =>
  `This broadcast would go to ${recipients} contacts; the plan ${plan} allows ${limit} in one broadcast.`

/** The fields of a broadcast in the audit log. */
const shown = ({ name, templateName, language, audience, status, scheduledAt, counts: { total } }: Broadcast) => ({
  name,
  templateName,
  language,
  audience,
  status,
  scheduledAt,
  total
})

/** Needs the stores once; the functions it gives need nothing. */
export const makeManageBroadcasts = Effect.gen(function* () {
  const broadcasts = yield* Broadcasts
  const templates = yield* Templates
  const organizationOf = yield* makeOrganizationOf
  const audit = yield* Audit
  const bus = yield* ProcessBus

  /** How many recipients one broadcast may have; null: any number. */
  const allowance = Effect.fnUntraced(function* (organizationId: string) {
    const organization = yield* organizationOf(organizationId)
    if (organization === undefined)
      return yield* new BroadcastNotAllowed({ message: "This organization no longer exists." })
    const { plan } = organization
    const refusal = broadcastRefusal(organization)
    if (refusal !== undefined) return yield* new BroadcastNotAllowed({ message: refusal })
    return { plan, limit: plans[plan].broadcastSize }
  })

  const templateProblem = Effect.fnUntraced(function* (
    organizationId: string,
    use: Pick<NewBroadcast, "templateName" | "language" | "components">
  ) {
    return checkTemplate(yield* templates.named(organizationId, use.templateName), use)
  })

  const check = Effect.fnUntraced(function* (organizationId: string, input: NewBroadcast) {
    const strange = parameterTexts(input.components)
      .map(placeholderProblem)
      .find((problem) => problem !== undefined)
    if (strange !== undefined) return yield* new InvalidBroadcast({ message: `components is invalid: it ${strange}` })
    const problem = yield* templateProblem(organizationId, input)
    if (problem !== undefined) return yield* new InvalidBroadcast({ message: problem })
    const strangers = yield* broadcasts.strangers(organizationId, input.audience.contactIds ?? [])
    if (strangers.length > 0)
      return yield* new InvalidBroadcast({ message: `There is no contact with the id ${strangers.join(", ")}.` })
    const { scheduledAt } = input
    if (scheduledAt === undefined) return
    const ahead = scheduledAt - (yield* Clock.currentTimeMillis)
    if (ahead <= 0) return yield* new InvalidBroadcast({ message: "scheduledAt must lie in the future." })
    if (ahead > longestAheadMs)
      return yield* new InvalidBroadcast({ message: "scheduledAt must lie within the next 366 days." })
  })

  const preview = traced("ManageBroadcasts.preview")(function* (organizationId: string, input: NewBroadcast) {
    const { limit } = yield* allowance(organizationId)
    yield* check(organizationId, input)
    const counts = yield* broadcasts.count(organizationId, input.audience)
    return { dryRun: true, ...counts, limit } satisfies BroadcastPreview
  })

  const create = traced("ManageBroadcasts.create")(function* (organizationId: string, input: NewBroadcast, by: string) {
    const now = yield* Clock.currentTimeMillis
    // A request is carried out again when its process died before it answered. It then finds the broadcast of the first time, without new checks:
    // they might fail now, and a client that is refused would create a second broadcast under another key.
    const operation = yield* Operation
    const id = idOfOperation("brd", operation, now)
    const before = operation === undefined ? undefined : yield* broadcasts.find(organizationId, id)
    if (before !== undefined) return before
    yield* allowance(organizationId)
    yield* check(organizationId, input)
    return yield* audit.recorded(
      organizationId,
      broadcasts.create(organizationId, { ...input, id }, by, now),
      (broadcast) => ({
        action: "broadcast.created",
        subjectId: broadcast.id,
        after: shown(broadcast)
      })
    )
  })

  /** Checks what a start needs beside the right status: the plan, and a template that can be sent now. Gives the plan and its limit. */
  const readiness = Effect.fnUntraced(function* (organizationId: string, broadcast: Broadcast) {
    const allowed = yield* allowance(organizationId)
    const problem = yield* templateProblem(organizationId, broadcast)
    if (problem !== undefined) return yield* new BroadcastNotReady({ message: problem })
    return allowed
  })

  /** Carries out an action; `undefined` when there is no such broadcast. Repeating an action changes nothing. */
  const act = traced("ManageBroadcasts.act")(function* (
    organizationId: string,
    broadcastId: string,
    action: BroadcastAction
  ): Effect.fn.Return<Broadcast | undefined, StartProblem> {
    const before = yield* broadcasts.find(organizationId, broadcastId)
    if (before === undefined) return undefined
    const next = moved(before.status, action)
    if ("status" in next && next.status === before.status) return before
    const starts = action === "start" && "status" in next
    const { limit, plan } = starts ? yield* readiness(organizationId, before) : { limit: null, plan: "" }
    const now = yield* Clock.currentTimeMillis
    return yield* audit
      .recorded(organizationId, broadcasts.move(organizationId, broadcastId, action, limit, now), (after) => ({
        action: `broadcast.${done[action]}`,
        subjectId: broadcastId,
        before: shown(before),
        ...(after === undefined ? {} : { after: shown(after) })
      }))
      .pipe(
        Effect.catchTag("AudienceTooLarge", ({ recipients }) =>
          Effect.fail(new BroadcastNotAllowed({ message: tooLarge(recipients, limit ?? 0, plan) }))
        ),
        Effect.tap(() =>
          Effect.sync(() =>
            bus.publish({
              organizationId,
              type: "broadcast.updated",
              at: now,
              data: { broadcast: { id: broadcastId } }
            })
          )
        )
      )
  })

  return { preview, create, act }
})
