/**
 * Every use case that writes, many at once against the same rows: alone, and all of them mixed. No deadlock may be found by the database, not even one
 * that a second attempt hides (`Conflicts.ts`), and nothing may die. docs/locks.md says in which order rows are locked.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { inspect } from "node:util"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, type Layer, Record, Redacted } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { KnowledgeBases } from "../../../../src/domain/ai/knowledge/KnowledgeBase.ts"
import { KnowledgeSources } from "../../../../src/domain/ai/knowledge/KnowledgeSource.ts"
import { McpGrants, type McpTokens } from "../../../../src/domain/ai/tools/McpGrant.ts"
import { McpServers } from "../../../../src/domain/ai/tools/McpServer.ts"
import { AppConnections } from "../../../../src/domain/apps/AppConnection.ts"
import { appProviders, catalogue } from "../../../../src/domain/apps/Catalogue.ts"
import { SyncQueue } from "../../../../src/domain/apps/SyncQueue.ts"
import { SyncRecords } from "../../../../src/domain/apps/SyncRecords.ts"
import { syncVerdict } from "../../../../src/domain/apps/SyncVerdict.ts"
import { exampleIds, exampleOf } from "../../../../src/domain/basics/Examples.ts"
import { newId } from "../../../../src/domain/basics/Ids.ts"
import { Companies } from "../../../../src/domain/business/companies/Company.ts"
import { Orders } from "../../../../src/domain/business/orders/Order.ts"
import { Pushes, PushSettings } from "../../../../src/domain/events/Push.ts"
import { WebhookDeliveries, WebhookEndpoints, WebhookQueue } from "../../../../src/domain/events/Webhook.ts"
import { makeApplyContactRows } from "../../../../src/domain/imports/ApplyContactRows.ts"
import { ImportQueue, Imports } from "../../../../src/domain/imports/Imports.ts"
import { AgentTurns } from "../../../../src/domain/messaging/agents/AgentTurns.ts"
import { TextAgent, TextAgents, textAgentDefaults } from "../../../../src/domain/messaging/agents/TextAgent.ts"
import { Broadcasts } from "../../../../src/domain/messaging/broadcasts/Broadcast.ts"
import { BroadcastQueue } from "../../../../src/domain/messaging/broadcasts/BroadcastQueue.ts"
import { ChannelInbox } from "../../../../src/domain/messaging/channel/ChannelInbox.ts"
import { ChannelMessages } from "../../../../src/domain/messaging/channel/ChannelMessages.ts"
import { Conversations } from "../../../../src/domain/messaging/conversations/Conversation.ts"
import { ConversationFence } from "../../../../src/domain/messaging/conversations/ConversationFence.ts"
import { ConversationNotes } from "../../../../src/domain/messaging/conversations/ConversationNote.ts"
import { Messages } from "../../../../src/domain/messaging/conversations/Message.ts"
import { Evaluations } from "../../../../src/domain/messaging/rehearsal/Evaluation.ts"
import { EvaluationRuns } from "../../../../src/domain/messaging/rehearsal/EvaluationRun.ts"
import { Recipients } from "../../../../src/domain/messaging/sending/Recipients.ts"
import { QuickReplies } from "../../../../src/domain/messaging/templates/QuickReplies.ts"
import { Templates } from "../../../../src/domain/messaging/templates/Templates.ts"
import { ApiKeys } from "../../../../src/domain/people/access/ApiKey.ts"
import { Audit } from "../../../../src/domain/people/access/Audit.ts"
import { Devices } from "../../../../src/domain/people/access/Device.ts"
import { IdempotencyKeys } from "../../../../src/domain/people/access/Idempotency.ts"
import { Users } from "../../../../src/domain/people/access/User.ts"
import { UserSessions } from "../../../../src/domain/people/access/UserSession.ts"
import { Contacts } from "../../../../src/domain/people/contacts/Contact.ts"
import { ContactMerging } from "../../../../src/domain/people/contacts/MergeContacts.ts"
import { MessagingConsents } from "../../../../src/domain/people/contacts/MessagingConsent.ts"
import { VoiceConsents } from "../../../../src/domain/people/contacts/VoiceConsent.ts"
import { OAuthClients } from "../../../../src/domain/people/oauth/OAuthClient.ts"
import { OAuthGrants } from "../../../../src/domain/people/oauth/OAuthGrant.ts"
import { Organizations, plans } from "../../../../src/domain/people/organizations/Organization.ts"
import { ContactErasure } from "../../../../src/domain/privacy/ContactErasure.ts"
import { ContactExports } from "../../../../src/domain/privacy/ContactExport.ts"
import { ExpiredRecords } from "../../../../src/domain/privacy/Retention.ts"
import { ExpiredKinds, noKinds, type RetentionKind } from "../../../../src/domain/privacy/RetentionKinds.ts"
import { VoiceAgents } from "../../../../src/domain/voice/agents/VoiceAgent.ts"
import { Placements } from "../../../../src/domain/voice/calls/outbound/Placement.ts"
import { Calls } from "../../../../src/domain/voice/calls/records/CallRecord.ts"
import { Transfers } from "../../../../src/domain/voice/calls/records/Transfer.ts"
import type { CallEvent } from "../../../../src/domain/voice/engine/CallEvent.ts"
import { recordingKey } from "../../../../src/domain/voice/engine/Recordings.ts"
import { PhoneNumbers } from "../../../../src/domain/voice/telephony/PhoneNumber.ts"
import { deleteExpired, deleteExpiredOAuth } from "../../../../src/integrations/postgres/access/AcrossTenants.ts"
import { compactListCounts } from "../../../../src/integrations/postgres/tenancy/AcrossTenants.ts"
import { rerunning } from "../../../../src/integrations/postgres/tenancy/Conflicts.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { tokenHash } from "../../../../src/integrations/secrets/TokenHash.ts"
import { template } from "../../../support/channel.ts"
import { newStores, storesOf } from "../../../support/stores.ts"
import { agentOf, newOrganization } from "../../../support/tenants.ts"

const passwordHash = "scrypt$x"
const atOnce = 20
const connections = 24
const timeouts = { arrivalMs: 1_000, talkMs: 1_000 }
const phoneOf = (i: number) => `+1415555${String(1_000 + i)}`

type Stores = Layer.Success<ReturnType<typeof storesOf>>

const at = () => new Date().toISOString()
const past = () => Date.now() + 60_000

/** The rows that everybody fights over. */
const makeScene = Effect.gen(function* () {
  const { id: organizationId } = yield* newOrganization()
  const person = { organizationId, email: "asha@example.com", name: "Asha", role: "AGENT" as const }
  const { id: userId } = yield* (yield* Users).create(person)
  const user = { ...person, id: userId }
  const agents = [agentOf(organizationId), agentOf(organizationId)] as const
  for (const agent of agents) yield* (yield* VoiceAgents).create(agent)
  const contactStore = yield* Contacts
  const contacts = yield* Effect.forEach([0, 1, 2, 3], (i) =>
    Effect.map(
      contactStore.save(organizationId, { phone: phoneOf(i), optedIn: true }, "key_test"),
      ({ contact }) => contact
    )
  )
  const conversationId = yield* (yield* Conversations).open(organizationId, contacts[0].id, "messaging")
  const numberStore = yield* PhoneNumbers
  const own = { origin: "purchased", state: "active", sid: null, capabilities: null } as const
  const numbers = yield* Effect.forEach([phoneOf(800), phoneOf(801)], (phoneNumber) =>
    numberStore.add(organizationId, { ...own, phoneNumber })
  )
  const { call } = yield* (yield* Calls).open({
    organizationId,
    agentId: agents[0].id,
    direction: "inbound",
    status: "ringing",
    from: phoneOf(0),
    to: phoneOf(800),
    callSid: "CA0"
  })
  const endpoint = yield* (yield* WebhookEndpoints).create(
    organizationId,
    { url: "https://example.com/hook" },
    "whsec_c2VjcmV0c2VjcmV0c2VjcmV0",
    Date.now()
  )
  const messageStore = yield* Messages
  const messages = yield* Effect.forEach([0, 1, 2], (i) =>
    messageStore.add(
      { organizationId, conversationId, direction: "outbound", type: "text", content: { text: `${i}` } },
      Date.now()
    )
  )
  const key = yield* (yield* ApiKeys).create({ organizationId, name: "k" })
  const assistant = yield* (yield* ApiKeys).create({ organizationId, name: "a", makerId: userId, clientId: "ocl_1" })
  return { organizationId, user, agents, contacts, conversationId, numbers, call, endpoint, messages, key, assistant }
})
type Scene = Effect.Success<typeof makeScene>

