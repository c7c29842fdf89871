/** A message as the interface shows it: a text that a contact wrote. */
import type { Message } from "../../src/domain/messaging/conversations/Message.ts"

export const aMessage = {
  id: "msg_1",
  organizationId: "org_1",
  conversationId: "conv_1",
  contactId: "cnt_1",
  channel: "messaging",
  direction: "inbound",
  type: "text",
  content: { text: "Hello" },
  replyTo: null,
  channelMessageId: null,
  sentBy: null,
  status: "received",
  sentAt: null,
  deliveredAt: null,
  readAt: null,
  failedAt: null,
  failure: null,
  createdAt: "2026-11-26T09:00:00.000Z"
} satisfies Message
