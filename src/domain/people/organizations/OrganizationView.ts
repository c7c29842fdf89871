/**
 * What everybody in an organization may know of it: its name and time zone, and what its plan and flags allow, each with the sentence that says why
 * not. So a page shows at once what a request would be refused.
 */
import { Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"
import {
  aiTokensOf,
  broadcastRefusal,
  concurrentCalls,
  Organization,
  planFeatures,
  planRefusal,
  plans,
  premiumRefusal,
  voiceRefusal,
  voiceTermsOf
} from "./Organization.ts"

const Feature = Schema.Struct({
  id: Schema.Literals([...planFeatures, "broadcasts", "voiceAgents", "voicePremium"]),
  available: Schema.Boolean,
  /** Why it is not available; null when it is. */
  reason: Schema.NullOr(Schema.String)
})

const whole = Schema.Int

export const OrganizationView = Schema.Struct({
  id: Organization.fields.id,
  name: Organization.fields.name,
  timeZone: Organization.fields.timeZone,
  plan: Organization.fields.plan,
  flags: Organization.fields.flags,
  features: Schema.Array(Feature),
  limits: Schema.Struct({
    concurrentCalls: whole,
    voiceAgents: whole,
    voiceMinutesPerMonth: whole,
    /** Contacts of one broadcast; null: any number. */
    broadcastSize: Schema.NullOr(whole),
    aiTokensPerMonth: whole,
    knowledgeBases: whole,
    knowledgePassages: whole
  })
}).annotate({
  title: "Organization",
  examples: [
    {
      id: exampleIds.organization,
      name: "Maple Books",
      timeZone: "America/New_York",
      plan: "PREMIUM",
      flags: { voiceAgents: true, voicePremium: false },
      features: [
        { id: "modules", available: true, reason: null },
        {
          id: "voicePremium",
          available: false,
          reason: "Premium voices need the flag voicePremium, which only an administrator can switch on."
        }
      ],
      limits: {
        concurrentCalls: 20,
        voiceAgents: 100,
        voiceMinutesPerMonth: 500,
        broadcastSize: null,
        aiTokensPerMonth: 30_000_000,
        knowledgeBases: 50,
        knowledgePassages: 20_000
      }
    }
  ]
})
export type OrganizationView = typeof OrganizationView.Type

const featuresOf = (organization: Organization): OrganizationView["features"] => {
  const feature = (id: (typeof Feature.Type)["id"], refusal: string | undefined) => ({
    id,
    available: refusal === undefined,
    reason: refusal ?? null
  })
  return [
    ...planFeatures.map((id) => feature(id, planRefusal(id, organization))),
    feature("broadcasts", broadcastRefusal(organization)),
    feature("voiceAgents", voiceRefusal(organization)),
    feature("voicePremium", voiceRefusal(organization) ?? premiumRefusal(organization))
  ]
}

/** The organization as everybody in it sees it. */
export const viewOfOrganization = (organization: Organization): OrganizationView => {
  const { id, name, timeZone, plan, flags } = organization
  const { voiceAgents, broadcastSize, knowledge } = plans[plan]
  return {
    id,
    name,
    timeZone,
    plan,
    flags,
    features: featuresOf(organization),
    limits: {
      concurrentCalls: concurrentCalls(organization),
      voiceAgents,
      voiceMinutesPerMonth: voiceTermsOf(organization).minutesPerMonth,
      broadcastSize,
      aiTokensPerMonth: aiTokensOf(organization),
      knowledgeBases: knowledge.bases,
      knowledgePassages: knowledge.passages
    }
  }
}
