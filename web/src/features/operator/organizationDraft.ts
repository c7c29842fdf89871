/** What an operator may change of an organization, as a form holds it, and the request that makes it so. */
import type {
  OperatedOrganization,
  OperatedOrganizationChanges,
  OperatedOrganizationDetail
} from "../../api/operators/types.ts"

/** Money in requests is integer micro-dollars. */
const microsPerUsd = 1_000_000

export interface OrganizationDraft {
  readonly plan: OperatedOrganization["plan"]
  readonly stage: OperatedOrganization["stage"]
  readonly voiceAgents: boolean
  readonly voicePremium: boolean
  readonly minutesPerMonth: number
  readonly overageUsd: number
  readonly concurrentCalls: number
  readonly aiTokensPerMonth: number
}

export const draftOf = ({ plan, stage, flags, limits }: OperatedOrganizationDetail): OrganizationDraft => ({
  ...{ plan, stage },
  voiceAgents: flags.voiceAgents.set,
  voicePremium: flags.voicePremium.set,
  minutesPerMonth: limits.minutesPerMonth,
  overageUsd: limits.overageMicrosPerMinute / microsPerUsd,
  concurrentCalls: limits.concurrentCalls,
  aiTokensPerMonth: limits.aiTokensPerMonth
})

type Changes = Omit<OperatedOrganizationChanges, "reason">

const changed = <Name extends keyof OrganizationDraft>(
  before: OrganizationDraft,
  after: OrganizationDraft,
  name: Name
) => (before[name] === after[name] ? undefined : after[name])

const withoutUndefined = <A extends object>(fields: A): Partial<A> | undefined => {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return given.length === 0 ? undefined : (Object.fromEntries(given) as Partial<A>)
}

/** Only what differs. Terms are those of an ENTERPRISE organization, so of another plan they are left out. */
export const changesIn = (before: OrganizationDraft, after: OrganizationDraft): Changes => {
  const of = <Name extends keyof OrganizationDraft>(name: Name) => changed(before, after, name)
  const hasTerms = after.plan === "ENTERPRISE"
  // With a new plan the terms of before would not hold: what is shown is what is asked for.
  const term = <Name extends keyof OrganizationDraft>(name: Name) =>
    before.plan === after.plan ? of(name) : after[name]
  const overage = term("overageUsd")
  return (
    withoutUndefined({
      plan: of("plan"),
      stage: of("stage"),
      flags: withoutUndefined({
        // A new plan would set this flag to its usual value: what is shown is what is asked for.
        voiceAgents: before.plan === after.plan ? of("voiceAgents") : after.voiceAgents,
        voicePremium: of("voicePremium")
      }),
      terms: hasTerms
        ? withoutUndefined({
            minutesPerMonth: term("minutesPerMonth"),
            overageMicrosPerMinute: overage === undefined ? undefined : Math.round(overage * microsPerUsd),
            concurrentCalls: term("concurrentCalls")
          })
        : undefined,
      aiTokensPerMonth: hasTerms ? term("aiTokensPerMonth") : undefined
    }) ?? {}
  )
}
