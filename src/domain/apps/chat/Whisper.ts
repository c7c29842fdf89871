/** Says something to one person in a team chat, which nobody else sees; once for each reason. */
import { Clock, Effect } from "effect"
import type { ChatAuthor } from "../../messaging/channel/ChatRecord.ts"
import type { ThreadPlace } from "../../messaging/conversations/ChatThread.ts"
import { ChatPosts } from "./ChatPost.ts"

/** The person's id in the chat, of an author's id with its workspace. */
const chatIdOf = ({ userId }: Pick<ChatAuthor, "userId">) => userId.slice(userId.indexOf(":") + 1)

/** Of the post that tells somebody something for this reason. */
export const whisperOnce = (reason: string): string => `whisper:${reason}`

/** Needs ChatPosts once. */
export const makeWhisper = Effect.map(
  ChatPosts,
  (posts) =>
    (organizationId: string, place: ThreadPlace, to: Pick<ChatAuthor, "userId">, reason: string, text: string) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        posts.add(
          organizationId,
          {
            ...{ once: whisperOnce(reason), teamId: place.teamId, channelId: place.channelId, conversationId: null },
            lane: `whisper:${to.userId}`,
            content: { type: "whisper", userId: chatIdOf(to), threadId: place.threadId, text }
          },
          "waiting",
          now
        )
      )
)
