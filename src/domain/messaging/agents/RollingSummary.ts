/**
 * Keeps the part of a conversation that the model reads within the agent's budget: older messages are summed up after a turn, and the summary is kept with the
 * conversation. The next turns read the summary and the messages after it. It is made in the background, so that no answer waits for it.
 */
import { Clock, Effect } from "effect"
import { roughTokens } from "../../ai/providers/AskModel.ts"
import { makeCondense } from "../../ai/providers/Condense.ts"
import { judgeTexts } from "../../ai/providers/JudgeTexts.ts"
import type { TokenUsage } from "../../ai/providers/Reasoning.ts"
import { asLine } from "../../ai/providers/Untrusted.ts"
import type { Message } from "../conversations/Message.ts"
import { AgentTurns, type Turn } from "./AgentTurns.ts"
import { type TextAgent, TextAgents } from "./TextAgent.ts"
import { readable } from "./TurnPrompt.ts"

/** The most messages that are summed up after one turn: older ones of a conversation that begins with an agent late are left out. */
const mostMessages = 400
/** The part of them that one request reads, in tokens. */
const partTokens = 6_000
const patience = "60 seconds"
const leftOut = "[A part was left out by the content filter.]"

export const lineOf = (message: Message): string =>
  `${message.direction === "inbound" ? "Contact" : "We"}: ${asLine(readable(message))}`

/**
 * The messages to sum up: all but the newest that fit into half of the budget, when all together do not fit into it. Messages of one millisecond stay
 * together, because the summary's end is a time. `history`: oldest first, all that came after the summary.
 */
export const outgrown = (history: ReadonlyArray<Message>, budget: number): ReadonlyArray<Message> => {
  const tokens = history.map((message) => roughTokens(readable(message)))
  if (tokens.reduce((sum, one) => sum + one, 0) <= budget) return []
  let left = budget / 2
  let from = history.length - 1
  while (from > 0 && left - tokens[from] - tokens[from - 1] >= 0) left -= tokens[from--]
  while (from > 0 && history[from].createdAt === history[from - 1].createdAt) from--
  return history.slice(0, from)
}

/** Lines in parts of which one request reads one. */
const lineParts = (lines: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const parts: Array<Array<string>> = []
  let left = 0
  for (const line of lines) {
    const tokens = roughTokens(line)
    if (parts.length === 0 || tokens > left) {
      parts.push([])
      left = partTokens
    }
    left -= tokens
    parts[parts.length - 1].push(line)
  }
  return parts
}

/** The parts of these lines, each for one request. What the content filter flags is left out. Needs Moderation. */
export const judgedParts = Effect.fnUntraced(function* (lines: ReadonlyArray<string>) {
  const flags = yield* judgeTexts(lines)
  return lineParts(lines.map((line, at) => (flags[at] === undefined ? line : leftOut)))
})

/** Needs the stores, Reasoning and Moderation. The function it returns sums up what a turn has left over; it never fails. */
export const makeRollingSummary = Effect.gen(function* () {
  const turns = yield* AgentTurns
  const agents = yield* TextAgents
  const condense = yield* makeCondense

  const sum = Effect.fnUntraced(function* (turn: Turn, agent: TextAgent, spend: (usage: TokenUsage) => void) {
    const { organizationId: user } = turn
    const { historyTokens } = agent.limits
    if (outgrown(turn.history, historyTokens).length === 0 && turn.history.length < turn.most) return
    const all = yield* turns.since(turn, turn.summarizedUntil, mostMessages)
    const older = outgrown(all, historyTokens)
    const last = older.at(-1)
    if (last === undefined) return
    let { summary } = turn
    for (const part of yield* judgedParts(older.map(lineOf)))
      summary = (yield* condense(summary, part, { language: agent.language, user }, spend)) ?? summary ?? leftOut
    yield* turns.keepSummary(turn, { summary: summary ?? leftOut, until: Date.parse(last.createdAt) })
  })

  return Effect.fnUntraced(function* (turn: Turn) {
    const agent = yield* agents.find(turn.organizationId, turn.agentId)
    if (agent === undefined) return
    const spent: Array<TokenUsage> = []
    yield* sum(turn, agent, (usage) => spent.push(usage)).pipe(
      Effect.timeout(patience),
      Effect.catch((error) =>
        Effect.logWarning("the older part of a conversation could not be summed up", {
          conversationId: turn.conversationId,
          error
        })
      ),
      Effect.ensuring(Effect.flatMap(Clock.currentTimeMillis, (now) => turns.meter(turn, spent, now)))
    )
  })
})