/** One try of a use case; `i` differs between those at once. What it is refused is no matter, but it must not die. */
type Try = (scene: Scene, i: number) => Effect.Effect<unknown, unknown, Stores>

const textTo = ({ organizationId, conversationId }: Scene, i: number, direction: "inbound" | "outbound") => ({
  organizationId,
  conversationId,
  direction,
  type: "text" as const,
  content: { text: `${direction} ${i}` }
})

/** The conversation with this number, and a message in it by whoever becomes its owner. */
const sendTo = (organizationId: string, phone: string, i: number) =>
  Effect.gen(function* () {
    const conversationId = yield* (yield* Recipients).open(organizationId, { phone })
    if (conversationId === undefined) return
    const message = {
      organizationId,
      conversationId,
      direction: "outbound" as const,
      type: "text" as const,
      content: { text: `${i}` }
    }
    yield* (yield* Messages).add(message, Date.now(), new ConversationFence(undefined))
  })

const eventOf = ({ organizationId, agents, call }: Scene) => ({
  id: newId("evt"),
  organizationId,
  agentId: agents[0].id,
  callId: call.id
})
const tell = (event: CallEvent) => Effect.flatMap(Calls, (calls) => calls.apply(event))

const entry = (i: number) => ({
  action: i % 2 === 0 ? ("granted" as const) : ("withdrawn" as const),
  at: at(),
  source: "form",
  text: `yes ${i}`,
  recordedBy: "key_test"
})

const claimedBroadcasts = ({ organizationId }: Scene) =>
  Effect.gen(function* () {
    const queue = yield* BroadcastQueue
    const { recipients } = yield* queue.claim(organizationId, 3, 0, Date.now())
    for (const recipient of recipients) {
      const conversationId = yield* (yield* Conversations).open(organizationId, recipient.contactId, "messaging")
      const content = { template: { name: "offer", language: "en_US", components: [] } }
      yield* (yield* Messages).add(
        {
          organizationId,
          id: recipient.messageId,
          conversationId,
          direction: "outbound",
          type: "template",
          content,
          sentBy: recipient.broadcastId
        },
        Date.now()
      )
    }
    yield* queue.complete(organizationId, Date.now())
  })

