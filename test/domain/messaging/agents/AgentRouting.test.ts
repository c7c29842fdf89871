import { describe, expect, it } from "vitest"
import {
  type AgentRule,
  contactWrote,
  isTakeover,
  type RoutingTerms,
  weWrote,
  wordsCame
} from "../../../../src/domain/messaging/agents/AgentRouting.ts"
import { type AgentThread, newThread } from "../../../../src/domain/messaging/agents/AgentThread.ts"
import type { Answers } from "../../../../src/domain/messaging/agents/TextAgent.ts"
import { pauseAfter } from "../../../../src/domain/messaging/agents/WaitingRules.ts"
import type { Ownership } from "../../../../src/domain/messaging/conversations/ConversationStatus.ts"

const noon = Date.parse("2026-11-25T12:00:00Z")
const hour = 3_600_000
const free: Ownership = { status: "OPEN", assignee: null }
const has = (assignee: string): Ownership => ({ status: "ASSIGNED", assignee })
const agent = (answers: Answers, id = "bot_1"): AgentRule => ({ id, answers, channels: ["messaging"], waitMs: 1_200 })
/** A Wednesday. */
const nineToSix = { weekly: [{ day: "wednesday", opens: "09:00", closes: "18:00" }], holidays: [] } as const

const write = (
  agents: ReadonlyArray<AgentRule>,
  {
    text = "Hello",
    type = "text",
    owner = free,
    before = owner,
    thread = newThread,
    at = noon,
    writtenAt = at,
    ...terms
  }: Partial<RoutingTerms> & {
    text?: string
    type?: "text" | "reaction" | "image"
    owner?: Ownership
    before?: Ownership
    thread?: AgentThread
    at?: number
    writtenAt?: number
  } = {}
) =>
  contactWrote(
    thread,
    { before, after: owner, channel: "messaging" },
    { type, content: { text } },
    { at, writtenAt },
    {
      agents,
      businessHours: nineToSix,
      timeZone: "UTC",
      connectedAt: noon - 10 * hour,
      phone: "+14155550123",
      ...terms
    }
  )

const takes = (routed: ReturnType<typeof write>) => routed.ownership
const assigned = (assignee = "bot_1") => [{ type: "assign", assignee }]

describe("a message of the contact", () => {
  it("is taken by the oldest agent whose rule applies", () => {
    const evening = noon + 8 * hour
    expect(takes(write([agent("never"), agent("when_unassigned", "bot_2")]))).toEqual(assigned("bot_2"))
    expect(takes(write([agent("outside_hours")]))).toEqual([])
    expect(takes(write([agent("outside_hours")], { at: evening }))).toEqual(assigned())
    expect(takes(write([agent("when_unassigned")], { owner: has("usr_1") }))).toEqual([])
    expect(takes(write([agent("when_unassigned")], { owner: has("agt_1") }))).toEqual(assigned())
    expect(takes(write([agent("always")], { owner: has("usr_1") }))).toEqual(assigned())
    expect(takes(write([{ ...agent("always"), channels: [] }]))).toEqual([])
  })

  it("is answered by the agent that has the conversation, whatever its rule", () => {
    const routed = write([agent("never")], { owner: has("bot_1") })
    expect(routed.ownership).toEqual([])
    expect(routed.thread).toMatchObject({ agentId: "bot_1", received: 1, dueAt: noon + 1_200 })
  })

  it("goes back to people when the hours begin and the agent took it only for the time outside", () => {
    const thread = { ...newThread, agentId: "bot_1", routed: true }
    expect(takes(write([agent("outside_hours")], { owner: has("bot_1"), thread }))).toEqual([{ type: "unassign" }])
    const given = { ...thread, routed: false }
    expect(write([agent("outside_hours")], { owner: has("bot_1"), thread: given }).thread.received).toBe(1)
  })

  it.each([
    ["a reaction", { type: "reaction" as const }],
    ["one from before the connection", { connectedAt: noon, writtenAt: noon - hour }],
    ["one without a connection", { connectedAt: null }],
    ["one of a day ago", { writtenAt: noon - 25 * hour, connectedAt: noon - 100 * hour }],
    ["one while a person has taken over", { thread: { ...newThread, silent: true } }]
  ])("is not answered: %s", (_, more) => {
    const routed = write([agent("always")], more)
    expect(routed.ownership).toEqual([])
    expect(routed.thread.dueAt).toBeNull()
  })

  it("that opts out is not answered, and ends what was thought", () => {
    const before = write([agent("always")]).thread
    const { thread } = write([agent("always")], { text: "STOP", owner: has("bot_1"), thread: before })
    expect(thread).toMatchObject({ version: before.version + 1, answered: 1, received: 1, dueAt: null, silent: false })
  })

  it("that opens a resolved conversation again is answered anew", () => {
    const thread = { ...newThread, silent: true, disclosed: true }
    const routed = write([agent("when_unassigned")], { thread, before: { status: "RESOLVED", assignee: "usr_1" } })
    expect(routed.ownership).toEqual(assigned())
    expect(routed.thread).toMatchObject({ silent: false, disclosed: false, received: 1 })
  })
})

