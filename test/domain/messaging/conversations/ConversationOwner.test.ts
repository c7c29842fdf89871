/**
 * Several processes that each believe they own one conversation: their steps in any order, with freezes between them, and commands that
 * are delivered again.
 */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import type { Held } from "../../../../src/domain/messaging/conversations/ConversationFence.ts"
import { isDue, type Memory, remembered } from "../../../../src/domain/messaging/conversations/ConversationOwner.ts"

interface Stored {
  readonly epoch: number
  readonly writes: ReadonlyArray<{ readonly command: string; readonly epoch: number }>
}

/** What a store does in one transaction: the guard, then the command, once. */
const commit = (stored: Stored, memory: Memory, command: string): { stored: Stored; held: Held | undefined } => {
  if (memory !== undefined && memory.epoch !== stored.epoch) return { stored, held: undefined }
  const epoch = memory?.epoch ?? stored.epoch + 1
  const known = stored.writes.some((write) => write.command === command)
  const writes = known ? stored.writes : [...stored.writes, { command, epoch }]
  return { stored: { epoch, writes }, held: { epoch, dueAt: null } }
}

interface Owner {
  memory: Memory
  /** A command that was accepted and is not written yet, which is when a freeze does harm. */
  inHand: { readonly command: string; readonly memory: Memory } | undefined
}

const actions = fc.array(
  fc.record({
    owner: fc.nat({ max: 2 }),
    what: fc.constantFrom("take", "write", "undone"),
    command: fc.nat({ max: 7 }),
    expiresIn: fc.integer({ min: -5, max: 5 })
  }),
  { maxLength: 80 }
)

describe("the owners of a conversation", () => {
  it("write each command once, and never after a newer owner has taken over", () => {
    fc.assert(
      fc.property(actions, (steps) => {
        const owners: ReadonlyArray<Owner> = Array.from({ length: 3 }, () => ({ memory: undefined, inHand: undefined }))
        let stored: Stored = { epoch: 0, writes: [] }
        let now = 0
        for (const { owner: number, what, command, expiresIn } of steps) {
          now++
          const owner = owners[number]
          if (what === "take" && owner.inHand === undefined && isDue(now + expiresIn, now)) {
            assert.isAtLeast(expiresIn, 0)
            owner.inHand = { command: `cmd_${command}`, memory: owner.memory }
          } else if (what === "undone" && owner.inHand !== undefined) {
            owner.memory = remembered(owner.memory, { _tag: "failed" })
            owner.inHand = undefined
          } else if (what === "write" && owner.inHand !== undefined) {
            const after = commit(stored, owner.inHand.memory, owner.inHand.command)
            stored = after.stored
            owner.memory = remembered(
              owner.memory,
              after.held === undefined ? { _tag: "lost" } : { _tag: "written", held: after.held }
            )
            owner.inHand = undefined
          }
          const epochs = stored.writes.map(({ epoch }) => epoch)
          assert.deepStrictEqual(
            epochs,
            epochs.toSorted((a, b) => a - b)
          )
          const commands = stored.writes.map((write) => write.command)
          assert.strictEqual(new Set(commands).size, commands.length)
          // An owner that remembers an epoch has written with it, or is refused.
          for (const { memory } of owners) assert.isAtMost(memory?.epoch ?? 0, stored.epoch)
        }
      }),
      { numRuns: 300 }
    )
  })
})
