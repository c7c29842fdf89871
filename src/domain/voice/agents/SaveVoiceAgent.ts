/**
 * Use case: create, change and remove voice agents. Requests of one organization run one after the other. A save checks plan and flag (403),
 * then the settings (400), then the name (409); then it pushes to the engine (500) and writes the record. So the record holds only what an
 * engine has accepted. If the write fails after the push, the engine has a version that no call asks for. The next call gives it the right one.
 */
import { Clock, Effect, Equal, Schema } from "effect"
import { KnowledgeBases } from "../../ai/knowledge/KnowledgeBase.ts"
import { BuiltinTools, builtinProblem } from "../../ai/tools/BuiltinTools.ts"
import { makeForeignTools } from "../../ai/tools/ForeignTools.ts"
import { type ToolDefinition, toolDefinition } from "../../ai/tools/Tool.ts"
import { toolsProblem } from "../../ai/tools/ToolRules.ts"
import { keepSecrets, maskSecrets } from "../../ai/tools/ToolSecrets.ts"
import { Busy, Exclusive } from "../../basics/Exclusive.ts"
import { newId } from "../../basics/Ids.ts"
import { traced } from "../../basics/Traced.ts"
import { Audit, type AuditEntry, changedFields } from "../../people/access/Audit.ts"
import { type Organization, plans, premiumRefusal } from "../../people/organizations/Organization.ts"
import { EngineClient, type EngineProtocolError } from "../engine/EnginePorts.ts"
import { lockedStack } from "./AgentConfigs.ts"
import { applyChanges, type NewVoiceAgent, type VoiceAgentChanges, withDefaults } from "./AgentInput.ts"
import { agentView } from "./AgentView.ts"
import { makePresentConfig } from "./PresentConfig.ts"
import { DuplicateAgent, type VoiceAgent, type VoiceAgentSettings, VoiceAgents } from "./VoiceAgent.ts"
import { makeVoiceGate } from "./VoiceGate.ts"
import { findVoice, languageNames, speaks, suggestedFamily } from "./Voices.ts"

/** HTTP 400. `message` is a sentence that names the field. */
export class InvalidAgent extends Schema.TaggedError<InvalidAgent>()("InvalidAgent", {
  field: Schema.String,
  message: Schema.String
}) {}
/** HTTP 403: the organization's plan or flag does not allow it. */
export class AgentNotAllowed extends Schema.TaggedError<AgentNotAllowed>()("AgentNotAllowed", {
  message: Schema.String
}) {}
/** HTTP 404: the agent does not exist, or belongs to another organization. */
export class AgentNotFound extends Schema.TaggedError<AgentNotFound>()("AgentNotFound", { agentId: Schema.String }) {}

/** HTTP 409: somebody has saved the agent since the caller read it. */
export class AgentChanged extends Schema.TaggedError<AgentChanged>()("AgentChanged", { agentId: Schema.String }) {}

export type SaveError = InvalidAgent | AgentNotAllowed | DuplicateAgent | EngineProtocolError | Busy

/** Name of the lock for changes of an organization's agents. It keeps what is read, pushed to the engine and written the same. */
const agentsTurn = "voice agents"

const destination = /^(\+[1-9]\d{6,14}|sips?:[^\s@]+@[^\s@]+)$/

const invalid = (field: string, problem: string) => new InvalidAgent({ field, message: `${field} ${problem}` })

/** The settings with the stored secrets in place of the masked ones. */
const withSecrets = (stored: ReadonlyArray<ToolDefinition>, settings: VoiceAgentSettings) =>
  Effect.fromResult(keepSecrets(stored, settings.tools)).pipe(
    Effect.mapBoth({
      onSuccess: (tools): VoiceAgentSettings => ({ ...settings, tools }),
      onFailure: (problem) => invalid("tools", problem)
    })
  )

