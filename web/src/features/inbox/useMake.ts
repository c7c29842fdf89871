/** Changes of conversations, done at once, each with its undo; what fails is said, with another attempt. */
import type { Conversation } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { keys } from "../../api/keys.ts"
import { isSnoozed } from "../../api/patch.ts"
import { t } from "../../lib/i18n.ts"
import { say, sayProblem } from "../../lib/toasts.ts"
import { useChange } from "./useConversations.ts"

/** What is sent, and what the conversation is after it. */
export interface Step {
  readonly id: string
  readonly change: Parameters<ReturnType<typeof useChange>>[1]
  readonly guess: Partial<Conversation>
}

/** How many requests go at once when several conversations are changed. */
const atOnce = 4

const assigned = (assignee: string | null): Partial<Conversation> => ({
  assignee,
  status: assignee === null ? "OPEN" : "ASSIGNED"
})

/** The steps that bring a conversation where it was. */
const stateOf = (before: Conversation): ReadonlyArray<Omit<Step, "id">> => {
  const { assignee, status, labels } = before
  const snoozedUntil = isSnoozed(before, Date.now()) ? before.snoozedUntil : null
  return [
    { change: { labels }, guess: { labels } },
    { change: status === "ASSIGNED" ? { status, assignee } : { status }, guess: { status, assignee } },
    { change: { snoozedUntil }, guess: { snoozedUntil } }
  ]
}

export const useMake = () => {
  const client = useQueryClient()
  const change = useChange()

  const run = async (steps: ReadonlyArray<Step>) => {
    const failed: Array<Step> = []
    let why: unknown
    const left = [...steps]
    const worker = async () => {
      for (let step = left.shift(); step !== undefined; step = left.shift())
        try {
          await change(step.id, step.change, step.guess)
        } catch (cause) {
          failed.push(step)
          why = cause
        }
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
    if (failed.length > 0) sayProblem(why, { label: t("Try again"), run: () => void run(failed) })
  }

  /** Makes one step for each of these conversations; done when the service has answered. `said`: what was done; with it there is an undo. */
  const make = async (
    conversations: ReadonlyArray<Conversation>,
    step: (conversation: Conversation) => Omit<Step, "id">,
    said?: string
  ): Promise<void> => {
    if (conversations.length === 0) return
    if (said !== undefined) {
      const undo = async () => {
        for (const before of conversations)
          for (const back of stateOf(before)) {
            const now = client.getQueryData<Conversation>(keys.conversation(before.id))
            const isThere = Object.entries(back.guess).every(
              ([field, value]) => JSON.stringify(now?.[field as keyof Conversation]) === JSON.stringify(value)
            )
            if (!isThere) await run([{ id: before.id, ...back }])
          }
      }
      say(said, { label: t("Undo"), run: () => void undo() })
    }
    await run(conversations.map((one) => ({ id: one.id, ...step(one) })))
  }

  return {
    make,
    resolve: (all: ReadonlyArray<Conversation>) =>
      make(
        all,
        () => ({ change: { status: "RESOLVED" }, guess: { status: "RESOLVED", snoozedUntil: null } }),
        t("{count, plural, one {Resolved.} other {# resolved.}}", { count: all.length })
      ),
    reopen: (all: ReadonlyArray<Conversation>) =>
      make(all, ({ assignee }) =>
        assignee === null
          ? { change: { status: "OPEN" }, guess: { status: "OPEN" } }
          : { change: { status: "ASSIGNED", assignee }, guess: { status: "ASSIGNED" } }
      ),
    assign: (all: ReadonlyArray<Conversation>, to: string | null, said: string) =>
      make(all, () => ({ change: { assignee: to }, guess: assigned(to) }), said),
    label: (all: ReadonlyArray<Conversation>, labels: (of: Conversation) => ReadonlyArray<string>, said?: string) =>
      make(all, (one) => ({ change: { labels: labels(one) }, guess: { labels: labels(one) } }), said),
    snooze: (all: ReadonlyArray<Conversation>, until: string | null, said: string) =>
      make(all, () => ({ change: { snoozedUntil: until }, guess: { snoozedUntil: until } }), said),
    read: (all: ReadonlyArray<Conversation>, read: boolean) =>
      make(all, ({ unreadCount }) => ({
        change: { read },
        guess: { unreadCount: read ? 0 : Math.max(1, unreadCount) }
      }))
  }
}
