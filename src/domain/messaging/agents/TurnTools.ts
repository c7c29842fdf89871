/**
 * Runs the tools of a turn. A tool runs once per turn: its result is kept under the turn's id, and an attempt after a crash, an interruption or a failure
 * finds it again. Nothing here fails: an error is an answer for the model.
 */
import { createHash } from "node:crypto"
import { Clock, Effect } from "effect"
import { judgeText, withheld } from "../../ai/providers/JudgeTexts.ts"
import type { ToolCall } from "../../ai/providers/Reasoning.ts"
import { mayRunAgain, type ToolDefinition, type ToolHandler } from "../../ai/tools/Tool.ts"
import { type Arguments, parseToolArguments } from "../../ai/tools/ToolArguments.ts"
import { type ToolAnswer, ToolRunner, toolFailed } from "../../ai/tools/ToolRunner.ts"
import { Contacts } from "../../people/contacts/Contact.ts"
import { makeManageContacts } from "../../people/contacts/ManageContacts.ts"
import { AgentTurns, type Turn } from "./AgentTurns.ts"
import { type Draft, draftTool, tagContact } from "./ChatTools.ts"
import type { TextAgent } from "./TextAgent.ts"
import { outcomeUnknown } from "./TurnPrompt.ts"

/** The most tags of a contact that an agent adds to. */
const mostTags = 50

/** The arguments in one order, so that the same call has the same key. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, sorted(one)])
  )
}

/** The key of a tool call in its turn. */
export const keyOfCall = (name: string, input: Arguments): string =>
  `call_${createHash("sha256")
    .update(JSON.stringify([name, sorted(input)]))
    .digest("hex")
    .slice(0, 32)}`

/** Needs its ports once. The function it returns runs one call of the model. */
export const makeTurnTools = Effect.gen(function* () {
  const turns = yield* AgentTurns
  const contacts = yield* Contacts
  const { update } = yield* makeManageContacts
  const runner = yield* ToolRunner

  const tag = Effect.fnUntraced(function* ({ organizationId, contact }: Turn, input: Arguments) {
    const wanted = typeof input.tag === "string" ? input.tag.trim() : ""
    if (wanted === "" || wanted.length > 64 || /[\p{Cc}\p{Cs}]/u.test(wanted))
      return toolFailed("tag must be one line of 1 to 64 characters.")
    const before = yield* contacts.find(organizationId, contact.id)
    if (before === undefined) return toolFailed("The contact does not exist any more.")
    const others = before.tags.filter((one) => one !== wanted)
    const tags = input.action === "remove" ? others : [...others, wanted]
    if (tags.length > mostTags) return toolFailed(`The contact has ${mostTags} tags already.`)
    yield* Effect.catchTag(update(organizationId, contact.id, { tags }, "system"), "DuplicateContact", Effect.die)
    return { outcome: "ok", result: "Done." } satisfies ToolAnswer
  })

  const handled = (turn: Turn, agent: TextAgent, handler: ToolHandler, input: Arguments, key: string) => {
    const { organizationId, conversationId, agentId, contact } = turn
    if (handler.type === "builtin" && handler.name === tagContact.name) return tag(turn, input)
    return runner.run(handler, input, {
      organizationId,
      agentId,
      knowledgeBases: agent.knowledgeBases,
      contactId: contact.id,
      conversationId,
      callId: null,
      idempotencyKey: `${turn.id}:${key}`
    })
  }

  /** Runs the tool, or gives what it gave before in this turn. */
  const once = Effect.fnUntraced(function* (
    turn: Turn,
    agent: TextAgent,
    name: string,
    handler: ToolHandler,
    input: Arguments
  ) {
    const key = keyOfCall(name, input)
    const run = { key, name, arguments: JSON.stringify(input) }
    const earlier = yield* turns.beginTool(turn, run, yield* Clock.currentTimeMillis)
    if (earlier !== undefined && earlier.answer !== null) return earlier.answer
    if (earlier !== undefined && !mayRunAgain(handler)) return toolFailed(outcomeUnknown)
    // An interrupted turn may not leave a tool whose work is done and whose result is not kept.
    return yield* Effect.uninterruptible(
      handled(turn, agent, handler, input, key).pipe(
        Effect.tap((answer) => Effect.flatMap(Clock.currentTimeMillis, (now) => turns.endTool(turn, key, answer, now)))
      )
    )
  })

  return Effect.fnUntraced(function* (
    turn: Turn,
    agent: TextAgent,
    tools: ReadonlyArray<ToolDefinition>,
    call: ToolCall,
    draft: Draft
  ) {
    const own = tools.find(({ name }) => name === call.name)
    if (own === undefined) return toolFailed(`There is no tool named "${call.name.slice(0, 64)}".`)
    const { handler } = own
    if (handler === undefined) return toolFailed(`The tool "${own.name}" has no handler.`)
    const parsed = parseToolArguments(own, call.arguments)
    if (parsed._tag === "Invalid") return toolFailed(parsed.problem)
    const flag = yield* judgeText(JSON.stringify(parsed.value))
    if (flag !== undefined) return toolFailed(withheld.arguments(flag))
    const now = yield* Clock.currentTimeMillis
    const drafted = handler.type === "builtin" ? draftTool(draft, handler.name, parsed.value, now) : undefined
    if (drafted !== undefined) return yield* drafted
    const answer = yield* once(turn, agent, own.name, handler, parsed.value)
    const found = yield* judgeText(answer.result)
    if (found === undefined) draft.sources.push(...(answer.sources ?? []))
    return found === undefined ? answer : { outcome: answer.outcome, result: withheld.answer(found) }
  })
})