const useCases: Readonly<Record<string, Try>> = {
  "a message to a number that nobody knows yet": ({ organizationId }, i) => sendTo(organizationId, "+14155559999", i),
  "a message to a known number": ({ organizationId }, i) => sendTo(organizationId, phoneOf(i % 4), i),
  "an inbound message": (scene, i) =>
    Effect.flatMap(Messages, (messages) => messages.add(textTo(scene, i, "inbound"), Date.now())),
  "an outgoing message, whose writer becomes the owner": (scene, i) =>
    Effect.flatMap(Messages, (messages) =>
      messages.add(textTo(scene, i, "outbound"), Date.now(), new ConversationFence(undefined))
    ),
  "a message of a sleeping conversation": (scene, i) =>
    Effect.flatMap(Messages, (messages) => messages.queue(textTo(scene, i, "outbound"), Date.now())),
  "a report about a message": ({ organizationId, messages }, i) =>
    Effect.flatMap(Messages, (store) =>
      store.report(
        organizationId,
        { messageId: messages[i % 3].id },
        { status: i % 2 === 0 ? "sent" : "delivered", at: at() }
      )
    ),
  "a file of a message": ({ organizationId, messages }, i) =>
    Effect.flatMap(ChannelMessages, (store) =>
      store.missing(organizationId, messages[i % 3].id, "too large", Date.now())
    ),
  "a contact saved": ({ organizationId }, i) =>
    Effect.flatMap(Contacts, (contacts) =>
      contacts.save(organizationId, { phone: phoneOf(i % 5), name: `n${i}`, tags: [`t${i % 3}`, "all"] }, "key_test")
    ),
  "a contact created": ({ organizationId }, i) =>
    Effect.flatMap(Contacts, (contacts) =>
      contacts.create(organizationId, { phone: phoneOf(100 + (i % 3)), tags: ["x"] }, "key_test")
    ),
  "a contact changed, number and all": ({ organizationId, contacts }, i) =>
    Effect.flatMap(Contacts, (store) =>
      store.update(organizationId, contacts[i % 4].id, { phone: phoneOf((i + 1) % 4), name: `u${i}` }, "key_test")
    ),
  "a contact archived and restored": ({ organizationId, contacts }, i) =>
    Effect.flatMap(Contacts, (store) => store.setArchived(organizationId, contacts[3].id, i % 2 === 0)),
  "a contact merged into another one, and restored": ({ organizationId, contacts }, i) =>
    Effect.andThen(
      Effect.ignore(
        Effect.flatMap(ContactMerging, (store) =>
          store.merge(organizationId, contacts[i % 2].id, { contactId: contacts[2 + (i % 2)].id }, "key_test")
        )
      ),
      Effect.flatMap(Contacts, (store) => store.setArchived(organizationId, contacts[2 + (i % 2)].id, false))
    ),
  "a contact that the channel names": ({ organizationId }, i) =>
    Effect.flatMap(Contacts, (contacts) =>
      contacts.identify(organizationId, "messaging", {
        ...(i % 3 === 0 ? {} : { phone: phoneOf(i % 4) }),
        userId: `u${i % 2}`,
        name: "N"
      })
    ),
  "a consent to messages": ({ organizationId, contacts }, i) =>
    Effect.flatMap(MessagingConsents, (consents) => consents.record(organizationId, contacts[i % 2].id, entry(i))),
  "a consent to calls": ({ organizationId, contacts }, i) =>
    Effect.flatMap(VoiceConsents, (consents) =>
      consents.record({ organizationId, id: contacts[0].id, phone: phoneOf(0) }, entry(i))
    ),
  "an assignment to a person, an agent or nobody": ({ organizationId, conversationId, user, agents }, i) =>
    Effect.flatMap(Conversations, (conversations) =>
      conversations.change(
        organizationId,
        conversationId,
        { assignee: [user.id, agents[0].id, null][i % 3], read: true },
        Date.now(),
        { id: newId("cmd"), fence: new ConversationFence(undefined) }
      )
    ),
  "an answer of a person, who takes the conversation": ({ organizationId, conversationId, user }, i) =>
    Effect.flatMap(Messages, (messages) =>
      messages.add(
        {
          organizationId,
          conversationId,
          direction: "outbound",
          type: "text",
          content: { text: `${i}` },
          sentBy: user.id
        },
        Date.now()
      )
    ),
  "a conversation resolved and reopened": ({ organizationId, conversationId }, i) =>
    Effect.flatMap(Conversations, (conversations) =>
      conversations.change(organizationId, conversationId, { status: i % 2 === 0 ? "RESOLVED" : "OPEN" }, Date.now())
    ),
  "a look at due times": ({ organizationId, conversationId }) =>
    Effect.flatMap(Conversations, (conversations) => conversations.checkSla(organizationId, conversationId)),
  "an inbox item, taken and settled": ({ organizationId, messages }, i) =>
    Effect.gen(function* () {
      const inbox = yield* ChannelInbox
      const one = (n: number) => ({
        kind: "status" as const,
        partition: `p${n}`,
        deduplicationKey: `k${n}`,
        payload: {}
      })
      yield* inbox.store(organizationId, [one(i % 5), one((i % 5) + 1)], Date.now())
      const free = { free: 4, perOrganization: 40, underWay: [] }
      const store = yield* Messages
      const report = store.report(organizationId, { messageId: messages[i % 3].id }, { status: "read", at: at() })
      for (const item of yield* inbox.claim(Date.now(), 10_000, { items: free, files: free }))
        yield* inbox.settle(item, report, Date.now())
      yield* inbox.expire(past(), past(), 100)
    }),
  "a broadcast, begun and worked on": (scene, i) =>
    Effect.gen(function* () {
      const { organizationId, contacts } = scene
      const broadcasts = yield* Broadcasts
      const id = newId("brd")
      const audience = { contactIds: contacts.map((contact) => contact.id) }
      const input = { id, name: "b", templateName: "offer", language: "en_US", components: [], audience }
      yield* broadcasts.create(organizationId, input, "key_test", Date.now())
      yield* broadcasts.move(organizationId, id, "start", null, Date.now())
      if (i % 4 === 0) yield* broadcasts.move(organizationId, id, "pause", null, Date.now())
      yield* claimedBroadcasts(scene)
      if (i % 4 === 1) yield* broadcasts.move(organizationId, id, "cancel", null, Date.now())
    }),
  "the channel's templates": ({ organizationId }, i) =>
    Effect.flatMap(Templates, (templates) =>
      templates.replace(
        organizationId,
        [template({ name: "offer" }), template({ name: "other", components: [{ type: "BODY", text: `Text ${i}` }] })]
          .slice(i % 2)
          .toReversed(),
        Date.now()
      )
    ),
  "a quick reply": ({ organizationId }, i) =>
    Effect.flatMap(QuickReplies, (replies) => replies.create(organizationId, { shortcut: `s${i % 4}`, text: "Hello" })),
  "the records of modules": ({ organizationId, contacts: [{ id: contactId }] }, i) =>
    Effect.gen(function* () {
      const ignored = Effect.catchTags({ DuplicateRecord: () => Effect.void, InvalidRecord: () => Effect.void })
      const companies = yield* Companies
      const company = yield* companies
        .create(organizationId, { name: `Shop ${i % 4}`, contactIds: [contactId] })
        .pipe(ignored)
      if (company !== undefined) yield* companies.update(organizationId, company.id, { contactIds: [] }).pipe(ignored)
      const orders = yield* Orders
      const lines = [{ name: "Book", quantity: 1, unitPrice: 100 }]
      const order = yield* orders
        .create(organizationId, { number: `${i % 8}`, currency: "USD", contactId, lines })
        .pipe(ignored)
      if (order !== undefined) yield* orders.update(organizationId, order.id, { status: "paid" }).pipe(ignored)
      if (order !== undefined) yield* orders.setArchived(organizationId, order.id, true)
    }),
  "an import of contacts that are known and unknown": ({ organizationId, contacts }, i) =>
    Effect.gen(function* () {
      const imports = yield* Imports
      const queue = yield* ImportQueue
      const apply = yield* makeApplyContactRows
      const given = {
        kind: "contacts",
        dryRun: false,
        onDuplicate: "update",
        tags: [],
        fileName: null,
        actor: { type: "key", id: "key_test" },
        requestedBy: "key_test"
      } as const
      const { id } = yield* imports.begin(organizationId, given, Date.now())
      const phones = [...contacts.map(({ phone }) => phone ?? ""), phoneOf(600 + (i % 5)), phoneOf(605 - (i % 5))]
      const row = { values: [], field: null, problem: null }
      const rows = phones.map((phone, at) => ({
        ...row,
        number: at + 2,
        subject: { phone, email: null },
        input: { phone, name: `Name ${i}` }
      }))
      yield* imports.stage(organizationId, id, rows, Date.now())
      yield* imports.start(organizationId, id, [], Date.now())
      yield* queue.advance({ organizationId, id }, 4, apply, past())
      if (i % 3 === 0) yield* imports.cancel(organizationId, id, Date.now())
      while ((yield* queue.advance({ organizationId, id }, 4, apply, past())) === 4);
    }),
  "an MCP server, its settings, what it offers and what is approved": ({ organizationId }, i) =>
    Effect.gen(function* () {
      const servers = yield* McpServers
      const change = {
        name: `Server ${i}`,
        url: "https://a.example/mcp",
        timeoutMs: 8_000,
        auth: { type: "none" }
      } as const
      const made = yield* Effect.result(
        servers.create(organizationId, { ...change, secrets: {}, another: true, ungranted: true })
      )
      const [server] = yield* servers.list(organizationId)
      if (server === undefined) return
      const health = { status: "ok", checkedAt: null, error: null } as const
      yield* servers.observe(server, health, { transport: "sse", offered: [] })
      yield* servers.approve(organizationId, server.id, [])
      yield* Effect.result(
        servers.change(organizationId, server.id, { ...change, secrets: undefined, another: false, ungranted: false })
      )
      const grants = yield* McpGrants
      const tokens: McpTokens = {
        server: {
          ...{ url: "https://a.example", issuer: null, tokenEndpoint: "https://a.example/token" },
          ...{ revocationEndpoint: null, authMethods: [], namesItself: false }
        },
        client: { clientId: "parley" },
        resource: null,
        ...{ accessToken: "a", refreshToken: "r", expiresAt: null, scope: "read" }
      }
      const now = Date.now()
      const { server: issuer, client, resource, scope } = tokens
      const pending = { server: issuer, client, resource, scope, verifier: "v" }
      const who = { organizationId, serverId: server.id, userId: "usr_1" }
      yield* grants.begin(who, pending, `state ${i}`, now + 1_000, now)
      yield* grants.end(organizationId, `state ${i}`, now)
      yield* grants.save(organizationId, server.id, tokens, "usr_1", now)
      const grant = yield* grants.find(organizationId, server.id)
      if (grant !== undefined) {
        yield* grants.replace(grant, tokens)
        yield* grants.want(organizationId, server.id, ["write"])
        yield* grants.renewalFailed(grant, now)
        yield* grants.lose(grant)
      }
      if (i % 3 === 0) yield* grants.remove(organizationId, server.id)
      if (made._tag === "Success" && i % 2 === 0) yield* servers.remove(organizationId, server.id)
    }),
  "an evaluation and its run": ({ organizationId }, i) =>
    Effect.gen(function* () {
      const evaluations = yield* Evaluations
      const runs = yield* EvaluationRuns
      const conversations = [{ name: "A question", turns: [{ contact: `Question ${i}` }] }]
      const made = yield* evaluations.create(organizationId, { name: `Set ${i}`, conversations }, 1_000)
      const [known] = (yield* evaluations.list(organizationId, { page: 1, limit: 1 })).data
      const id = made?.id ?? known?.id ?? ""
      const { textAgent } = exampleIds
      const agent = { ...exampleOf(TextAgent), id: textAgent, organizationId }
      const run = yield* runs.start(organizationId, id, agent, { draft: false, startedBy: "usr_1" })
      const [job] = yield* runs.claim(Date.now(), 10_000, 1)
      if (job !== undefined) {
        yield* runs.hold(job, Date.now() + 10_000, { done: 1, passed: 1 })
        yield* i % 2 === 0 ? runs.end(job, []) : runs.fail(job, "It could not be played.")
      }
      yield* evaluations.update(organizationId, id, { name: `Others ${i}` })
      if (run !== undefined && run !== "full" && i % 3 === 0) yield* runs.remove(organizationId, id, run.id)
      if (i % 4 === 0) yield* evaluations.remove(organizationId, id)
    }),
  "a knowledge base, its source and a question without an answer": ({ organizationId, conversationId }, i) =>
    Effect.gen(function* () {
      const bases = yield* KnowledgeBases
      const sources = yield* KnowledgeSources
      const [known] = (yield* bases.list(organizationId, { page: 1, limit: 1 })).data
      const base = known ?? (yield* bases.create(organizationId, { name: "Shop" }, 50))
      if (base === undefined) return
      const answers = [{ question: `Question ${i}`, answer: "Yes" }]
      const source = yield* sources.create(organizationId, base.id, { title: "Answers", answers })
      yield* bases.noteUnanswered(organizationId, [base.id], { question: "?", agentId: "agt_1", conversationId })
      const [job] = yield* sources.claim(Date.now(), 10_000, 1)
      if (job !== undefined) {
        const passage = {
          title: "Answers",
          headings: [],
          text: `text ${i}`,
          url: null,
          words: new Map([["text", 0.5]])
        }
        yield* sources.hold(job, Date.now() + 10_000, { done: 1, total: 1 })
        yield* sources.replace(job, [passage, passage], ["english_stem"], [])
      }
      if (source !== undefined) yield* sources.update(organizationId, base.id, source.id, { title: "Others" })
      if (source !== undefined && i % 3 === 0) yield* sources.remove(organizationId, base.id, source.id)
      if (i % 7 === 0) yield* bases.remove(organizationId, base.id)
    }),
  "a text agent that gets a conversation and is removed": ({ organizationId, conversationId }, i) =>
    Effect.gen(function* () {
      const agents = yield* TextAgents
      const times = { createdAt: at(), updatedAt: at() }
      const agent = { ...textAgentDefaults, ...times, id: newId("bot"), organizationId, name: `Agent ${newId("bot")}` }
      yield* agents.create({ ...agent, answers: "when_unassigned", channels: ["messaging"] }, 1_000)
      const changes = { assignee: agent.id }
      const conversations = yield* Conversations
      yield* conversations.change(organizationId, conversationId, changes, Date.now())
      yield* agents.update(organizationId, agent.id, (before) => Effect.succeed({ ...before, description: `${i}` }))
      yield* agents.remove(organizationId, agent.id)
    }),
  "a turn of a text agent": ({ organizationId, conversationId }, i) =>
    Effect.gen(function* () {
      const turns = yield* AgentTurns
      const store = yield* Messages
      const message = {
        organizationId,
        conversationId,
        direction: "inbound",
        type: "text",
        content: { text: "Hi" }
      } as const
      yield* store.add(message, Date.now())
      const later = Date.now() + 20_000
      const turn = yield* turns.begin(organizationId, conversationId, 20, later)
      if (turn === undefined) return
      yield* turns.beginTool(turn, { key: "call_1", name: "look", arguments: "{}" }, later)
      yield* turns.endTool(turn, "call_1", { outcome: "ok", result: "1" }, later)
      const outcome = {
        kind: (["answered", "handed_over", "resolved", "failed"] as const)[i % 4],
        said: [{ type: "text", content: { text: "Hello" } }] as const,
        ...{ reason: null, note: i % 2 === 0 ? "Note" : null, reminder: null, disclosure: "An AI." },
        flags: i % 3 === 0 ? [{ what: "output", text: "x", categories: [] } as const] : [],
        usage: [{ model: `m${i % 2}`, inputTokens: 1, outputTokens: 1 }],
        overAllowance: i % 3 === 1 ? { allowance: 1 } : null
      }
      yield* turns.settle(turn, outcome, later)
    }),
  "a note in a conversation": ({ organizationId, conversationId }, i) =>
    Effect.gen(function* () {
      const notes = yield* ConversationNotes
      const note = yield* notes.write(organizationId, conversationId, "usr_1", `Note ${i}`)
      if (note !== undefined) yield* notes.rewrite(organizationId, conversationId, note.id, "Better")
      if (note !== undefined && i % 2 === 0) yield* notes.remove(organizationId, conversationId, note.id)
    }),
  "the labels of a conversation": ({ organizationId, conversationId }, i) =>
    Effect.flatMap(Conversations, (conversations) =>
      conversations.change(organizationId, conversationId, { labels: [`label ${i % 3}`, "all"] }, Date.now())
    ),
  "an event to webhooks and its delivery": ({ organizationId, endpoint }, i) =>
    Effect.gen(function* () {
      const queue = yield* WebhookQueue
      const endpointId = endpoint?.id ?? ""
      yield* queue.fanOut(organizationId, false, Date.now())
      const claim = yield* queue.claim(organizationId, endpointId, Date.now(), 10_000, { healthy: 3, failing: 3 })
      const outcome = {
        dueAt: undefined,
        httpStatus: 200,
        error: null,
        response: "",
        durationMs: 1,
        disable: undefined
      }
      const status = i % 2 === 0 ? ("delivered" as const) : ("failed" as const)
      for (const delivery of claim?.deliveries ?? [])
        yield* queue.settle({ organizationId, endpointId }, delivery, { ...outcome, status }, Date.now())
    }),
  "deliveries sent again": ({ organizationId, endpoint }) =>
    Effect.flatMap(WebhookDeliveries, (deliveries) =>
      deliveries.replay(
        organizationId,
        endpoint?.id ?? "",
        { since: 0, until: past(), failedOnly: false },
        100,
        Date.now()
      )
    ),
  "an endpoint changed, its secret too": ({ organizationId, endpoint }, i) =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const id = endpoint?.id ?? ""
      yield* endpoints.change(organizationId, id, { enabled: i % 3 !== 0 }, Date.now())
      yield* endpoints.rotate(organizationId, id, "whsec_c2VjcmV0c2VjcmV0c2VjcmV0", past(), Date.now())
    }),
  "an endpoint that comes and goes": ({ organizationId }) =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const made = yield* endpoints.create(
        organizationId,
        { url: "https://example.com/other" },
        "whsec_c2VjcmV0c2VjcmV0c2VjcmV0",
        0
      )
      yield* (yield* WebhookQueue).fanOut(organizationId, false, Date.now())
      if (made !== undefined) yield* endpoints.remove(organizationId, made.id)
    }),
  "a hook of an automation tool that comes and goes, or changes its key": ({ organizationId }, i) =>
    Effect.gen(function* () {
      const [endpoints, keys] = [yield* WebhookEndpoints, yield* ApiKeys]
      const now = Date.now()
      const [old, fresh] = [
        yield* keys.create({ organizationId, name: "old" }),
        yield* keys.create({ organizationId, name: "new" })
      ]
      const hook = { url: `https://example.com/${i % 3}`, event: "contact.created", keyId: old.id } as const
      const made = yield* endpoints.subscribe(organizationId, hook, "whsec_c2VjcmV0c2VjcmV0c2VjcmV0", now)
      if (i % 3 === 0) yield* keys.supersede(organizationId, old.id, fresh.id, new Date(now))
      if (i % 3 === 1) yield* keys.revoke(organizationId, old.id)
      yield* (yield* WebhookQueue).fanOut(organizationId, false, now)
      if (made !== undefined && i % 2 === 0) yield* endpoints.remove(organizationId, made.id)
    }),
  "changes for an integration, and what became of them": ({ organizationId }, i) =>
    Effect.gen(function* () {
      const queue = yield* SyncQueue
      const told = Record.map(plans, () => appProviders)
      const atOnce = Record.map(catalogue, () => 4)
      const now = Date.now()
      yield* queue.fanOut(organizationId, told, now)
      yield* queue.fill(now)
      for (const { lane: connectionId } of yield* queue.due(now, [], 5)) {
        const claim = yield* queue.claim(organizationId, connectionId, now, 10_000, { most: 3, busy: 0, atOnce })
        for (const task of claim?.tasks ?? []) {
          const failure = { action: (["retry", "reconnect", "give_up"] as const)[i % 3], message: "Refused." }
          const attempt = { failures: 0, failingSince: null, now, random: 0 }
          const outcome = syncVerdict({ ...attempt, failure: i % 4 === 0 ? undefined : failure })
          const contact = { kind: "contact", localId: task.contactId, remoteId: `${i}`, hash: null } as const
          if (claim !== undefined)
            yield* queue.settle(claim.connection, task, { outcome, links: [contact], exchanges: [] }, now)
        }
      }
    }),
  "an integration that is connected, filled, switched and removed": ({ organizationId }, i) =>
    Effect.gen(function* () {
      const connections = yield* AppConnections
      const now = Date.now()
      const given = {
        settings: {},
        credentials: { signingSecret: `${i}` },
        webhookToken: null,
        account: { id: `${i % 2}`, name: "x" }
      }
      const { id } = yield* connections.save(organizationId, "webhook", given, now)
      yield* connections.setBackfill(organizationId, "webhook", i % 2 === 0, now)
      yield* connections.note(organizationId, id, i % 3 === 0 ? null : { problem: "Refused.", final: false }, now)
      yield* connections.setEnabled(organizationId, "webhook", i % 4 !== 0, now)
      yield* (yield* SyncRecords).replay(organizationId, id, undefined, now)
      const stored = yield* connections.find(organizationId, "webhook")
      if (stored !== undefined) yield* connections.replaceTokens(stored, { signingSecret: `${i} anew` })
      yield* connections.refreshFailed(organizationId, id, now)
      const pending = { provider: "webhook", userId: `usr_${i % 2}`, verifier: "v" } as const
      yield* connections.beginAuthorization(organizationId, pending, `state ${i}`, now + 1_000, now)
      yield* connections.endAuthorization(organizationId, `state ${i - 1}`, now)
      if (i % 5 === 0) yield* connections.remove(organizationId, "webhook")
    }),
  "an inbound call, told twice": ({ organizationId, agents }, i) =>
    Effect.flatMap(Calls, (calls) =>
      calls.open({
        organizationId,
        agentId: agents[0].id,
        direction: "inbound",
        status: "ringing",
        from: phoneOf(i % 6),
        to: phoneOf(800),
        callSid: `CA${i % 4}`
      })
    ),
  "a call that begins": (scene) => tell({ type: "call_started", ...eventOf(scene), startedAt: at() }),
  "what is said in a call": (scene, i) =>
    tell({
      ...eventOf(scene),
      type: "transcript",
      sequence: i,
      role: "caller",
      text: "Hello",
      interrupted: false,
      startMs: 0,
      endMs: 1
    }),
  "words that are flagged": (scene) =>
    tell({ ...eventOf(scene), type: "moderation", direction: "input", text: "x", categories: ["y"] }),
  "a call that is handed over": (scene) => tell({ ...eventOf(scene), type: "handoff", reason: "asked for" }),
  "a recording": (scene) =>
    tell({
      ...eventOf(scene),
      type: "recording",
      key: recordingKey(scene.organizationId, scene.call.id, "one"),
      bytes: 1,
      durationMs: 1
    }),
  "a call that ends": (scene) =>
    tell({
      ...eventOf(scene),
      type: "call_end",
      endReason: "caller_hangup",
      endedAt: at(),
      durationSeconds: 61,
      turns: [],
      interruptions: 0,
      toolCalls: 0
    }),
  "what the provider says of a call": ({ organizationId, call }, i) =>
    Effect.flatMap(Calls, (calls) =>
      calls.told(
        organizationId,
        { id: call.id },
        {
          status: i % 2 === 0 ? "in_progress" : "completed",
          sequence: i,
          at: Date.now(),
          durationSeconds: i,
          failureReason: null
        }
      )
    ),
  "a call that a human finished": ({ organizationId, call }) =>
    Effect.flatMap(Calls, (calls) => calls.finished(organizationId, call.id, "transferred", Date.now())),
  "a tool call": ({ organizationId, call }, i) =>
    Effect.flatMap(Calls, (calls) =>
      calls.recordToolCall(organizationId, call.id, {
        id: `t${i % 3}`,
        name: "t",
        arguments: "{}",
        result: "r",
        outcome: "ok",
        durationMs: 1
      })
    ),
  "a transfer to a human": ({ organizationId, call }, i) =>
    Effect.gen(function* () {
      const transfers = yield* Transfers
      const input = { organizationId, callId: call.id, toolCallId: `t${i}`, destination: phoneOf(900 + (i % 2)) }
      const { id } = yield* transfers.request(input, Date.now(), timeouts)
      yield* transfers.arrive(organizationId, id, Date.now(), timeouts)
      yield* transfers.end(organizationId, id, "failed", Date.now())
      yield* transfers.next(organizationId, phoneOf(900 + (i % 2)), Date.now(), timeouts)
    }),
  "an outbound call, requested, placed or given up": ({ organizationId, agents }, i) =>
    Effect.gen(function* () {
      const placements = yield* Placements
      const callId = newId("call")
      const notAfter = i % 2 === 0 ? Date.now() - 1 : past()
      const to = phoneOf(i % 4)
      const input = { organizationId, callId, agentId: agents[0].id, from: phoneOf(800), to, dealId: null }
      yield* placements.request({ ...input, concurrentCalls: 1_000, notAfter }, Date.now())
      yield* placements.next(organizationId, past(), 0)
      if (i % 3 === 0) yield* placements.placed(organizationId, callId, `CB${callId}`)
      else if (i % 3 === 1) yield* placements.refused(organizationId, callId, "provider_failure", "no")
      else yield* placements.lost(organizationId, callId, "lost")
    }),
  "numbers that two agents exchange": ({ organizationId, agents, numbers }, i) =>
    Effect.gen(function* () {
      const store = yield* PhoneNumbers
      yield* store.setAgent(organizationId, numbers[i % 2].id, agents[(i >> 1) % 2].id)
      yield* store.assign(organizationId, numbers[(i + 1) % 2].phoneNumber, agents[(i >> 1) % 2].id)
      yield* store.activate(organizationId, numbers[0].id, { sid: null, capabilities: null })
    }),
  "an agent changed, with an entry in the audit log": ({ organizationId, agents: [agent] }, i) =>
    Effect.flatMap(Effect.all([VoiceAgents, Audit]), ([agents, audit]) =>
      audit.recorded(organizationId, agents.update({ ...agent, name: `A${i}` }, agent.updatedAt), () => ({
        action: "voice_agent.changed",
        subjectId: agent.id
      }))
    ),
  "an agent with conversation and number, removed": ({ organizationId, conversationId, numbers }) =>
    Effect.gen(function* () {
      const agents = yield* VoiceAgents
      const agent = agentOf(organizationId)
      yield* agents.create(agent)
      yield* (yield* PhoneNumbers).setAgent(organizationId, numbers[0].id, agent.id)
      yield* Effect.exit(
        (yield* Conversations).change(organizationId, conversationId, { assignee: agent.id }, Date.now())
      )
      yield* agents.remove(organizationId, agent.id)
    }),
  "an API key, renamed, replaced and revoked": ({ organizationId, key }, i) =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      yield* keys.change(organizationId, key.id, { name: `n${i}` })
      const made = yield* keys.create({ organizationId, name: "n" })
      yield* keys.supersede(organizationId, key.id, made.id, new Date(past()))
      yield* keys.authenticate(made.secret)
      yield* keys.revoke(organizationId, made.id)
    }),
  "an assistant that is allowed, gets its tokens, renews them and is revoked": (
    { organizationId, user, assistant },
    i
  ) =>
    Effect.gen(function* () {
      const [keys, grants] = [yield* ApiKeys, yield* OAuthGrants]
      yield* (yield* OAuthClients).register({ name: "n", redirectUris: ["https://a.example/"], confidential: false })
      const code = yield* grants.allow({
        ...{ organizationId, userId: user.id, clientId: "ocl_1", clientName: "n", scopes: ["mcp" as const] },
        ...{ redirectUri: "https://a.example/", challenge: "c" }
      })
      const made = yield* keys.create({ organizationId, name: "n", makerId: user.id, clientId: "ocl_1" })
      yield* grants.useCode(organizationId, code, made.id)
      const renew = (keyId: string) =>
        grants.whole(
          organizationId,
          Effect.andThen(grants.lockKey({ organizationId, keyId }), grants.issue({ organizationId, keyId }))
        )
      const { refreshToken } = yield* renew(made.id)
      yield* renew(assistant.id)
      yield* grants.useRefreshToken(organizationId, refreshToken)
      yield* keys.authenticate((yield* renew(made.id)).accessToken)
      yield* keys.revoke(organizationId, i % 5 === 0 ? assistant.id : made.id)
    }),
  "a person who leaves and comes back": ({ organizationId, user }, i) =>
    Effect.flatMap(Users, (users) =>
      users.change(organizationId, user.id, { active: i % 2 === 1, role: i % 3 === 0 ? "ADMIN" : "AGENT" })
    ),
  "a password": ({ organizationId, user }) =>
    Effect.flatMap(Users, (users) => users.setPassword(organizationId, user.id, { stored: passwordHash })),
  "a session with a device": ({ user }, i) =>
    Effect.gen(function* () {
      const sessions = yield* UserSessions
      yield* (yield* Users).setPassword(user.organizationId, user.id, { stored: passwordHash })
      const started = yield* sessions.start({ user, passwordMark: tokenHash(passwordHash) })
      // The person may have left meanwhile.
      if (started === undefined) return
      const { session, cookie } = started
      const { sessionId } = session.principal
      const device = { token: `token ${i % 3}`, platform: "ios" as const }
      yield* (yield* Devices).register({ user, sessionId, expiresAt: session.expiresAt }, device)
      yield* sessions.authenticate(cookie)
      yield* sessions.end(user.organizationId, sessionId)
    }),
  notifications: ({ organizationId }) =>
    Effect.gen(function* () {
      const pushes = yield* Pushes
      yield* pushes.take(organizationId, Date.now(), 100)
      for (const one of yield* pushes.claim(Date.now(), 10_000, 10)) yield* pushes.done(one)
      yield* (yield* PushSettings).setPreview(organizationId, true)
    }),
  "a repeated request": ({ organizationId }, i) =>
    Effect.gen(function* () {
      const keys = yield* IdempotencyKeys
      const state = yield* keys.claim({
        ...{ organizationId, caller: "key_1", method: "POST", path: "/x" },
        key: `k${i % 2}`,
        bodyHash: "h"
      })
      if (state._tag === "Mine") yield* i % 2 === 0 ? keys.abandoned(state.claim) : keys.refused(state.claim)
    }),
  "settings of the organization": ({ organizationId }, i) =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      yield* organizations.setDisclosureText(organizationId, `Hello ${i}`)
      yield* organizations.setSlaPolicy(organizationId, null)
    }),
  "an export": ({ organizationId, contacts }, i) =>
    Effect.gen(function* () {
      const exports = yield* ContactExports
      yield* exports.request(organizationId, contacts[i % 2].id, "key_test", Date.now())
      for (const job of yield* exports.claim(Date.now(), 10_000, 10)) yield* exports.failed(job, "no")
      for (const one of yield* exports.expired(Date.now() + 10 * 86_400_000, 100)) yield* exports.remove(one)
    }),
  "a contact who writes and is erased": ({ organizationId }, i) =>
    Effect.gen(function* () {
      const phone = phoneOf(200 + (i % 2))
      yield* sendTo(organizationId, phone, i).pipe(Effect.exit)
      const contact = yield* (yield* Contacts).findByPhone(organizationId, phone)
      if (contact === undefined) return
      yield* (yield* ContactErasure).releaseFiles(organizationId, contact.id, [])
      yield* (yield* ContactErasure).erase(organizationId, contact.id)
    }),
  "the daily removal of what is old": ({ organizationId }) =>
    Effect.gen(function* () {
      const kinds = yield* ExpiredKinds
      // Everything is old here: what others report on or send again would be gone.
      for (const kind of Object.keys(noKinds) as ReadonlyArray<RetentionKind>)
        if (kind !== "unusedMedia" && kind !== "messages" && kind !== "events")
          yield* kinds.remove(organizationId, kind, past(), 50)
      const records = yield* ExpiredRecords
      yield* records.removeTranscripts(organizationId, past(), 50)
      yield* records.removeToolCalls(organizationId, past(), 50)
    }),
  "jobs for all organizations": () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* compactListCounts(sql, 3)
      yield* deleteExpired(sql, Date.now(), 0, 100)
      yield* deleteExpiredOAuth(sql, past(), past(), 0, 100)
    })
}

