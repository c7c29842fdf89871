/** Which places of a team chat belong to whom. A channel of a workspace belongs to one organization, and so do its direct messages. */
import { Context, type Effect, Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"
import { isId } from "../../basics/Ids.ts"
import type { ChannelChange, ChatChannel } from "../AppChat.ts"
import type { AppProvider } from "../Catalogue.ts"
import { AlertKind } from "./ChatAlert.ts"

const AgentId = Schema.String.check(
  Schema.makeFilter((id: string) => isId("bot", id) || "must be the id of a text agent, like bot_01KAJ3….")
)

/** Channels whose conversations can be shown in a team chat. */
export const QueueChannel = Schema.Literals(["messaging", "voice"])
export type QueueChannel = typeof QueueChannel.Type

/**
 * `people`: the organization's people answer. `agent`: a text agent does. `queue`: conversations of other channels that wait for people are shown there, each as
 * a thread in which people answer; of `channels`, or of all. `ops`: a text agent answers the organization's own people; it may look things up, and changes
 * something only when an OWNER or ADMIN has confirmed it. `nobody`: the channel is only told of what `alerts` names. What is written in a channel of `queue`
 * outside of such threads, or in one of `nobody`, is not kept.
 */
export const ChatTarget = Schema.Union([
  Schema.Struct({ type: Schema.Literal("people") }),
  Schema.Struct({ type: Schema.Literal("nobody") }),
  Schema.Struct({
    type: Schema.Literal("queue"),
    channels: Schema.optionalKey(
      Schema.Array(QueueChannel).check(
        Schema.isMinLength(1),
        Schema.makeFilter((all) => new Set(all).size === all.length || "must not name a channel twice.")
      )
    )
  }),
  Schema.Struct({ type: Schema.Literal("agent"), agentId: AgentId }),
  Schema.Struct({ type: Schema.Literal("ops"), agentId: AgentId })
])
export type ChatTarget = typeof ChatTarget.Type

const TimeOfDay = Schema.String.check(
  Schema.makeFilter(
    (text: string) => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text) || "must be a time of day, like 09:00 (00:00 to 23:59)."
  )
)

const Alerts = Schema.Array(AlertKind).check(
  Schema.isMaxLength(AlertKind.literals.length),
  Schema.makeFilter((kinds) => new Set(kinds).size === kinds.length || "must not name a kind twice.")
)

/** The id of a channel, or `direct` for direct messages to the app. */
const Place = Schema.String.check(
  Schema.makeFilter(
    (place: string) =>
      /^(direct|[CG][A-Z0-9]{5,30})$/.test(place) || "must be the id of a channel, like C024BE91L, or `direct`."
  )
)

export const GivenMappings = Schema.Struct({
  /** All mappings: a place that is not named any more is not heard any more. */
  mappings: Schema.Array(
    Schema.Struct({
      channel: Place,
      target: ChatTarget,
      /** What the channel is told of: none without it. Not for direct messages. */
      alerts: Schema.optionalKey(Alerts),
      /** A time of day (`09:00`) in the organization's time zone: then the channel gets a summary, of the day before, or from noon on of the day. */
      dailySummaryAt: Schema.optionalKey(Schema.NullOr(TimeOfDay))
    })
  ).check(Schema.isMaxLength(500))
}).annotate({
  title: "GivenChatMappings",
  examples: [
    {
      mappings: [
        { channel: "C024BE91L", target: { type: "people" } },
        { channel: "direct", target: { type: "agent", agentId: exampleIds.textAgent } },
        { channel: "C02QUEUE", target: { type: "queue", channels: ["messaging"] } },
        { channel: "C02TEAM", target: { type: "ops", agentId: exampleIds.textAgent }, dailySummaryAt: "09:00" },
        { channel: "C02ALERTS", target: { type: "nobody" }, alerts: ["sla", "integrations", "usage", "providers"] }
      ]
    }
  ]
})
export type GivenMappings = typeof GivenMappings.Type

