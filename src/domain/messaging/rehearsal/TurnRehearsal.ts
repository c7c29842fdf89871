/**
 * A turn of a text agent without a conversation: what it would answer. The filter, the model, the rules of tools and the limits are those of real turns
 * (`Think`). Nothing is stored and nothing is sent; only the tokens count, as those of the agent.
 */
import { Clock, Context, Effect, Layer, Stream } from "effect"
import { searchKnowledge } from "../../ai/knowledge/KnowledgeTool.ts"
import { ModelTokens } from "../../ai/providers/ModelTokens.ts"
import type { Moderation } from "../../ai/providers/Moderation.ts"
import { noPictures, PictureViews } from "../../ai/providers/Pictures.ts"
import { Reasoning, type TokenUsage } from "../../ai/providers/Reasoning.ts"
import type { ToolDefinition, ToolHandler } from "../../ai/tools/Tool.ts"
import { ToolRunner, toolFailed } from "../../ai/tools/ToolRunner.ts"
import { newId } from "../../basics/Ids.ts"
import { isoTime } from "../../basics/IsoTime.ts"
import { parsedJson } from "../../basics/Json.ts"
import { Organizations } from "../../people/organizations/Organization.ts"
import { Deals } from "../../voice/calls/records/Deals.ts"
import { AgentTurns, type ToolRun, type Turn, type TurnOutcome } from "../agents/AgentTurns.ts"
import { disclosed } from "../agents/AnswerText.ts"
import { tagContact } from "../agents/ChatTools.ts"
import { type TextAgent, TextAgents } from "../agents/TextAgent.ts"
import { makeThink } from "../agents/Think.ts"
import type { Message } from "../conversations/Message.ts"
import type { GivenAnswers } from "./EvalConversation.ts"

export interface RehearsedLine {
  readonly from: "contact" | "agent" | "person"
  readonly text: string
}

export interface RehearsalTerms {
  /** As it is, or as it would be with changes: it need not be stored so. */
  readonly agent: TextAgent
  readonly contact: { readonly name: string | null; readonly tags: ReadonlyArray<string> }
  /** What was said so far, oldest first. The contact's last lines are answered. */
  readonly lines: ReadonlyArray<RehearsedLine>
  /** What tools answer, by their names: these are not run. */
  readonly answers: GivenAnswers
  /** Whether tools without an answer run. Knowledge is looked up in any case. */
  readonly runsTools: boolean
  /** Turns in a row that failed before this one: a second failure hands over. */
  readonly failures: number
}

/** A tool that the model called, with its arguments as the model wrote them. */
export interface RehearsedTool {
  readonly name: string
  readonly arguments: string
  readonly result: string
}

export interface RehearsedTurn extends Pick<TurnOutcome, "kind" | "said" | "reason" | "note"> {
  readonly tools: ReadonlyArray<RehearsedTool>
}

/** Stands for the tool that tags contacts: there is no contact. */
const tagging: ToolHandler = { type: "http", method: "POST", url: "https://tools.invalid/" }

const isTagging = (handler: ToolHandler | undefined) => handler?.type === "builtin" && handler.name === tagContact.name

const withoutTagging = (tools: ReadonlyArray<ToolDefinition>): ReadonlyArray<ToolDefinition> =>
  tools.map((tool) => (isTagging(tool.handler) ? { ...tool, handler: tagging } : tool))

const messageOf = (
  { from, text }: RehearsedLine,
  at: number,
  {
    organizationId,
    conversationId,
    contactId,
    agentId
  }: Record<"organizationId" | "conversationId" | "contactId" | "agentId", string>
): Message => ({
  id: newId("msg", at),
  organizationId,
  conversationId,
  contactId,
  channel: "messaging",
  direction: from === "contact" ? "inbound" : "outbound",
  type: "text",
  content: { text },
  replyTo: null,
  channelMessageId: null,
  sentBy: from === "contact" ? null : from === "agent" ? agentId : newId("usr", at),
  status: from === "contact" ? "received" : "sent",
  sentAt: null,
  deliveredAt: null,
  readAt: null,
  failedAt: null,
  failure: null,
  createdAt: isoTime(at)
})

/** The stores of turns, in memory: tools run once in a turn, as in real ones. `runs` gets those that began. */
const turnsInMemory = (runs: Map<string, ToolRun>): AgentTurns["Service"] => ({
  begin: () => Effect.undefined,
  settle: () => Effect.succeed(false),
  since: () => Effect.succeed([]),
  keepSummary: () => Effect.void,
  meter: () => Effect.void,
  overdue: () => Effect.succeed([]),
  beginTool: (_, run) =>
    Effect.sync(() => {
      const earlier = runs.get(run.key)
      if (earlier === undefined) runs.set(run.key, { ...run, answer: null })
      return earlier
    }),
  endTool: (_, key, answer) =>
    Effect.sync(() => {
      const run = runs.get(key)
      if (run !== undefined) runs.set(key, { ...run, answer })
    })
})

type Called = Omit<RehearsedTool, "result">

