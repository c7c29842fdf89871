/**
 * Use case: change an organization's settings and terms. The audit log records each change. The caller's rights are checked before; this checks what
 * the plan allows. `Disclosure` changes the disclosure, because it also informs the engines.
 */
import { Effect, Schema } from "effect"
import { traced } from "../../basics/Traced.ts"
import { Audit, type AuditEntry, changedFields } from "../access/Audit.ts"
import type { BusinessHours } from "./BusinessHours.ts"
import {
  defaultVoiceFlag,
  enterpriseRefusal,
  type Organization,
  Organizations,
  type Plan,
  retentionOf,
  voiceTermsOf
} from "./Organization.ts"
import type { RetentionPolicy } from "./RetentionPolicy.ts"
import type { SlaPolicy } from "./SlaPolicy.ts"
import type { VoiceTerms } from "./VoiceTerms.ts"

/** 403: the organization's plan does not allow it; `message` is a sentence. */
export class OrganizationRefused extends Schema.TaggedError<OrganizationRefused>()("OrganizationRefused", {
  message: Schema.String
}) {}

export type FlagName = keyof Organization["flags"]

/** The terms to change. A term that is not given keeps its current value. */
export interface WantedVoiceTerms extends Partial<VoiceTerms> {
  readonly concurrentCalls?: number
}

/** `what`: the rest of the sentence behind "Only Enterprise". */
const onlyEnterprise = (organization: Pick<Organization, "plan">, what: string) => {
  const message = enterpriseRefusal(what, organization)
  return message === undefined ? Effect.void : Effect.fail(new OrganizationRefused({ message }))
}

/**
 * Needs Organizations and Audit once; the functions it gives need nothing. They take the organization as it was read, and give the values that hold
 * from now on.
 */
