/** Use case: create, change and remove text agents. Each change leaves an entry in the audit log, in its transaction. */
import { Clock, Effect, Schema } from "effect"
import { KnowledgeBases } from "../../ai/knowledge/KnowledgeBase.ts"
import { BuiltinTools, builtinProblem } from "../../ai/tools/BuiltinTools.ts"
import { makeForeignTools } from "../../ai/tools/ForeignTools.ts"
import { toolsProblem } from "../../ai/tools/ToolRules.ts"
import { keepSecrets, maskSecrets } from "../../ai/tools/ToolSecrets.ts"
import { newId } from "../../basics/Ids.ts"
import { isoTime } from "../../basics/IsoTime.ts"
import { traced } from "../../basics/Traced.ts"
import { Audit, changedFields } from "../../people/access/Audit.ts"
import { VoiceAgents } from "../../voice/agents/VoiceAgent.ts"
import { mostTextAgents, type TextAgent, type TextAgentSettings, TextAgents } from "./TextAgent.ts"
import { changedSettings, type NewTextAgent, settingsOfNew, type TextAgentChanges } from "./TextAgentInput.ts"

/** HTTP 400. `message` names the field. */
export class InvalidTextAgent extends Schema.TaggedError<InvalidTextAgent>()("InvalidTextAgent", {
  message: Schema.String
}) {}
/** HTTP 403: the organization has as many as it may have. */
export class TooManyTextAgents extends Schema.TaggedError<TooManyTextAgents>()("TooManyTextAgents", {
  message: Schema.String
}) {}
/** HTTP 404. */
export class TextAgentNotFound extends Schema.TaggedError<TextAgentNotFound>()("TextAgentNotFound", {
  id: Schema.String
}) {}

/** HTTP 409: somebody has saved the agent since the caller read it. */
export class TextAgentChanged extends Schema.TaggedError<TextAgentChanged>()("TextAgentChanged", {
  id: Schema.String
}) {}

/** An agent as it is shown: its tools' secrets are masked. */
export const shownTextAgent = (agent: TextAgent): TextAgent => ({ ...agent, tools: maskSecrets(agent.tools) })

/** Needs the stores; the functions it returns need nothing, and give agents as they are shown. */
export const makeSaveTextAgent = Effect.gen(function* () {
  const agents = yield* TextAgents
  const voiceAgents = yield* VoiceAgents
  const audit = yield* Audit
  const builtin = yield* BuiltinTools
  const foreignTools = yield* makeForeignTools
  const { known } = yield* KnowledgeBases

  /** Only what is sent is checked. A stored tool may name a built-in one that is gone, a stored id a deleted knowledge base. */
  const checkSent = Effect.fnUntraced(function* (organizationId: string, sent: TextAgentChanges) {
    const { tools = [], knowledgeBases = [] } = sent
    const { missing } = yield* foreignTools(organizationId, tools)
    const [lacking] = missing.values()
    const problem = builtinProblem(builtin, "text", tools) ?? lacking
    if (problem !== undefined) return yield* new InvalidTextAgent({ message: `tools ${problem}` })
    const own = knowledgeBases.length === 0 ? [] : yield* known(organizationId, knowledgeBases)
    const unknown = knowledgeBases.find((id) => !own.includes(id))
    if (unknown !== undefined)
      return yield* new InvalidTextAgent({
        message: `knowledgeBases has "${unknown}", which is no knowledge base of this organization.`
      })
  })

  /** The settings with the stored secrets in place of the masked ones, and checked. */
  const checked = Effect.fnUntraced(function* (
    organizationId: string,
    stored: TextAgentSettings["tools"],
    settings: TextAgentSettings
  ) {
    const tools = yield* Effect.fromResult(keepSecrets(stored, settings.tools)).pipe(
      Effect.mapError((problem) => new InvalidTextAgent({ message: `tools ${problem}` }))
    )
    const problem = toolsProblem(tools)
    if (problem !== undefined) return yield* new InvalidTextAgent({ message: `tools ${problem}` })
    const { voiceAgentId } = settings
    if (voiceAgentId !== null && (yield* voiceAgents.find(organizationId, voiceAgentId)) === undefined)
      return yield* new InvalidTextAgent({
        message: `voiceAgentId is invalid: there is no voice agent ${voiceAgentId}.`
      })
    return { ...settings, tools }
  })

  const now = Effect.map(Clock.currentTimeMillis, isoTime)

  const create = traced("SaveTextAgent.create")(function* (organizationId: string, input: NewTextAgent) {
    yield* checkSent(organizationId, input)
    const settings = yield* checked(organizationId, [], settingsOfNew(input))
    const createdAt = yield* now
    const id = newId("bot", Date.parse(createdAt))
    const agent: TextAgent = { ...settings, id, organizationId, createdAt, updatedAt: createdAt }
    const stored = Effect.filterOrFail(
      agents.create(agent, mostTextAgents),
      (made) => made,
      () => new TooManyTextAgents({ message: `An organization has at most ${mostTextAgents} text agents.` })
    )
    const shown = shownTextAgent(agent)
    yield* audit.recorded(organizationId, stored, () => ({ action: "text_agent.created", subjectId: id, after: shown }))
    return shown
  })

  /** What is not in `changes` keeps its value. `readAt`: the `updatedAt` of the record that the caller changed; fails when the agent was saved since. */
  const update = traced("SaveTextAgent.update")(function* (
    organizationId: string,
    id: string,
    changes: TextAgentChanges,
    readAt?: string
  ) {
    yield* checkSent(organizationId, changes)
    const change = (before: TextAgent) =>
      Effect.gen(function* () {
        if (readAt !== undefined && readAt !== before.updatedAt) return yield* new TextAgentChanged({ id })
        const settings = yield* checked(organizationId, before.tools, changedSettings(before, changes))
        const { createdAt } = before
        return { ...settings, id, organizationId, createdAt, updatedAt: yield* now } satisfies TextAgent
      })
    const changed = Effect.flatMap(agents.update(organizationId, id, change), (result) =>
      result === undefined ? Effect.fail(new TextAgentNotFound({ id })) : Effect.succeed(result)
    )
    const { after } = yield* audit.recorded(organizationId, changed, ({ before, after }) => ({
      action: "text_agent.updated",
      subjectId: id,
      ...changedFields(before, after, shownTextAgent)
    }))
    return shownTextAgent(after)
  })

  /** The agent as it would be with the changes; nothing is stored. Its secrets are those of the stored one. */
  const draft = traced("SaveTextAgent.draft")(function* (
    organizationId: string,
    id: string,
    changes: TextAgentChanges
  ) {
    const before = yield* agents.find(organizationId, id)
    if (before === undefined) return yield* new TextAgentNotFound({ id })
    yield* checkSent(organizationId, changes)
    const settings = yield* checked(organizationId, before.tools, changedSettings(before, changes))
    return { ...before, ...settings } satisfies TextAgent
  })

  const remove = traced("SaveTextAgent.remove")(function* (organizationId: string, id: string) {
    const removed = Effect.flatMap(agents.remove(organizationId, id), (gone) =>
      gone === undefined ? Effect.fail(new TextAgentNotFound({ id })) : Effect.succeed(gone)
    )
    yield* audit.recorded(organizationId, removed, (before) => ({
      action: "text_agent.deleted",
      subjectId: id,
      before: shownTextAgent(before)
    }))
  })

  return { create, update, draft, remove }
})
