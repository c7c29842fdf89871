/** `/api/voice-usage`: the minutes of calls, their cost, and the minutes that the plan includes. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { exampleOf } from "../../../domain/basics/Examples.ts"
import { Usage } from "../../../domain/usage/Metering.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { ofLeaders } from "../../wire/caller/CallerNeeds.ts"
import { BadRequest, Forbidden } from "../../wire/Errors.ts"
import { Day } from "../../wire/RequestTime.ts"

const VoiceUsageReport = Schema.Struct({
  from: Schema.String,
  to: Schema.String,
  timeZone: Schema.String,
  /** The current calendar month. */
  allowance: Schema.Struct({
    month: Schema.String,
    minutes: Schema.Int,
    used: Schema.Int,
    remaining: Schema.Int,
    /** The price of a minute beyond the allowance, in USD. */
    overagePrice: Schema.String
  }),
  totals: Usage,
  data: Schema.Array(
    Schema.Struct({
      day: Schema.optionalKey(Schema.String),
      agentId: Schema.optionalKey(Schema.NullOr(Schema.String)),
      agentName: Schema.optionalKey(Schema.NullOr(Schema.String)),
      ...Usage.fields
    })
  )
}).annotate({
  title: "VoiceUsageReport",
  examples: [
    {
      from: "2026-11-01",
      to: "2026-11-24",
      timeZone: "America/New_York",
      allowance: { month: "2026-11", minutes: 500, used: 36, remaining: 464, overagePrice: "0.100000" },
      totals: exampleOf(Usage),
      data: [{ day: "2026-11-21", ...exampleOf(Usage) }]
    }
  ]
})

export class VoiceUsageGroup extends HttpApiGroup.make("voiceUsage")
  .add(
    HttpApiEndpoint.get("get", "/", {
      query: {
        from: Schema.optionalKey(Day),
        to: Schema.optionalKey(Day),
        agentId: Schema.optionalKey(Schema.String),
        groupBy: Schema.optionalKey(Schema.Literals(["day", "agent"]))
      },
      success: VoiceUsageReport,
      error: [BadRequest, Forbidden]
    })
      .annotateMerge(ofLeaders("see what calls cost"))
      .annotateMerge(
        OpenApi.annotations({
          summary: "Voice minutes and their cost",
          description:
            "Days are those of the organization's time zone, `from` and `to` included (the current month by default, 366 days at most). Scope `voice:read`; of people OWNER and ADMIN."
        })
      )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/voice-usage") {}
