/**
 * The agent of the organization's own people, in a channel that is mapped to `ops`: a text agent that may look things up for them, and propose changes. It
 * tells nothing to whoever is no user: all who have asked since its last answer must be.
 */
import { Clock, Context, Effect, Layer, Option, Predicate, Schema } from "effect"
import type { ModelTool } from "../../ai/tools/Tool.ts"
import type { Arguments } from "../../ai/tools/ToolArguments.ts"
import { type ToolAnswer, toolFailed } from "../../ai/tools/ToolRunner.ts"
import { idFrom } from "../../basics/Ids.ts"
import type { Turn } from "../../messaging/agents/AgentTurns.ts"
import { type ExtraTool, noExtra, type TurnExtra, TurnExtras } from "../../messaging/agents/TurnExtras.ts"
import { ChatThreads, type ThreadPlace } from "../../messaging/conversations/ChatThread.ts"
import type { Message } from "../../messaging/conversations/Message.ts"
import { type Role, roleScopes, type Scope } from "../../people/access/Access.ts"
import { Users } from "../../people/access/User.ts"
import { directMessages } from "../AppChat.ts"
import { ChatMappings } from "./ChatMapping.ts"
import { ChatPosts } from "./ChatPost.ts"
import { ChatProposals, ProposedChange, proposedSentence } from "./ChatProposal.ts"

/** Who asks: what they may see is what all of them may. */
export interface OpsAsker {
  readonly organizationId: string
  readonly userId: string
  readonly scopes: ReadonlyArray<Scope>
}

/** What can be looked up for people of the organization. */
export class OpsReading extends Context.Service<
  OpsReading,
  {
    readonly tools: ReadonlyArray<ModelTool>
    readonly run: (name: string, input: Arguments, asker: OpsAsker) => Effect.Effect<ToolAnswer>
  }
>()("parley/domain/OpsReading") {}

const instructions =
  "You answer people of the organization itself, in its team chat: not customers. Look figures, conversations and calls up with your tools, and name ids so that " +
  "people can follow. You cannot change anything yourself: with propose_change you ask, and an OWNER or ADMIN presses a button. Say that it waits for that."
const strangers =
  "Somebody who asks here is not known as a user of the organization. Tell nothing about the organization, its figures, conversations or people. Say that an OWNER " +
  "has to invite them with the e-mail address that they have in Slack."

const string = (description: string) => ({ type: "string", description })
const proposing: ModelTool = {
  name: "propose_change",
  description:
    "Propose a change, which an OWNER or ADMIN then confirms with a button: resolve a conversation, assign it, or send a contact a message.",
  parameters: {
    type: "object",
    properties: {
      type: { type: "string", enum: ["resolve_conversation", "assign_conversation", "send_message"] },
      conversationId: string("cnv_…, for resolve_conversation and assign_conversation"),
      assignee: string("For assign_conversation: usr_… or bot_…; nobody when it is left out"),
      contactId: string("cnt_…, for send_message"),
      text: string("For send_message")
    },
    required: ["type"]
  }
}
const readChange = Schema.decodeUnknownOption(ProposedChange)

/** The person of the organization who wrote a message, if it was one. */
const colleagueOf = ({ content: { author } }: Message): string | undefined => {
  const found = Predicate.hasProperty(author, "colleagueId") ? author.colleagueId : undefined
  return typeof found === "string" ? found : undefined
}

/** Needs ChatThreads, ChatMappings, ChatPosts, ChatProposals, Users and OpsReading. */
export const layer = Layer.effect(
  TurnExtras,
  Effect.gen(function* () {
    const threads = yield* ChatThreads
    const mappings = yield* ChatMappings
    const posts = yield* ChatPosts
    const proposals = yield* ChatProposals
    const users = yield* Users
    const reading = yield* OpsReading

    /** `undefined`: one of those who ask is no user. */
    const askerOf = Effect.fnUntraced(function* ({ organizationId, history, fresh }: Turn) {
      const asked = history.filter(({ direction }) => direction === "inbound").slice(-Math.max(1, fresh))
      const ids = asked.map(colleagueOf)
      const roles: Array<Role> = []
      for (const id of new Set(ids)) {
        const person = id === undefined ? undefined : yield* users.find(organizationId, id)
        if (person === undefined || person.status === "deactivated") return undefined
        roles.push(person.role)
      }
      const userId = ids.at(-1)
      if (userId === undefined) return undefined
      const scopes = roleScopes.OWNER.filter((scope) => roles.every((role) => roleScopes[role].includes(scope)))
      return { organizationId, userId, scopes } satisfies OpsAsker
    })

    const propose = (turn: Turn, place: ThreadPlace): ExtraTool => ({
      spec: proposing,
      run: Effect.fnUntraced(function* (input, key) {
        const { organizationId, conversationId } = turn
        const change = Option.getOrUndefined(readChange({ assignee: null, ...input }))
        if (change === undefined) return toolFailed("The change is not complete: give the fields that its type needs.")
        const id = idFrom("pst", `${turn.id} ${key}`)
        const now = yield* Clock.currentTimeMillis
        yield* proposals.add(organizationId, { id, conversationId, change }, now)
        const text = `❓ ${proposedSentence(change)}\nAn OWNER or ADMIN confirms it.`
        const content = { type: "proposal", proposalId: id, threadId: place.threadId, text } as const
        const post = { teamId: place.teamId, channelId: place.channelId, lane: conversationId, conversationId, content }
        yield* posts.add(organizationId, { once: id, ...post }, "waiting", now)
        return { outcome: "ok", result: "Proposed. It happens when an OWNER or ADMIN has pressed the button." }
      })
    })

    const read = (spec: ModelTool, asker: OpsAsker): ExtraTool => ({
      spec,
      run: (input) => reading.run(spec.name, input, asker)
    })

    return Effect.fnUntraced(function* (turn: Turn): Effect.fn.Return<TurnExtra> {
      const { organizationId, conversationId, history } = turn
      if (history.at(-1)?.channel !== "team_chat") return noExtra
      const place = yield* threads.placeOf(organizationId, conversationId)
      if (place === undefined) return noExtra
      const mapped = place.channelId.startsWith("D") ? directMessages : place.channelId
      const mapping = yield* mappings.find(organizationId, place.teamId, mapped)
      if (mapping?.target.type !== "ops") return noExtra
      const asker = yield* askerOf(turn)
      if (asker === undefined) return { instructions: strangers, tools: [] }
      return { instructions, tools: [...reading.tools.map((spec) => read(spec, asker)), propose(turn, place)] }
    })
  })
)