/** The first rule the settings break, or `undefined`. */
export const invalidSetting = (settings: VoiceAgentSettings): InvalidAgent | undefined => {
  const { voiceFamily, voiceId, primaryLanguage, endpointing, humanDestination, tools } = settings
  if (settings.name.trim() === "") return invalid("name", "must not be blank.")
  if (settings.welcomeMessage.trim() === "") return invalid("welcomeMessage", "must not be blank.")
  const voice = findVoice(voiceFamily, voiceId)
  if (voice === undefined) return invalid("voiceId", `"${voiceId}" is not a voice of the ${voiceFamily} family.`)
  if (!speaks(voice, primaryLanguage))
    return invalid(
      "voiceId",
      `"${voiceId}" does not speak ${languageNames[primaryLanguage]} (${primaryLanguage}); the voices of the ${suggestedFamily(primaryLanguage)} family do.`
    )
  if (endpointing.minSilenceMs > endpointing.maxSilenceMs)
    return invalid("endpointing.minSilenceMs", "must not be greater than endpointing.maxSilenceMs.")
  if (humanDestination !== null && !destination.test(humanDestination))
    return invalid("humanDestination", "must be a number like +14155550123 or a sip: address.")
  const problem = toolsProblem(tools)
  return problem === undefined ? undefined : invalid("tools", problem)
}

/** An agent as the audit log shows it. */
const shown = (agent: VoiceAgent): VoiceAgent => ({ ...agent, tools: maskSecrets(agent.tools) })

/** Gives agents to the engine and writes their records. Needs the stores and the engine; the functions it returns need nothing. */
export const makeAgentRecords = Effect.gen(function* () {
  const agents = yield* VoiceAgents
  const engine = yield* EngineClient
  const audit = yield* Audit
  const configOf = yield* makePresentConfig
  const exclusive = yield* Exclusive

  const push = Effect.fnUntraced(function* (organization: Organization, agent: VoiceAgent) {
    const { name } = agent
    if (yield* agents.isNameTaken(agent)) return yield* new DuplicateAgent({ name })
    // Outside of any transaction, because the engine asks the voice provider before it answers.
    yield* engine.putAgent(yield* configOf(agent, organization))
  })

  return {
    /** Runs one change of the organization's agents at a time. */
    inTurn: (organizationId: string) => exclusive.run(organizationId, agentsTurn),
    /** Gives a new agent to the engine, then writes its record. */
    add: Effect.fnUntraced(function* (organization: Organization, agent: VoiceAgent, entry: AuditEntry) {
      yield* push(organization, agent)
      yield* audit.recorded(organization.id, agents.create(agent), () => entry)
    }),
    /** Gives a changed agent to the engine, then writes its record. Fails with `Busy` when the record is no longer `before`. */
    change: Effect.fnUntraced(function* (
      organization: Organization,
      before: VoiceAgent,
      after: VoiceAgent,
      entry: AuditEntry
    ) {
      yield* push(organization, after)
      const written = Effect.filterOrFail(
        agents.update(after, before.updatedAt),
        (unchanged) => unchanged,
        () => new Busy({ name: agentsTurn })
      )
      yield* audit.recorded(organization.id, written, () => entry)
    })
  }
})

