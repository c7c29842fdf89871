/** An organization as operators see it: its plan and stage, its flags as they were set and as they are in force, its terms, and what it uses. */
import { Context, type Effect, Schema } from "effect"
import { exampleIds } from "../basics/Examples.ts"
import type { Page } from "../basics/Listing.ts"
import { type Organization, Plan } from "../people/organizations/Organization.ts"
import { Stage } from "./FlagGate.ts"

/** `set`: the organization has the flag; `inForce`: it may use it, because the gate lets it through, too. */
const ShownFlag = Schema.Struct({ set: Schema.Boolean, inForce: Schema.Boolean })

const row = {
  id: Schema.String,
  name: Schema.String,
  plan: Plan,
  stage: Stage,
  timeZone: Schema.String,
  flags: Schema.Struct({ voiceAgents: ShownFlag, voicePremium: ShownFlag }),
  createdAt: Schema.String
}

const example = {
  id: exampleIds.organization,
  name: "Maple Books",
  plan: "ENTERPRISE" as const,
  stage: "production" as const,
  timeZone: "America/New_York",
  flags: { voiceAgents: { set: true, inForce: true }, voicePremium: { set: true, inForce: false } },
  createdAt: "2026-11-20T08:00:00.000Z"
}

export const OperatedOrganization = Schema.Struct(row).annotate({ title: "OperatedOrganization", examples: [example] })
export type OperatedOrganization = typeof OperatedOrganization.Type

const Used = Schema.Struct({ allowed: Schema.Int, used: Schema.Int })

export const OperatedOrganizationDetail = Schema.Struct({
  ...row,
  /** What holds now: the plan's, or an ENTERPRISE organization's own. */
  limits: Schema.Struct({
    concurrentCalls: Schema.Int,
    voiceAgents: Schema.Int,
    minutesPerMonth: Schema.Int,
    overageMicrosPerMinute: Schema.Int,
    aiTokensPerMonth: Schema.Int
  }),
  /** What an ENTERPRISE organization agreed on; null: those of the plan. On another plan it is kept and does not count. */
  own: Schema.Struct({
    minutesPerMonth: Schema.NullOr(Schema.Int),
    overageMicrosPerMinute: Schema.NullOr(Schema.Int),
    concurrentCalls: Schema.NullOr(Schema.Int),
    aiTokensPerMonth: Schema.NullOr(Schema.Int)
  }),
  /** Of the current month, in the organization's time zone. */
  usage: Schema.Struct({
    month: Schema.String,
    calls: Schema.Int,
    minutes: Used,
    aiTokens: Used
  }),
  voiceAgents: Schema.Int
}).annotate({
  title: "OperatedOrganizationDetail",
  examples: [
    {
      ...example,
      limits: {
        concurrentCalls: 200,
        voiceAgents: 500,
        minutesPerMonth: 10_000,
        overageMicrosPerMinute: 80_000,
        aiTokensPerMonth: 30_000_000
      },
      own: {
        minutesPerMonth: 10_000,
        overageMicrosPerMinute: 80_000,
        concurrentCalls: null,
        aiTokensPerMonth: null
      },
      usage: {
        month: "2026-11",
        calls: 412,
        minutes: { allowed: 10_000, used: 1_204 },
        aiTokens: { allowed: 30_000_000, used: 820_400 }
      },
      voiceAgents: 4
    }
  ]
})
export type OperatedOrganizationDetail = typeof OperatedOrganizationDetail.Type

/** An organization with its flags as they were set, whatever the gates say. */
export interface SetOrganization extends Organization {
  /** The flags that the gates let through. */
  readonly inForce: Organization["flags"]
  readonly stage: Stage
}

export interface OrganizationFilter {
  /** A part of the name, or a whole id. */
  readonly search?: string
  readonly plan?: Plan
  readonly stage?: Stage
}

export class OperatedOrganizations extends Context.Service<
  OperatedOrganizations,
  {
    readonly find: (organizationId: string) => Effect.Effect<SetOrganization | undefined>
    readonly setStage: (organizationId: string, stage: Stage) => Effect.Effect<void>
    /** Ids by name. */
    readonly search: (filter: OrganizationFilter, page: number, limit: number) => Effect.Effect<Page<string>>
  }
>()("parley/domain/OperatedOrganizations") {}
