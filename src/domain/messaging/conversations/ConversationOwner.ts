/**
 * What the owner of a conversation remembers, and what it does with a command: pure. Its memory is only a copy of what it last wrote; what a
 * command decides on is read under the lock of the row.
 */
import type { Held } from "./ConversationFence.ts"

/** Undefined: nothing was written yet, or it was lost to somebody else; the next write makes it the owner. */
export type Memory = Held | undefined

/** Whether a command may still be carried out: after a long sleep its asker has given up, and somebody else may have done it. */
export const isDue = (expiresAt: number, now: number): boolean => now <= expiresAt

/** How a write ended. `failed`: it was refused or undone, so the store is as it was. */
export type Outcome =
  | { readonly _tag: "written"; readonly held: Held | undefined }
  | { readonly _tag: "lost" }
  | { readonly _tag: "failed" }

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
