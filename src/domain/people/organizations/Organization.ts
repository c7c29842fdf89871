/** An organization is a tenant: all data belongs to one. Its plan and flags decide what it may do. */
import { Context, Effect, Option, Schema, Stream, Struct } from "effect"
import { BusinessHours } from "./BusinessHours.ts"
import { defaultRetention, RetentionPolicy } from "./RetentionPolicy.ts"
import { SlaPolicy } from "./SlaPolicy.ts"
import { VoiceTerms } from "./VoiceTerms.ts"

export const Plan = Schema.Literals(["FREE", "STARTER", "PRO", "PREMIUM", "ENTERPRISE"])
export type Plan = typeof Plan.Type

/** The price of Premium, 0.12 USD, in micro-dollars. Enterprise organizations have their own (`voiceTerms`). */
const overageMicrosPerMinute = 120_000

interface PlanRules {
  readonly rank: number
  readonly concurrentCalls: number
  /** The most voice agents of an organization. Engines store the configuration of each. */
  readonly voiceAgents: number
  /** The most contacts of one broadcast; null: any number. */
  readonly broadcastSize: number | null
  /** Tokens of language models a month, for text agents. Calls are metered by the minute. An ENTERPRISE organization may have its own. */
  readonly aiTokensPerMonth: number
  /** The most knowledge bases, and the most passages in all of them. */
  readonly knowledge: { readonly bases: number; readonly passages: number }
  readonly voice: VoiceTerms
}

const withoutVoice = { minutesPerMonth: 0, overageMicrosPerMinute }

/** Everything that a plan decides. The values of ENTERPRISE are defaults; each organization may have its own. */
export const plans: Readonly<Record<Plan, PlanRules>> = {
  FREE: {
    rank: 0,
    concurrentCalls: 0,
    voiceAgents: 0,
    broadcastSize: 0,
    aiTokensPerMonth: 200_000,
    knowledge: { bases: 2, passages: 500 },
    voice: withoutVoice
  },
  STARTER: {
    rank: 1,
    concurrentCalls: 0,
    voiceAgents: 0,
    broadcastSize: 1_000,
    aiTokensPerMonth: 2_000_000,
    knowledge: { bases: 5, passages: 5_000 },
    voice: withoutVoice
  },
  PRO: {
    rank: 2,
    concurrentCalls: 0,
    voiceAgents: 0,
    broadcastSize: null,
    aiTokensPerMonth: 10_000_000,
    knowledge: { bases: 20, passages: 20_000 },
    voice: withoutVoice
  },
  PREMIUM: {
    rank: 3,
    concurrentCalls: 20,
    voiceAgents: 100,
    broadcastSize: null,
    aiTokensPerMonth: 30_000_000,
    knowledge: { bases: 50, passages: 20_000 },
    voice: { minutesPerMonth: 500, overageMicrosPerMinute }
  },
  ENTERPRISE: {
    rank: 4,
    concurrentCalls: 200,
    voiceAgents: 500,
    broadcastSize: null,
    aiTokensPerMonth: 30_000_000,
    knowledge: { bases: 200, passages: 100_000 },
    voice: withoutVoice
  }
}

/** The AI tokens of a month that an organization can have as its own. */
export const AiTokensPerMonth = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000_000 }))

/** The limits of concurrent calls that an organization can have as its own. */
export const ConcurrentCalls = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 }))

export const Organization = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  plan: Plan,
  /** Those in force: set for this organization, and let through by the gates of the installation (`operators/FlagGate`). */
  flags: Schema.Struct({ voiceAgents: Schema.Boolean, voicePremium: Schema.Boolean }),
  /** IANA name, e.g. `Asia/Kolkata`. */
  timeZone: Schema.String,
  /** Null: always open. */
  businessHours: Schema.NullOr(BusinessHours),
  disclosureText: Schema.String,
  /** What agents of a language say instead, by the language. */
  disclosureTexts: Schema.Record(Schema.String, Schema.String),
  /** The terms of an ENTERPRISE organization; null: those of the plan. */
  voiceTerms: Schema.NullOr(VoiceTerms),
  /** The most concurrent calls of an ENTERPRISE organization; null: as many as the plan allows. */
  concurrentCalls: Schema.NullOr(Schema.Int),
  /** The AI tokens that the text agents of an ENTERPRISE organization may use in a month; null: those of the plan. */
  aiTokensPerMonth: Schema.NullOr(AiTokensPerMonth),
  /** The retention periods of an ENTERPRISE organization; null: the default. */
  retention: Schema.NullOr(RetentionPolicy),
  /** Null: conversations have no due times. */
  slaPolicy: Schema.NullOr(SlaPolicy),
  createdAt: Schema.String,
  updatedAt: Schema.String
})
export type Organization = typeof Organization.Type

