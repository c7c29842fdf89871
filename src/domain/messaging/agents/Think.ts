/**
 * What an agent says in a turn: it judges what it reads, asks the model, runs tools, and judges what the model wrote. It changes nothing in the conversation:
 * its result is the outcome that the turn is settled with.
 */
import { Clock, DateTime, Effect, Option, Schema } from "effect"
import { makeAskModel } from "../../ai/providers/AskModel.ts"
import { type Flag, judgeText, judgeTexts, withheld } from "../../ai/providers/JudgeTexts.ts"
import { Attempts, type ChatMessage, type TokenUsage, type ToolCall } from "../../ai/providers/Reasoning.ts"
import { withoutRoles } from "../../ai/providers/Untrusted.ts"
import { makeForeignTools, modelTools } from "../../ai/tools/ForeignTools.ts"
import { type ToolDefinition, toolSpec } from "../../ai/tools/Tool.ts"
import { type AnswerSource, toolFailed } from "../../ai/tools/ToolRunner.ts"
import { isOpen } from "../../people/organizations/BusinessHours.ts"
import { aiTokensOf, type Organization, Organizations } from "../../people/organizations/Organization.ts"
import { agentTools } from "../../voice/agents/AgentConfigs.ts"
import { VoiceAgents } from "../../voice/agents/VoiceAgent.ts"
import { Deals } from "../../voice/calls/records/Deals.ts"
import { asksForHuman } from "../../voice/dialogue/Escalation.ts"
import type { Turn, TurnFlag, TurnOutcome } from "./AgentTurns.ts"
import { messagesOf } from "./AnswerText.ts"
import { assignToHuman, type Draft } from "./ChatTools.ts"
import { makeHandOverNote } from "./HandOverNote.ts"
import { makeSeePictures } from "./SeePictures.ts"
import { type TextAgent, TextAgents } from "./TextAgent.ts"
import { type ExtraTool, type TurnExtra, TurnExtras } from "./TurnExtras.ts"
import { chatOf, circumstances, dealLine, known, readable, within } from "./TurnPrompt.ts"
import { keyOfCall, makeTurnTools } from "./TurnTools.ts"

/** What the agent has to answer with. */
interface Brief {
  readonly turn: Turn
  readonly agent: TextAgent
  readonly organization: Organization
  readonly systemPrompt: string
  readonly tools: ReadonlyArray<ToolDefinition>
  readonly now: number
  /** Tokens of the turn so far, also of requests that were interrupted. */
  readonly spent: Array<TokenUsage>
  readonly attempts: Attempts
  readonly extra: TurnExtra
  /** What the CRMs know of the contact's deals, each in a line. */
  readonly deals: ReadonlyArray<string>
}

/** Nothing but the kind and the cost. */
const quietly = ({ disclosureText: disclosure }: TextAgent) =>
  ({
    disclosure,
    said: [],
    reason: null,
    note: null,
    reminder: null,
    flags: [],
    overAllowance: null
  }) satisfies Partial<TurnOutcome>

const readArguments = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

const flagged = (what: TurnFlag["what"], { found: text, categories }: Flag): TurnFlag => ({ what, text, categories })

const texts = (all: ReadonlyArray<string>): TurnOutcome["said"] =>
  all.map((text) => ({ type: "text", content: { text } }))

/** The messages with the sources that they are from, each once. */
const from = (sources: ReadonlyArray<AnswerSource>, said: TurnOutcome["said"]): TurnOutcome["said"] => {
  const own = [...new Map(sources.map((source) => [`${source.sourceId} ${source.url}`, source])).values()]
  return own.length === 0 ? said : said.map((message) => ({ ...message, sources: own }))
}

/** Instructions that passed the filter, by agent: they are judged again when the record has changed. */
const passed = new Map<string, string>()
const mostPassed = 10_000

