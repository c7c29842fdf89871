/** An organization: the tenant everything belongs to; its plan and flags decide what it may do. */
import { Context, Effect, Option, Schema, Stream } from "effect"
import { BusinessHours } from "./BusinessHours.ts"
import { defaultRetention, RetentionPolicy } from "./RetentionPolicy.ts"
import { SlaPolicy } from "./SlaPolicy.ts"
import { VoiceTerms } from "./VoiceTerms.ts"

export const Plan = Schema.Literals(["FREE", "STARTER", "PRO", "PREMIUM", "ENTERPRISE"])
export type Plan = typeof Plan.Type

/** 0.12 USD, the price of Premium; Enterprise has its own (`voiceTerms`). */
const overageMicrosPerMinute = 120_000

interface PlanRules {
  readonly rank: number
  readonly concurrentCalls: number
  /** How many an organization may make. Engines keep the configuration of each. */
  readonly voiceAgents: number
  /** Contacts that one broadcast reaches at most; null: any number. */
  readonly broadcastSize: number | null
  readonly voice: VoiceTerms
}

const withoutVoice = { minutesPerMonth: 0, overageMicrosPerMinute }

/** One table for everything a plan decides. What ENTERPRISE has here are defaults, set per organization. */
export const plans: Readonly<Record<Plan, PlanRules>> = {
  FREE: { rank: 0, concurrentCalls: 0, voiceAgents: 0, broadcastSize: 0, voice: withoutVoice },
  STARTER: { rank: 1, concurrentCalls: 0, voiceAgents: 0, broadcastSize: 1_000, voice: withoutVoice },
  PRO: { rank: 2, concurrentCalls: 0, voiceAgents: 0, broadcastSize: null, voice: withoutVoice },
  PREMIUM: {
    rank: 3,
    concurrentCalls: 20,
    voiceAgents: 100,
    broadcastSize: null,
    voice: { minutesPerMonth: 500, overageMicrosPerMinute }
  },
  ENTERPRISE: { rank: 4, concurrentCalls: 200, voiceAgents: 500, broadcastSize: null, voice: withoutVoice }
}

/** What may be agreed on. */
export const ConcurrentCalls = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 }))

export const Organization = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  plan: Plan,
  flags: Schema.Struct({ voiceAgents: Schema.Boolean, voicePremium: Schema.Boolean }),
  /** IANA name, e.g. `Asia/Kolkata`. */
  timeZone: Schema.String,
  /** Null: no limit. */
  businessHours: Schema.NullOr(BusinessHours),
  disclosureText: Schema.String,
  /** Agreed with an ENTERPRISE organization; null: those of its plan. */
  voiceTerms: Schema.NullOr(VoiceTerms),
  /** How many calls an ENTERPRISE organization may have at once; null: as the plan says. */
  concurrentCalls: Schema.NullOr(Schema.Int),
  /** An ENTERPRISE organization's own; null: the default. */
  retention: Schema.NullOr(RetentionPolicy),
  /** Null: conversations have no due times. */
  slaPolicy: Schema.NullOr(SlaPolicy),
  createdAt: Schema.String,
  updatedAt: Schema.String
})
export type Organization = typeof Organization.Type

export const defaultDisclosureText = "Hello. You may be speaking with an AI assistant on this call."

/** How many calls this organization may have at once, whichever side began them. A limit of its own counts on ENTERPRISE only. */
export const concurrentCalls = ({ plan, concurrentCalls }: Pick<Organization, "plan" | "concurrentCalls">): number =>
  (plan === "ENTERPRISE" ? concurrentCalls : null) ?? plans[plan].concurrentCalls

/** Default of the `voiceAgents` flag for a new organization: on for PREMIUM during the rollout, off elsewhere. */
export const defaultVoiceFlag = (plan: Plan): boolean => plan === "PREMIUM"

/** Allowance and price of an organization's calls. Terms of its own count on ENTERPRISE only. */
export const voiceTermsOf = ({ plan, voiceTerms }: Pick<Organization, "plan" | "voiceTerms">): VoiceTerms =>
  (plan === "ENTERPRISE" ? voiceTerms : null) ?? plans[plan].voice

