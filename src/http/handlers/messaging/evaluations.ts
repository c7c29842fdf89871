import { Effect } from "effect"
import { Evaluations } from "../../../domain/messaging/rehearsal/Evaluation.ts"
import { EvaluationRuns } from "../../../domain/messaging/rehearsal/EvaluationRun.ts"
import { makeManageEvaluations } from "../../../domain/messaging/rehearsal/ManageEvaluations.ts"
import { callerId } from "../../../domain/people/access/Access.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, Conflict, Forbidden, NotFound } from "../../wire/Errors.ts"
import { partOf, toList } from "../../wire/Listing.ts"

const notFound = () => new NotFound({ error: "There is no such evaluation." })
const noRun = () => new NotFound({ error: "This evaluation has no such run." })

/** Needs Evaluations, EvaluationRuns, Audit and what `SaveTextAgent` needs. */
export const layer = group(
  AppApi,
  "evaluations",
  Effect.fn(function* (handlers) {
    const evaluations = yield* Evaluations
    const runs = yield* EvaluationRuns
    const manage = yield* makeManageEvaluations

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* requireScope("agents:read")
        const part = yield* partOf("evaluations", query)
        return toList(yield* evaluations.list(organizationId, part), part)
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        const { organizationId } = yield* requireScope("agents:write")
        return yield* manage
          .create(organizationId, payload)
          .pipe(Effect.catchTag("TooManyEvaluations", ({ message }) => new Forbidden({ error: message })))
      }),
      get: Effect.fnUntraced(function* ({ params: { id } }) {
        const { organizationId } = yield* requireScope("agents:read")
        return (yield* evaluations.find(organizationId, id)) ?? (yield* notFound())
      }),
      update: Effect.fnUntraced(function* ({ params: { id }, payload }) {
        const { organizationId } = yield* requireScope("agents:write")
        if (Object.keys(payload).length === 0)
          return yield* new BadRequest({ error: "Send at least one of name, tools and conversations." })
        return yield* manage.update(organizationId, id, payload).pipe(Effect.catchTag("EvaluationNotFound", notFound))
      }),
      remove: Effect.fnUntraced(function* ({ params: { id } }) {
        const { organizationId } = yield* requireScope("agents:write")
        yield* manage.remove(organizationId, id).pipe(Effect.catchTag("EvaluationNotFound", notFound))
        return { id, deleted: true as const }
      }),
      listRuns: Effect.fnUntraced(function* ({ params: { id }, query }) {
        const { organizationId } = yield* requireScope("agents:read")
        const part = yield* partOf("evaluationRuns", query)
        const found = yield* runs.list(organizationId, id, part)
        return toList(found ?? (yield* notFound()), part)
      }),
      start: Effect.fnUntraced(function* ({ params: { id }, payload }) {
        const caller = yield* requireScope("agents:write")
        return yield* manage.start(caller.organizationId, id, payload, callerId(caller)).pipe(
          Effect.catchTags({
            EvaluationNotFound: notFound,
            TextAgentNotFound: () =>
              new BadRequest({ error: `agentId is invalid: there is no text agent ${payload.agentId}.` }),
            InvalidTextAgent: ({ message }) => new BadRequest({ error: message }),
            TooManyRuns: ({ message }) => new Conflict({ error: message })
          })
        )
      }),
      getRun: Effect.fnUntraced(function* ({ params: { id, runId } }) {
        const { organizationId } = yield* requireScope("agents:read")
        return (yield* runs.find(organizationId, id, runId)) ?? (yield* noRun())
      }),
      removeRun: Effect.fnUntraced(function* ({ params: { id, runId } }) {
        const { organizationId } = yield* requireScope("agents:write")
        if (!(yield* runs.remove(organizationId, id, runId))) return yield* noRun()
        return { id: runId, deleted: true as const }
      })
    })
  })
)
