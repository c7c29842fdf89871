/** An organization: the tenant everything belongs to; its plan and flags decide what it may do. */
import { Context, type Effect, Schema } from "effect"

export const Plan = Schema.Literals(["FREE", "STARTER", "PRO", "PREMIUM", "ENTERPRISE"])
export type Plan = typeof Plan.Type

/** One table for everything a plan decides. `concurrentCalls` and minutes of ENTERPRISE are defaults, set per organization. */
export const plans: Readonly<
  Record<Plan, { readonly rank: number; readonly concurrentCalls: number; readonly voiceMinutesPerMonth: number }>
> = {
  FREE: { rank: 0, concurrentCalls: 0, voiceMinutesPerMonth: 0 },
  STARTER: { rank: 1, concurrentCalls: 0, voiceMinutesPerMonth: 0 },
  PRO: { rank: 2, concurrentCalls: 0, voiceMinutesPerMonth: 0 },
  PREMIUM: { rank: 3, concurrentCalls: 20, voiceMinutesPerMonth: 500 },
  ENTERPRISE: { rank: 4, concurrentCalls: 200, voiceMinutesPerMonth: 0 }
}

export const BusinessHours = Schema.Struct({
  /** Opening intervals per ISO weekday (1 = Monday), minutes since local midnight. No entry: closed. `null` hours: always open. */
  intervals: Schema.Array(Schema.Struct({ weekday: Schema.Int, fromMinute: Schema.Int, toMinute: Schema.Int })),
  voicemailMessage: Schema.String
})
export type BusinessHours = typeof BusinessHours.Type

export const Organization = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  plan: Plan,
  flags: Schema.Struct({ voiceAgents: Schema.Boolean, voicePremium: Schema.Boolean }),
  /** IANA name, e.g. `Asia/Kolkata`. */
  timeZone: Schema.String,
  businessHours: Schema.NullOr(BusinessHours),
  disclosureText: Schema.String,
  createdAt: Schema.String,
  updatedAt: Schema.String
})
export type Organization = typeof Organization.Type

export const defaultDisclosureText = "Hello. You may be speaking with an AI assistant on this call."

/** Default of the `voiceAgents` flag for a new organization: on for PREMIUM during the rollout, off elsewhere. */
export const defaultVoiceFlag = (plan: Plan): boolean => plan === "PREMIUM"

/** Why this organization may not use voice agents, as a sentence; `undefined` when it may. */
export const voiceRefusal = (organization: Pick<Organization, "plan" | "flags">): string | undefined => {
  if (plans[organization.plan].rank < plans.PREMIUM.rank)
    return `Voice agents need the Premium or Enterprise plan; this organization is on ${organization.plan}.`
  if (!organization.flags.voiceAgents) return "Voice agents are switched off for this organization (flag voiceAgents)."
  return undefined
}

export interface NewOrganization {
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
    readonly setFlags: (organizationId: string, flags: Partial<Organization["flags"]>) => Effect.Effect<void>
    readonly setDisclosureText: (organizationId: string, text: string) => Effect.Effect<void>
  }
>()("parley/domain/Organizations") {}