export const makeManageOrganization = Effect.gen(function* () {
  const organizations = yield* Organizations
  const audit = yield* Audit

  const recorded = (
    { id }: Pick<Organization, "id">,
    change: Effect.Effect<void>,
    what: string,
    states: Pick<AuditEntry, "before" | "after">
  ) => audit.recorded(id, change, () => ({ action: `organization.${what}`, subjectId: id, ...states }))

  /** Sets name and time zone; what is not given stays. */
  const setDetails = traced("ManageOrganization.setDetails")(function* (
    organization: Pick<Organization, "id" | "name" | "timeZone">,
    wanted: Partial<Pick<Organization, "name" | "timeZone">>
  ) {
    const before = { name: organization.name, timeZone: organization.timeZone }
    const after = { ...before, ...wanted }
    yield* recorded(
      organization,
      organizations.setDetails(organization.id, after),
      "changed",
      changedFields(before, after)
    )
    return after
  })

  /** Sets the business hours; null: always open. The time zone stays when none is given. */
  const setBusinessHours = traced("ManageOrganization.setBusinessHours")(function* (
    organization: Pick<Organization, "id" | "timeZone" | "businessHours">,
    wanted: { readonly timeZone?: string | undefined; readonly businessHours: BusinessHours | null }
  ) {
    const before = { timeZone: organization.timeZone, businessHours: organization.businessHours }
    const after = { timeZone: wanted.timeZone ?? before.timeZone, businessHours: wanted.businessHours }
    const set = organizations.setBusinessHours(organization.id, after.timeZone, after.businessHours)
    yield* recorded(organization, set, "business_hours_changed", changedFields(before, after))
    return after
  })

  /** Sets the SLA policy; null: conversations have no due times. */
  const setSlaPolicy = traced("ManageOrganization.setSlaPolicy")(function* (
    organization: Pick<Organization, "id" | "slaPolicy">,
    slaPolicy: SlaPolicy | null
  ) {
    const before = { slaPolicy: organization.slaPolicy }
    const after = { slaPolicy }
    yield* recorded(organization, organizations.setSlaPolicy(organization.id, slaPolicy), "sla_policy_changed", {
      before,
      after
    })
    return after
  })

  /** Sets retention periods; null: back to the default. A period that is not given stays as it is. */
  const setRetention = traced("ManageOrganization.setRetention")(function* (
    organization: Pick<Organization, "id" | "plan" | "retention">,
    wanted: Partial<RetentionPolicy> | null
  ) {
    yield* onlyEnterprise(organization, "sets its own retention")
    const before = retentionOf(organization)
    const retention = wanted === null ? null : { ...before, ...wanted }
    const after = retentionOf({ ...organization, retention })
    const set = organizations.setRetention(organization.id, retention)
    yield* recorded(organization, set, "retention_changed", changedFields(before, after))
    return after
  })

  /** Sets the plan. Without `voiceAgents` a new plan sets the flag to its default, and the same plan keeps the flag. */
  const setPlan = traced("ManageOrganization.setPlan")(function* (
    organization: Pick<Organization, "id" | "plan" | "flags">,
    plan: Plan,
    voiceAgents?: boolean
  ) {
    const before = { plan: organization.plan, voiceAgents: organization.flags.voiceAgents }
    const usual = plan === before.plan ? before.voiceAgents : defaultVoiceFlag(plan)
    const after = { plan, voiceAgents: voiceAgents ?? usual }
    const set = organizations.setPlan(organization.id, plan, after.voiceAgents)
    yield* recorded(organization, set, "plan_changed", { before, after })
    return { plan, flags: { ...organization.flags, voiceAgents: after.voiceAgents } }
  })

  const setFlag = traced("ManageOrganization.setFlag")(function* (
    { id, flags }: Pick<Organization, "id" | "flags">,
    flag: FlagName,
    on: boolean
  ) {
    const [before, after] = [{ [flag]: flags[flag] }, { [flag]: on }]
    yield* recorded({ id }, organizations.setFlags(id, after), "flag_changed", { before, after })
    return { flags: { ...flags, ...after } }
  })

  /** Sets voice terms and the limit of concurrent calls; null: back to those of the plan. */
  const setVoiceTerms = traced("ManageOrganization.setVoiceTerms")(function* (
    organization: Pick<Organization, "id" | "plan" | "voiceTerms" | "concurrentCalls">,
    wanted: WantedVoiceTerms | null
  ) {
    yield* onlyEnterprise(organization, "has terms of its own")
    const { id, voiceTerms, concurrentCalls } = organization
    const before = { voiceTerms, concurrentCalls }
    const after = wanted === null ? { voiceTerms: null, concurrentCalls: null } : agreed(organization, wanted)
    const set = Effect.andThen(
      organizations.setVoiceTerms(id, after.voiceTerms),
      organizations.setConcurrentCalls(id, after.concurrentCalls)
    )
    yield* recorded(organization, set, "voice_terms_changed", changedFields(before, after))
    return after
  })

  /** Sets the AI tokens of a month; null: back to those of the plan. */
  const setAiTokensPerMonth = traced("ManageOrganization.setAiTokensPerMonth")(function* (
    organization: Pick<Organization, "id" | "plan" | "aiTokensPerMonth">,
    aiTokensPerMonth: number | null
  ) {
    yield* onlyEnterprise(organization, "has an allowance of AI tokens of its own")
    const before = { aiTokensPerMonth: organization.aiTokensPerMonth }
    const after = { aiTokensPerMonth }
    const set = organizations.setAiTokensPerMonth(organization.id, aiTokensPerMonth)
    yield* recorded(organization, set, "ai_tokens_changed", { before, after })
    return after
  })

  return {
    setDetails,
    setBusinessHours,
    setSlaPolicy,
    setRetention,
    setPlan,
    setFlag,
    setVoiceTerms,
    setAiTokensPerMonth
  }
})

/** Minutes and price are stored together: when only one of them is given, the other keeps its current value. */
const agreed = (
  organization: Pick<Organization, "plan" | "voiceTerms" | "concurrentCalls">,
  { concurrentCalls = organization.concurrentCalls ?? undefined, ...priced }: WantedVoiceTerms
): Pick<Organization, "voiceTerms" | "concurrentCalls"> => ({
  voiceTerms: Object.keys(priced).length === 0 ? organization.voiceTerms : { ...voiceTermsOf(organization), ...priced },
  concurrentCalls: concurrentCalls ?? null
})
