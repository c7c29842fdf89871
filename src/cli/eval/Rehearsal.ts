/**
 * Plays conversations of an evaluation with the service's own actors, over stores of their own: each in an organization that exists for it alone. Nothing is
 * delivered, and no tool runs: the file has the answers of tools. Only knowledge is looked up, in the knowledge bases of the agent.
 */
import { randomInt } from "node:crypto"
import { Effect, Layer, Stream } from "effect"
import * as Commands from "../../actors/messaging/conversations/Commands.ts"
import * as TurnSweep from "../../actors/messaging/conversations/TurnSweep.ts"
import { searchKnowledge } from "../../domain/ai/knowledge/KnowledgeTool.ts"
import type { Moderation } from "../../domain/ai/providers/Moderation.ts"
import { noPictures, PictureViews } from "../../domain/ai/providers/Pictures.ts"
import { Reasoning } from "../../domain/ai/providers/Reasoning.ts"
import type { ToolDefinition } from "../../domain/ai/tools/Tool.ts"
import { ToolRunner, toolFailed } from "../../domain/ai/tools/ToolRunner.ts"
import { newId } from "../../domain/basics/Ids.ts"
import { isChatTool } from "../../domain/messaging/agents/ChatTools.ts"
import { type TextAgentSettings, TextAgents } from "../../domain/messaging/agents/TextAgent.ts"
import { TurnRunner } from "../../domain/messaging/agents/TurnRunner.ts"
import { ChannelAccounts } from "../../domain/messaging/channel/ChannelConnection.ts"
import { Conversations } from "../../domain/messaging/conversations/Conversation.ts"
import { ConversationCommands } from "../../domain/messaging/conversations/ConversationCommand.ts"
import { Messages } from "../../domain/messaging/conversations/Message.ts"
import {
  type EvalConversation,
  type EvalStep,
  type GivenAnswers,
  textsOf
} from "../../domain/messaging/rehearsal/EvalConversation.ts"
import type { Played } from "../../domain/messaging/rehearsal/Evaluate.ts"
import type { Done } from "../../domain/messaging/rehearsal/Judge.ts"
import { Users } from "../../domain/people/access/User.ts"
import { Contacts } from "../../domain/people/contacts/Contact.ts"
import { Organizations } from "../../domain/people/organizations/Organization.ts"
import { Deals } from "../../domain/voice/calls/records/Deals.ts"
import * as Cluster from "../../integrations/cluster/Cluster.ts"
import { makeSql } from "../../integrations/postgres/tenancy/Sql.ts"

/** The wait of agents in a rehearsal, in which bursts are written at once. Milliseconds. */
const waitMs = 400
const lookEvery = "50 millis"
const longestStep = "60 seconds"
/** An answer that comes although a person took over would come within this time. */
const graceMs = 400
const place = "https://tools.invalid/"

interface Called {
  readonly id: string
  readonly name: string
  readonly arguments: string
  result: string
}

/** What tools answer, and which were called, by organization. */
class Props {
  readonly answers = new Map<string, GivenAnswers>()
  readonly called = new Map<string, Array<Called>>()
}

/** The tools of an agent as they stand in a rehearsal: those that would ask somebody outside get their answer from the file. */
const propTools = (tools: ReadonlyArray<ToolDefinition>): ReadonlyArray<ToolDefinition> =>
  tools.map((tool) =>
    tool.handler?.type === "builtin" && isChatTool(tool.handler.name)
      ? tool
      : { ...tool, handler: { type: "http", method: "POST", url: `${place}${tool.name}` } }
  )

/** What the agent's own knowledge bases say about a question, as the tool tells it. */
export type LookUp = (question: string) => Effect.Effect<string>

const answering = (props: Props, lookUp: LookUp | undefined) =>
  Layer.succeed(ToolRunner, {
    run: (handler, input, { organizationId }) =>
      Effect.gen(function* () {
        const name =
          handler.type === "http" ? handler.url.slice(place.length) : handler.type === "builtin" ? handler.name : ""
        const given = props.answers.get(organizationId)?.[name]
        const answer =
          given === undefined && name === searchKnowledge.name
            ? yield* lookUp?.(String(input.query)) ?? Effect.undefined
            : given
        if (answer === undefined) return toolFailed(`The evaluation has no answer of the tool ${name}.`)
        const result = typeof answer === "string" ? answer : JSON.stringify(answer)
        const last = props.called.get(organizationId)?.findLast((call) => call.name === name)
        if (last !== undefined) last.result = result
        return { outcome: "ok", result } as const
      })
  })

