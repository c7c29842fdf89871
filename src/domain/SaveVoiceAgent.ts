/**
 * Use case: make, change and remove voice agents. Order of a save: gates (403), the settings (400), the record together with
 * the push to the engine. The engine's refusal undoes the record, so what is stored is what an engine has accepted.
 */
import { Clock, Effect, Schema } from "effect"
import { agentConfig, lockedStack } from "./AgentConfigs.ts"
import { applyChanges, type NewVoiceAgent, type VoiceAgentChanges, withDefaults } from "./AgentInput.ts"
import { type AgentView, agentView } from "./AgentView.ts"
import { EngineClient, type EngineProtocolError } from "./EngineProtocol.ts"
import { newId } from "./Ids.ts"
import { type Organization, Organizations, voiceRefusal } from "./Organization.ts"
import { type DuplicateAgent, type VoiceAgent, type VoiceAgentSettings, VoiceAgents } from "./VoiceAgent.ts"
import { findVoice } from "./Voices.ts"

/** 400: `message` is a sentence that names the field. */
export class InvalidAgent extends Schema.TaggedError<InvalidAgent>()("InvalidAgent", {
  field: Schema.String,
  message: Schema.String
}) {}
/** 403: plan or flag does not allow it. */
export class AgentNotAllowed extends Schema.TaggedError<AgentNotAllowed>()("AgentNotAllowed", {
  message: Schema.String
}) {}
/** 404: not there, or another organization's. */
export class AgentNotFound extends Schema.TaggedError<AgentNotFound>()("AgentNotFound", { agentId: Schema.String }) {}

export type SaveError = InvalidAgent | AgentNotAllowed | DuplicateAgent | EngineProtocolError

const destination = /^(\+[1-9]\d{6,14}|sips?:[^\s@]+@[^\s@]+)$/

/** The first rule the settings break, or `undefined`. */
export const invalidSetting = (settings: VoiceAgentSettings): InvalidAgent | undefined => {
  const invalid = (field: string, problem: string) => new InvalidAgent({ field, message: `${field} ${problem}` })
  const { voiceFamily, voiceId, endpointing, humanDestination, tools } = settings
  if (settings.name.trim() === "") return invalid("name", "must not be blank.")
  if (settings.welcomeMessage.trim() === "") return invalid("welcomeMessage", "must not be blank.")
  if (findVoice(voiceFamily, voiceId) === undefined)
    return invalid("voiceId", `"${voiceId}" is not a voice of the ${voiceFamily} family.`)
  if (endpointing.minSilenceMs > endpointing.maxSilenceMs)
    return invalid("endpointing.minSilenceMs", "must not be greater than endpointing.maxSilenceMs.")
  if (humanDestination !== null && !destination.test(humanDestination))
    return invalid("humanDestination", "must be a number like +14155550123 or a sip: address.")
  const names = tools.map((tool) => tool.name)
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) return invalid("tools", `has two tools named "${repeated}".`)
  const address = tools.find((tool) => tool.handler?.type === "http" && !/^https?:$/.test(protocolOf(tool.handler.url)))
  if (address !== undefined)
    return invalid("tools", `has a handler url of "${address.name}" that is not an http(s) URL.`)
  return undefined
}

const protocolOf = (url: string): string => (URL.canParse(url) ? new URL(url).protocol : "")

/** Needs the stores and the engine once; the functions it gives need nothing. */
export const makeSaveVoiceAgent = Effect.gen(function* () {
  const organizations = yield* Organizations
  const agents = yield* VoiceAgents
  const engine = yield* EngineClient

  const allowed = Effect.fnUntraced(function* (organizationId: string) {
    const organization = yield* organizations.find(organizationId)
    if (organization === undefined)
      return yield* new AgentNotAllowed({ message: "This organization no longer exists." })
    const refusal = voiceRefusal(organization)
    if (refusal !== undefined) return yield* new AgentNotAllowed({ message: refusal })
    return organization
  })

  const check = Effect.fnUntraced(function* (organization: Organization, settings: VoiceAgentSettings) {
    const invalid = invalidSetting(settings)
    if (invalid !== undefined) return yield* invalid
    if (settings.voiceFamily === "premium" && !organization.flags.voicePremium)
      return yield* new AgentNotAllowed({
        message: "Premium voices need the flag voicePremium, which only an administrator can switch on."
      })
  })

  const now = Effect.map(Clock.currentTimeMillis, (ms) => new Date(ms).toISOString())

  /** The new record; fails with what stands against it, and then nothing is stored. */
  const create = Effect.fn("SaveVoiceAgent.create")(function* (organizationId: string, input: NewVoiceAgent) {
    const organization = yield* allowed(organizationId)
    const settings = withDefaults(input)
    yield* check(organization, settings)
    const time = yield* now
    const agent: VoiceAgent = {
      ...settings,
      id: newId("agt", Date.parse(time)),
      organizationId,
      phoneNumber: null,
      providerStack: lockedStack(settings),
      createdAt: time,
      updatedAt: time
    }
    yield* agents.create(agent, engine.putAgent(agentConfig(agent, organization)))
    return agentView(agent, organization)
  })

  /** The changed record; what is not among `changes` keeps its value. */
  const update = Effect.fn("SaveVoiceAgent.update")(function* (
    organizationId: string,
    agentId: string,
    changes: VoiceAgentChanges
  ): Effect.fn.Return<AgentView, SaveError | AgentNotFound> {
    const organization = yield* allowed(organizationId)
    const before = yield* agents.find(organizationId, agentId)
    if (before === undefined) return yield* new AgentNotFound({ agentId })
    const settings = applyChanges(before, changes)
    yield* check(organization, settings)
    const { id, phoneNumber, createdAt } = before
    const updatedAt = yield* now
    const providerStack = lockedStack(settings)
    const agent: VoiceAgent = { ...settings, id, organizationId, phoneNumber, providerStack, createdAt, updatedAt }
    yield* agents.update(agent, engine.putAgent(agentConfig(agent, organization)))
    return agentView(agent, organization)
  })

  /** Engine first: if it cannot be reached the record stays, and the removal can be asked for again. */
  const remove = Effect.fn("SaveVoiceAgent.remove")(function* (organizationId: string, agentId: string) {
    if ((yield* agents.find(organizationId, agentId)) === undefined) return yield* new AgentNotFound({ agentId })
    yield* engine.deleteAgent(organizationId, agentId)
    if (!(yield* agents.remove(organizationId, agentId))) return yield* new AgentNotFound({ agentId })
  })

  return { create, update, remove }
})