export const ChatMapping = Schema.Struct({
  /** The id of the channel, or `direct`. */
  channel: Schema.String,
  /** Null for direct messages. */
  name: Schema.NullOr(Schema.String),
  isPrivate: Schema.Boolean,
  isArchived: Schema.Boolean,
  /** False: the app was removed from the channel, and is told nothing of it. */
  isMember: Schema.Boolean,
  target: ChatTarget,
  alerts: Schema.Array(AlertKind),
  dailySummaryAt: Schema.NullOr(Schema.String),
  /** What is wrong and what to do, as a sentence. */
  problem: Schema.NullOr(Schema.String),
  since: Schema.String
}).annotate({
  title: "ChatMapping",
  examples: [
    {
      channel: "C024BE91L",
      name: "support",
      isPrivate: false,
      isArchived: false,
      isMember: true,
      target: { type: "people" },
      alerts: ["sla"],
      dailySummaryAt: "09:00",
      problem: null,
      since: "2026-11-26T09:30:00.000Z"
    }
  ]
})
export type ChatMapping = typeof ChatMapping.Type

export const ShownChannel = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  isPrivate: Schema.Boolean,
  /** Whether the app is in it already. It joins a public channel when it is mapped; into a private one somebody invites it. */
  isMember: Schema.Boolean,
  /** Another organization of this service has the channel. */
  isTaken: Schema.Boolean
}).annotate({
  title: "ChatChannel",
  examples: [{ id: "C024BE91L", name: "support", isPrivate: false, isMember: true, isTaken: false }]
})
export type ShownChannel = typeof ShownChannel.Type

/** A mapping to store. `channel` is undefined for direct messages. */
export interface NewMapping {
  readonly place: string
  readonly channel: ChatChannel | undefined
  readonly target: ChatTarget
  readonly alerts: ReadonlyArray<AlertKind>
  readonly dailySummaryAt: string | null
}

/** 409: another organization has this place of the workspace. */
export class ChatPlaceTaken extends Schema.TaggedError<ChatPlaceTaken>()("ChatPlaceTaken", { place: Schema.String }) {}

export interface ChatOwner {
  readonly organizationId: string
  /** The organization's connection to the workspace. */
  readonly connectionId: string
}

/** Port of the stored mappings. Times are Unix milliseconds. */
export class ChatMappings extends Context.Service<
  ChatMappings,
  {
    readonly list: (organizationId: string, teamId: string) => Effect.Effect<ReadonlyArray<ChatMapping>>
    /** The organization's mapping of a place; `undefined` when it has none. */
    readonly find: (organizationId: string, teamId: string, place: string) => Effect.Effect<ChatMapping | undefined>
    /** Replaces all mappings of the organization in the workspace. What stays keeps its `since`. */
    readonly replace: (
      organizationId: string,
      teamId: string,
      mappings: ReadonlyArray<NewMapping>,
      now: number
    ) => Effect.Effect<void, ChatPlaceTaken>
    /** Who has the place, of all organizations that are connected to the workspace. */
    readonly owner: (provider: AppProvider, teamId: string, place: string) => Effect.Effect<ChatOwner | undefined>
    /** Of these places of the workspace those that other organizations have. */
    readonly taken: (
      organizationId: string,
      teamId: string,
      places: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlySet<string>>
    /** All connections to the workspace. */
    readonly connections: (provider: AppProvider, teamId: string) => Effect.Effect<ReadonlyArray<ChatOwner>>
    /** Follows a channel: it was renamed or archived, or the app was removed. */
    readonly follow: (
      organizationId: string,
      teamId: string,
      channelId: string,
      change: ChannelChange
    ) => Effect.Effect<void>
  }
>()("parley/domain/ChatMappings") {}

/** What is wrong with a mapped channel, as a sentence. */
export const placeProblem = ({
  name,
  isArchived,
  isMember
}: Pick<ChatMapping, "name" | "isArchived" | "isMember">): string | null => {
  if (isArchived) return `#${name} is archived: nobody can write there. Map another channel.`
  return isMember ? null : `The app was removed from #${name}: invite it there (/invite), or map another channel.`
}
