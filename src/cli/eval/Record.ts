/** Makes an evaluation of a real conversation or call: what the contact said becomes its turns, and what the agent said stands beside them. */
import { Effect, Schema } from "effect"
import { isTakeover } from "../../domain/messaging/agents/AgentRouting.ts"
import { readable } from "../../domain/messaging/agents/TurnPrompt.ts"
import { Conversations } from "../../domain/messaging/conversations/Conversation.ts"
import { Messages } from "../../domain/messaging/conversations/Message.ts"
import type { EvalStep } from "../../domain/messaging/rehearsal/EvalConversation.ts"
import { Contacts } from "../../domain/people/contacts/Contact.ts"
import { Calls } from "../../domain/voice/calls/records/CallRecord.ts"
import { makeSql } from "../../integrations/postgres/tenancy/Sql.ts"
import type { EvalFile } from "./EvalFile.ts"

/** Why there is no evaluation, as a sentence. */
export class CannotRecord extends Schema.TaggedError<CannotRecord>()("CannotRecord", { message: Schema.String }) {}

/** The most messages of a conversation, and lines of a call, that are taken. */
const most = 200

interface Line {
  readonly who: "contact" | "agent" | "person"
  readonly text: string
}

interface RecordedStep {
  contact?: Array<string>
  human?: string
  handBack?: true
  before?: Array<string>
}

/**
 * The turns of a conversation: what the contact said in a row is one turn, and the agent's next words are those of before. An agent that speaks after a
 * person was handed the conversation back: it is so before the turn that it answers.
 */
export const stepsOf = (lines: ReadonlyArray<Line>): ReadonlyArray<EvalStep> => {
  const steps: Array<RecordedStep> = []
  for (const { who, text } of lines) {
    const last = steps.at(-1)
    if (who === "person") steps.push({ human: text })
    else if (who === "agent") {
      if (last?.contact === undefined) continue
      last.before = [...(last.before ?? []), text]
      const taken = steps.findLastIndex(({ human }) => human !== undefined)
      if (taken >= 0 && !steps.slice(taken).some(({ handBack }) => handBack === true))
        steps.splice(steps.length - 1, 0, { handBack: true })
    } else if (last?.contact !== undefined && last.before === undefined) last.contact.push(text)
    else steps.push({ contact: [text] })
  }
  // What people wrote after the contact's last words answers nothing.
  return steps.slice(0, steps.findLastIndex(({ contact }) => contact !== undefined) + 1)
}

/** The answers that tools gave, by name: the last one of each. */
const answersOf = (runs: ReadonlyArray<{ readonly name: string; readonly result: string | null }>) =>
  Object.fromEntries(runs.flatMap(({ name, result }) => (result === null ? [] : [[name, result] as const])))

/** Needs the stores. `id`: `cnv_…` or `call_…`. `other`: the agent to play it with; without it the one that was there. */
export const makeRecord = Effect.gen(function* () {
  const conversations = yield* Conversations
  const messages = yield* Messages
  const contacts = yield* Contacts
  const calls = yield* Calls
  const { sql, asTenant } = yield* makeSql

  const ofConversation = Effect.fnUntraced(function* (organization: string, id: string, other: string | undefined) {
    const found = yield* conversations.find(organization, id, 1, 0)
    if (found === undefined) return yield* new CannotRecord({ message: `There is no conversation ${id}.` })
    const { data } = yield* messages.list(organization, { conversationId: id }, { page: 1, limit: most })
    const newest = data.filter(({ type }) => type !== "reaction").toReversed()
    const bot = newest.findLast(({ sentBy }) => sentBy?.startsWith("bot_") === true)?.sentBy
    const agent = other ?? (found.assignee?.startsWith("bot_") === true ? found.assignee : bot)
    if (agent == null)
      return yield* new CannotRecord({ message: `No text agent has answered in ${id}; name one with --agent.` })
    const who = (message: (typeof newest)[number]): Line["who"] => {
      if (message.direction === "inbound") return "contact"
      return isTakeover({ type: message.type, sentBy: message.sentBy ?? "" }) ? "person" : "agent"
    }
    const contact = yield* contacts.find(organization, found.contact.id)
    const runs = yield* asTenant(organization)(sql<{
      name: string
      result: string | null
    }>`SELECT name, result FROM agent_tool_runs
      WHERE conversation_id = ${id} ORDER BY started_at, position`)
    return {
      ...{ agent, organization },
      tools: answersOf(runs),
      conversations: [
        {
          name: id,
          contact: { ...(contact?.name == null ? {} : { name: contact.name }), tags: contact?.tags ?? [] },
          turns: stepsOf(newest.map((message) => ({ who: who(message), text: readable(message) })))
        }
      ]
    } satisfies EvalFile
  })

  const ofCall = Effect.fnUntraced(function* (organization: string, id: string, other: string | undefined) {
    const call = yield* calls.find(organization, id)
    if (call === undefined) return yield* new CannotRecord({ message: `There is no call ${id}.` })
    const agent = other ?? call.agentId
    if (agent === null)
      return yield* new CannotRecord({ message: `The agent of ${id} does not exist any more; name one with --agent.` })
    const said = yield* calls.utterances(organization, id)
    const lines = said.map(({ role, text }): Line => ({ who: role === "caller" ? "contact" : "agent", text }))
    return {
      ...{ agent, organization },
      tools: answersOf(yield* calls.toolCalls(organization, id)),
      conversations: [{ name: id, turns: stepsOf(lines.slice(0, most)) }]
    } satisfies EvalFile
  })

  return (organization: string, id: string, other?: string) =>
    id.startsWith("call_") ? ofCall(organization, id, other) : ofConversation(organization, id, other)
})