/** Those that died, and of what. */
const diedOf = (scene: Scene, tries: ReadonlyArray<readonly [name: string, i: number]>) =>
  Effect.map(
    Effect.forEach(
      tries,
      ([name, i]) =>
        Effect.map(Effect.exit(useCases[name](scene, i)), (exit) =>
          Exit.isFailure(exit) && Cause.hasDies(exit.cause) ? [`${name}: ${inspect(exit.cause, { depth: 8 })}`] : []
        ),
      { concurrency: "unbounded" }
    ),
    (died) => [...new Set(died.flat())]
  )

/** The deadlocks that the database has found in this database. Its processes report them at the latest when they end. */
const deadlocksIn = (url: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{
      deadlocks: string
    }>`SELECT deadlocks::text FROM pg_stat_database WHERE datname = ${new URL(url).pathname.slice(1)}`
    return Number(row.deadlocks)
  }).pipe(Effect.provide(PgClient.layerFrom(PgClient.makeClient({ url: Redacted.make(url) }))))

const fight = (rounds: (names: ReadonlyArray<string>) => ReadonlyArray<ReadonlyArray<readonly [string, number]>>) =>
  Effect.gen(function* () {
    const environment = yield* newStores
    const died = yield* Effect.gen(function* () {
      const scene = yield* makeScene
      return yield* Effect.forEach(rounds(Object.keys(useCases)), (tries) => diedOf(scene, tries))
    }).pipe(Effect.provide(storesOf(environment, connections)), Effect.scoped)
    assert.deepStrictEqual(died.flat(), [])
    assert.strictEqual(yield* deadlocksIn(environment.databaseUrl), 0, "deadlocks, hidden ones too")
  }).pipe(Effect.scoped)

