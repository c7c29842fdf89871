/** `/api/operator/events`: what happened to the installation. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { InstallationEvent, InstallationEventType } from "../../../domain/operators/InstallationLog.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { OperatorAuthorization } from "../../middleware/OperatorAuthorization.ts"
import { Id } from "../../wire/Id.ts"
import { pageOf, pageQuery } from "../../wire/Paging.ts"

export class OperatorEventsGroup extends HttpApiGroup.make("operatorEvents")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...pageQuery,
        type: Schema.optionalKey(InstallationEventType),
        organizationId: Schema.optionalKey(Id)
      },
      success: pageOf(InstallationEvent)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "What happened to the installation",
        description:
          "Newest first: what operators did, and what nodes and providers did by themselves. Entries cannot be changed."
      })
    )
  )
  .middleware(Decoding)
  .middleware(OperatorAuthorization)
  .prefix("/api/operator/events") {}
