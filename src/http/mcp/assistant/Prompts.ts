/** Prompts that a person may choose in their assistant. */
import { Effect, Predicate } from "effect"
import type { Scope } from "../../../domain/people/access/Access.ts"
import type { AssistantCaller } from "../protocol/AssistantCaller.ts"
import { conversationUri, type makeResources } from "../resources/Resources.ts"
import { invalidParams, ProtocolFailure } from "./ProtocolFailure.ts"

type Resources = Effect.Success<typeof makeResources>

interface PromptEntry {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: ReadonlyArray<{ readonly name: string; readonly description: string; readonly required: boolean }>
}

const summarize = {
  name: "summarize_todays_calls",
  title: "Summarize today's calls",
  description: "What callers wanted today, who is unhappy, and what is left to do.",
  arguments: [{ name: "agentId", description: "Only calls of this voice agent, agt_….", required: false }],
  scope: "voice:read"
} satisfies PromptEntry & { readonly scope: Scope }

const draft = {
  name: "draft_reply",
  title: "Draft a reply",
  description: "A reply to the newest message of a conversation, which you read before it is sent.",
  arguments: [
    { name: "conversationId", description: "The conversation, cnv_….", required: true },
    { name: "tone", description: "How it should sound, e.g. warm and short.", required: false }
  ],
  scope: "conversations:read"
} satisfies PromptEntry & { readonly scope: Scope }

const prompts = [summarize, draft]

const says = (text: string) => ({ role: "user" as const, content: { type: "text" as const, text } })

const today = (
  agentId: string
) => `Summarize today's phone calls${agentId === "" ? "" : ` of the voice agent ${agentId}`}.

1. List the calls of today with list_calls (from and to are today's date${agentId === "" ? "" : `, agentId is ${agentId}`}). Follow \`truncated\` until you have all.
2. Read those that lasted longer than 20 seconds, were handed to a person, or failed, with get_call.
3. Write: how many calls, what callers wanted, which callers were unhappy and why, and what is left to do. Name calls and contacts by their ids.

Send nothing and call nobody.`

const reply = (
  tone: string
) => `Draft a reply to the newest message of this conversation${tone === "" ? "" : `. Tone: ${tone}`}.

- Answer only what the conversation supports; say what you do not know.
- See list_quick_replies for the organization's own words.
- If only templates can be sent, choose one of list_templates.
- Show me the draft. Send it with send_message only when I say so.`

/** Needs the resources. */
export const makePrompts = ({ read }: Resources) => {
  const allowed = ({ principal }: AssistantCaller) => prompts.filter(({ scope }) => principal.scopes.includes(scope))

  const ofConversation = Effect.fnUntraced(function* (id: string, tone: string, caller: AssistantCaller) {
    const uri = conversationUri(id)
    const found = yield* read(uri, caller)
    if (found === undefined) return yield* invalidParams("conversationId is invalid: there is no such conversation.")
    const resource = { type: "resource" as const, resource: { uri, ...found } }
    return {
      description: draft.description,
      messages: [says(reply(tone)), { role: "user" as const, content: resource }]
    }
  })

  return {
    listPrompts: (caller: AssistantCaller) => ({ prompts: allowed(caller).map(({ scope: _, ...entry }) => entry) }),
    getPrompt: Effect.fnUntraced(function* (params: Readonly<Record<string, unknown>>, caller: AssistantCaller) {
      const { name, arguments: given } = params
      const entry = allowed(caller).find((prompt) => prompt.name === name)
      if (entry === undefined)
        return yield* invalidParams(`Unknown prompt: ${String(name).slice(0, 100)}. prompts/list has those there are.`)
      const args = Predicate.isObject(given) ? given : {}
      const argument = (named: string) => {
        const value = Reflect.get(args, named)
        return typeof value === "string" ? value.trim().slice(0, 200) : ""
      }
      const missing = entry.arguments.find(({ name, required }) => required && argument(name) === "")
      if (missing !== undefined) return yield* invalidParams(`${missing.name} is missing: ${missing.description}`)
      if (entry.name === draft.name) return yield* ofConversation(argument("conversationId"), argument("tone"), caller)
      return { description: summarize.description, messages: [says(today(argument("agentId")))] }
    })
  }
}

export const noSuchResource = (uri: string) =>
  new ProtocolFailure({ reason: "resource_not_found", message: `Resource not found: ${uri.slice(0, 200)}` })
