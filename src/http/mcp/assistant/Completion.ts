/** `completion/complete`: values for the arguments of prompts and for the ids in the URIs of resources, from what the caller may read. */
import { Effect, Predicate } from "effect"
import { VoiceAgents } from "../../../domain/voice/agents/VoiceAgent.ts"
import type { AssistantCaller } from "../protocol/AssistantCaller.ts"
import { listCalls } from "../tools/listCalls.ts"
import { listConversations } from "../tools/listConversations.ts"
import { invalidParams } from "./ProtocolFailure.ts"

/** The most values of one answer; the protocol allows 100. */
const mostValues = 50
/** The most of what was typed that is looked at. */
const typedCharacters = 200

const tones = ["warm and short", "formal", "friendly", "apologetic", "plain"]

/** What may be written, by the prompt or the template and the name of the argument. */
const sources: Readonly<Record<string, "agents" | "conversations" | "calls" | "tones">> = {
  "summarize_todays_calls agentId": "agents",
  "draft_reply conversationId": "conversations",
  "draft_reply tone": "tones",
  "parley://agents/{id} id": "agents",
  "parley://conversations/{id} id": "conversations",
  "parley://calls/{id}/transcript id": "calls"
}
const subjects = new Set(Object.keys(sources).map((known) => known.slice(0, known.lastIndexOf(" "))))

const textAt = (value: unknown, name: string): string | undefined => {
  const found = Predicate.isObject(value) ? Reflect.get(value, name) : undefined
  return typeof found === "string" ? found : undefined
}

/** The ids in the rows of a tool's list. */
const idsOf = (structured: object): ReadonlyArray<string> => {
  const rows: unknown = Reflect.get(structured, "data")
  return Array.isArray(rows) ? rows.flatMap((row) => textAt(row, "id") ?? []) : []
}

/** Needs what the lists need. */
export const makeCompletion = Effect.gen(function* () {
  const agents = yield* VoiceAgents
  const conversationsTool = yield* listConversations
  const callsTool = yield* listCalls

  /** An agent is found by its name, too. */
  const agentIds = Effect.fnUntraced(function* ({ principal }: AssistantCaller, typed: string) {
    if (!principal.scopes.includes("voice:read")) return []
    const { data } = yield* agents.list(principal.organizationId, 1, mostValues)
    const word = typed.toLowerCase()
    return data.filter(({ id, name }) => id.startsWith(typed) || name.toLowerCase().includes(word)).map(({ id }) => id)
  })

  /** The newest, without an error where the caller may not list them. */
  const newest = Effect.fnUntraced(function* (
    which: "conversations" | "calls",
    caller: AssistantCaller,
    typed: string
  ) {
    const tool = which === "calls" ? callsTool : conversationsTool
    if (!caller.principal.scopes.includes(tool.scope) || !tool.isInPlan(caller.organization)) return []
    const answer = yield* Effect.match(tool.run({ limit: mostValues, fields: ["status"] }, caller), {
      onSuccess: ({ structured }) => idsOf(structured),
      onFailure: () => []
    })
    return answer.filter((id) => id.startsWith(typed))
  })

  return Effect.fnUntraced(function* (params: Readonly<Record<string, unknown>>, caller: AssistantCaller) {
    const { ref, argument } = params
    const kind = textAt(ref, "type")
    const subject = textAt(ref, kind === "ref/prompt" ? "name" : kind === "ref/resource" ? "uri" : "")
    const [name, value] = [textAt(argument, "name"), textAt(argument, "value")]
    if (subject === undefined || name === undefined || value === undefined)
      return yield* invalidParams(
        "ref must name a prompt or a resource template, and argument must have a name and a value."
      )
    if (!subjects.has(subject))
      return yield* invalidParams("ref is invalid: there is no such prompt or resource template.")
    const typed = value.slice(0, typedCharacters)
    const source = sources[`${subject} ${name}`]
    const values =
      source === undefined
        ? []
        : source === "tones"
          ? tones.filter((tone) => tone.startsWith(typed.toLowerCase()))
          : yield* source === "agents" ? agentIds(caller, typed) : newest(source, caller, typed)
    return { completion: { values, total: values.length, hasMore: false } }
  })
})
