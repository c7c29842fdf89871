/** A scripted model. Like a real one, it knows only the messages in the request. */
import type { ChatRequest, Message } from "./Messages.ts"

export interface ReplyRule {
  /** Matched against the last user text. */
  readonly when: RegExp
  readonly reply: string
}

export interface ComposedRule {
  readonly when: RegExp
  /** The answer to this very request. */
  readonly compose: (request: ChatRequest) => string
}

export interface DecidedRule {
  readonly when: RegExp
  /** What is done about this very request: words, or the call of a tool. */
  readonly decide: (request: ChatRequest) => Answer
}

export interface ToolRule {
  readonly when: RegExp
  /** What is said before the tool is called. */
  readonly first?: string
  readonly tool: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }
  /** The answer once the tool's result is there. */
  readonly reply: string | ((toolResult: string) => string)
}

export type Rule = ReplyRule | ComposedRule | DecidedRule | ToolRule
export type Script = ReadonlyArray<Rule>

export type Answer =
  | { readonly _tag: "Reply"; readonly text: string }
  | { readonly _tag: "Call"; readonly first?: string; readonly name: string; readonly arguments: string }

const reply = (text: string): Answer => ({ _tag: "Reply", text })

/** Text of the last user message; empty when there is none. */
export const lastUserText = (messages: ReadonlyArray<Message>): string =>
  messages.findLast((message) => message.role === "user")?.content ?? ""

/** The result of the rule's tool since the last user message, if it was called since. */
const resultSince = (messages: ReadonlyArray<Message>, tool: string): string | undefined => {
  const turn = messages.slice(messages.findLastIndex((message) => message.role === "user") + 1)
  const ids = turn.flatMap((message) =>
    message.role === "assistant" && message.tool_calls
      ? message.tool_calls.filter((call) => call.function.name === tool).map((call) => call.id)
      : []
  )
  const results = turn.filter((message) => message.role === "tool" && ids.includes(message.tool_call_id))
  return results.at(-1)?.content ?? undefined
}

/** The answer of the first rule whose `when` matches. A tool that is not among the request's tools cannot be called. */
export const respond = (script: Script, defaultReply: string, request: ChatRequest): Answer => {
  const said = lastUserText(request.messages)
  const rule = script.find(({ when }) => said.search(when) >= 0)
  if (rule === undefined) return reply(defaultReply)
  const has = (name: string) => request.tools?.some((tool) => tool.function.name === name) === true
  if ("compose" in rule) return reply(rule.compose(request))
  if ("decide" in rule) {
    const answer = rule.decide(request)
    return answer._tag === "Call" && !has(answer.name) ? reply(defaultReply) : answer
  }
  if (!("tool" in rule)) return reply(rule.reply)
  const result = resultSince(request.messages, rule.tool.name)
  if (result !== undefined) return reply(typeof rule.reply === "string" ? rule.reply : rule.reply(result))
  if (!has(rule.tool.name)) return reply(defaultReply)
  const first = rule.first === undefined ? {} : { first: rule.first }
  return { _tag: "Call", ...first, name: rule.tool.name, arguments: JSON.stringify(rule.tool.arguments) }
}