export const defaultDisclosureText = "Hello. You may be speaking with an AI assistant on this call."

/** The most concurrent calls of an organization, inbound and outbound together. Its own limit counts on ENTERPRISE only. */
export const concurrentCalls = ({ plan, concurrentCalls }: Pick<Organization, "plan" | "concurrentCalls">): number =>
  (plan === "ENTERPRISE" ? concurrentCalls : null) ?? plans[plan].concurrentCalls

/** The default of the flag `voiceAgents` on a plan: on for PREMIUM during the rollout, off for all others. */
export const defaultVoiceFlag = (plan: Plan): boolean => plan === "PREMIUM"

/** The allowance and price of an organization's calls. Its own terms count on ENTERPRISE only. */
export const voiceTermsOf = ({ plan, voiceTerms }: Pick<Organization, "plan" | "voiceTerms">): VoiceTerms =>
  (plan === "ENTERPRISE" ? voiceTerms : null) ?? plans[plan].voice

/** The tokens of language models that an organization's text agents may use in a month. Its own number counts on ENTERPRISE only. */
export const aiTokensOf = ({ plan, aiTokensPerMonth }: Pick<Organization, "plan" | "aiTokensPerMonth">): number =>
  (plan === "ENTERPRISE" ? aiTokensPerMonth : null) ?? plans[plan].aiTokensPerMonth

/** The retention periods of an organization. Its own periods count on ENTERPRISE only. */
export const retentionOf = ({ plan, retention }: Pick<Organization, "plan" | "retention">): RetentionPolicy =>
  (plan === "ENTERPRISE" ? retention : null) ?? defaultRetention

/** The sentence that says why this organization may not use voice agents; `undefined` when it may. */
export const voiceRefusal = (organization: Pick<Organization, "plan" | "flags">): string | undefined => {
  if (plans[organization.plan].rank < plans.PREMIUM.rank)
    return `Voice agents need the Premium or Enterprise plan; this organization is on ${organization.plan}.`
  if (!organization.flags.voiceAgents) return "Voice agents are switched off for this organization (flag voiceAgents)."
  return undefined
}

/** What needs a plan: the lowest plan that has it, and the beginning of the sentence that refuses it. */
const features = {
  webhooks: { plan: "STARTER", needs: "Outgoing webhooks need" },
  automation: { plan: "STARTER", needs: "Automation hooks need" },
  mcpStdio: { plan: "STARTER", needs: "MCP over stdio needs" },
  mcp: { plan: "PRO", needs: "MCP over the network needs" },
  integrations: { plan: "PRO", needs: "Integrations need" },
  modules: { plan: "PREMIUM", needs: "Companies, products, orders and suppliers need" }
} as const satisfies Record<string, { readonly plan: Plan; readonly needs: string }>
export type PlanFeature = keyof typeof features

/** What needs a plan, in the order of the plans. */
export const planFeatures = Struct.keys(features)

const planNames: Readonly<Record<Plan, string>> = {
  FREE: "Free",
  STARTER: "Starter",
  PRO: "Pro",
  PREMIUM: "Premium",
  ENTERPRISE: "Enterprise"
}

/** The sentence that says why this organization's plan does not have the feature; `undefined` when it has. */
export const planRefusal = (feature: PlanFeature, { plan }: Pick<Organization, "plan">): string | undefined => {
  const { plan: lowest, needs } = features[feature]
  return plans[plan].rank < plans[lowest].rank
    ? `${needs} the ${planNames[lowest]} plan or a higher one; this organization is on ${plan}.`
    : undefined
}

