/** `/api/operator/nodes` and `/api/operator/providers`: how the processes of the service do, and the providers as they see them. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Reason } from "../../../domain/operators/InstallationLog.ts"
import { OperatedProvider } from "../../../domain/operators/ProviderReport.ts"
import { ServiceNode } from "../../../domain/operators/ServiceNode.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { OperatorAuthorization } from "../../middleware/OperatorAuthorization.ts"
import { BadRequest, Conflict, Forbidden, NotFound } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"

const switched = {
  params: { id: Id },
  payload: Schema.Struct({ reason: Reason }).annotate({
    title: "NodeSwitch",
    examples: [{ reason: "The machine gets more memory." }]
  }),
  success: ServiceNode,
  error: [BadRequest, Forbidden, NotFound, Conflict]
} as const

export class OperatorNodesGroup extends HttpApiGroup.make("operatorNodes")
  .add(
    HttpApiEndpoint.get("list", "/", { success: Schema.Struct({ data: Schema.Array(ServiceNode) }) }).annotateMerge(
      OpenApi.annotations({
        summary: "List the nodes",
        description:
          "The processes of the service, as they told of themselves within the last seconds. `lines` are calls at once; null: the node takes none."
      })
    ),
    HttpApiEndpoint.post("drain", "/:id/drain", switched).annotateMerge(
      OpenApi.annotations({
        summary: "Take a node out of use",
        description:
          "It takes no new calls, `/readyz` is 500, and its calls go on to their end; then it can be stopped. 409 when no other node takes calls."
      })
    ),
    HttpApiEndpoint.post("open", "/:id/open", switched).annotateMerge(
      OpenApi.annotations({ summary: "Put a node back into use" })
    )
  )
  .middleware(Decoding)
  .middleware(OperatorAuthorization)
  .prefix("/api/operator/nodes") {}

export class OperatorProvidersGroup extends HttpApiGroup.make("operatorProviders")
  .add(
    HttpApiEndpoint.get("list", "/", {
      success: Schema.Struct({ data: Schema.Array(OperatedProvider) })
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the providers",
        description:
          "Those in trouble first. A provider has trouble at a node while its last requests there have failed."
      })
    )
  )
  .middleware(Decoding)
  .middleware(OperatorAuthorization)
  .prefix("/api/operator/providers") {}
