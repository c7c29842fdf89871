/** `/api/evaluations`: conversations that are played with text agents, and the runs of them. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { exampleIds } from "../../../domain/basics/Examples.ts"
import {
  Evaluation,
  EvaluationChanges,
  EvaluationSummary,
  NewEvaluation
} from "../../../domain/messaging/rehearsal/Evaluation.ts"
import { EvaluationResult, EvaluationRun, NewEvaluationRun } from "../../../domain/messaging/rehearsal/EvaluationRun.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { bodyLimit } from "../../wire/BodyLimit.ts"
import { BadRequest, Conflict, Forbidden, NotFound } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { listOf, listQuery } from "../../wire/Listing.ts"

const params = { id: Id }
const runParams = { id: Id, runId: Id }
const error = [BadRequest, Forbidden, NotFound] as const
/** A hundred conversations. */
const withConversations = bodyLimit(1024 * 1024)
/** The draft of an agent has tools, each with a schema. */
const withDraft = bodyLimit(512 * 1024)

const removed = (title: string, id: string) =>
  Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }).annotate({
    title,
    examples: [{ id, deleted: true }]
  })

export class EvaluationsGroup extends HttpApiGroup.make("evaluations")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: listQuery,
      success: listOf(EvaluationSummary),
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({ summary: "List evaluations, newest first", description: "Scope `agents:read`." })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: NewEvaluation,
      success: Evaluation.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, Forbidden]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create an evaluation",
          description:
            "Conversations in the form of `parley eval`: a turn has one of `contact`, `human`, `handBack` and `resolve`, and may `expect` something of the agent. " +
            "At most 50 for an organization. Scope `agents:write`."
        })
      )
      .annotateMerge(withConversations),
    HttpApiEndpoint.get("get", "/:id", { params, success: Evaluation, error }).annotateMerge(
      OpenApi.annotations({ summary: "Get an evaluation", description: "Scope `agents:read`." })
    ),
    HttpApiEndpoint.put("update", "/:id", { params, payload: EvaluationChanges, success: Evaluation, error })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change an evaluation",
          description: "What is not sent keeps its value. Runs keep what they played. Scope `agents:write`."
        })
      )
      .annotateMerge(withConversations),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: removed("RemovedEvaluation", exampleIds.evaluation),
      error
    }).annotateMerge(
      OpenApi.annotations({ summary: "Delete an evaluation", description: "With its runs. Scope `agents:write`." })
    ),
    HttpApiEndpoint.get("listRuns", "/:id/runs", {
      params,
      query: listQuery,
      success: listOf(EvaluationRun),
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List runs of an evaluation, newest first",
        description: "The newest 50 are kept. Scope `agents:read`."
      })
    ),
    HttpApiEndpoint.post("start", "/:id/runs", {
      params,
      payload: NewEvaluationRun,
      success: EvaluationRun.pipe(HttpApiSchema.status(201)),
      error: [...error, Conflict]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Play an evaluation with a text agent",
          description:
            "In the background: ask for its state with GET. The agent is as it is now, with the changes of `draft`. No tool runs but the search of knowledge: the " +
            "evaluation has their answers. Nothing is sent. The tokens count as those of the agent. 409 while 10 runs wait. Scope `agents:write`."
        })
      )
      .annotateMerge(withDraft),
    HttpApiEndpoint.get("getRun", "/:id/runs/:runId", {
      params: runParams,
      success: EvaluationResult,
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a run with its conversations",
        description:
          "`queued`, `running` (with `done`), `done`, or `failed` (with `problem`). `conversations` has what was said once it is `done`, and `problems` what was not " +
          "as expected. Scope `agents:read`."
      })
    ),
    HttpApiEndpoint.delete("removeRun", "/:id/runs/:runId", {
      params: runParams,
      success: removed("RemovedEvaluationRun", exampleIds.evaluationRun),
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a run",
        description: "One that is played stops. Scope `agents:write`."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/evaluations") {}
