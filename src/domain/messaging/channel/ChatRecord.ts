/** What a team chat says of its messages, in the words of ours. Times are Unix milliseconds. */
import type { ThreadPlace } from "../conversations/ChatThread.ts"

/** Somebody who writes there. */
export interface ChatAuthor {
  /** Workspace and person, as the channel's id of a contact. */
  readonly userId: string
  readonly name: string | null
  readonly email: string | null
  /** A person of the connected workspace itself: only then its address is one that the organization vouches for. */
  readonly isMember: boolean
}

export interface ChatAttachment {
  readonly id: string
  readonly name: string
  readonly mimeType: string
  readonly sizeBytes: number
  /** Where people of the workspace see it. */
  readonly url: string | null
  /** Where the app fetches it; null: it cannot. */
  readonly downloadUrl: string | null
}

interface Written {
  readonly place: ThreadPlace
  /** The mapped place: the channel, or direct messages. */
  readonly mapped: string
  /** When it was written. */
  readonly at: number
  /** Null: its author is not told any more. */
  readonly author: ChatAuthor | null
  /** Who began the thread; null when it is not a person, or not told. */
  readonly starter: ChatAuthor | null
}

export type ChatChange =
  | (Written & {
      readonly type: "said" | "edited"
      /** What people read: the words, and a line for each file. */
      readonly text: string
      /** Only the words. */
      readonly words: string
      readonly attachments: ReadonlyArray<ChatAttachment>
      /** When it was edited last; null: never. */
      readonly editedAt: number | null
    })
  | (Written & { readonly type: "deleted"; readonly attachments: ReadonlyArray<ChatAttachment> })
  /** Somebody has pressed a button of ours. */
  | {
      readonly type: "pressed"
      readonly place: ThreadPlace
      readonly mapped: string
      readonly author: ChatAuthor
      /** The message with the button. */
      readonly messageTs: string
      readonly action: string
      readonly value: string
      readonly at: number
    }
  /** A message of ours is there. `ts`: the provider's id of it. */
  | { readonly type: "delivered"; readonly messageId: string; readonly ts: string; readonly at: number }

export interface ChatRecord {
  readonly _tag: "chat"
  /** The channel's id of the message: workspace, channel and the message's own id. */
  readonly externalId: string
  readonly updatedAt: number
  readonly change: ChatChange
}

/** The channel's id of a message. */
export const chatMessageId = (teamId: string, channelId: string, id: string): string => `${teamId}:${channelId}:${id}`