describe("a message of ours", () => {
  it("silences the agent when a person or a program writes, and not when it is a notice", () => {
    const wrote = (sentBy: string, owner = has("bot_1")) => weWrote(newThread, owner, { type: "text", sentBy })
    expect(wrote("usr_1").thread.silent).toBe(true)
    expect(wrote("usr_1").ownership).toEqual(assigned("usr_1"))
    expect(wrote("key_1").ownership).toEqual([{ type: "unassign" }])
    expect(wrote("usr_1", has("usr_2")).ownership).toEqual([])
    expect(wrote("usr_1", free).ownership).toEqual(assigned("usr_1"))
    expect(wrote("usr_1", has("agt_1")).ownership).toEqual(assigned("usr_1"))
    expect(wrote("usr_1", { status: "RESOLVED", assignee: "usr_2" }).ownership).toEqual([])
    expect(wrote("usr_1", { status: "RESOLVED", assignee: null }).ownership).toEqual([])
    expect(wrote("key_1", free).ownership).toEqual([])
    expect(wrote("bot_1")).toEqual({ thread: newThread, ownership: [] })
    expect(isTakeover({ type: "image", sentBy: "key_1" })).toBe(true)
    for (const sentBy of ["bot_1", "system", "brd_1"]) expect(isTakeover({ type: "text", sentBy })).toBe(false)
    expect(isTakeover({ type: "template", sentBy: "key_1" })).toBe(false)
  })
})

describe("the words of a voice message", () => {
  const terms: RoutingTerms = {
    agents: [agent("always")],
    businessHours: null,
    timeZone: "UTC",
    connectedAt: noon - 10 * hour,
    phone: "+14155550123"
  }
  const waiting: AgentThread = {
    ...newThread,
    agentId: "bot_1",
    received: 1,
    waitingSince: noon,
    dueAt: noon + 60_000
  }
  const come = (thread: AgentThread, content: Record<string, string>, others = false, owner = has("bot_1")) =>
    wordsCame(thread, owner, { type: "audio", content }, { at: noon + 5_000, writtenAt: noon, others }, terms)

  it("are answered at once, unless another voice message is still being written down", () => {
    expect(come(waiting, { transcript: "Are you open?" })).toMatchObject({ dueAt: noon + 5_000, received: 1 })
    expect(come(waiting, { transcriptError: "damaged" })).toMatchObject({ dueAt: noon + 5_000 })
    expect(come(waiting, { transcript: "Are you open?" }, true)).toEqual(waiting)
  })

  it("that come after the answer are answered, too, and their lack is not", () => {
    const answered: AgentThread = { ...waiting, answered: 1, waitingSince: null, dueAt: null }
    expect(come(answered, { transcript: "Are you open?" })).toMatchObject({ received: 2, answered: 1 })
    expect(come(answered, { transcriptError: "damaged" })).toEqual(answered)
  })

  it("are nothing for an agent that is silent or has the conversation no more, and stop it when they are STOP", () => {
    const silent = { ...waiting, silent: true }
    expect(come(silent, { transcript: "Hello" })).toEqual(silent)
    expect(come(waiting, { transcript: "Hello" }, false, has("usr_1"))).toEqual(waiting)
    expect(come(waiting, { transcript: "Stop." })).toMatchObject({ answered: 1, dueAt: null })
  })
})

describe("the pause after a message", () => {
  it.each([
    ["text", "Hello", 1_200],
    ["text", "Are you open?", 400],
    ["text", "क्या दुकान खुली है? 🙂", 400],
    ["text", "هل أنتم مفتوحون؟", 400],
    ["image", "", 3_000],
    ["button", "Yes", 400]
  ] as const)("%s %j: %i ms", (type, text, ms) => {
    expect(pauseAfter({ type, content: { text } }, 1_200)).toBe(ms)
  })

  it("is the agent's own setting, and none when that is 0", () => {
    expect(pauseAfter({ type: "text", content: { text: "Hello" } }, 8_000)).toBe(8_000)
    expect(pauseAfter({ type: "text", content: { text: "Open?" } }, 100)).toBe(100)
    expect(pauseAfter({ type: "image", content: {} }, 0)).toBe(0)
    // Nobody can answer what is not written down yet.
    expect(pauseAfter({ type: "audio", content: {} }, 0)).toBe(3_000)
    expect(pauseAfter({ type: "audio", content: { transcript: "Open?" } }, 1_200)).toBe(400)
  })
})
