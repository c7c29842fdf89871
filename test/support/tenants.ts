/** The stores on a real database, and records to put into them. */
import { randomBytes } from "node:crypto"
import { Effect } from "effect"
import { newId } from "../../src/domain/basics/Ids.ts"
import { type NewOrganization, Organizations } from "../../src/domain/people/organizations/Organization.ts"
import { type VoiceAgent, voiceAgentDefaults } from "../../src/domain/voice/agents/VoiceAgent.ts"
import { loneDatabase, testDatabase } from "./postgres.ts"
import { newRing, storesOver } from "./stores.ts"

/** All stores, over a new database. */
export const testStores = storesOver(testDatabase, newRing())

/** All stores, over a database on a server of their own. */
export const loneStores = storesOver(loneDatabase, newRing())

/** A new PREMIUM organization. */
export const newOrganization = Effect.fnUntraced(function* (input: Partial<NewOrganization> = {}) {
  const organizations = yield* Organizations
  return yield* organizations.create({ name: "Acme", plan: "PREMIUM", timeZone: "Asia/Kolkata", ...input })
})

/** A valid agent record, not yet stored. */
export const agentOf = (organizationId: string, changes: Partial<VoiceAgent> = {}): VoiceAgent => ({
  ...voiceAgentDefaults,
  id: newId("agt"),
  organizationId,
  name: `Front desk ${randomBytes(4).toString("hex")}`,
  welcomeMessage: "Welcome to Acme.",
  voiceFamily: "english",
  voiceId: "aura-2-thalia-en",
  systemPrompt: "You answer the phone of Acme.",
  phoneNumber: null,
  providerStack: {
    speechToText: "saarika:v2.5",
    reasoning: "hosted",
    textToSpeech: "aura-2-thalia-en",
    lockedAt: null
  },
  createdAt: new Date().toISOString(),
  updatedAt: new Date().toISOString(),
  ...changes
})
