/** What assistants may attach to a conversation with their user: conversations, transcripts of calls, voice agents. */
import { Effect } from "effect"
import type { Scope } from "../../../domain/people/access/Access.ts"
import { agentView } from "../../../domain/voice/agents/AgentView.ts"
import { VoiceAgents } from "../../../domain/voice/agents/VoiceAgent.ts"
import type { AssistantCaller } from "../protocol/AssistantCaller.ts"
import { clip } from "../protocol/ToolAnswer.ts"
import type { ToolRefusal } from "../protocol/ToolRefusal.ts"
import { getCall } from "../tools/getCall.ts"
import { getConversation } from "../tools/getConversation.ts"

export interface ResourceText {
  readonly mimeType: string
  readonly text: string
}

/** A kind of resources. */
export interface ResourceKind {
  readonly uriTemplate: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
  readonly scope: Scope
  /** The id that a URI of this kind names; `undefined` for other URIs. */
  readonly idOf: (uri: string) => string | undefined
  /** Undefined: there is none with this id. */
  readonly read: (id: string, caller: AssistantCaller) => Effect.Effect<ResourceText | undefined>
}

const matching = (pattern: RegExp) => (uri: string) => pattern.exec(uri)?.[1]

const orNone = (work: Effect.Effect<{ readonly text: string }, ToolRefusal>) =>
  Effect.match(work, {
    onSuccess: ({ text }) => ({ mimeType: "text/plain", text }),
    onFailure: () => undefined
  })

/** The longest part of an agent's prompt that is shown. */
const promptCharacters = 8_000
const mostTools = 50
const mostAgents = 50

export const agentUri = (id: string) => `parley://agents/${id}`
export const conversationUri = (id: string) => `parley://conversations/${id}`

/** Needs what the tools that read need. */
export const makeResources = Effect.gen(function* () {
  const agents = yield* VoiceAgents
  const conversationTool = yield* getConversation
  const callTool = yield* getCall

  const agentText = Effect.fnUntraced(function* (id: string, { organization }: AssistantCaller) {
    const found = yield* agents.find(organization.id, id)
    if (found === undefined) return undefined
    const { tools, systemPrompt, organizationId: _, ...agent } = agentView(found, organization)
    const shown = {
      ...agent,
      systemPrompt: systemPrompt.slice(0, promptCharacters),
      tools: tools.slice(0, mostTools).map(({ name, description }) => ({ name, description: clip(description, 200) }))
    }
    return { mimeType: "application/json", text: JSON.stringify(shown, undefined, 1) }
  })

  const kinds: ReadonlyArray<ResourceKind> = [
    {
      uriTemplate: "parley://conversations/{id}",
      name: "conversation",
      title: "A conversation",
      description: "A conversation with its newest 20 messages, the newest first.",
      mimeType: "text/plain",
      scope: "conversations:read",
      idOf: matching(/^parley:\/\/conversations\/(cnv_\w{1,60})$/),
      read: (conversationId, caller) => orNone(conversationTool.run({ conversationId }, caller))
    },
    {
      uriTemplate: "parley://calls/{id}/transcript",
      name: "transcript",
      title: "The transcript of a call",
      description: "What was said in a phone call, and the tools that the agent used.",
      mimeType: "text/plain",
      scope: "voice:read",
      idOf: matching(/^parley:\/\/calls\/(call_\w{1,60})\/transcript$/),
      read: (callId, caller) => orNone(callTool.run({ callId }, caller))
    },
    {
      uriTemplate: "parley://agents/{id}",
      name: "agent",
      title: "A voice agent",
      description: "How an agent that answers phone calls is set up. Secrets of its tools are masked.",
      mimeType: "application/json",
      scope: "voice:read",
      idOf: matching(/^parley:\/\/agents\/(agt_\w{1,60})$/),
      read: agentText
    }
  ]

  const allowed = ({ principal }: AssistantCaller) => kinds.filter(({ scope }) => principal.scopes.includes(scope))

  return {
    templates: (caller: AssistantCaller) => ({
      resourceTemplates: allowed(caller).map(({ uriTemplate, name, title, description, mimeType }) => ({
        ...{ uriTemplate, name, title, description, mimeType }
      }))
    }),
    /** The voice agents: of the other kinds there are too many to list. */
    list: Effect.fnUntraced(function* ({ principal }: AssistantCaller) {
      if (!principal.scopes.includes("voice:read")) return { resources: [] }
      const { data } = yield* agents.list(principal.organizationId, 1, mostAgents)
      const resources = data.map(({ id, name, description }) => ({
        uri: agentUri(id),
        name,
        title: `Voice agent ${name}`,
        description: clip(description, 200),
        mimeType: "application/json"
      }))
      return { resources }
    }),
    /** Undefined: there is no such resource, or the caller may not read it. */
    read: Effect.fnUntraced(function* (uri: string, caller: AssistantCaller) {
      for (const { idOf, read } of allowed(caller)) {
        const id = idOf(uri)
        if (id !== undefined) return yield* read(id, caller)
      }
      return undefined
    })
  }
})