export const makeThink = Effect.gen(function* () {
  const agents = yield* TextAgents
  const voiceAgents = yield* VoiceAgents
  const organizations = yield* Organizations
  const ask = yield* makeAskModel
  const foreignTools = yield* makeForeignTools
  const runTool = yield* makeTurnTools
  const handOverNote = yield* makeHandOverNote
  const seePictures = yield* makeSeePictures
  const extraOf = yield* TurnExtras
  const crmDeals = yield* Deals

  /** Prompt and tools: those of the voice agent that it shares them with, while that agent exists. */
  const instructionsOf = Effect.fnUntraced(function* (agent: TextAgent) {
    const { voiceAgentId, organizationId } = agent
    const shared = voiceAgentId === null ? undefined : yield* voiceAgents.find(organizationId, voiceAgentId)
    const { systemPrompt } = shared ?? agent
    const tools = agentTools({ tools: (shared ?? agent).tools, knowledgeBases: agent.knowledgeBases })
    return {
      systemPrompt,
      tools: tools.filter(({ name }) => name !== assignToHuman.name),
      version: `${agent.updatedAt} ${shared?.updatedAt}`
    }
  })

  /** What the CRMs say of the deals that the contact was called about, and of the contact's newest. They are asked for a moment only. */
  const dealsOf = ({ organizationId, contact }: Turn) =>
    Effect.map(
      Effect.all(
        [
          Effect.forEach(contact.dealIds, (id) => crmDeals.find(organizationId, id), { concurrency: "unbounded" }),
          crmDeals.ofContact(organizationId, contact.id)
        ],
        { concurrency: "unbounded" }
      ),
      ([called, newest]) =>
        [...called, ...newest.filter(({ id }) => !called.some((deal) => deal.id === id))]
          .map(dealLine)
          .filter((line) => line !== undefined)
    )

  /** Ends the turn with one of the agent's fixed lines, and a note for the colleague who goes on. */
  const handOver = Effect.fnUntraced(function* (
    brief: Brief,
    reason: string,
    more: Partial<TurnOutcome> & { readonly line: string; readonly withModel: boolean }
  ) {
    const { turn, agent, organization, now, spent, attempts } = brief
    const { line, withModel, ...rest } = more
    const open = isOpen(organization.businessHours, organization.timeZone, now)
    const note = yield* handOverNote(turn, agent, reason, withModel ? { spent, attempts } : undefined)
    return {
      ...quietly(agent),
      kind: "handed_over",
      said: texts([open ? line : (agent.outsideHoursLine ?? line)]),
      reason,
      note,
      usage: spent,
      ...rest
    } satisfies TurnOutcome
  })

  /** What the filter found in what the agent would read; `undefined` when it may read all of it. */
  const judged = Effect.fnUntraced(function* ({ turn, agent, systemPrompt, tools, deals }: Brief, version: string) {
    const isKnown = passed.get(agent.id) === version
    const instructions = isKnown ? [] : [systemPrompt, ...tools.map((tool) => JSON.stringify(toolSpec(tool)))]
    const { contact, reminder, summary } = turn
    const read = [...turn.history.map(readable), JSON.stringify(contact), ...deals, reminder ?? "", summary ?? ""]
    const flags = yield* judgeTexts([...instructions, ...read])
    const ofInstructions = flags.slice(0, instructions.length).find((flag) => flag !== undefined)
    if (ofInstructions === undefined) {
      passed.delete(agent.id)
      passed.set(agent.id, version)
      const [oldest] = passed.keys()
      if (passed.size > mostPassed && oldest !== undefined) passed.delete(oldest)
    } else return flagged("instructions", ofInstructions)
    const ofRead = flags.slice(instructions.length).find((flag) => flag !== undefined)
    return ofRead === undefined ? undefined : flagged("input", ofRead)
  })

  /** Asks the model until it has said its last word, running the tools that it wants. */
  const converse = Effect.fnUntraced(function* (brief: Brief) {
    const { turn, agent, organization, systemPrompt, tools, now, spent, attempts, extra } = brief
    const { timeZone } = organization
    const time = DateTime.format(DateTime.makeZonedUnsafe(now, { timeZone }), {
      dateStyle: "full",
      timeStyle: "short",
      locale: "en-GB"
    })
    const told = circumstances(turn, { language: agent.language, time, timeZone })
    const history = within(turn.history, agent.limits.historyTokens)
    const seen = yield* seePictures(turn, history)
    if (seen.flag !== undefined)
      return yield* handOver(brief, "The content filter flagged a picture of the contact.", {
        line: agent.fallbackLine,
        withModel: false,
        flags: [flagged("input", seen.flag)]
      })
    const chat: Array<ChatMessage> = [
      ...chatOf({ systemPrompt, circumstances: told, known: known(turn, brief.deals) }, history, turn.ran, seen)
    ]
    const foreign = yield* foreignTools(turn.organizationId, tools)
    const specs = [...modelTools(tools, foreign.tools), ...extra.tools.map(({ spec }) => spec), assignToHuman]
    // What was looked up before a crash is in the chat already.
    const before = turn.ran.flatMap(({ answer }) => answer?.sources ?? [])
    const draft: Draft = { said: [], sources: before, resolved: false, reminder: null }
    for (let asked = 1; asked <= agent.limits.modelCallsPerTurn; asked++) {
      // The last request can only be answered in words.
      const offered = asked === agent.limits.modelCallsPerTurn ? [] : specs
      const request = { messages: chat, tools: offered, user: turn.organizationId, attempts }
      const { text, calls } = yield* ask(request, (usage) => spent.push(usage))
      const wish = calls.find(({ name }) => name === assignToHuman.name)
      if (wish !== undefined)
        return yield* handOver(brief, `The agent asked for a colleague: ${wish.arguments.slice(0, 300)}`, {
          line: agent.handOverLine,
          withModel: asked < agent.limits.modelCallsPerTurn
        })
      if (calls.length === 0) return yield* spoken(brief, text, draft)
      chat.push({ role: "assistant", content: text, toolCalls: calls })
      for (const call of calls) {
        const own = extra.tools.find(({ spec }) => spec.name === call.name)
        const { result } = yield* own === undefined ? runTool(turn, agent, tools, call, draft) : runExtra(own, call)
        chat.push({ role: "tool", toolCallId: call.id, content: withoutRoles(result) })
      }
    }
    return yield* spoken(brief, "", draft)
  })

  /** A tool of the place: what it is given and what it answers is judged like that of others. */
  const runExtra = Effect.fnUntraced(function* ({ run }: ExtraTool, { name, arguments: text }: ToolCall) {
    const input = Option.getOrUndefined(readArguments(text))
    if (input === undefined) return toolFailed("The arguments must be a JSON object.")
    const flag = yield* judgeText(text)
    if (flag !== undefined) return toolFailed(withheld.arguments(flag))
    const answer = yield* run(input, keyOfCall(name, input))
    const found = yield* judgeText(answer.result)
    return found === undefined ? answer : toolFailed(withheld.answer(found))
  })

  /** The outcome of the model's last word, if the filter lets it pass. */
  const spoken = Effect.fnUntraced(function* (
    brief: Brief,
    text: string,
    { said, sources, resolved, reminder }: Draft
  ) {
    const { agent, turn, spent } = brief
    const flag = yield* judgeText([text, ...said.map(({ content }) => JSON.stringify(content))].join("\n"))
    if (flag !== undefined)
      return yield* handOver(brief, "The content filter flagged the agent's answer.", {
        line: agent.fallbackLine,
        withModel: false,
        flags: [flagged("output", flag)]
      })
    const answer = messagesOf(text)
    if (answer.length === 0 && said.length === 0 && !turn.byReminder)
      return yield* handOver(brief, "The model gave no answer.", { line: agent.fallbackLine, withModel: false })
    const kind = resolved ? ("resolved" as const) : ("answered" as const)
    return {
      ...quietly(agent),
      kind,
      said: [...from(sources, texts(answer)), ...said],
      reminder,
      usage: spent
    } satisfies TurnOutcome
  })

  const answer = Effect.fnUntraced(function* (turn: Turn, agent: TextAgent, spent: Array<TokenUsage>) {
    const organization = yield* organizations.find(turn.organizationId)
    if (organization === undefined) return undefined
    const { systemPrompt, tools, version } = yield* instructionsOf(agent)
    const now = yield* Clock.currentTimeMillis
    const extra = yield* extraOf(turn)
    const deals = yield* dealsOf(turn)
    const prompt = [extra.instructions, systemPrompt].filter((part) => part !== "").join("\n\n")
    const attempts = new Attempts()
    const brief: Brief = { turn, agent, organization, systemPrompt: prompt, tools, now, spent, attempts, extra, deals }
    const { fallbackLine: line } = agent
    const allowance = aiTokensOf(organization)
    if (turn.tokensThisMonth >= allowance)
      return yield* handOver(brief, "The organization has used its AI tokens of this month.", {
        line,
        withModel: false,
        overAllowance: { allowance }
      })
    const found = yield* judged(brief, version)
    if (found !== undefined)
      return yield* handOver(
        brief,
        `The content filter flagged the ${found.what === "input" ? "conversation" : "agent's instructions"}.`,
        {
          line,
          withModel: false,
          flags: [found]
        }
      )
    const wants = turn.history
      .filter(({ direction }) => direction === "inbound")
      .slice(turn.fresh === 0 ? turn.history.length : -turn.fresh)
      .some((message) => asksForHuman(readable(message), agent.escalationPhrases))
    if (wants)
      return yield* handOver(brief, "The contact asked for a human.", { line: agent.handOverLine, withModel: true })
    return yield* converse(brief)
  })

  /** A turn that cannot be carried out is tried once more, and then it is a colleague's. */
  const failed = Effect.fnUntraced(function* (
    turn: Turn,
    agent: TextAgent,
    spent: ReadonlyArray<TokenUsage>,
    why: string
  ) {
    yield* Effect.logWarning("a turn of a text agent failed").pipe(
      Effect.annotateLogs({ organizationId: turn.organizationId, conversationId: turn.conversationId, why })
    )
    if (turn.failures === 0)
      return { ...quietly(agent), kind: "failed", reason: why, usage: spent } satisfies TurnOutcome
    const reason = `The agent could not answer twice: ${why}`
    const note = yield* handOverNote(turn, agent, reason, undefined)
    const said = texts([agent.fallbackLine])
    return { ...quietly(agent), kind: "handed_over", said, reason, note, usage: spent } satisfies TurnOutcome
  })

  /** Gives the outcome of a turn; `undefined` when its agent or organization is gone. `spent` gets the tokens as they are used. */
  return Effect.fnUntraced(function* (turn: Turn, spent: Array<TokenUsage>) {
    const agent = yield* agents.find(turn.organizationId, turn.agentId)
    if (agent === undefined) return undefined
    const { secondsPerTurn } = agent.limits
    return yield* answer(turn, agent, spent).pipe(
      Effect.timeoutOrElse({
        duration: `${secondsPerTurn} seconds`,
        orElse: () => failed(turn, agent, spent, `it took longer than ${secondsPerTurn} seconds`)
      }),
      Effect.catchTags({
        ReasoningError: ({ reason, message }) =>
          failed(turn, agent, spent, `the model did not answer (${reason}): ${message}`),
        ModerationError: ({ reason, message }) =>
          failed(turn, agent, spent, `the content filter did not answer (${reason}): ${message}`)
      })
    )
  })
})
