/** The internal note with which an agent hands a conversation over: who the contact is, what it wants, and what was tried. */
import { Effect, Option } from "effect"
import { makeAskModel } from "../../ai/providers/AskModel.ts"
import { judgeText } from "../../ai/providers/JudgeTexts.ts"
import type { Attempts, TokenUsage } from "../../ai/providers/Reasoning.ts"
import { asLine } from "../../ai/providers/Untrusted.ts"
import type { Turn } from "./AgentTurns.ts"
import type { TextAgent } from "./TextAgent.ts"
import { readable, within } from "./TurnPrompt.ts"

/** A colleague must not wait for the summary. */
const patience = "6 seconds"
const longestQuote = 300
const longestNote = 3_000
const mostTools = 10

const cut = (text: string, most: number): string => {
  const characters = [...text]
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`
}

/** What is known without asking a model. */
export const plainNote = ({ contact, history, ran, summary }: Turn, reason: string): string => {
  const last = history.findLast(({ direction }) => direction === "inbound")
  return [
    reason,
    `Contact: ${contact.name ?? "no name"}${contact.tags.length === 0 ? "" : `, tags ${contact.tags.join(", ")}`}.`,
    ...(summary === null ? [] : [`Before: ${cut(summary, longestQuote)}`]),
    ...(last === undefined ? [] : [`Wrote last: ${cut(readable(last), longestQuote)}`]),
    ...(ran.length === 0
      ? []
      : [
          `Tools: ${ran
            .slice(0, mostTools)
            .map(({ name, answer }) => `${name} (${answer?.outcome ?? "outcome unknown"})`)
            .join(", ")}.`
        ])
  ].join("\n")
}

const request =
  "Sum up this conversation for a colleague who takes it over. Three short lines, plain text: who the contact is, what the contact wants, what was tried. " +
  "Invent nothing."

/** Needs Reasoning and Moderation. `model`: the turn's tokens and attempts; without it no model is asked. It never fails. */
export const makeHandOverNote = Effect.map(makeAskModel, (ask) =>
  Effect.fnUntraced(function* (
    turn: Turn,
    { language, limits }: TextAgent,
    reason: string,
    model: { readonly spent: Array<TokenUsage>; readonly attempts: Attempts } | undefined
  ) {
    const plain = plainNote(turn, reason)
    if (model === undefined) return plain
    const lines = within(turn.history, limits.historyTokens).map(
      (message) => `${message.direction === "inbound" ? "Contact" : "We"}: ${asLine(readable(message))}`
    )
    const ran = turn.ran.map(
      ({ name, answer }) => `Tool ${name}: ${asLine(cut(answer?.result ?? "outcome unknown", longestQuote))}`
    )
    const content = [turn.summary ?? "", ...lines, ...ran].join("\n")
    const messages = [
      { role: "system" as const, content: `${request} Write in ${language}.` },
      { role: "user" as const, content }
    ]
    const summed = ask({ messages, tools: [], user: turn.organizationId, attempts: model.attempts }, (usage) =>
      model.spent.push(usage)
    ).pipe(
      Effect.flatMap(({ text }) => Effect.map(judgeText(text), (flag) => (flag === undefined ? text.trim() : ""))),
      Effect.timeoutOption(patience),
      Effect.map(Option.getOrElse(() => "")),
      Effect.catch((error) => Effect.as(Effect.logWarning("a conversation could not be summed up", error), ""))
    )
    const summary = yield* summed
    return summary === "" ? plain : `${reason}\n${cut(summary, longestNote)}`
  })
)
