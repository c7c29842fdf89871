/** `/api/operator/flags`: how many organizations may use the flags that they have. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { FlagGate, GatePercent } from "../../../domain/operators/FlagGate.ts"
import { Reason } from "../../../domain/operators/InstallationLog.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { OperatorAuthorization } from "../../middleware/OperatorAuthorization.ts"
import { BadRequest, Forbidden, NotFound } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"

const Gates = Schema.Struct({ data: Schema.Array(FlagGate) })

export class OperatorFlagsGroup extends HttpApiGroup.make("operatorFlags")
  .add(
    HttpApiEndpoint.get("list", "/", { success: Gates }).annotateMerge(
      OpenApi.annotations({
        summary: "List the gates of flags",
        description:
          "An organization may use a flag that it has, while the gate of its stage lets it through. `reach` counts organizations: all, those that have " +
          "the flag, and those that may use it."
      })
    ),
    HttpApiEndpoint.put("set", "/:flag", {
      params: { flag: Id },
      payload: Schema.Struct({ staging: GatePercent, production: GatePercent, reason: Reason }).annotate({
        title: "FlagGateSetting",
        examples: [{ staging: 100, production: 25, reason: "The new voices were heard for a week in staging." }]
      }),
      success: Gates,
      error: [BadRequest, Forbidden, NotFound]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Open or close the gate of a flag",
        description:
          "In percent of the organizations of each stage; 0 takes the flag from all of them. It holds from the next request and the next call on. A " +
          "gate that opens further keeps the organizations that it has let through."
      })
    )
  )
  .middleware(Decoding)
  .middleware(OperatorAuthorization)
  .prefix("/api/operator/flags") {}
