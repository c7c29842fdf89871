/** Use case: an organization maps the channels of its workspace, and direct messages to the app, to those who answer there. */
import { Clock, Effect, Schema } from "effect"
import { makeKept } from "../../basics/limits/Kept.ts"
import { traced } from "../../basics/Traced.ts"
import { TextAgents } from "../../messaging/agents/TextAgent.ts"
import { Audit } from "../../people/access/Audit.ts"
import { makePlanRefusal } from "../../people/organizations/PlanGate.ts"
import { AppAdapters } from "../AppAdapter.ts"
import { type ChatChannel, directMessages } from "../AppChat.ts"
import { AppConnections, type StoredConnection } from "../AppConnection.ts"
import type { AppFailure } from "../AppSession.ts"
import { type AppProvider, rowOf } from "../Catalogue.ts"
import {
  ConnectionNotFound,
  IntegrationNotAllowed,
  InvalidConnection,
  ProviderUnreachable
} from "../connecting/ConnectionErrors.ts"
import { makeUseConnection } from "../UseConnection.ts"
import { ChatMappings, type ChatTarget, type GivenMappings, type NewMapping, type ShownChannel } from "./ChatMapping.ts"

/** 409: another organization has the channel. */
export class ChatConflict extends Schema.TaggedError<ChatConflict>()("ChatConflict", { message: Schema.String }) {}

/** Channels are read anew after this time; there may be thousands, and the chat allows few requests for them. */
const bounds = { forMs: 60_000, most: 200 }
/** The most channels that a search shows. */
const mostShown = 100

/** Who can answer direct messages. */
const directTargets: ReadonlySet<ChatTarget["type"]> = new Set(["people", "agent", "ops"])
const directSentence = "Direct messages are answered by people or an agent. What is told goes to channels."

const refused = ({ action, message }: AppFailure) =>
  action === "retry" || action === "wait" ? new ProviderUnreachable({ message }) : new InvalidConnection({ message })

