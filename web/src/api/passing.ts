/** Events of what is true only now. They have no id, and are not sent again; the client's types leave them out. */
import type { ConversationPresence } from "@parley/client"

export type PassingEvent =
  | { readonly type: "conversation.presence"; readonly data: ConversationPresence }
  | { readonly type: "broadcast.updated"; readonly data: { readonly broadcast: { readonly id: string } } }
  | { readonly type: "knowledge.updated"; readonly data: { readonly knowledgeBase: { readonly id: string } } }

const types: ReadonlySet<string> = new Set<PassingEvent["type"]>([
  "conversation.presence",
  "broadcast.updated",
  "knowledge.updated"
])

export const isPassing = (event: { readonly type: string }): event is PassingEvent => types.has(event.type)
