/** What events change in the records that a browser holds. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Conversation, InboxCounts, Message } from "../../clients/typescript/src/generated/types.ts"
import {
  afterMessage,
  climbed,
  counted,
  entryId,
  type IdPage,
  inOrder,
  isIn,
  isOverdue,
  messageEntry,
  newer,
  placed,
  type ThreadPage,
  viewNames,
  withEntry
} from "../../web/src/api/patch.ts"
import { aMessage } from "../support/aMessage.ts"

const at = (minute: number) => new Date(Date.UTC(2026, 10, 26, 9, minute)).toISOString()

const message = (changes: Partial<Message> = {}): Message => ({ ...aMessage, createdAt: at(1), ...changes })

const conversation = (changes: Partial<Conversation> = {}): Conversation => ({
  id: "conv_1",
  organizationId: "org_1",
  channel: "messaging",
  status: "OPEN",
  assignee: null,
  labels: [],
  snoozedUntil: null,
  contact: { id: "cnt_1", name: "Asha Rao", phone: "+14155550101" },
  unreadCount: 0,
  flagged: false,
  window: { open: false, expiresAt: null },
  sla: {
    firstResponseDueAt: null,
    resolutionDueAt: null,
    firstResponseBreachedAt: null,
    resolutionBreachedAt: null
  },
  lastMessage: null,
  lastActivityAt: at(0),
  createdAt: at(0),
  updatedAt: at(0),
  ...changes
})

const statuses = ["queued", "sent", "delivered", "read"] as const

describe("a status of a message", () => {
  it("only climbs, in whatever order its reports come", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...statuses], { minLength: 1 }), (order) => {
        const end = order.reduce<Message | undefined>((known, status) => climbed(known, message({ status })), undefined)
        const highest = statuses.findLast((status) => order.includes(status))
        expect(end?.status).toBe(highest)
      })
    )
  })
})

describe("a record", () => {
  it("is replaced by a newer version, and not by an older one", () => {
    const [old, young] = [conversation({ updatedAt: at(1) }), conversation({ updatedAt: at(2), status: "RESOLVED" })]
    expect(newer(old, young)).toBe(young)
    expect(newer(young, old)).toBe(young)
    expect(newer(undefined, old)).toBe(old)
  })
})

describe("a message that arrives", () => {
  it("counts as unread, opens the window for 24 hours, and is the last one", () => {
    const after = afterMessage(conversation(), message({ createdAt: at(5) }), false)
    expect(after.unreadCount).toBe(1)
    expect(after.window).toEqual({ open: true, expiresAt: new Date(Date.parse(at(5)) + 86_400_000).toISOString() })
    expect(after.lastMessage?.id).toBe("msg_1")
    expect(after.lastActivityAt).toBe(at(5))
  })
  it("does not count as unread in the conversation that is open, nor a second time", () => {
    expect(afterMessage(conversation(), message({ createdAt: at(5) }), true).unreadCount).toBe(0)
    const once = afterMessage(conversation(), message({ createdAt: at(5) }), false)
    expect(afterMessage(once, message({ createdAt: at(5) }), false).unreadCount).toBe(1)
  })
  it("changes nothing when something newer is known", () => {
    const known = conversation({ lastActivityAt: at(9) })
    expect(afterMessage(known, message({ createdAt: at(5) }), false)).toBe(known)
  })
  it("is in its thread once, however often it is told", () => {
    const empty = [{ entries: [], olderCursor: null, newerCursor: null }]
    const once = withEntry(empty, messageEntry(message()))
    const twice = withEntry(once, messageEntry(message({ status: "received" })))
    expect(twice.flatMap(({ entries }) => entries)).toHaveLength(1)
  })
})

describe("a thread", () => {
  const said = (minute: number) => messageEntry(message({ id: `msg_${minute}`, createdAt: at(minute) }))

  it("has each entry once and in its order, whatever comes in whatever order", () => {
    const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(minutes, fc.infiniteStream(fc.nat()), (given, random) => {
        const told = [...given, ...given].map((minute) => [random.next().value, minute] as const)
        const empty: ReadonlyArray<ThreadPage> = [{ entries: [], olderCursor: null, newerCursor: null }]
        const pages = told
          .toSorted(([a], [b]) => a - b)
          .reduce((all, [, minute]) => withEntry(all, said(minute)), empty)
        expect(inOrder(pages).map(entryId)).toEqual(given.toSorted((a, b) => a - b).map((minute) => `msg_${minute}`))
      })
    )
  })
  it("leaves what is older than its last loaded page to the page that brings it", () => {
    const pages = [{ entries: [said(9), said(8)], olderCursor: "older", newerCursor: "newer" }]
    expect(withEntry(pages, said(3))).toBe(pages)
    expect(inOrder(withEntry(pages, said(10))).map(entryId)).toEqual(["msg_8", "msg_9", "msg_10"])
  })
  it("keeps the words of a call when an event tells of it without them", () => {
    const call = { id: "call_1", createdAt: at(1), conversationId: "conv_2", utterances: [{ text: "Hello" }] }
    const entry = (changes: object) => ({ kind: "call" as const, at: at(1), call: { ...call, ...changes } as never })
    const pages = [{ entries: [entry({})], olderCursor: null, newerCursor: null }]
    const [after] = inOrder(withEntry(pages, entry({ status: "completed", utterances: [] })))
    expect(after?.call).toMatchObject({ status: "completed", utterances: [{ text: "Hello" }] })
  })
})

describe("a conversation", () => {
  const me = "usr_me"
  const now = Date.parse(at(30))
  it.each([
    ["open", { status: "OPEN" }, true],
    ["open", { status: "RESOLVED" }, false],
    ["mine", { status: "ASSIGNED", assignee: me }, true],
    ["mine", { status: "ASSIGNED", assignee: "usr_other" }, false],
    ["mine", { status: "RESOLVED", assignee: me }, false],
    ["unassigned", { status: "OPEN", assignee: null }, true],
    ["resolved", { status: "RESOLVED" }, true],
    ["unread", { unreadCount: 2 }, true],
    ["unread", { unreadCount: 0 }, false],
    ["snoozed", { snoozedUntil: at(40) }, true],
    ["snoozed", { snoozedUntil: at(20) }, false],
    ["open", { snoozedUntil: at(40) }, false],
    ["unread", { unreadCount: 2, snoozedUntil: at(40) }, false]
  ] as const)("is in the view %s when it is %j: %s", (name, changes, expected) => {
    expect(isIn({ name }, conversation(changes), me, now)).toBe(expected)
  })
  it.each([
    ["asha", true],
    ["RAO", true],
    ["5550101", true],
    ["(415) 555", true],
    ["ben", false],
    ["99", false]
  ])("is found by a part of the contact's name or number: %s is %s", (search, expected) => {
    expect(isIn({ name: "open", search }, conversation(), me, now)).toBe(expected)
  })

  it("is counted in each view that it is in, however it changes", () => {
    const some = fc.record({
      status: fc.constantFrom("OPEN" as const, "ASSIGNED" as const, "RESOLVED" as const),
      assignee: fc.constantFrom(null, me, "usr_other"),
      unreadCount: fc.nat(2),
      snoozedUntil: fc.constantFrom(null, at(20), at(40))
    })
    const none: InboxCounts = {
      ...{ open: 0, assigned: 0, mine: 0, unread: 0, overdue: 0, dueSoon: 0, snoozed: 0, resolved: 0 }
    }
    fc.assert(
      fc.property(some, fc.array(some), (first, changes) => {
        const steps = [first, ...changes].map((one) => conversation(one))
        const start = counted(
          none,
          conversation({ status: "RESOLVED", snoozedUntil: null }),
          steps[0] ?? conversation(),
          me,
          now
        )
        // Counts never fall below zero, so the beginning is counted apart.
        const before = { ...start, resolved: steps[0]?.status === "RESOLVED" ? 1 : 0 }
        const counts = steps.reduce(
          (known, step, index) => (index === 0 ? known : counted(known, steps[index - 1] ?? step, step, me, now)),
          before
        )
        const last = steps.at(-1) ?? conversation()
        for (const name of viewNames) {
          if (name === "open" || name === "unassigned") continue
          expect(counts[name], name).toBe(isIn({ name }, last, me, now) ? 1 : 0)
        }
        expect(counts.open + counts.assigned).toBe(isIn({ name: "open" }, last, me, now) ? 1 : 0)
      })
    )
  })

  it("is overdue from its due time on, until it is resolved", () => {
    const sla = { ...conversation().sla, firstResponseDueAt: at(20) }
    expect(isOverdue(conversation({ sla }), now)).toBe(true)
    expect(isOverdue(conversation({ sla }), Date.parse(at(10)))).toBe(false)
    expect(isOverdue(conversation({ sla, status: "RESOLVED" }), now)).toBe(false)
  })

  it("stands where its activity puts it, once, whatever changes in whatever order", () => {
    const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { minLength: 2, maxLength: 12 })
    fc.assert(
      fc.property(minutes, fc.integer({ min: 0, max: 59 }), fc.boolean(), (given, moved, belongs) => {
        const sorted = given.toSorted((a, b) => b - a)
        const activity = new Map(sorted.map((minute, index) => [`conv_${index}`, at(minute)]))
        const half = Math.ceil(sorted.length / 2)
        const all = [...activity.keys()]
        const pages: ReadonlyArray<IdPage> = [
          { ids: all.slice(0, half), nextCursor: "c", total: all.length },
          { ids: all.slice(half), nextCursor: null, total: all.length }
        ]
        const id = "conv_0"
        activity.set(id, at(moved))
        const changed = conversation({ id, lastActivityAt: at(moved) })
        const ids = placed(pages, changed, belongs, (one) => activity.get(one)).flatMap((page) => page.ids)
        expect(ids.filter((one) => one === id)).toHaveLength(belongs ? 1 : 0)
        const times = ids.map((one) => activity.get(one) ?? "")
        expect(times).toEqual(times.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)))
        expect(new Set(ids).size).toBe(ids.length)
      })
    )
  })
})
