/** The organization whose agents the benches call. */
import { randomBytes } from "node:crypto"
import { Effect } from "effect"
import { assignFreeNumber, createAgent } from "../../src/cli/demo/organization.ts"
import { ApiKeys } from "../../src/domain/people/access/ApiKey.ts"
import { Organizations } from "../../src/domain/people/organizations/Organization.ts"
import { TelephonyConnections } from "../../src/domain/voice/telephony/PhoneNumber.ts"

export interface Agent {
  readonly agentId: string
  readonly calledNumber: string
}

/** An organization on the largest plan, with a key for the REST interface and a telephony account. */
export const createOrganization = Effect.fn("Bench.createOrganization")(function* (disclosureText: string) {
  const { id: organizationId } = yield* (yield* Organizations).create({
    name: "Bench",
    plan: "ENTERPRISE",
    timeZone: "Asia/Kolkata",
    flags: { voiceAgents: true },
    disclosureText
  })
  const { secret: key } = yield* (yield* ApiKeys).create({ organizationId, name: "bench" })
  const accountSid = `AC${randomBytes(16).toString("hex")}`
  const authToken = randomBytes(16).toString("hex")
  yield* (yield* TelephonyConnections).save({ organizationId, accountSid, authToken })
  return { organizationId, key, accountSid, authToken }
})

/** An agent with a number of its own; `settings` as the REST interface takes them. */
export const createCalledAgent = Effect.fn("Bench.createCalledAgent")(function* (
  baseUrl: string,
  organization: { readonly organizationId: string; readonly key: string },
  settings: object
) {
  const agentId = yield* createAgent(baseUrl, organization.key, settings)
  const calledNumber = yield* assignFreeNumber(organization.organizationId, agentId)
  return { agentId, calledNumber } satisfies Agent
})
