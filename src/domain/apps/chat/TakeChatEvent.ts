/**
 * Use case: takes what a team chat tells. One address serves all organizations: who has the channel gets it, and nobody else. It is stored before the chat has
 * its answer, and read afterwards. What is said at a place that nobody has mapped is not kept.
 */
import { Clock, Effect } from "effect"
import { traced } from "../../basics/Traced.ts"
import { Organizations, planRefusal } from "../../people/organizations/Organization.ts"
import { AppAdapters } from "../AppAdapter.ts"
import type { ChatNews } from "../AppChat.ts"
import type { AppArrival, AppRequest } from "../AppInbound.ts"
import { ArrivalQueue } from "../ArrivalQueue.ts"
import { type AppProvider, rowOf } from "../Catalogue.ts"
import { ChatMappings, type ChatOwner } from "./ChatMapping.ts"

/** Needs ChatMappings, ArrivalQueue, Organizations and AppAdapters once; the functions it gives need nothing. */
export const makeTakeChatEvent = Effect.fnUntraced(function* (provider: AppProvider) {
  const mappings = yield* ChatMappings
  const arrivals = yield* ArrivalQueue
  const organizations = yield* Organizations
  const { chat } = (yield* AppAdapters)[provider]

  const isAllowed = Effect.fnUntraced(function* (organizationId: string) {
    const organization = yield* organizations.find(organizationId)
    return organization !== undefined && planRefusal(rowOf(provider).feature, organization) === undefined
  })

  const keep = Effect.fnUntraced(function* ({ organizationId, connectionId }: ChatOwner, arrival: AppArrival) {
    if (!(yield* isAllowed(organizationId))) return
    yield* arrivals.store({ organizationId, id: connectionId }, [arrival], yield* Clock.currentTimeMillis)
  })

  const told = Effect.fnUntraced(function* (news: ChatNews) {
    if (news.type === "nothing") return
    const { teamId } = news
    if (news.type === "access") {
      const all = yield* mappings.connections(provider, teamId)
      return yield* Effect.forEach(all, (owner) => keep(owner, news.arrival), { discard: true })
    }
    const place = news.type === "arrival" ? news.mapped : news.channelId
    const owner = yield* mappings.owner(provider, teamId, place)
    if (owner === undefined) return
    if (news.type === "arrival") yield* keep(owner, news.arrival)
    else yield* mappings.follow(owner.organizationId, teamId, news.channelId, news.change)
  })

  if (chat === undefined) return undefined
  return {
    /** A request; gives what the chat wants to hear. */
    take: traced("TakeChatEvent")(function* (request: AppRequest) {
      const { news, answer } = yield* chat.hear(request, yield* Clock.currentTimeMillis)
      yield* told(news)
      return answer
    }),
    /** An event over a connection of our own. */
    heard: traced("TakeChatEvent.heard")(function* (body: string) {
      const heard = chat.read(body)
      if (heard !== undefined) yield* told(heard.news)
    })
  }
})
