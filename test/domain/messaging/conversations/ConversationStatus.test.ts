import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  type Ownership,
  type OwnershipEvent,
  type OwnershipRequest,
  owned,
  ownershipEvents
} from "../../../../src/domain/messaging/conversations/ConversationStatus.ts"

const person = fc.constantFrom("usr_1", "usr_2", "agt_1")
const event: fc.Arbitrary<OwnershipEvent> = fc.oneof(
  person.map((assignee) => ({ type: "assign" as const, assignee })),
  fc.constantFrom<OwnershipEvent>({ type: "unassign" }, { type: "resolve" }, { type: "reopen" }, { type: "inbound" })
)
const request: fc.Arbitrary<OwnershipRequest> = fc.record(
  {
    status: fc.constantFrom("OPEN" as const, "ASSIGNED" as const, "RESOLVED" as const),
    assignee: fc.option(person, { nil: null })
  },
  { requiredKeys: [] }
)

const fresh: Ownership = { status: "OPEN", assignee: null }
const after = (events: ReadonlyArray<OwnershipEvent>): Ownership => events.reduce(owned, fresh)
const state = fc.array(event, { maxLength: 8 }).map(after)

describe("the assignment of a conversation", () => {
  it("an open conversation belongs to nobody and an assigned one to somebody, whatever happens", () => {
    fc.assert(
      fc.property(state, ({ status, assignee }) => {
        if (status === "OPEN") assert.isNull(assignee)
        if (status === "ASSIGNED") assert.isString(assignee)
      })
    )
  })

  it("a contact who writes reopens what was resolved and disturbs nothing else", () => {
    fc.assert(
      fc.property(state, (before) => {
        const now = owned(before, { type: "inbound" })
        if (before.status === "RESOLVED") assert.deepStrictEqual(now, fresh)
        else assert.strictEqual(now, before)
      })
    )
  })

  it("a command is carried out, or changes nothing and is refused with a sentence", () => {
    fc.assert(
      fc.property(state, request, (before, asked) => {
        const events = ownershipEvents(before, asked)
        if (typeof events === "string") return assert.match(events, /^[A-Z].+[.]$/)
        const now = events.reduce(owned, before)
        if (asked.status !== undefined) assert.strictEqual(now.status, asked.status)
        if (asked.assignee !== undefined) assert.strictEqual(now.assignee, asked.assignee)
        if (asked.status === undefined && asked.assignee === undefined) assert.deepStrictEqual(now, before)
      })
    )
  })

  it("repeating a command changes nothing more", () => {
    fc.assert(
      fc.property(state, request, (before, asked) => {
        const events = ownershipEvents(before, asked)
        if (typeof events === "string") return
        const once = events.reduce(owned, before)
        const again = ownershipEvents(once, asked)
        assert.isArray(again)
        if (typeof again !== "string") assert.deepStrictEqual(again.reduce(owned, once), once)
      })
    )
  })

  it("the last assignee of a resolved conversation stays known, and can get it back", () => {
    const resolved = after([{ type: "assign", assignee: "usr_1" }, { type: "resolve" }])
    assert.deepStrictEqual(resolved, { status: "RESOLVED", assignee: "usr_1" })
    const events = ownershipEvents(resolved, { status: "ASSIGNED" })
    assert.deepStrictEqual(events, [{ type: "assign", assignee: "usr_1" }])
    assert.isString(ownershipEvents(fresh, { status: "ASSIGNED" }))
    assert.isString(ownershipEvents(fresh, { status: "OPEN", assignee: "usr_1" }))
  })
})