/** The model, with a note of each tool that it calls. */
const noting = (props: Props) =>
  Layer.effect(
    Reasoning,
    Effect.map(Reasoning, ({ stream }) => ({
      stream: (request) =>
        stream(request).pipe(
          Stream.tap((event) =>
            Effect.sync(() => {
              if (event._tag !== "ToolCall") return
              const { id, name, arguments: input } = event.call
              const all = props.called.get(request.user) ?? []
              props.called.set(request.user, [...all, { id, name, arguments: input, result: "" }])
            })
          )
        )
    }))
  )

const unconnected = {
  accessToken: "rehearsal-0123456789",
  appSecret: "0123456789abcdef0123",
  phoneNumber: null,
  businessName: null
}

interface Stepped {
  readonly done: Played
  /** A person has the conversation after the step. */
  readonly silent: boolean
}

interface ThreadRow {
  readonly waits: boolean
  readonly silent: boolean
}

/** Needs the stores, Reasoning and Moderation. The actors run until the scope ends. `lookUp` answers `search_knowledge` where the file does not. */
export const makeRehearsal = <E, R>(models: Layer.Layer<Reasoning | Moderation, E, R>, lookUp?: LookUp) =>
  Effect.gen(function* () {
    const props = new Props()
    const runner = TurnRunner.layer.pipe(
      Layer.provide([
        answering(props, lookUp),
        noting(props),
        Layer.succeed(PictureViews, noPictures),
        Deals.layerIdOnly
      ]),
      Layer.provide(models)
    )
    const actors = yield* Layer.build(
      TurnSweep.layer.pipe(Layer.provideMerge(Commands.layer), Layer.provide(runner), Layer.provide(Cluster.layerAlone))
    )
    const commands = yield* Effect.provide(ConversationCommands, actors)
    const organizations = yield* Organizations
    const accounts = yield* ChannelAccounts
    const agents = yield* TextAgents
    const contacts = yield* Contacts
    const conversations = yield* Conversations
    const messages = yield* Messages
    const users = yield* Users
    const { sql, asTenant } = yield* makeSql

    const stage = Effect.fnUntraced(function* (settings: TextAgentSettings, { contact }: EvalConversation) {
      const { id: organizationId } = yield* organizations.create({
        name: "Rehearsal",
        plan: "PREMIUM",
        timeZone: "UTC"
      })
      const number = () => String(randomInt(10 ** 9, 10 ** 12))
      const ids = { phoneNumberId: number(), businessAccountId: number(), verifyToken: `rehearsal-${number()}` }
      yield* accounts.save(organizationId, { ...unconnected, ...ids })
      const at = new Date().toISOString()
      const limits = { ...settings.limits, waitMs }
      const own = { limits, answers: "when_unassigned", voiceAgentId: null, knowledgeBases: [] } as const
      const agent = {
        ...settings,
        ...own,
        tools: propTools(settings.tools),
        ...{ id: newId("bot"), organizationId, createdAt: at, updatedAt: at }
      }
      yield* agents.create(agent, 1)
      const phone = `+1415555${String(randomInt(1_000, 10_000))}`
      const { name = "Asha Rao", tags = [] } = contact ?? {}
      const saved = yield* contacts.save(organizationId, { phone, name, tags: [...tags] }, "key_rehearsal")
      const conversationId = yield* conversations.open(organizationId, saved.contact.id, "messaging")
      const person = yield* users.create({
        ...{ organizationId, name: "Ben", role: "AGENT", email: `ben@${organizationId.toLowerCase()}.invalid` },
        passwordHash: { stored: "none" }
      })
      return { organizationId, conversationId, agentId: agent.id, personId: person.id }
    })
    type Stage = Effect.Success<ReturnType<typeof stage>>

    const threadOf = ({ organizationId, conversationId }: Stage) =>
      Effect.map(
        asTenant(organizationId)(sql<ThreadRow>`SELECT received > answered AS waits, silent FROM agent_threads
          WHERE conversation_id = ${conversationId}`),
        ([row]) => row ?? { waits: false, silent: false }
      )

    /** Waits until nothing is to be answered any more. */
    const settled = (at: Stage) =>
      Effect.gen(function* () {
        while ((yield* threadOf(at)).waits) yield* Effect.sleep(lookEvery)
      }).pipe(Effect.timeoutOption(longestStep))

    const saidBy = ({ organizationId, conversationId, agentId }: Stage) =>
      Effect.map(
        messages.list(organizationId, { conversationId, direction: "outbound" }, { page: 1, limit: 100 }),
        ({ data }) =>
          data
            .toReversed()
            .filter(({ sentBy }) => sentBy === agentId)
            .map(({ content }) => (typeof content.text === "string" ? content.text : JSON.stringify(content)))
      )

    const personWrites = ({ organizationId, conversationId, personId: sentBy }: Stage, text: string) =>
      commands.send({ organizationId, conversationId, type: "text", content: { text }, sentBy }, Date.now())
    const change = (
      { organizationId, conversationId }: Stage,
      changes: { assignee: string } | { status: "RESOLVED" }
    ) => commands.change(organizationId, conversationId, changes, Date.now())

    let written = 0
    const contactWrites = ({ organizationId, conversationId }: Stage, text: string, at: number) =>
      commands.receive(
        {
          ...{ organizationId, conversationId, type: "text", content: { text } },
          channelMessageId: `wamid.rehearsal.${conversationId}.${++written}`
        },
        at
      )

    const act = Effect.fnUntraced(function* (at: Stage, step: EvalStep) {
      for (const text of textsOf(step.contact))
        yield* contactWrites(at, text, Date.now() - (step.hoursAgo ?? 0) * 3_600_000)
      if (step.meanwhile === "human") yield* personWrites(at, "I am Ben, and take over.")
      if (step.meanwhile === "assign") yield* change(at, { assignee: at.personId })
      if (step.meanwhile === "resolve") yield* change(at, { status: "RESOLVED" })
      if (step.human !== undefined) yield* personWrites(at, step.human)
      if (step.handBack === true) yield* change(at, { assignee: at.agentId })
      if (step.resolve === true) yield* change(at, { status: "RESOLVED" })
    })

    const playStep = Effect.fnUntraced(function* (at: Stage, step: EvalStep, wasSilent: boolean) {
      const before = (yield* saidBy(at)).length
      const called = props.called.get(at.organizationId)?.length ?? 0
      yield* act(at, step)
      yield* settled(at)
      if (wasSilent || step.meanwhile !== undefined || step.human !== undefined) yield* Effect.sleep(graceMs)
      const said = (yield* saidBy(at)).slice(before)
      const { silent } = yield* threadOf(at)
      const found = yield* conversations.find(at.organizationId, at.conversationId, 1, Date.now())
      const spoke = (): Done["outcome"] => {
        if (found?.status === "RESOLVED") return "resolved"
        return silent ? "handed_over" : "answered"
      }
      const done: Played = {
        step,
        said,
        tools: (props.called.get(at.organizationId) ?? []).slice(called),
        outcome: said.length === 0 ? "silent" : spoke(),
        spokeOver: wasSilent && step.handBack !== true && said.length > 0
      }
      const isHandedBack = step.handBack === true
      const stepped: Stepped = { done, silent: !isHandedBack && silent && found?.status !== "RESOLVED" }
      return stepped
    })

    /** Plays a conversation with an agent of these settings. Fails when the stores do. */
    return Effect.fnUntraced(function* (
      settings: TextAgentSettings,
      answers: GivenAnswers,
      conversation: EvalConversation
    ) {
      const at = yield* stage(settings, conversation)
      props.answers.set(at.organizationId, { ...answers, ...conversation.tools })
      const played: Array<Played> = []
      let silent = false
      for (const step of conversation.turns) {
        const { done, silent: isSilent }: Stepped = yield* playStep(at, step, silent)
        played.push(done)
        silent = isSilent
      }
      props.called.delete(at.organizationId)
      props.answers.delete(at.organizationId)
      return played
    })
  })