describe("the order of locks", () => {
  it.live(
    "keeps twenty of each use case at once, against the same rows, from each other's locks",
    () => fight((names) => names.map((name) => Array.from({ length: atOnce }, (_, i) => [name, i] as const))),
    240_000
  )

  it.live(
    "keeps all use cases at once from each other's locks",
    () =>
      fight((names) =>
        Array.from({ length: 4 }, (_, round) =>
          // Another neighbour in each round.
          Array.from(
            { length: names.length * 3 },
            (_, n) => [names[(n * (2 * round + 7)) % names.length], n + round] as const
          )
        )
      ),
    240_000
  )

  it("takes rows without keeping others from referring to them, unless they are about to be deleted", () => {
    const folders = ["src/integrations/postgres", "migrations/functions"]
    const found = folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => /\.(ts|sql)$/.test(name) && /\bFOR UPDATE\b/.test(readFileSync(join(folder, name), "utf8")))
        .map((name) => `${folder}/${name}`)
    )
    assert.deepStrictEqual(found, ["src/integrations/postgres/privacy/ExpiredKindsPostgres.ts"])
  })
})

const conflict = new SqlError.SqlError({
  reason: new SqlError.DeadlockError({ cause: new Error("40P01"), message: "deadlock detected", operation: "query" })
})

