/** The app's stores in memory, as far as the HTTP routes need them. Tests can read and set everything. */

import { Effect, Layer } from "effect"
import { KnowledgeBases } from "../../src/domain/ai/knowledge/KnowledgeBase.ts"
import { KnowledgeSources } from "../../src/domain/ai/knowledge/KnowledgeSource.ts"
import { SearchKnowledge } from "../../src/domain/ai/knowledge/SearchKnowledge.ts"
import { ModelTokens } from "../../src/domain/ai/providers/ModelTokens.ts"
import { SpeechCache } from "../../src/domain/ai/providers/SpeechCache.ts"
import { McpGrants } from "../../src/domain/ai/tools/McpGrant.ts"
import { McpServers } from "../../src/domain/ai/tools/McpServer.ts"
import { AppConnections } from "../../src/domain/apps/AppConnection.ts"
import { ArrivalQueue } from "../../src/domain/apps/ArrivalQueue.ts"
import { ChatMappings } from "../../src/domain/apps/chat/ChatMapping.ts"
import { PullQueue } from "../../src/domain/apps/PullQueue.ts"
import { SyncRecords } from "../../src/domain/apps/SyncRecords.ts"
import { Exclusive } from "../../src/domain/basics/Exclusive.ts"
import { newId } from "../../src/domain/basics/Ids.ts"
import { Carts } from "../../src/domain/business/carts/Cart.ts"
import { Companies } from "../../src/domain/business/companies/Company.ts"
import { Orders } from "../../src/domain/business/orders/Order.ts"
import { Products } from "../../src/domain/business/products/Product.ts"
import { CustomFieldDefinitions } from "../../src/domain/business/records/CustomFieldDefinitions.ts"
import { Suppliers } from "../../src/domain/business/suppliers/Supplier.ts"
import { EventLog, logStart } from "../../src/domain/events/EventFeed.ts"
import { WebhookDeliveries, WebhookEndpoints } from "../../src/domain/events/Webhook.ts"
import { Imports } from "../../src/domain/imports/Imports.ts"
import { TextAgents } from "../../src/domain/messaging/agents/TextAgent.ts"
import { TextAgentVersions } from "../../src/domain/messaging/agents/TextAgentVersion.ts"
import { Broadcasts } from "../../src/domain/messaging/broadcasts/Broadcast.ts"
import { ChannelAccounts } from "../../src/domain/messaging/channel/ChannelConnection.ts"
import { ChannelInbox } from "../../src/domain/messaging/channel/ChannelInbox.ts"
import { Conversations } from "../../src/domain/messaging/conversations/Conversation.ts"
import { ConversationNotes } from "../../src/domain/messaging/conversations/ConversationNote.ts"
import { Messages } from "../../src/domain/messaging/conversations/Message.ts"
import { MediaRecords } from "../../src/domain/messaging/media/MediaRecords.ts"
import { Evaluations } from "../../src/domain/messaging/rehearsal/Evaluation.ts"
import { EvaluationRuns } from "../../src/domain/messaging/rehearsal/EvaluationRun.ts"
import { Recipients } from "../../src/domain/messaging/sending/Recipients.ts"
import { QuickReplies } from "../../src/domain/messaging/templates/QuickReplies.ts"
import { Templates } from "../../src/domain/messaging/templates/Templates.ts"
import { PaymentLinks } from "../../src/domain/payments/PaymentLink.ts"
import { PaymentSettingsStore } from "../../src/domain/payments/PaymentSettings.ts"
import type { KeyPrincipal } from "../../src/domain/people/access/Access.ts"
import { ApiKeys } from "../../src/domain/people/access/ApiKey.ts"
import { type Contact, Contacts } from "../../src/domain/people/contacts/Contact.ts"
import { ContactMerging } from "../../src/domain/people/contacts/MergeContacts.ts"
import { type ConsentEntry, VoiceConsents } from "../../src/domain/people/contacts/VoiceConsent.ts"
import { type Organization, Organizations } from "../../src/domain/people/organizations/Organization.ts"
import { ContactErasure } from "../../src/domain/privacy/ContactErasure.ts"
import { AiUsage } from "../../src/domain/usage/AiUsage.ts"
import { AnalyticsStore } from "../../src/domain/usage/AnalyticsStore.ts"
import { noCharge } from "../../src/domain/usage/Metering.ts"
import { VoiceUsage } from "../../src/domain/usage/VoiceUsage.ts"
import { TestedAgents } from "../../src/domain/voice/agents/TestedAgents.ts"
import { DuplicateAgent, type VoiceAgent, VoiceAgents } from "../../src/domain/voice/agents/VoiceAgent.ts"
import { type NewVoicemail, Voicemails } from "../../src/domain/voice/calls/inbound/Voicemail.ts"
import { CallNotices } from "../../src/domain/voice/calls/live/CallNotices.ts"
import { Placements, TooManyCalls } from "../../src/domain/voice/calls/outbound/Placement.ts"
import { isFinal, nextStatus } from "../../src/domain/voice/calls/records/CallProgress.ts"
import {
  type CallRecord,
  Calls,
  type RanToolCall,
  toolUnfinished,
  type Utterance
} from "../../src/domain/voice/calls/records/CallRecord.ts"
import { CallSummaries } from "../../src/domain/voice/calls/records/CallSummary.ts"
import type { RecordingPart } from "../../src/domain/voice/calls/records/RecordingParts.ts"
import { ToolAudit } from "../../src/domain/voice/calls/records/ToolAudit.ts"
import { type Transfer, Transfers } from "../../src/domain/voice/calls/records/Transfer.ts"
import type { CallEvent } from "../../src/domain/voice/engine/CallEvent.ts"
import { CalledNumbers } from "../../src/domain/voice/telephony/CalledNumbers.ts"
import {
  PhoneNumbers,
  type TelephonyConnection,
  TelephonyConnections
} from "../../src/domain/voice/telephony/PhoneNumber.ts"
import { SipCredentialStore } from "../../src/domain/voice/telephony/SipCredentials.ts"
import { noConnections } from "../support/unconnected.ts"
import { type Audited, accessInMemory } from "./access.ts"
export const contact = (changes: Partial<Contact> & Pick<Contact, "id">): Contact => ({
  organizationId: "org_1",
  phone: null,
  name: null,
  email: null,
  tags: [],
  optedIn: false,
  identities: [],
  archivedAt: null,
  lastSeenAt: null,
  createdAt: "2026-11-01T00:00:00.000Z",
  updatedAt: "2026-11-01T00:00:00.000Z",
  ...changes
})