/** What a turn needs that is as in real ones. */
type Outside = Exclude<Effect.Services<typeof makeThink> | Moderation, AgentTurns | PictureViews | Deals>

const make = Effect.gen(function* () {
  const context = yield* Effect.context<Outside>()
  const agents = yield* TextAgents
  const organizations = yield* Organizations
  const tokens = yield* ModelTokens
  const runner = yield* ToolRunner
  const reasoning = yield* Reasoning

  const answer = Effect.fnUntraced(function* (terms: RehearsalTerms) {
    const now = yield* Clock.currentTimeMillis
    const { contact, lines, failures } = terms
    const { organizationId } = terms.agent
    const organization = yield* organizations.find(organizationId)
    if (organization === undefined) return yield* Effect.die(new Error(`There is no organization ${organizationId}`))
    // An id of its own: what passed the filter is remembered by agent, and a draft is not what is stored.
    const agent: TextAgent = { ...terms.agent, id: newId("bot", now), tools: withoutTagging(terms.agent.tools) }
    const ids = { organizationId, conversationId: newId("cnv", now), contactId: newId("cnt", now), agentId: agent.id }
    const begins = lines.findLastIndex(({ from }) => from !== "contact") + 1
    const turn: Turn = {
      version: 0,
      watermark: 1,
      byReminder: false,
      id: newId("trn", now),
      organizationId,
      conversationId: ids.conversationId,
      agentId: agent.id,
      contact: { id: ids.contactId, ...contact, orders: [], dealIds: [] },
      history: lines.map((line, at) => messageOf(line, now - (lines.length - at) * 1_000, ids)),
      most: lines.length,
      fresh: lines.length - begins,
      summary: null,
      summarizedUntil: null,
      reminder: null,
      failures,
      ran: [],
      tokensThisMonth: yield* tokens.thisMonth(organizationId, organization.timeZone, now)
    }
    const runs = new Map<string, ToolRun>()
    const called: Array<Called> = []
    /** The tool that runs: one runs at a time, and is begun right before. */
    const running = () => [...runs.values()].findLast((run) => run.answer === null)?.name ?? ""
    const places = Context.mergeAll(
      context,
      Context.make(TextAgents, {
        ...agents,
        find: (organization, id) => (id === agent.id ? Effect.succeed(agent) : agents.find(organization, id))
      }),
      Context.make(AgentTurns, turnsInMemory(runs)),
      Context.make(PictureViews, noPictures),
      Context.make(Deals, Deals.idOnly),
      Context.make(Reasoning, {
        stream: (request) =>
          reasoning
            .stream(request)
            .pipe(
              Stream.tap((event) =>
                Effect.sync(() => (event._tag === "ToolCall" ? void called.push(event.call) : undefined))
              )
            )
      }),
      Context.make(ToolRunner, {
        run: (handler, input, at) =>
          Effect.suspend(() => {
            const name = running()
            const given = Object.hasOwn(terms.answers, name) ? terms.answers[name] : undefined
            if (given !== undefined)
              return Effect.succeed({
                outcome: "ok" as const,
                result: typeof given === "string" ? given : JSON.stringify(given)
              })
            if (handler === tagging) return Effect.succeed({ outcome: "ok" as const, result: "Done." })
            const looksUp = handler.type === "builtin" && handler.name === searchKnowledge.name
            return looksUp || terms.runsTools
              ? runner.run(handler, input, { ...at, agentId: terms.agent.id, contactId: null })
              : Effect.succeed(toolFailed(`There is no answer of the tool ${name}, and tools do not run here.`))
          })
      })
    )
    const spent: Array<TokenUsage> = []
    const outcome = yield* Effect.flatMap(makeThink, (think) => think(turn, spent)).pipe(
      Effect.provide(places),
      Effect.ensuring(Effect.suspend(() => tokens.spend(organizationId, terms.agent.id, spent, now)))
    )
    if (outcome === undefined) return yield* Effect.die(new Error("The agent of a rehearsal was not found"))
    const { kind, said, reason, note } = outcome
    const isFirst = !lines.some(({ from }) => from === "agent")
    const results = new Map([...runs.values()].map((run) => [`${run.name} ${run.arguments}`, run.answer?.result]))
    return {
      kind,
      said: isFirst ? disclosed(said, agent.disclosureText) : said,
      reason,
      note,
      tools: called.map((call) => ({ ...call, result: results.get(keyOf(call)) ?? "" }))
    } satisfies RehearsedTurn
  })
  return { answer }
})

/** How a run of this call is found: its arguments are kept as JSON without the spaces of the model. What is no JSON was refused, and did not run. */
const keyOf = ({ name, arguments: text }: Called): string => `${name} ${JSON.stringify(parsedJson(text))}`

/** Rehearses turns of text agents. */
export class TurnRehearsal extends Context.Service<TurnRehearsal, Effect.Success<typeof make>>()(
  "parley/domain/TurnRehearsal"
) {
  /** Needs the stores, Reasoning, Moderation and ToolRunner. */
  static readonly layer = Layer.effect(TurnRehearsal, make)
}
