/** `/api/organization/sla-policy`: how soon conversations must be answered and resolved. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { SlaPolicy } from "../../../domain/people/organizations/SlaPolicy.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Forbidden } from "../../wire/Errors.ts"

export const SlaPolicyView = Schema.Struct({
  /** Null when conversations have no due times. */
  slaPolicy: Schema.NullOr(SlaPolicy)
}).annotate({
  title: "SlaPolicy",
  examples: [{ slaPolicy: { firstResponseMinutes: 30, resolutionMinutes: 480, businessHoursOnly: true } }]
})

export class SlaPolicyGroup extends HttpApiGroup.make("slaPolicy")
  .add(
    HttpApiEndpoint.get("get", "/", { success: SlaPolicyView, error: [Forbidden] }).annotateMerge(
      OpenApi.annotations({
        summary: "Read by when conversations are to be answered and resolved",
        description: "Null: never, which is how an organization begins. Scope `conversations:read`."
      })
    ),
    HttpApiEndpoint.put("set", "/", {
      payload: SlaPolicyView,
      success: SlaPolicyView,
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Set by when conversations are to be answered and resolved",
        description:
          "Minutes from the contact's first message of a conversation that is new or was resolved; within the business hours only, when " +
          "`businessHoursOnly` says so. For conversations that begin from now on: those that run keep their due times, and lose them when the " +
          "policy is taken away with null. What is missed is told once by the event `conversation.sla_breached`. Scope `admin`."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/organization/sla-policy") {}
