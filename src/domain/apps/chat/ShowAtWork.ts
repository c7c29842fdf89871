/** A thread of a team chat shows that its text agent thinks. */
import { Effect, Layer } from "effect"
import { AtWork } from "../../messaging/agents/AtWork.ts"
import { ChatThreads } from "../../messaging/conversations/ChatThread.ts"
import { AppAdapters } from "../AppAdapter.ts"
import { AppConnections } from "../AppConnection.ts"
import { makeUseConnection } from "../UseConnection.ts"

const provider = "slack"

/** Needs AppConnections, AppAdapters, ChatThreads, Exclusive, HttpClient and RateLimiter. */
export const layer = Layer.effect(
  AtWork,
  Effect.gen(function* () {
    const connections = yield* AppConnections
    const threads = yield* ChatThreads
    const { chat } = (yield* AppAdapters)[provider]
    const { use } = yield* makeUseConnection

    return ({ organizationId, conversationId, history }) =>
      Effect.gen(function* () {
        if (chat === undefined || history.at(-1)?.channel !== "team_chat") return
        const place = yield* threads.placeOf(organizationId, conversationId)
        const connection = yield* connections.find(organizationId, provider)
        if (place === undefined || connection?.credentials.teamId !== place.teamId) return
        yield* use(connection, ({ session }) => chat.atWork(session, place))
      }).pipe(
        Effect.timeout("5 seconds"),
        Effect.catch(({ message }) =>
          Effect.logDebug("a thread does not show that its agent thinks", { conversationId, message })
        )
      )
  })
)
