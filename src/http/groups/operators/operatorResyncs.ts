/** `/api/operator/resyncs`: runs that bring the voice agents of all organizations up to date. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Reason } from "../../../domain/operators/InstallationLog.ts"
import { Resync, ResyncDetail } from "../../../domain/operators/Resync.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { OperatorAuthorization } from "../../middleware/OperatorAuthorization.ts"
import { BadRequest, Conflict, Forbidden, NotFound } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { pageOf, pageQuery } from "../../wire/Paging.ts"

const one = { params: { id: Id }, success: ResyncDetail }
const moved = { ...one, error: [Forbidden, NotFound, Conflict] } as const

export class OperatorResyncsGroup extends HttpApiGroup.make("operatorResyncs")
  .add(
    HttpApiEndpoint.get("list", "/", { query: pageQuery, success: pageOf(Resync) }).annotateMerge(
      OpenApi.annotations({ summary: "List runs", description: "Newest first." })
    ),
    HttpApiEndpoint.post("start", "/", {
      payload: Schema.Struct({ organizationId: Schema.NullOr(Id), reason: Reason }).annotate({
        title: "NewResync",
        examples: [{ organizationId: null, reason: "The new voices reach everybody." }]
      }),
      success: Resync.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, Forbidden, NotFound, Conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Start a run",
        description:
          "Gives every voice agent of an organization, or of all (null), the locked provider stack, and the engines its configuration anew. One run at a " +
          "time; a second one is 409. Agents that fail keep working as before."
      })
    ),
    HttpApiEndpoint.get("get", "/:id", { ...one, error: NotFound }).annotateMerge(
      OpenApi.annotations({ summary: "Get a run", description: "With its failures, at most 500." })
    ),
    HttpApiEndpoint.post("pause", "/:id/pause", moved).annotateMerge(
      OpenApi.annotations({ summary: "Pause a run", description: "After the agent that it is at." })
    ),
    HttpApiEndpoint.post("resume", "/:id/resume", moved).annotateMerge(
      OpenApi.annotations({ summary: "Resume a run", description: "Behind the last agent that was done." })
    ),
    HttpApiEndpoint.post("cancel", "/:id/cancel", moved).annotateMerge(
      OpenApi.annotations({ summary: "Cancel a run", description: "Agents that were done stay so." })
    )
  )
  .middleware(Decoding)
  .middleware(OperatorAuthorization)
  .prefix("/api/operator/resyncs") {}
