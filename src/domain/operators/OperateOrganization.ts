/**
 * Use case: an operator looks at an organization and changes its plan, stage, flags and terms, with a reason. All changes of a request are made
 * together or not at all. The organization's audit log has each of them, and the installation's log the whole with its reason.
 */
import { Effect, Schema } from "effect"
import { traced } from "../basics/Traced.ts"
import { changedFields } from "../people/access/Audit.ts"
import { makeManageOrganization, type WantedVoiceTerms } from "../people/organizations/ManageOrganization.ts"
import {
  aiTokensOf,
  concurrentCalls,
  type Organization,
  type Plan,
  plans,
  voiceTermsOf
} from "../people/organizations/Organization.ts"
import { makeAiUsageReport } from "../usage/AiUsage.ts"
import { makeUsageReport } from "../usage/UsageReport.ts"
import { VoiceAgents } from "../voice/agents/VoiceAgent.ts"
import { flagNames, type Stage } from "./FlagGate.ts"
import { InstallationLog } from "./InstallationLog.ts"
import {
  type OperatedOrganization,
  type OperatedOrganizationDetail,
  OperatedOrganizations,
  type OrganizationFilter,
  type SetOrganization
} from "./OperatedOrganization.ts"

/** 404: there is no such organization. */
export class NoSuchOrganization extends Schema.TaggedError<NoSuchOrganization>()("NoSuchOrganization", {
  organizationId: Schema.String
}) {}

/** What is not given stays as it is. */
export interface OrganizationChanges {
  readonly plan?: Plan
  readonly stage?: Stage
  readonly flags?: Partial<Organization["flags"]>
  /** Null: back to those of the plan. */
  readonly terms?: WantedVoiceTerms | null
  /** Null: back to those of the plan. */
  readonly aiTokensPerMonth?: number | null
}

const rowOf = (set: SetOrganization): OperatedOrganization => {
  const { id, name, plan, stage, timeZone, createdAt, inForce } = set
  const { voiceAgents, voicePremium } = set.flags
  return {
    ...{ id, name, plan, stage, timeZone, createdAt },
    flags: {
      voiceAgents: { set: voiceAgents, inForce: inForce.voiceAgents },
      voicePremium: { set: voicePremium, inForce: inForce.voicePremium }
    }
  }
}

/** What an operator can change of it, for the log. */
const changeable = ({ plan, stage, flags, voiceTerms, concurrentCalls, aiTokensPerMonth }: SetOrganization) => ({
  ...{ plan, stage, ...flags },
  minutesPerMonth: voiceTerms?.minutesPerMonth ?? null,
  overageMicrosPerMinute: voiceTerms?.overageMicrosPerMinute ?? null,
  ...{ concurrentCalls, aiTokensPerMonth }
})

/** Needs the stores of organizations, their agents and usage, Audit and InstallationLog once; the functions it gives need nothing. */
export const makeOperateOrganization = Effect.gen(function* () {
  const operated = yield* OperatedOrganizations
  const agents = yield* VoiceAgents
  const log = yield* InstallationLog
  const manage = yield* makeManageOrganization
  const usageReport = yield* makeUsageReport
  const aiUsageReport = yield* makeAiUsageReport

  const found = Effect.fnUntraced(function* (organizationId: string) {
    const set = yield* operated.find(organizationId)
    return set ?? (yield* new NoSuchOrganization({ organizationId }))
  })

  const list = traced("OperateOrganization.list")(function* (filter: OrganizationFilter, page: number, limit: number) {
    const { data, total } = yield* operated.search(filter, page, limit)
    // One that is deleted meanwhile is left out.
    const rows = yield* Effect.forEach(
      data,
      (id) =>
        found(id).pipe(
          Effect.map((set) => [rowOf(set)]),
          Effect.catchTag("NoSuchOrganization", () => Effect.succeed([]))
        ),
      { concurrency: 4 }
    )
    return { data: rows.flat(), total }
  })

  const get = traced("OperateOrganization.get")(function* (organizationId: string) {
    const set = yield* found(organizationId)
    const inForce = { ...set, flags: set.inForce }
    // Both reports are of the current month, so no period can be wrong.
    const { report } = yield* Effect.orDie(usageReport(inForce, {}))
    const { allowance } = yield* Effect.orDie(aiUsageReport(inForce, {}))
    const terms = voiceTermsOf(set)
    return {
      ...rowOf(set),
      limits: {
        concurrentCalls: concurrentCalls(set),
        voiceAgents: plans[set.plan].voiceAgents,
        ...{ minutesPerMonth: terms.minutesPerMonth, overageMicrosPerMinute: terms.overageMicrosPerMinute },
        aiTokensPerMonth: aiTokensOf(set)
      },
      own: {
        minutesPerMonth: set.voiceTerms?.minutesPerMonth ?? null,
        overageMicrosPerMinute: set.voiceTerms?.overageMicrosPerMinute ?? null,
        ...{ concurrentCalls: set.concurrentCalls, aiTokensPerMonth: set.aiTokensPerMonth }
      },
      usage: {
        month: report.allowance.month,
        calls: report.totals.calls,
        minutes: { allowed: report.allowance.minutes, used: report.allowance.used },
        aiTokens: { allowed: allowance.tokens, used: allowance.used }
      },
      voiceAgents: yield* agents.count(organizationId)
    } satisfies OperatedOrganizationDetail
  })

  /** The plan comes first: it decides the usual flags, and whether an organization has terms of its own. */
  const apply = Effect.fnUntraced(function* (before: SetOrganization, changes: OrganizationChanges) {
    let organization = before
    const { plan, stage, flags = {}, terms, aiTokensPerMonth } = changes
    if (plan !== undefined && plan !== before.plan)
      organization = { ...organization, ...(yield* manage.setPlan(organization, plan)) }
    for (const flag of flagNames) {
      const on = flags[flag]
      if (on !== undefined && on !== organization.flags[flag])
        organization = { ...organization, ...(yield* manage.setFlag(organization, flag, on)) }
    }
    if (stage !== undefined && stage !== before.stage) {
      yield* operated.setStage(before.id, stage)
      organization = { ...organization, stage }
    }
    if (terms !== undefined) organization = { ...organization, ...(yield* manage.setVoiceTerms(organization, terms)) }
    if (aiTokensPerMonth !== undefined)
      organization = { ...organization, ...(yield* manage.setAiTokensPerMonth(organization, aiTokensPerMonth)) }
    return organization
  })

  const change = traced("OperateOrganization.change")(function* (
    organizationId: string,
    changes: OrganizationChanges,
    reason: string
  ) {
    const set = yield* found(organizationId)
    yield* log.recorded(
      apply(set, changes),
      (after) => ({
        type: "organization.changed",
        organizationId,
        details: changedFields(changeable(set), changeable(after)),
        reason
      }),
      organizationId
    )
    return yield* get(organizationId)
  })

  return { list, get, change }
})