/** The sentence that says why this organization's plan has no broadcasts; `undefined` when it has. */
export const broadcastRefusal = ({ plan }: Pick<Organization, "plan">): string | undefined =>
  plans[plan].broadcastSize === 0
    ? `Broadcasts need the Starter plan or a higher one; this organization is on ${plan}.`
    : undefined

/** The sentence that says why this organization may not do what only Enterprise does; `undefined` when it may. `what`: e.g. `sets its own retention`. */
export const enterpriseRefusal = (what: string, { plan }: Pick<Organization, "plan">): string | undefined =>
  plan === "ENTERPRISE" ? undefined : `Only Enterprise ${what}; this organization is on ${plan}.`

/** The sentence that says why this organization may not use the premium voices; `undefined` when it may. */
export const premiumRefusal = ({ flags }: Pick<Organization, "flags">): string | undefined =>
  flags.voicePremium
    ? undefined
    : "Premium voices need the flag voicePremium, which only an administrator can switch on."

export interface NewOrganization {
  /** Without it the organization gets a new id. */
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
    /** The same, but `undefined` when there is an organization already. Of several that try at once, one succeeds. */
    readonly createFirst: (input: NewOrganization) => Effect.Effect<Organization | undefined>
    readonly find: (organizationId: string) => Effect.Effect<Organization | undefined>
    /** Sets the plan and the flag `voiceAgents` together. The terms of an ENTERPRISE organization stay stored, but count on that plan only. */
    readonly setPlan: (organizationId: string, plan: Plan, voiceAgents: boolean) => Effect.Effect<void>
    readonly setFlags: (organizationId: string, flags: Partial<Organization["flags"]>) => Effect.Effect<void>
    /** `texts`: what agents of a language say instead; without it they stay as they are. */
    readonly setDisclosureText: (
      organizationId: string,
      text: string,
      texts?: Organization["disclosureTexts"]
    ) => Effect.Effect<void>
    /** Null: those of the plan. They apply to calls that end from now on. */
    readonly setVoiceTerms: (organizationId: string, terms: VoiceTerms | null) => Effect.Effect<void>
    /** Null: as many as the plan allows. It applies from the next call on. */
    readonly setConcurrentCalls: (organizationId: string, limit: number | null) => Effect.Effect<void>
    /** Null: those of the plan. It applies from the next turn of a text agent on. */
    readonly setAiTokensPerMonth: (organizationId: string, tokens: number | null) => Effect.Effect<void>
    /** Sets name and time zone together. */
    readonly setDetails: (
      organizationId: string,
      details: Pick<Organization, "name" | "timeZone">
    ) => Effect.Effect<void>
    /** Null: the default. */
    readonly setRetention: (organizationId: string, retention: RetentionPolicy | null) => Effect.Effect<void>
    /**
     * Null: no policy. It applies to conversations that the contact opens from now on. Conversations with running clocks keep their due times, or
     * lose them when there is no policy.
     */
    readonly setSlaPolicy: (organizationId: string, policy: SlaPolicy | null) => Effect.Effect<void>
    /** At most `most` ids after `after`, in order: for work that goes through all organizations. */
    readonly idsAfter: (after: string, most: number) => Effect.Effect<ReadonlyArray<string>>
    /** Sets time zone and hours together; null hours: always open. */
    readonly setBusinessHours: (
      organizationId: string,
      timeZone: string,
      hours: BusinessHours | null
    ) => Effect.Effect<void>
  }
>()("parley/domain/Organizations") {}

const page = 100

/** The ids of all organizations in their order, or of those behind `from`. An organization that is created meanwhile may be among them. */
export const everyOrganization = (
  { idsAfter }: Pick<Organizations["Service"], "idsAfter">,
  from = ""
): Stream.Stream<string> =>
  Stream.paginate(from, (after) =>
    Effect.map(idsAfter(after, page), (ids) => [
      ids,
      ids.length < page ? Option.none() : Option.fromNullishOr(ids.at(-1))
    ])
  )
