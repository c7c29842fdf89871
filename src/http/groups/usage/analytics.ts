/** `/api/messaging-api/analytics`: figures about messages, conversations, calls and broadcasts between two days. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Analytics, GroupBy } from "../../../domain/usage/Analytics.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Forbidden } from "../../wire/Errors.ts"
import { Day } from "../../wire/RequestTime.ts"

export class AnalyticsGroup extends HttpApiGroup.make("analytics")
  .add(
    HttpApiEndpoint.get("get", "/", {
      query: {
        from: Schema.optionalKey(Day),
        to: Schema.optionalKey(Day),
        groupBy: Schema.optionalKey(GroupBy)
      },
      success: Analytics,
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Messages, conversations, calls and broadcasts between two days",
        description:
          "Days are those of the organization's time zone, `from` and `to` included; the last 30 by default, 366 at most. `groupBy` (`day` by " +
          "default, `week` from Monday, `month`) cuts `data`. First response: from what the contact wrote first to the first answer of a person, " +
          "an agent or a program, broadcasts not counted. Resolution: from opening, or reopening, to resolution. Scope `messages:read`."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/messaging-api/analytics") {}