export const organization = (changes: Partial<Organization> = {}): Organization => ({
  id: "org_1",
  name: "Acme",
  plan: "PREMIUM",
  flags: { voiceAgents: true, voicePremium: false },
  timeZone: "Asia/Kolkata",
  businessHours: null,
  disclosureText: "You may be speaking with an AI.",
  disclosureTexts: {},
  voiceTerms: null,
  concurrentCalls: null,
  aiTokensPerMonth: null,
  retention: null,
  slaPolicy: null,
  createdAt: "2026-11-01T00:00:00.000Z",
  updatedAt: "2026-11-01T00:00:00.000Z",
  ...changes
})

/** A call without any events yet. */
export const emptyCall = {
  direction: "outbound",
  status: "queued",
  contactId: null,
  conversationId: null,
  dealId: null,
  test: false,
  failureReason: null,
  endReason: null,
  startedAt: null,
  endedAt: null,
  durationSeconds: null,
  interruptions: 0,
  falseInterruptions: 0,
  talkRatio: null,
  toolCallCount: 0,
  turns: [],
  transfer: null,
  recording: null,
  createdAt: "2026-11-01T00:00:00.000Z"
} as const

export class Memory {
  readonly organizations = new Map<string, Organization>()
  readonly audited: Array<Audited> = []
  readonly keys = new Map<string, KeyPrincipal>()
  readonly agents = new Map<string, VoiceAgent>()
  readonly numbers = new Map<string, string>()
  readonly connections = new Map<string, TelephonyConnection>()
  readonly calls: Array<CallRecord> = []
  readonly events: Array<CallEvent> = []
  readonly utterances: Array<Utterance> = []
  readonly toolCalls: Array<RanToolCall> = []
  readonly transfers: Array<Transfer> = []
  readonly contacts: Array<Contact> = []
  readonly consents = new Map<string, ReadonlyArray<ConsentEntry>>()
  /** How often the dialer was woken. */
  woken = 0
  readonly recordings = new Map<string, ReadonlyArray<RecordingPart>>()
  readonly voicemails: Array<NewVoicemail> = []
  readonly speech = new Map<string, Uint8Array>()

