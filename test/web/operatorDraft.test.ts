/** What the form of an organization asks the service for. */
import { describe, expect, it } from "vitest"
import { changesIn, draftOf } from "../../web/src/features/operator/organizationDraft.ts"

const own = { minutesPerMonth: null, overageMicrosPerMinute: null, concurrentCalls: null, aiTokensPerMonth: null }
const limits = {
  concurrentCalls: 20,
  voiceAgents: 100,
  minutesPerMonth: 500,
  overageMicrosPerMinute: 120_000,
  aiTokensPerMonth: 30_000_000
}
const before = draftOf({
  ...{ id: "org_1", name: "Maple Books", plan: "PREMIUM", stage: "production", timeZone: "UTC", voiceAgents: 1 },
  flags: { voiceAgents: { set: true, inForce: false }, voicePremium: { set: false, inForce: false } },
  usage: { month: "2026-11", calls: 0, minutes: { allowed: 500, used: 0 }, aiTokens: { allowed: 1, used: 0 } },
  createdAt: "2026-11-20T08:00:00.000Z",
  ...{ limits, own }
})

describe("the form of an organization", () => {
  it("shows what the organization has, not what the gates let through", () => {
    expect(before).toMatchObject({ plan: "PREMIUM", voiceAgents: true, overageUsd: 0.12 })
  })

  it("asks for nothing while nothing differs, and for what differs alone", () => {
    expect(changesIn(before, before)).toEqual({})
    expect(changesIn(before, { ...before, voicePremium: true })).toEqual({ flags: { voicePremium: true } })
    expect(changesIn(before, { ...before, stage: "staging" })).toEqual({ stage: "staging" })
  })

  it("asks with a new plan for all that it shows, and for terms on Enterprise only", () => {
    const terms = { minutesPerMonth: 9_000, overageUsd: 0.085 }
    expect(changesIn(before, { ...before, plan: "ENTERPRISE", ...terms })).toEqual({
      plan: "ENTERPRISE",
      flags: { voiceAgents: true },
      terms: { minutesPerMonth: 9_000, overageMicrosPerMinute: 85_000, concurrentCalls: 20 },
      aiTokensPerMonth: 30_000_000
    })
    const enterprise = { ...before, plan: "ENTERPRISE" as const }
    expect(changesIn(enterprise, { ...enterprise, minutesPerMonth: 1 })).toEqual({ terms: { minutesPerMonth: 1 } })
    expect(changesIn(before, { ...before, plan: "PRO", voiceAgents: false, ...terms })).toEqual({
      plan: "PRO",
      flags: { voiceAgents: false }
    })
  })
})