/** How long an organization keeps what its calls leave behind. Periods of its own count on ENTERPRISE only. */
export const retentionOf = ({ plan, retention }: Pick<Organization, "plan" | "retention">): RetentionPolicy =>
  (plan === "ENTERPRISE" ? retention : null) ?? defaultRetention

/** Why this organization may not use voice agents, as a sentence; `undefined` when it may. */
export const voiceRefusal = (organization: Pick<Organization, "plan" | "flags">): string | undefined => {
  if (plans[organization.plan].rank < plans.PREMIUM.rank)
    return `Voice agents need the Premium or Enterprise plan; this organization is on ${organization.plan}.`
  if (!organization.flags.voiceAgents) return "Voice agents are switched off for this organization (flag voiceAgents)."
  return undefined
}

/** Why this organization may not have outgoing webhooks, as a sentence; `undefined` when it may. */
export const webhooksRefusal = ({ plan }: Pick<Organization, "plan">): string | undefined =>
  plans[plan].rank < plans.STARTER.rank
    ? `Outgoing webhooks need the Starter plan or a higher one; this organization is on ${plan}.`
    : undefined

/** Why this organization may not use the premium voices, as a sentence; `undefined` when it may. */
export const premiumRefusal = ({ flags }: Pick<Organization, "flags">): string | undefined =>
  flags.voicePremium
    ? undefined
    : "Premium voices need the flag voicePremium, which only an administrator can switch on."

export interface NewOrganization {
  /** A new one when absent. */
  readonly id?: string
  readonly name: string
  readonly plan: Plan
  readonly timeZone: string
  readonly flags?: Partial<Organization["flags"]>
  readonly disclosureText?: string
}

export class Organizations extends Context.Service<
  Organizations,
  {
    readonly create: (input: NewOrganization) => Effect.Effect<Organization>
    readonly find: (organizationId: string) => Effect.Effect<Organization | undefined>
    /** With what it means for voice agents, in one step. What was agreed on with an ENTERPRISE organization is kept, and counts on that plan only. */
    readonly setPlan: (organizationId: string, plan: Plan, voiceAgents: boolean) => Effect.Effect<void>
    readonly setFlags: (organizationId: string, flags: Partial<Organization["flags"]>) => Effect.Effect<void>
    readonly setDisclosureText: (organizationId: string, text: string) => Effect.Effect<void>
    /** Null: those of the plan. For calls that end from now on. */
    readonly setVoiceTerms: (organizationId: string, terms: VoiceTerms | null) => Effect.Effect<void>
    /** Null: as many as the plan says. From the next call on. */
    readonly setConcurrentCalls: (organizationId: string, limit: number | null) => Effect.Effect<void>
    /** Null: the default. */
    readonly setRetention: (organizationId: string, retention: RetentionPolicy | null) => Effect.Effect<void>
    /** Null: none. For conversations that the contact opens from now on; those whose clocks run keep their due times, or lose them when there is no policy. */
    readonly setSlaPolicy: (organizationId: string, policy: SlaPolicy | null) => Effect.Effect<void>
    /** At most `most` ids in order, beginning behind `after`: for work that serves every organization. */
    readonly idsAfter: (after: string, most: number) => Effect.Effect<ReadonlyArray<string>>
    readonly setBusinessHours: (
      organizationId: string,
      timeZone: string,
      hours: BusinessHours | null
    ) => Effect.Effect<void>
  }
>()("parley/domain/Organizations") {}

const page = 100

/** The ids of all organizations. One that is made meanwhile may be among them. */
export const everyOrganization = ({ idsAfter }: Pick<Organizations["Service"], "idsAfter">): Stream.Stream<string> =>
  Stream.paginate("", (after) =>
    Effect.map(idsAfter(after, page), (ids) => [
      ids,
      ids.length < page ? Option.none() : Option.fromNullishOr(ids.at(-1))
    ])
  )
