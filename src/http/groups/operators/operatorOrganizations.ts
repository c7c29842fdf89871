/** `/api/operator/organizations`: all organizations, their plans, flags, terms and usage. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Stage } from "../../../domain/operators/FlagGate.ts"
import { Reason } from "../../../domain/operators/InstallationLog.ts"
import { OperatedOrganization, OperatedOrganizationDetail } from "../../../domain/operators/OperatedOrganization.ts"
import { AiTokensPerMonth, ConcurrentCalls, Plan } from "../../../domain/people/organizations/Organization.ts"
import { VoiceTerms } from "../../../domain/people/organizations/VoiceTerms.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { OperatorAuthorization } from "../../middleware/OperatorAuthorization.ts"
import { BadRequest, Forbidden, NotFound } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { pageOf, pageQuery } from "../../wire/Paging.ts"

const Changes = Schema.Struct({
  reason: Reason,
  plan: Schema.optionalKey(Plan),
  stage: Schema.optionalKey(Stage),
  flags: Schema.optionalKey(
    Schema.Struct({
      voiceAgents: Schema.optionalKey(Schema.Boolean),
      voicePremium: Schema.optionalKey(Schema.Boolean)
    })
  ),
  /** Only of an ENTERPRISE organization. Null: back to those of the plan; what is not given stays. */
  terms: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        minutesPerMonth: Schema.optionalKey(VoiceTerms.fields.minutesPerMonth),
        overageMicrosPerMinute: Schema.optionalKey(VoiceTerms.fields.overageMicrosPerMinute),
        concurrentCalls: Schema.optionalKey(ConcurrentCalls)
      })
    )
  ),
  /** Only of an ENTERPRISE organization. Null: those of the plan. */
  aiTokensPerMonth: Schema.optionalKey(Schema.NullOr(AiTokensPerMonth))
}).annotate({
  title: "OperatedOrganizationChanges",
  examples: [
    {
      reason: "They signed the Enterprise contract of November.",
      plan: "ENTERPRISE",
      flags: { voiceAgents: true },
      terms: { minutesPerMonth: 10_000, overageMicrosPerMinute: 80_000 }
    }
  ]
})

export class OperatorOrganizationsGroup extends HttpApiGroup.make("operatorOrganizations")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...pageQuery,
        search: Schema.optionalKey(Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(200))),
        plan: Schema.optionalKey(Plan),
        stage: Schema.optionalKey(Stage)
      },
      success: pageOf(OperatedOrganization)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List organizations",
        description: "By name. `search` finds a part of the name, or a whole id."
      })
    ),
    HttpApiEndpoint.get("get", "/:id", {
      params: { id: Id },
      success: OperatedOrganizationDetail,
      error: NotFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get an organization",
        description: "With its limits, its own terms, and what it has used in this month."
      })
    ),
    HttpApiEndpoint.patch("change", "/:id", {
      params: { id: Id },
      payload: Changes,
      success: OperatedOrganizationDetail,
      error: [BadRequest, Forbidden, NotFound]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change plan, stage, flags and terms",
        description:
          "All of it or nothing. A new plan sets `voiceAgents` to its usual value unless `flags` names it. The organization's audit log tells what " +
          "changed, the installation's log the reason, too."
      })
    )
  )
  .middleware(Decoding)
  .middleware(OperatorAuthorization)
  .prefix("/api/operator/organizations") {}
