/** `/api/ai-usage`: the tokens that text agents have used, and those that the plan includes. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AiUsageGrouping, AiUsageReport } from "../../../domain/usage/AiUsage.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Forbidden } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { Day } from "../../wire/RequestTime.ts"

export class AiUsageGroup extends HttpApiGroup.make("aiUsage")
  .add(
    HttpApiEndpoint.get("get", "/", {
      query: {
        from: Schema.optionalKey(Day),
        to: Schema.optionalKey(Day),
        agentId: Schema.optionalKey(Id),
        groupBy: Schema.optionalKey(AiUsageGrouping)
      },
      success: AiUsageReport,
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "AI tokens of text agents",
        description:
          "Days are those of the organization's time zone, `from` and `to` included (the current month by default, 366 days at most). Scope `agents:read`."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/ai-usage") {}
