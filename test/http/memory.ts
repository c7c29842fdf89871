/** The app's stores in memory, as far as the front doors need them. Everything is open to look at and to arrange. */
import { Effect, Layer } from "effect"
import { ApiKeys, type Principal } from "../../src/domain/Access.ts"
import { type CallRecord, Calls, type ToolCallAudit, type Utterance } from "../../src/domain/CallRecord.ts"
import type { CallEvent } from "../../src/domain/EngineProtocol.ts"
import { newId } from "../../src/domain/Ids.ts"
import { type Organization, Organizations } from "../../src/domain/Organization.ts"
import { PhoneNumbers, type TelephonyConnection, TelephonyConnections } from "../../src/domain/PhoneNumber.ts"
import { DuplicateAgent, type VoiceAgent, VoiceAgents } from "../../src/domain/VoiceAgent.ts"

export const organization = (changes: Partial<Organization> = {}): Organization => ({
  id: "org_1",
  name: "Acme",
  plan: "PREMIUM",
  flags: { voiceAgents: true, voicePremium: false },
  timeZone: "Asia/Kolkata",
  businessHours: null,
  disclosureText: "You may be speaking with an AI.",
  createdAt: "2026-11-01T00:00:00.000Z",
  updatedAt: "2026-11-01T00:00:00.000Z",
  ...changes
})

export class Memory {
  readonly organizations = new Map<string, Organization>()
  readonly keys = new Map<string, Principal>()
  readonly agents = new Map<string, VoiceAgent>()
  readonly numbers = new Map<string, string>()
  readonly connections = new Map<string, TelephonyConnection>()
  readonly calls: Array<CallRecord> = []
  readonly events: Array<CallEvent> = []
  readonly utterances: Array<Utterance> = []
  readonly toolCalls: Array<ToolCallAudit> = []

  constructor() {
    this.organizations.set("org_1", organization())
    this.organizations.set("org_2", organization({ id: "org_2", name: "Other" }))
    const all = ["voice:read", "voice:write"] as const
    this.keys.set("mk_1", { organizationId: "org_1", keyId: "key_1", scopes: all })
    this.keys.set("mk_2", { organizationId: "org_2", keyId: "key_2", scopes: all })
    this.keys.set("mk_read", { organizationId: "org_1", keyId: "key_3", scopes: ["voice:read"] })
    this.keys.set("mk_none", { organizationId: "org_1", keyId: "key_4", scopes: [] })
  }

  get layer() {
    return Layer.mergeAll(
      this.#keys(),
      this.#organizations(),
      this.#agents(),
      this.#numbers(),
      this.#connections(),
      this.#calls()
    )
  }

  #keys() {
    return Layer.succeed(ApiKeys, {
      create: () => Effect.die("not used"),
      authenticate: (secret) => Effect.sync(() => this.keys.get(secret)),
      revoke: () => Effect.void
    })
  }

  #organizations() {
    return Layer.succeed(Organizations, {
      create: () => Effect.die("not used"),
      find: (id) => Effect.sync(() => this.organizations.get(id)),
      setFlags: () => Effect.void,
      setDisclosureText: () => Effect.void
    })
  }

  #agents() {
    const { agents } = this
    const own = (organizationId: string) =>
      [...agents.values()].filter((agent) => agent.organizationId === organizationId).reverse()
    const write = <E>(agent: VoiceAgent, push: Effect.Effect<void, E>): Effect.Effect<void, DuplicateAgent | E> =>
      Effect.gen(function* () {
        if (own(agent.organizationId).some(({ id, name }) => name === agent.name && id !== agent.id))
          return yield* new DuplicateAgent({ name: agent.name })
        yield* push
        agents.set(agent.id, agent)
      })
    return Layer.succeed(VoiceAgents, {
      list: (organizationId, page, limit) =>
        Effect.sync(() => {
          const all = own(organizationId)
          return { data: all.slice((page - 1) * limit, page * limit), total: all.length }
        }),
      find: (organizationId, id) => Effect.sync(() => own(organizationId).find((agent) => agent.id === id)),
      create: write,
      update: write,
      remove: (organizationId, id) =>
        Effect.sync(() => own(organizationId).some((agent) => agent.id === id) && agents.delete(id))
    })
  }

  #numbers() {
    return Layer.succeed(PhoneNumbers, {
      assign: (organizationId, phone, agentId) =>
        Effect.sync(() => void this.numbers.set(`${organizationId}/${phone}`, agentId)),
      agentOf: (organizationId, phone) => Effect.sync(() => this.numbers.get(`${organizationId}/${phone}`))
    })
  }

  #connections() {
    return Layer.succeed(TelephonyConnections, {
      save: (connection) => Effect.sync(() => void this.connections.set(connection.accountSid, connection)),
      find: () => Effect.succeed(undefined),
      findByAccount: (accountSid) => Effect.sync(() => this.connections.get(accountSid))
    })
  }

  #calls() {
    const { calls } = this
    const find = (organizationId: string, id: string) =>
      calls.find((call) => call.organizationId === organizationId && call.id === id)
    return Layer.succeed(Calls, {
      open: (input) =>
        Effect.sync(() => {
          const known = calls.find((call) => call.callSid === input.callSid)
          if (known !== undefined) return { call: known, contactName: "Asha" }
          const call: CallRecord = {
            ...input,
            id: newId("call"),
            contactId: null,
            conversationId: null,
            endReason: input.endReason ?? null,
            startedAt: null,
            endedAt: null,
            durationSeconds: null,
            interruptions: 0,
            toolCallCount: 0,
            turns: [],
            createdAt: new Date().toISOString()
          }
          calls.push(call)
          return { call, contactName: "Asha" }
        }),
      close: (organizationId, id, status, endReason) =>
        Effect.sync(() => {
          const call = find(organizationId, id)
          if (call !== undefined) calls[calls.indexOf(call)] = { ...call, status, endReason }
        }),
      apply: (event) => Effect.sync(() => void this.events.push(event)),
      find: (organizationId, id) => Effect.sync(() => find(organizationId, id)),
      utterances: () => Effect.sync(() => this.utterances),
      toolCalls: () => Effect.sync(() => this.toolCalls),
      listByAgent: (organizationId, agentId) =>
        Effect.sync(() => {
          const data = calls.filter((call) => call.organizationId === organizationId && call.agentId === agentId)
          return { data, total: data.length }
        }),
      recordToolCall: (_organizationId, _callId, entry) =>
        Effect.sync(() => void this.toolCalls.push({ ...entry, createdAt: new Date().toISOString() })),
      findToolCall: (_organizationId, _callId, id) => Effect.sync(() => this.toolCalls.find((entry) => entry.id === id))
    })
  }
}
