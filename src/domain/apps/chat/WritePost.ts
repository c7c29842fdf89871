/** Writes a post of the service into a team chat. Nothing fails: what went wrong is the outcome. */
import { Clock, Effect } from "effect"
import { deliveryDefaults, mostUnanswered } from "../../messaging/sending/DeliveryRules.ts"
import { AppAdapters } from "../AppAdapter.ts"
import type { StoredConnection } from "../AppConnection.ts"
import { AppFailure, type AppSession } from "../AppSession.ts"
import type { SyncOutcome } from "../SyncVerdict.ts"
import { makeWorkSession } from "../WorkSession.ts"
import { makeChatPace } from "./ChatPace.ts"
import type { ClaimedPost, PostResult } from "./ChatPost.ts"
import { makeRenderPost, type RenderedPost } from "./RenderPost.ts"

const provider = "slack"
const lost =
  "Slack took this several times without an answer, and told nothing of it: whether it is there is not known."
const giveUp = (message: string) => new AppFailure({ action: "give_up", message })

/** Those that begin at the top of the channel; the others are written into the thread of their conversation. */
const top = new Set(["text", "card", "summary"])

/** A wait of the chat is for this method and channel: the connection goes on, and only the post waits. */
const waiting = (outcome: SyncOutcome, now: number): SyncOutcome =>
  outcome.task === "again" && outcome.credentials === undefined && outcome.resumeAt !== null
    ? { ...outcome, dueAt: Math.max(now, outcome.resumeAt), resumeAt: null }
    : outcome

/**
 * Needs AppAdapters, AppConnections, Exclusive, HttpClient, RateLimiter, and what `makeRenderPost` needs, once; the function it gives needs nothing.
 */
export const makeWritePost = Effect.fnUntraced(function* (publicBaseUrl: string) {
  const { chat } = (yield* AppAdapters)[provider]
  const work = yield* makeWorkSession
  const pace = yield* makeChatPace
  const render = yield* makeRenderPost(publicBaseUrl)

  const write = Effect.fnUntraced(function* (session: AppSession, post: ClaimedPost, said: RenderedPost) {
    if (chat === undefined) return yield* giveUp("There is no team chat.")
    const { teamId, channelId, cardId, content, id: messageId } = post
    const retryAfterMs = yield* pace(post)
    if (retryAfterMs > 0)
      return yield* new AppFailure({
        action: "wait",
        message: "Other messages go to this channel first.",
        retryAfterMs
      })
    if (content.type === "whisper") {
      const place = { teamId, channelId, threadId: content.threadId ?? "" }
      yield* chat.whisper(session, place, content.userId, said.text)
      return undefined
    }
    if (top.has(content.type))
      return yield* chat.post(session, { place: { teamId, channelId, threadId: "" }, ...said, messageId })
    if (content.type === "proposal")
      return yield* chat.post(session, { place: { teamId, channelId, threadId: content.threadId }, ...said, messageId })
    if (content.type === "decided") {
      yield* chat.update(session, channelId, content.ts, said)
      return undefined
    }
    if (cardId === null) return yield* giveUp("The thread of the conversation was not begun.")
    if (content.type === "state") {
      yield* chat.update(session, channelId, cardId, said)
      return undefined
    }
    const place = { teamId, channelId, threadId: cardId }
    if (said.file === undefined) return yield* chat.post(session, { place, ...said, messageId })
    yield* chat.upload(session, place, said.file)
    return undefined
  })

  return Effect.fnUntraced(function* (connection: StoredConnection, post: ClaimedPost) {
    const { failures, unanswered } = post
    let unclear = false
    const attempt = (session: AppSession) =>
      render(post).pipe(
        Effect.catchTag("MediaUnavailable", ({ message }) => new AppFailure({ action: "wait", message })),
        Effect.flatMap((said) => (said === undefined ? Effect.undefined : write(session, post, said))),
        Effect.tapError(({ action }) =>
          Effect.sync(() => {
            unclear = action === "retry"
          })
        )
      )
    const { value: ts, outcome } = yield* work(connection, failures, attempt)
    const now = yield* Clock.currentTimeMillis
    if (!unclear || outcome.task !== "again")
      return { outcome: waiting(outcome, now), ts, unclear } satisfies PostResult
    const later =
      unanswered + 1 >= mostUnanswered
        ? { ...outcome, task: "dead" as const, dueAt: null, error: lost }
        : { ...outcome, dueAt: Math.max(outcome.dueAt ?? 0, now + deliveryDefaults.patienceMs) }
    return { outcome: later, ts, unclear } satisfies PostResult
  })
})
