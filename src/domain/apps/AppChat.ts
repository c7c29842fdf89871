/** What the adapter of a team chat does beside connecting: it reads what the chat tells, lists channels, and writes into threads. */
import type { Effect } from "effect"
import type { ThreadPlace } from "../messaging/conversations/ChatThread.ts"
import type { AppArrival, AppRejection, AppRequest } from "./AppInbound.ts"
import type { AppFailure, AppSession } from "./AppSession.ts"

export interface ChatChannel {
  readonly id: string
  readonly name: string
  readonly isPrivate: boolean
  readonly isArchived: boolean
  /** Whether the app is in it: only then it is told what is written there. */
  readonly isMember: boolean
}

/** What is mapped: a channel by its id, or all direct messages with the app. */
export const directMessages = "direct"

/** What changes of a channel. */
export type ChannelChange =
  | { readonly name: string }
  | { readonly isArchived: boolean }
  | { readonly isMember: boolean }

/** One thing that the chat tells. */
export type ChatNews =
  /** Something is written or changed at a mapped place: it is stored, and read by the adapter's `inbound`. */
  | { readonly type: "arrival"; readonly teamId: string; readonly mapped: string; readonly arrival: AppArrival }
  | { readonly type: "channel"; readonly teamId: string; readonly channelId: string; readonly change: ChannelChange }
  /** The access may be over: each connection of the workspace looks. */
  | { readonly type: "access"; readonly teamId: string; readonly arrival: AppArrival }
  | { readonly type: "nothing" }

export interface ChatHeard {
  readonly news: ChatNews
  /** What the chat wants to hear, of a hand-shake. */
  readonly answer?: string
}

/** A button under a message. Who presses it is told with `action` and `value`. */
export interface ChatButton {
  readonly action: string
  readonly value: string
  readonly label: string
  readonly style?: "primary" | "danger"
}

/** A message to write, as plain text. */
export interface ChatPost {
  readonly place: ThreadPlace
  readonly text: string
  /** An empty list: those that were there go. */
  readonly buttons?: ReadonlyArray<ChatButton>
  /** A message in a thread is also shown in its channel. */
  readonly alsoInChannel?: boolean
  /** Our id of the message: the chat tells it with the message, so that one whose answer was lost is known. */
  readonly messageId?: string
}

export interface ChatFile {
  readonly name: string
  readonly bytes: Uint8Array
  /** What is written with it. */
  readonly text: string
}

export interface AppChat {
  /** Checks that the provider sent this, and reads it. Asks nobody. */
  readonly hear: (request: AppRequest, now: number) => Effect.Effect<ChatHeard, AppRejection>
  /** Reads an event that came over a connection of our own, which needs no signature. */
  readonly read: (body: string) => ChatHeard | undefined
  /** All channels that the app can see, archived ones left out. */
  readonly channels: (session: AppSession) => Effect.Effect<ReadonlyArray<ChatChannel>, AppFailure>
  readonly channel: (session: AppSession, channelId: string) => Effect.Effect<ChatChannel, AppFailure>
  readonly join: (session: AppSession, channelId: string) => Effect.Effect<ChatChannel, AppFailure>
  /** Writes a message; gives the provider's id of it. A `retry` says that nobody knows whether it was written. */
  readonly post: (session: AppSession, post: ChatPost) => Effect.Effect<string, AppFailure>
  /** Replaces what was written. */
  readonly update: (
    session: AppSession,
    channelId: string,
    id: string,
    post: Pick<ChatPost, "text" | "buttons">
  ) => Effect.Effect<void, AppFailure>
  /** Writes a message that only this person sees. */
  readonly whisper: (
    session: AppSession,
    place: ThreadPlace,
    userId: string,
    text: string
  ) => Effect.Effect<void, AppFailure>
  /** Puts a file into a thread; gives the provider's id of it. */
  readonly upload: (session: AppSession, place: ThreadPlace, file: ChatFile) => Effect.Effect<string, AppFailure>
  /** Fetches a file that people have put there, of at most so many bytes. */
  readonly download: (session: AppSession, url: string, maxBytes: number) => Effect.Effect<Uint8Array, AppFailure>
  /** Shows in a thread that an answer is thought about. It ends with the next message. */
  readonly atWork: (session: AppSession, place: ThreadPlace) => Effect.Effect<void, AppFailure>
}
