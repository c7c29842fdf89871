/** Until when a contact may be answered in one's own words. */
import type { Conversation } from "@parley/client"

/** Whether the channel takes free text, files and reactions now. A conversation without a window is always open. */
export const isWindowOpen = ({ window: reply }: Pick<Conversation, "window">, now: number): boolean =>
  reply === null || (reply.open && (reply.expiresAt === null || Date.parse(reply.expiresAt) > now))
