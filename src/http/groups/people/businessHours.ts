/** `/api/organization/business-hours`: when the organization takes and places calls. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { TimeZone } from "../../../domain/basics/Calendar.ts"
import { exampleOf } from "../../../domain/basics/Examples.ts"
import { BusinessHours } from "../../../domain/people/organizations/BusinessHours.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Forbidden } from "../../wire/Errors.ts"

export const BusinessHoursView = Schema.Struct({
  timeZone: Schema.String,
  /** Null when there is no limit. */
  businessHours: Schema.NullOr(BusinessHours),
  /** Whether the organization is open at the time of the answer. */
  open: Schema.Boolean,
  /** When it opens next while it is closed; null when that is not within a year. */
  opensAt: Schema.NullOr(Schema.String)
}).annotate({
  title: "OpeningHours",
  examples: [
    {
      timeZone: "America/New_York",
      businessHours: exampleOf(BusinessHours),
      open: false,
      opensAt: "2026-11-23T14:00:00.000Z"
    }
  ]
})

export class BusinessHoursGroup extends HttpApiGroup.make("businessHours")
  .add(
    HttpApiEndpoint.get("get", "/", { success: BusinessHoursView, error: [Forbidden] }).annotateMerge(
      OpenApi.annotations({ summary: "Get the business hours", description: "Scope `voice:read`." })
    ),
    HttpApiEndpoint.put("set", "/", {
      payload: Schema.Struct({
        timeZone: Schema.optionalKey(TimeZone),
        businessHours: Schema.NullOr(BusinessHours)
      }).annotate({ examples: [{ timeZone: "America/New_York", businessHours: exampleOf(BusinessHours) }] }),
      success: BusinessHoursView,
      error: [BadRequest, Forbidden]
    }).annotateMerge(OpenApi.annotations({ summary: "Set the business hours", description: "Scope `admin`." }))
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/organization/business-hours") {}
