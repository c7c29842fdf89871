/** Threads of team chat. A thread has one conversation. Its ids belong to the workspace, so a workspace that is connected anew goes on in its threads. */
import { Context, type Effect } from "effect"

/** Where a thread is, in the provider's ids. */
export interface ThreadPlace {
  readonly teamId: string
  readonly channelId: string
  /** The id of the message that began it. Empty: what is written in a direct message outside of threads. */
  readonly threadId: string
}

export class ChatThreads extends Context.Service<
  ChatThreads,
  {
    /** The conversation of a thread. A new thread gets a new OPEN one, with this contact. */
    readonly open: (organizationId: string, place: ThreadPlace, contactId: string) => Effect.Effect<string>
    /** The thread of a conversation; `undefined` when it has none. */
    readonly placeOf: (organizationId: string, conversationId: string) => Effect.Effect<ThreadPlace | undefined>
  }
>()("parley/domain/ChatThreads") {}