/** Needs the stores and the engine; the functions it returns need nothing. */
export const makeSaveVoiceAgent = Effect.gen(function* () {
  const voiceGate = yield* makeVoiceGate
  const agents = yield* VoiceAgents
  const records = yield* makeAgentRecords
  const engine = yield* EngineClient
  const audit = yield* Audit
  const builtin = yield* BuiltinTools
  const foreignTools = yield* makeForeignTools
  const { known } = yield* KnowledgeBases

  const allowed = (organizationId: string) =>
    Effect.mapError(voiceGate(organizationId), (message) => new AgentNotAllowed({ message }))

  const check = Effect.fnUntraced(function* (organization: Organization, settings: VoiceAgentSettings) {
    const invalid = invalidSetting(settings)
    if (invalid !== undefined) return yield* invalid
    const refusal = settings.voiceFamily === "premium" ? premiumRefusal(organization) : undefined
    if (refusal !== undefined) return yield* new AgentNotAllowed({ message: refusal })
  })

  /**
   * Only what is sent is checked. A stored tool may name a built-in one that is gone, a stored id a deleted knowledge base: nothing is found there. A tool
   * of an MCP server that is not approved any more may be sent back as it was read.
   */
  const checkSent = Effect.fnUntraced(function* (
    organizationId: string,
    { tools: given = [], knowledgeBases = [] }: VoiceAgentChanges,
    stored: ReadonlyArray<ToolDefinition> = []
  ) {
    const tools = given.map(toolDefinition)
    const { missing } = yield* foreignTools(organizationId, tools)
    const fresh = tools.find(
      ({ name, handler }) => missing.has(name) && !stored.some((tool) => Equal.equals(tool.handler, handler))
    )
    const problem = builtinProblem(builtin, "voice", tools) ?? missing.get(fresh?.name ?? "")
    if (problem !== undefined) return yield* invalid("tools", problem)
    const own = knowledgeBases.length === 0 ? [] : yield* known(organizationId, knowledgeBases)
    const unknown = knowledgeBases.find((id) => !own.includes(id))
    if (unknown !== undefined)
      return yield* invalid("knowledgeBases", `has "${unknown}", which is no knowledge base of this organization.`)
  })

  const existing = Effect.fnUntraced(function* (organizationId: string, agentId: string) {
    return (yield* agents.find(organizationId, agentId)) ?? (yield* new AgentNotFound({ agentId }))
  })

  const now = Effect.map(Clock.currentTimeMillis, (ms) => new Date(ms).toISOString())

  /** Creates an agent and returns its view. When it fails, nothing is stored. */
  const create = traced("SaveVoiceAgent.create")(
    function* (organizationId: string, input: NewVoiceAgent) {
      const organization = yield* allowed(organizationId)
      yield* checkSent(organizationId, input)
      const settings = yield* withSecrets([], withDefaults(input))
      yield* check(organization, settings)
      const { plan } = organization
      const limit = plans[plan].voiceAgents
      if ((yield* agents.count(organizationId)) >= limit)
        return yield* new AgentNotAllowed({ message: `An organization on ${plan} has at most ${limit} voice agents.` })
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
      const entry = { action: "voice_agent.created", subjectId: agent.id, after: shown(agent) }
      yield* records.add(organization, agent, entry)
      return agentView(agent, organization)
    },
    (saved, organizationId) => records.inTurn(organizationId)(saved)
  )

  /** The agent with the changes, checked but not saved. A setting that is not in `changes` keeps its value. */
  const draft = traced("SaveVoiceAgent.draft")(function* (
    organizationId: string,
    agentId: string,
    changes: VoiceAgentChanges
  ) {
    const organization = yield* allowed(organizationId)
    const before = yield* existing(organizationId, agentId)
    yield* checkSent(organizationId, changes, before.tools)
    const settings = yield* withSecrets(before.tools, applyChanges(before, changes))
    yield* check(organization, settings)
    const { id, phoneNumber, createdAt } = before
    const updatedAt = yield* now
    const providerStack = lockedStack(settings)
    const agent: VoiceAgent = { ...settings, id, organizationId, phoneNumber, providerStack, createdAt, updatedAt }
    return { organization, before, agent }
  })

  /**
   * Changes an agent and returns its view. `readAt`: the `updatedAt` of the record that the caller changed; fails when the agent was saved since.
   */
  const update = traced("SaveVoiceAgent.update")(
    function* (organizationId: string, agentId: string, changes: VoiceAgentChanges, readAt?: string) {
      const { organization, before, agent } = yield* draft(organizationId, agentId, changes)
      if (readAt !== undefined && readAt !== before.updatedAt) return yield* new AgentChanged({ agentId })
      const entry = { action: "voice_agent.updated", subjectId: agentId, ...changedFields(before, agent, shown) }
      yield* records.change(organization, before, agent, entry)
      return agentView(agent, organization)
    },
    (saved, organizationId) => records.inTurn(organizationId)(saved)
  )

  /** Removes an agent from the engine, then its record. If the engine cannot be reached, the record stays and the removal can be repeated. */
  const remove = traced("SaveVoiceAgent.remove")(
    function* (organizationId: string, agentId: string) {
      const before = yield* existing(organizationId, agentId)
      yield* engine.deleteAgent(organizationId, agentId)
      const removed = Effect.filterOrFail(
        agents.remove(organizationId, agentId),
        (found) => found,
        () => new AgentNotFound({ agentId })
      )
      const entry = { action: "voice_agent.deleted", subjectId: agentId, before: shown(before) }
      yield* audit.recorded(organizationId, removed, () => entry)
    },
    (removed, organizationId) => records.inTurn(organizationId)(removed)
  )

  return { create, update, remove, draft }
})