describe("a transaction that the database has ended in favour of another one", () => {
  it.live("runs again as a whole, whether it failed or died, and nothing of it is done twice", () =>
    Effect.gen(function* () {
      const { databaseUrl, ring } = yield* newStores
      yield* Effect.gen(function* () {
        const { id } = yield* newOrganization()
        const sql = yield* SqlClient.SqlClient
        for (const fails of [Effect.fail(conflict), Effect.die(conflict)]) {
          let runs = 0
          yield* tenant(id)(
            Effect.andThen(
              sql`INSERT INTO contacts (organization_id, id, phone) VALUES (${id}, ${newId("cnt")}, ${newId("cnt")})`,
              // A part of the transaction does not run again by itself.
              tenant(id)(Effect.suspend(() => (++runs <= 2 ? fails : Effect.void)))
            )
          )
          assert.strictEqual(runs, 3)
        }
        const rows = yield* tenant(id)(sql`SELECT 1 FROM contacts`)
        assert.strictEqual(rows.length, 2)
      }).pipe(Effect.provide(storesOf({ databaseUrl, ring })))
    }).pipe(Effect.scoped)
  )

  it.live("fails after six more attempts", () =>
    Effect.gen(function* () {
      let runs = 0
      const exit = yield* Effect.exit(
        rerunning(
          Effect.suspend(() => {
            runs++
            return Effect.fail(conflict)
          })
        )
      )
      assert.isTrue(Exit.isFailure(exit))
      assert.strictEqual(runs, 7)
    })
  )
})
