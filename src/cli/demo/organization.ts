/** Sets up the demo's tenant: the organization through the domain's services, the agent through the REST interface. */
import { randomBytes, randomInt } from "node:crypto"
import { Effect } from "effect"
import { traced } from "../../domain/basics/Traced.ts"
import { Scope } from "../../domain/people/access/Access.ts"
import { ApiKeys } from "../../domain/people/access/ApiKey.ts"
import { Organizations } from "../../domain/people/organizations/Organization.ts"
import { DuplicateNumber, PhoneNumbers, TelephonyConnections } from "../../domain/voice/telephony/PhoneNumber.ts"
import { welcome } from "./dialogue.ts"
import { DemoFailed, made } from "./support/rest.ts"

export const humanNumber = "+14155550199"

/** The tool that asks the shop's order service. */
export const orderTool = (url: string) => ({
  name: "order_status",
  description: "Looks up where an order is",
  parameters: {
    type: "object",
    properties: { order: { type: "string", description: "Order number" } },
    required: ["order"]
  },
  handler: { type: "http", url, method: "POST" }
})

const agentSettings = (toolUrl: string) => ({
  name: "Maple Books reception",
  description: "Answers questions about hours, orders and delivery.",
  welcomeMessage: welcome,
  voiceFamily: "english",
  voiceId: "aura-2-thalia-en",
  primaryLanguage: "en-US",
  systemPrompt: "You are the receptionist of Maple Books. Answer in one or two short sentences.",
  humanDestination: humanNumber,
  silence: { promptAfterSeconds: 2, maxPrompts: 2, promptText: "Are you still there?", goodbyeText: "Goodbye." },
  tools: [orderTool(toolUrl)]
})

/** Creates an agent through the REST interface of a running service. Returns its id. */
export const createAgent = (baseUrl: string, key: string, settings: object) =>
  made({ baseUrl, key }, "/api/voice-agents", settings)

/** Assigns a random number to the agent. It tries again when another agent, of this or an earlier demo's organization, has the number. */
export const assignFreeNumber = Effect.fnUntraced(function* (organizationId: string, agentId: string) {
  const numbers = yield* PhoneNumbers
  const assignRandom = Effect.gen(function* () {
    const phone = `+1415555${String(randomInt(10_000)).padStart(4, "0")}`
    if ((yield* numbers.findByPhone(organizationId, phone)) !== undefined) return yield* new DuplicateNumber({ phone })
    yield* numbers.assign(organizationId, phone, agentId)
    return phone
  })
  return yield* assignRandom.pipe(
    Effect.retry({ times: 20 }),
    Effect.mapError(({ phone }) => new DemoFailed({ message: `The number ${phone} belongs to somebody else.` }))
  )
})

/** Creates an organization with a key, a telephony connection, an agent and a number. `changes` override the demo agent's settings. */
export const createTenant = traced("Demo.createTenant")(function* (
  baseUrl: string,
  toolUrl: string,
  changes: object = {}
) {
  const organization = yield* (yield* Organizations).create({
    name: "Maple Books",
    plan: "PREMIUM",
    timeZone: "America/Los_Angeles"
  })
  const organizationId = organization.id
  const { secret: key } = yield* (yield* ApiKeys).create({
    organizationId,
    name: "demo",
    scopes: Scope.literals
  })
  const accountSid = `AC${randomBytes(16).toString("hex")}`
  const authToken = randomBytes(16).toString("hex")
  yield* (yield* TelephonyConnections).save({ organizationId, accountSid, authToken })
  const agentId = yield* createAgent(baseUrl, key, { ...agentSettings(toolUrl), ...changes })
  const calledNumber = yield* assignFreeNumber(organizationId, agentId)
  return { organizationId, agentId, key, accountSid, authToken, organization, calledNumber }
})
