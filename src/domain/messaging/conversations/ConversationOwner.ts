/**
 * The memory of a conversation's owner. Pure. The memory is only a copy of the owner's last write; a command is decided on the state that is read
 * under the lock of the row.
 */
import type { Held } from "./ConversationFence.ts"

/** `undefined`: this owner has written nothing yet, or another process became the owner. The next write makes it the owner. */
export type Memory = Held | undefined

/** Whether a command may still be carried out. After a long pause its sender has given up, and another owner may have carried it out. */
export const isDue = (expiresAt: number, now: number): boolean => now <= expiresAt

/** The outcome of a write. `failed`: it was refused or rolled back, so nothing changed in the store. */
export type Outcome =
  | { readonly _tag: "written"; readonly held: Held | undefined }
  | { readonly _tag: "lost" }
  | { readonly _tag: "failed" }

/** The owner's memory after a write. */
export const remembered = (memory: Memory, outcome: Outcome): Memory => {
  switch (outcome._tag) {
    case "written":
      return outcome.held ?? memory
    case "lost":
      return undefined
    case "failed":
      return memory
  }
}