/** Needs AppConnections, AppAdapters, ChatMappings, TextAgents, Organizations, Audit, Exclusive, HttpClient and RateLimiter once. */
export const makeManageChat = Effect.fnUntraced(function* (provider: AppProvider) {
  const connections = yield* AppConnections
  const mappings = yield* ChatMappings
  const agents = yield* TextAgents
  const refusalOf = yield* makePlanRefusal
  const audit = yield* Audit
  const { chat } = (yield* AppAdapters)[provider]
  const { use } = yield* makeUseConnection
  const { title, feature } = rowOf(provider)
  const kept = makeKept<ReadonlyArray<ChatChannel>>(bounds)

  const connected = Effect.fnUntraced(function* (organizationId: string) {
    const refusal = yield* refusalOf(organizationId, feature)
    if (refusal !== undefined) return yield* new IntegrationNotAllowed({ message: refusal })
    const connection = yield* connections.find(organizationId, provider)
    const teamId = connection?.credentials.teamId
    if (connection === undefined || teamId === undefined || chat === undefined)
      return yield* new ConnectionNotFound({ message: `${title} is not connected.` })
    return { connection, teamId, chat }
  })

  const channelsOf = (connection: StoredConnection, chatOf: NonNullable<typeof chat>) =>
    kept(
      connection.id,
      Effect.mapError(
        use(connection, ({ session }) => chatOf.channels(session)),
        refused
      )
    )

  /** Channels whose name has the words, those that begin with them first. Private ones of other organizations are left out. */
  const channels = traced("ManageChat.channels")(function* (organizationId: string, search: string) {
    const { connection, teamId, chat: chatOf } = yield* connected(organizationId)
    const wanted = search.trim().replace(/^#/, "").toLowerCase()
    const found = (yield* channelsOf(connection, chatOf)).filter(({ name }) => name.toLowerCase().includes(wanted))
    const others = yield* mappings.taken(
      organizationId,
      teamId,
      found.map(({ id }) => id)
    )
    const begins = ({ name }: ChatChannel) => (name.toLowerCase().startsWith(wanted) ? 0 : 1)
    const shown = found
      .filter(({ id, isPrivate }) => !(isPrivate && others.has(id)))
      .toSorted((a, b) => begins(a) - begins(b) || a.name.localeCompare(b.name))
      .slice(0, mostShown)
    return shown.map(
      ({ id, name, isPrivate, isMember }): ShownChannel => ({ id, name, isPrivate, isMember, isTaken: others.has(id) })
    )
  })

  const list = traced("ManageChat.list")(function* (organizationId: string) {
    const { teamId } = yield* connected(organizationId)
    return yield* mappings.list(organizationId, teamId)
  })

  const checkAgents = Effect.fnUntraced(function* (organizationId: string, given: GivenMappings) {
    const ids = given.mappings.flatMap(({ target }) => ("agentId" in target ? [target.agentId] : []))
    for (const id of new Set(ids))
      if ((yield* agents.find(organizationId, id)) === undefined)
        return yield* new InvalidConnection({ message: `There is no text agent with the id ${id}.` })
  })

  /** Replaces all mappings. The app joins public channels by itself. */
  const replace = traced("ManageChat.replace")(function* (organizationId: string, given: GivenMappings) {
    yield* checkAgents(organizationId, given)
    const { connection, teamId, chat: chatOf } = yield* connected(organizationId)
    const places = given.mappings.map(({ channel }) => channel)
    const twice = places.find((place, at) => places.indexOf(place) !== at)
    if (twice !== undefined) return yield* new InvalidConnection({ message: `${twice} is mapped twice.` })
    const taken = yield* mappings.taken(organizationId, teamId, places)
    const takenFirst = places.find((place) => taken.has(place))
    if (takenFirst !== undefined) return yield* conflict(takenFirst)

    const entered = (channelId: string) =>
      use(
        connection,
        Effect.fnUntraced(function* ({ session }) {
          const channel = yield* chatOf.channel(session, channelId)
          return channel.isMember || channel.isPrivate ? channel : yield* chatOf.join(session, channelId)
        })
      ).pipe(Effect.mapError(refused))

    const known = new Map((yield* mappings.list(organizationId, teamId)).map((mapping) => [mapping.channel, mapping]))
    const wanted = yield* Effect.forEach(
      given.mappings,
      ({ channel: place, target, alerts = [], dailySummaryAt = null }) =>
        Effect.gen(function* () {
          const before = known.get(place)
          if (place === directMessages) {
            const onlyAnswered = alerts.length === 0 && dailySummaryAt === null && directTargets.has(target.type)
            if (!onlyAnswered) return yield* new InvalidConnection({ message: directSentence })
            return { place, channel: undefined, target, alerts, dailySummaryAt } satisfies NewMapping
          }
          // What is mapped already, and works, is not asked about again.
          const channel =
            before !== undefined && before.problem === null
              ? { ...before, id: place, name: before.name ?? "" }
              : yield* entered(place)
          if (channel.isArchived)
            return yield* new InvalidConnection({ message: `#${channel.name} is archived: choose another channel.` })
          return { place, channel, target, alerts, dailySummaryAt } satisfies NewMapping
        })
    )
    const now = yield* Clock.currentTimeMillis
    yield* audit.recorded(
      organizationId,
      Effect.catchTag(mappings.replace(organizationId, teamId, wanted, now), "ChatPlaceTaken", ({ place }) =>
        conflict(place)
      ),
      () => ({
        action: "integration.changed",
        subjectId: connection.id,
        before: { mappings: [...known.values()].map(({ channel, target, alerts }) => ({ channel, target, alerts })) },
        after: { mappings: given.mappings }
      })
    )
    return yield* mappings.list(organizationId, teamId)
  })

  const conflict = (place: string) =>
    new ChatConflict({
      message:
        place === directMessages
          ? "Direct messages of this workspace belong to another organization of this service."
          : `The channel ${place} belongs to another organization of this service.`
    })

  return { channels, list, replace }
})
