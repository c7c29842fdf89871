/** Use case: make, change and remove evaluations, and start and remove their runs. Each leaves an entry in the audit log, in its transaction. */
import { Effect, Schema } from "effect"
import { traced } from "../../basics/Traced.ts"
import { Audit, changedFields } from "../../people/access/Audit.ts"
import { makeSaveTextAgent } from "../agents/SaveTextAgent.ts"
import { type EvaluationChanges, Evaluations, mostEvaluations, type NewEvaluation } from "./Evaluation.ts"
import { EvaluationRuns, mostWaitingRuns, type NewEvaluationRun } from "./EvaluationRun.ts"

/** HTTP 404. */
export class EvaluationNotFound extends Schema.TaggedError<EvaluationNotFound>()("EvaluationNotFound", {
  id: Schema.String
}) {}
/** HTTP 403: the organization has as many as it may have. */
export class TooManyEvaluations extends Schema.TaggedError<TooManyEvaluations>()("TooManyEvaluations", {
  message: Schema.String
}) {}
/** HTTP 409: too many runs wait. */
export class TooManyRuns extends Schema.TaggedError<TooManyRuns>()("TooManyRuns", { message: Schema.String }) {}

/** An evaluation as the audit log shows it: without its conversations, which may be long. */
const shown = ({ name, size }: { readonly name: string; readonly size: number }) => ({ name, size })

/** Needs Evaluations, EvaluationRuns, Audit and what `SaveTextAgent` needs. */
export const makeManageEvaluations = Effect.gen(function* () {
  const evaluations = yield* Evaluations
  const runs = yield* EvaluationRuns
  const audit = yield* Audit
  const { draft } = yield* makeSaveTextAgent

  const found = Effect.fnUntraced(function* (organizationId: string, id: string) {
    return (yield* evaluations.find(organizationId, id)) ?? (yield* new EvaluationNotFound({ id }))
  })

  const create = traced("ManageEvaluations.create")(function* (organizationId: string, input: NewEvaluation) {
    const making = Effect.flatMap(evaluations.create(organizationId, input, mostEvaluations), (made) =>
      made === undefined
        ? Effect.fail(
            new TooManyEvaluations({ message: `An organization has at most ${mostEvaluations} evaluations.` })
          )
        : Effect.succeed(made)
    )
    return yield* audit.recorded(organizationId, making, (made) => ({
      action: "evaluation.created",
      subjectId: made.id,
      after: shown(made)
    }))
  })

  const update = traced("ManageEvaluations.update")(function* (
    organizationId: string,
    id: string,
    changes: EvaluationChanges
  ) {
    const before = yield* found(organizationId, id)
    const changing = Effect.flatMap(evaluations.update(organizationId, id, changes), (after) =>
      after === undefined ? Effect.fail(new EvaluationNotFound({ id })) : Effect.succeed(after)
    )
    return yield* audit.recorded(organizationId, changing, (after) => ({
      action: "evaluation.updated",
      subjectId: id,
      ...changedFields(before, after, shown)
    }))
  })

  const remove = traced("ManageEvaluations.remove")(function* (organizationId: string, id: string) {
    const before = yield* found(organizationId, id)
    const removal = Effect.filterOrFail(
      evaluations.remove(organizationId, id),
      Boolean,
      () => new EvaluationNotFound({ id })
    )
    yield* audit.recorded(organizationId, removal, () => ({
      action: "evaluation.deleted",
      subjectId: id,
      before: shown(before)
    }))
  })

  /** Queues a run with the agent as it is, or as it would be with the changes of the draft. */
  const start = traced("ManageEvaluations.start")(function* (
    organizationId: string,
    id: string,
    { agentId, draft: changes }: NewEvaluationRun,
    startedBy: string
  ) {
    yield* found(organizationId, id)
    const agent = yield* draft(organizationId, agentId, changes ?? {})
    const starting = Effect.gen(function* () {
      const run = yield* runs.start(organizationId, id, agent, { draft: changes !== undefined, startedBy })
      if (run === undefined) return yield* new EvaluationNotFound({ id })
      if (run !== "full") return run
      const message = `${mostWaitingRuns} runs wait or are played already. Wait until one has ended.`
      return yield* new TooManyRuns({ message })
    })
    return yield* audit.recorded(organizationId, starting, (run) => ({
      action: "evaluation.run",
      subjectId: id,
      after: { runId: run.id, agentId }
    }))
  })

  return { create, update, remove, start }
})