  constructor() {
    this.organizations.set("org_1", organization())
    this.organizations.set("org_2", organization({ id: "org_2", name: "Other" }))
    const all = ["voice:read", "voice:write", "contacts:read", "contacts:write"] as const
    this.keys.set("mk_1", { organizationId: "org_1", keyId: "key_1", scopes: all })
    this.keys.set("mk_2", { organizationId: "org_2", keyId: "key_2", scopes: all })
    this.keys.set("mk_read", { organizationId: "org_1", keyId: "key_3", scopes: ["voice:read"] })
    this.keys.set("mk_admin", { organizationId: "org_1", keyId: "key_5", scopes: [...all, "admin"] })
    this.keys.set("mk_chats", { organizationId: "org_1", keyId: "key_6", scopes: ["conversations:read"] })
    this.keys.set("mk_desk", {
      organizationId: "org_1",
      keyId: "key_7",
      scopes: [...all, "conversations:read", "messages:send"]
    })
    this.keys.set("mk_none", { organizationId: "org_1", keyId: "key_4", scopes: [] })
  }

  get layer() {
    return Layer.mergeAll(
      this.#keys(),
      this.#organizations(),
      this.#agents(),
      this.#testedAgents(),
      this.#numbers(),
      this.#called(),
      this.#connections(),
      Layer.mock(CallSummaries, { find: () => Effect.succeed(null) }),
      Layer.mock(SipCredentialStore, {}),
      Layer.mock(Templates, {}),
      Layer.mock(ChannelAccounts, {}),
      Layer.mock(ChannelInbox, {}),
      noConnections,
      Layer.mock(KnowledgeBases, {}),
      Layer.mock(KnowledgeSources, {}),
      Layer.mock(SearchKnowledge, {}),
      Layer.mock(QuickReplies, {}),
      Layer.mock(ConversationNotes, {}),
      Layer.mock(Companies, {}),
      Layer.mock(Products, {}),
      Layer.mock(Orders, {}),
      Layer.mock(Carts, {}),
      Layer.mock(Suppliers, {}),
      Layer.mock(PaymentLinks, {}),
      Layer.mock(PaymentSettingsStore, {}),
      Layer.mock(CallNotices, { after: () => Effect.succeed([]) }),
      Layer.mock(CustomFieldDefinitions, {}),
      Layer.mock(Imports, {}),
      Layer.mock(TextAgents, {}),
      Layer.mock(TextAgentVersions, {}),
      Layer.mock(Evaluations, {}),
      Layer.mock(EvaluationRuns, {}),
      Layer.mock(AiUsage, {}),
      Layer.mock(ModelTokens, {}),
      Layer.mock(McpServers, {}),
      Layer.mock(McpGrants, {}),
      Layer.mock(Broadcasts, {}),
      Layer.mock(AnalyticsStore, {}),
      Layer.mock(Recipients, {}),
      Layer.mock(MediaRecords, {}),
      Layer.mock(AppConnections, { list: () => Effect.succeed(new Map()) }),
      Layer.mock(SyncRecords, {}),
      Layer.mock(ArrivalQueue, {}),
      Layer.mock(PullQueue, {}),
      Layer.mock(ChatMappings, {}),
      Layer.mock(WebhookEndpoints, {}),
      Layer.mock(WebhookDeliveries, {}),
      Layer.mock(EventLog, {
        end: Effect.succeed(logStart),
        news: (last) => Effect.succeed({ organizations: new Set(), last, full: false })
      }),
      Layer.succeed(Exclusive, { run: () => (effect) => effect }),
      this.#calls(),
      this.#transfers(),
      this.#voicemails(),
      this.#usage(),
      this.#contacts(),
      this.#placements(),
      this.#toolAudit(),
      accessInMemory(this.audited)
    )
  }

