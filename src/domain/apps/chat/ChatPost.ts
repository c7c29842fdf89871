/**
 * What is to be written into a team chat by the service itself: alerts, conversations that wait for people, summaries. Posts are made of events, each once,
 * and written by workers; those of a lane in order. Many workers may run: a claim keeps a post from the others until its lease ends. Times are Unix
 * milliseconds.
 */
import { Context, type Effect, Schema } from "effect"
import type { FairWork } from "../../basics/FairWork.ts"
import type { ThreadPlace } from "../../messaging/conversations/ChatThread.ts"
import type { StoredConnection } from "../AppConnection.ts"
import type { SyncOutcome } from "../SyncVerdict.ts"
import type { Alert, AlertTerms, HeardEvent } from "./ChatAlert.ts"

const kind = <Type extends string>(type: Type) => Schema.Literal(type)
const id = Schema.String

/**
 * What a post is. It is read when it is written: `card` begins the thread of a conversation, `state` changes it; the others of a conversation are written into
 * that thread. `before`: the message whose predecessors are shown; null: all. `whisper` is seen by one person only. `proposal` has buttons, which `decided`
 * takes away.
 */
export const PostContent = Schema.Union([
  Schema.Struct({ type: kind("text"), text: Schema.String }),
  Schema.Struct({ type: kind("card") }),
  Schema.Struct({ type: kind("state") }),
  Schema.Struct({ type: kind("history"), before: Schema.NullOr(id) }),
  Schema.Struct({ type: kind("again") }),
  Schema.Struct({ type: kind("message"), messageId: id }),
  Schema.Struct({ type: kind("file"), messageId: id }),
  Schema.Struct({ type: kind("words"), messageId: id }),
  Schema.Struct({ type: kind("failed"), messageId: id }),
  Schema.Struct({ type: kind("call"), callId: id }),
  Schema.Struct({ type: kind("summary"), day: Schema.String }),
  Schema.Struct({ type: kind("proposal"), proposalId: id, threadId: id, text: Schema.String }),
  Schema.Struct({ type: kind("decided"), ts: id, text: Schema.String }),
  Schema.Struct({ type: kind("whisper"), userId: id, threadId: Schema.NullOr(id), text: Schema.String })
])
export type PostContent = typeof PostContent.Type

/** What the buttons of a proposal do. */
export const confirmAction = "parley_confirm"
export const declineAction = "parley_decline"

/** A post to be written, unless something was written there for the same reason. */
export interface NewPost {
  /** Why it is written: in a channel nothing is written twice for the same reason. */
  readonly once: string
  readonly teamId: string
  readonly channelId: string
  readonly lane: string
  readonly conversationId: string | null
  readonly content: PostContent
}

export interface ClaimedPost {
  /** `pst_…`: the chat tells it back, so that a post whose answer was lost is known. */
  readonly id: string
  readonly claims: number
  readonly failures: number
  /** How often it was written without an answer. */
  readonly unanswered: number
  readonly organizationId: string
  readonly teamId: string
  readonly channelId: string
  readonly conversationId: string | null
  /** The message that begins the thread of the conversation; null until it is there. */
  readonly cardId: string | null
  readonly content: PostContent
  readonly createdAt: number
}

export interface PostClaim {
  readonly connection: StoredConnection
  readonly posts: ReadonlyArray<ClaimedPost>
}

export interface PostResult {
  readonly outcome: SyncOutcome
  /** The provider's id of what was written. */
  readonly ts: string | undefined
  /** Nobody knows whether it was written. */
  readonly unclear: boolean
}

/** A post that could not be written for so long is given up. */
export const postLifetimeMs = 24 * 3_600_000

/** How posts are made of events. */
export interface PostTerms {
  readonly publicBaseUrl: string
  readonly alert: (event: HeardEvent, terms: AlertTerms) => Alert | undefined
}

export class ChatPosts extends Context.Service<
  ChatPosts,
  {
    /** Those of these organizations (`undefined`: of all) with events that were not read for their team chat yet. */
    readonly behind: (among: ReadonlyArray<string> | undefined) => Effect.Effect<ReadonlyArray<string>>
    /** Makes posts of the next events of an organization. True: there may be more. */
    readonly read: (organizationId: string, terms: PostTerms, now: number) => Effect.Effect<boolean>
    /** Adds a post. `done`: it is there already, and is not to be written. */
    readonly add: (organizationId: string, post: NewPost, state: "waiting" | "done", now: number) => Effect.Effect<void>
    /** Whether a post was added to a channel. `once`: of the post. */
    readonly has: (
      organizationId: string,
      place: Pick<ThreadPlace, "teamId" | "channelId">,
      once: string
    ) => Effect.Effect<boolean>
    /** Makes posts of the daily summaries that are due, each once. */
    readonly summarize: (now: number) => Effect.Effect<void>
    /** Connections with due posts; each is a lane. */
    readonly due: FairWork["due"]
    /** Claims at most `most` due posts of a connection for `leaseMs`. */
    readonly claim: (
      organizationId: string,
      connectionId: string,
      now: number,
      leaseMs: number,
      most: number
    ) => Effect.Effect<PostClaim | undefined>
    /** Stores what became of a post. It changes nothing when another process has claimed it meanwhile. */
    readonly settle: (
      connection: StoredConnection,
      post: ClaimedPost,
      result: PostResult,
      now: number
    ) => Effect.Effect<void>
    /** The chat tells that a post is there. */
    readonly arrived: (organizationId: string, postId: string, ts: string) => Effect.Effect<void>
    /** The conversation whose thread this message begins; `undefined` when it begins none. */
    readonly conversationAt: (organizationId: string, place: ThreadPlace) => Effect.Effect<string | undefined>
  }
>()("parley/domain/ChatPosts") {}
