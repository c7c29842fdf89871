import type { NewMessage } from "@parley/client"

/** A message that the service does not have yet. */
export interface Outgoing {
  readonly key: string
  readonly conversationId: string
  readonly body: NewMessage
  readonly createdAt: string
  readonly state: "waiting" | "sending" | "failed" | "ask"
  readonly reason?: string
}