  #keys() {
    return Layer.mock(ApiKeys, {
      authenticate: (secret) => Effect.sync(() => this.keys.get(secret)),
      revoke: () => Effect.void
    })
  }

  #organizations() {
    return Layer.mock(Organizations, {
      find: (id) => Effect.sync(() => this.organizations.get(id)),
      setPlan: () => Effect.void,
      setFlags: () => Effect.void,
      setDisclosureText: (id, disclosureText, texts) =>
        Effect.sync(() => {
          const known = this.organizations.get(id)
          if (known === undefined) return
          this.organizations.set(id, { ...known, disclosureText, disclosureTexts: texts ?? known.disclosureTexts })
        }),
      setVoiceTerms: () => Effect.void,
      setAiTokensPerMonth: () => Effect.void,
      setConcurrentCalls: () => Effect.void,
      setRetention: () => Effect.void,
      idsAfter: () => Effect.sync(() => [...this.organizations.keys()]),
      setDetails: (id, details) =>
        Effect.sync(() => {
          const known = this.organizations.get(id)
          if (known !== undefined) this.organizations.set(id, { ...known, ...details })
        }),
      setSlaPolicy: (id, slaPolicy) =>
        Effect.sync(() => {
          const known = this.organizations.get(id)
          if (known !== undefined) this.organizations.set(id, { ...known, slaPolicy })
        }),
      setBusinessHours: (id, timeZone, businessHours) =>
        Effect.sync(() => {
          const known = this.organizations.get(id)
          if (known !== undefined) this.organizations.set(id, { ...known, timeZone, businessHours })
        })
    })
  }

  #agents() {
    const { agents } = this
    const own = (organizationId: string) =>
      [...agents.values()].filter((agent) => agent.organizationId === organizationId).reverse()
    const isNameTaken = ({ organizationId, id, name }: Pick<VoiceAgent, "organizationId" | "id" | "name">) =>
      own(organizationId).some((other) => other.name === name && other.id !== id)
    const write = (agent: VoiceAgent): Effect.Effect<void, DuplicateAgent> =>
      Effect.suspend(() => {
        if (isNameTaken(agent)) return Effect.fail(new DuplicateAgent({ name: agent.name }))
        agents.set(agent.id, agent)
        return Effect.void
      })
    return Layer.succeed(VoiceAgents, {
      list: (organizationId, page, limit) =>
        Effect.sync(() => {
          const all = own(organizationId)
          return { data: all.slice((page - 1) * limit, page * limit), total: all.length }
        }),
      find: (organizationId, id) => Effect.sync(() => own(organizationId).find((agent) => agent.id === id)),
      count: (organizationId) => Effect.sync(() => own(organizationId).length),
      isNameTaken: (agent) => Effect.sync(() => isNameTaken(agent)),
      create: write,
      update: (agent, readAt) =>
        Effect.suspend(() =>
          agents.get(agent.id)?.updatedAt === readAt ? Effect.as(write(agent), true) : Effect.succeed(false)
        ),
      remove: (organizationId, id) =>
        Effect.sync(() => own(organizationId).some((agent) => agent.id === id) && agents.delete(id))
    })
  }

  #testedAgents() {
    const kept = new Map<string, VoiceAgent>()
    return Layer.succeed(TestedAgents, {
      keep: (callId, agent) => Effect.sync(() => void kept.set(`${agent.organizationId}/${callId}`, agent)),
      find: (organizationId, callId) => Effect.sync(() => kept.get(`${organizationId}/${callId}`))
    })
  }

  #numbers() {
    return Layer.mock(PhoneNumbers, {
      assign: (organizationId, phone, agentId) =>
        Effect.sync(() => void this.numbers.set(`${organizationId}/${phone}`, agentId)),
      agentOf: (organizationId, phone) => Effect.sync(() => this.numbers.get(`${organizationId}/${phone}`))
    })
  }

  #called() {
    return Layer.succeed(CalledNumbers, {
      find: (organizationId, phone) =>
        Effect.sync(() => {
          const agent = this.agents.get(this.numbers.get(`${organizationId}/${phone}`) ?? "")
          return {
            organization: this.organizations.get(organizationId),
            agent: agent?.organizationId === organizationId ? agent : undefined
          }
        })
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
    return Layer.mock(Calls, {
      open: (input) =>
        Effect.sync(() => {
          const known = calls.find((call) => call.callSid !== null && call.callSid === input.callSid)
          if (known !== undefined) return { call: known, contactName: "Asha" }
          const { endReason = null, ...given } = input
          const call: CallRecord = { ...emptyCall, ...given, id: newId("call"), endReason }
          calls.push(call)
          return { call, contactName: "Asha" }
        }),
      close: (organizationId, id, status, endReason) =>
        Effect.sync(() => {
          const call = find(organizationId, id)
          if (call !== undefined) calls[calls.indexOf(call)] = { ...call, status, endReason }
        }),
      told: (organizationId, name, { status }) =>
        Effect.sync(() => {
          const call = calls.find(
            (known) =>
              known.organizationId === organizationId &&
              ("id" in name ? known.id === name.id : known.callSid === name.callSid)
          )
          if (call === undefined) return undefined
          const told = {
            ...call,
            status: nextStatus(
              { ...call, settled: call.endReason !== null, provider: null },
              { status, sequence: null }
            ).status
          }
          calls[calls.indexOf(call)] = told
          return told
        }),
      apply: (event) =>
        Effect.sync(() => {
          this.events.push(event)
          return { transferred: true }
        }),
      find: (organizationId, id) => Effect.sync(() => find(organizationId, id)),
      utterances: () => Effect.sync(() => this.utterances),
      toolCalls: () => Effect.sync(() => this.toolCalls),
      recordings: (organizationId, id) =>
        Effect.sync(() => (find(organizationId, id) === undefined ? [] : (this.recordings.get(id) ?? []))),
      list: (organizationId, _page, _limit, { agentId }) =>
        Effect.sync(() => {
          const data = calls.filter(
            (call) => call.organizationId === organizationId && (agentId === undefined || call.agentId === agentId)
          )
          return { data, total: data.length }
        }),
      beginToolCall: (_organizationId, _callId, begun) =>
        Effect.sync(() => {
          const earlier = this.toolCalls.find(({ id }) => id === begun.id)
          const unknown = { result: toolUnfinished, outcome: "error", durationMs: 0, begun: true } as const
          if (earlier === undefined)
            this.toolCalls.push({ ...begun, ...unknown, withheld: null, createdAt: new Date().toISOString() })
          return earlier
        }),
      recordToolCall: (_organizationId, _callId, entry) =>
        Effect.sync(() => {
          const at = this.toolCalls.findIndex(({ id, begun }) => id === entry.id && begun === true)
          const ended = { ...entry, withheld: null, createdAt: new Date().toISOString() }
          this.toolCalls.splice(at < 0 ? this.toolCalls.length : at, at < 0 ? 0 : 1, ended)
        }),
      findToolCall: (_organizationId, _callId, id) => Effect.sync(() => this.toolCalls.find((entry) => entry.id === id))
    })
  }

  #voicemails() {
    return Layer.mock(Voicemails, {
      received: (message) =>
        Effect.sync(() => {
          const { calls, voicemails } = this
          const known = calls.some(({ id, callSid }) => id === message.callId && callSid === message.callSid)
          if (known && !voicemails.some(({ recordingSid }) => recordingSid === message.recordingSid))
            voicemails.push(message)
          return known
        }),
      absent: () => Effect.succeed(true),
      claim: () => Effect.succeed([])
    })
  }

  get speechCache() {
    return Layer.succeed(SpeechCache, {
      get: (key) => Effect.sync(() => this.speech.get(key)),
      set: (key, audio) => Effect.sync(() => void this.speech.set(key, audio))
    })
  }

  #toolAudit() {
    return Layer.succeed(ToolAudit, { list: () => Effect.succeed({ data: [], total: 0 }) })
  }

  /** Nothing is counted here. The real ledger has separate tests. */
  #usage() {
    return Layer.succeed(VoiceUsage, {
      read: () => Effect.succeed([]),
      ofCall: () => Effect.succeed(undefined),
      ofCalls: () => Effect.succeed(noCharge)
    })
  }

  #contacts() {
    const { contacts, consents } = this
    return Layer.mergeAll(
      Layer.mock(ContactErasure, {}),
      Layer.mock(ContactMerging, {}),
      Layer.mock(Contacts, {
        find: (organizationId, id) =>
          Effect.sync(() => contacts.find((known) => known.organizationId === organizationId && known.id === id))
      }),
      Layer.mock(Conversations, {
        overdue: () => Effect.succeed([])
      }),
      Layer.mock(Messages, {}),
      Layer.succeed(VoiceConsents, {
        record: ({ organizationId, phone }, entry) =>
          Effect.sync(() => {
            const made = { ...entry, id: newId("cns"), recordedAt: new Date().toISOString() }
            consents.set(`${organizationId}/${phone}`, [made, ...(consents.get(`${organizationId}/${phone}`) ?? [])])
            return made
          }),
        history: (organizationId, phone) => Effect.sync(() => consents.get(`${organizationId}/${phone}`) ?? [])
      })
    )
  }

  /** Nothing is dialled here. The queue has separate tests. */
  #placements() {
    const { calls } = this
    return Layer.mock(Placements, {
      request: (input) =>
        Effect.gen(function* () {
          const live = calls.filter(
            ({ status, organizationId }) => organizationId === input.organizationId && !isFinal(status)
          )
          if (live.length >= input.concurrentCalls) return yield* new TooManyCalls({ limit: input.concurrentCalls })
          const { organizationId, callId: id, agentId, from, to, dealId } = input
          const call = { ...emptyCall, id, organizationId, agentId, from, to, dealId, callSid: null }
          calls.push(call)
          return call
        }),
      organizations: Effect.succeed([]),
      next: () => Effect.succeed({ _tag: "Nothing" }),
      placed: (organizationId, callId, callSid) =>
        Effect.sync(() => {
          const call = calls.find((known) => known.organizationId === organizationId && known.id === callId)
          if (call === undefined || (call.callSid !== null && call.callSid !== callSid)) return false
          calls[calls.indexOf(call)] = { ...call, callSid }
          return true
        }),
      unsure: () => Effect.succeed([]),
      known: () => Effect.succeed(new Set())
    })
  }

  /** Every human is free here. The real store has separate tests. */
  #transfers() {
    const { transfers } = this
    return Layer.mock(Transfers, {
      request: ({ organizationId, callId, destination }, now) =>
        Effect.sync(() => {
          const plan = destination === null ? ("nobody" as const) : ("transfer" as const)
          const transfer: Transfer = {
            id: newId("trf"),
            organizationId,
            callId,
            destination,
            plan,
            position: 0,
            outcome: plan === "nobody" ? "nobody" : "dialing",
            arrived: false,
            handedOver: false,
            requestedAt: new Date(now).toISOString()
          }
          transfers.push(transfer)
          return transfer
        }),
      next: () => Effect.succeed(undefined),
      find: (organizationId, id) =>
        Effect.sync(() => transfers.find((made) => made.organizationId === organizationId && made.id === id)),
      ofToolCall: () => Effect.sync(() => transfers.at(-1)),
      latestOf: () => Effect.succeed(undefined),
      lines: () => Effect.succeed([])
    })
  }
}
