/** What the page of an agent computes: what has changed, what a save sends, and what becomes of two people's changes. */
import { describe, expect, it } from "vitest"
import { agentRules, type Settings, settingsOf, withoutSecrets } from "../../web/src/features/agents/draft.ts"
import { freeName, parametersOf, runBy, sampleArguments, withParameters } from "../../web/src/features/agents/tools.ts"
import { linesOf } from "../../web/src/lib/difference.ts"

const { changedIn, changesOf, meetingOf, merged, readKept, settingOf } = agentRules

const agent: Settings = {
  name: "Reception",
  description: "",
  welcomeMessage: "Hello.",
  systemPrompt: "Be short.",
  voiceFamily: "english",
  voiceId: "aura-2-thalia-en",
  primaryLanguage: "en-US",
  tools: [],
  knowledgeBases: [],
  callFields: null,
  recording: false,
  backchanneling: false,
  use_fillers: false,
  ambient_noise: false,
  escalationPhrases: [],
  humanDestination: null,
  fallbackLine: "Sorry.",
  silence: { promptAfterSeconds: 8, maxPrompts: 2, promptText: "Hello?", goodbyeText: "Goodbye." },
  endpointing: { minSilenceMs: 400, maxSilenceMs: 2_500, semantic: "auto" },
  interruption: { enabled: true, minSpeechMs: 200, minWords: 0 },
  maxCallSeconds: 1_800,
  voicemail: { message: null, maxSeconds: 120 }
}

const tool = {
  name: "find_order",
  description: "Finds an order.",
  parameters: {
    type: "object" as const,
    properties: { number: { type: "string", description: "Its number" }, kind: { type: "string", enum: ["a", "b"] } },
    required: ["number"]
  },
  handler: { type: "http" as const, url: "https://shop.example/orders", method: "POST" as const }
}

describe("the draft of an agent", () => {
  it("knows what differs, sends only that, and is clean again when it is as before", () => {
    const draft = { ...agent, systemPrompt: "Be long.", silence: { ...agent.silence, maxPrompts: 3 } }
    expect(changedIn(agent, draft)).toEqual(["systemPrompt", "silence"])
    expect(changesOf(agent, draft)).toEqual({ systemPrompt: "Be long.", silence: draft.silence })
    expect(changedIn(agent, { ...draft, systemPrompt: "Be short.", silence: { ...agent.silence } })).toEqual([])
  })

  it("takes settings of a record alone, and finds the setting that a sentence names", () => {
    const record = { ...agent, id: "agt_1", updatedAt: "2026", overrides: [] }
    expect(settingsOf(record)).toEqual(agent)
    expect(settingOf("endpointing.minSilenceMs must not be greater than endpointing.maxSilenceMs.")).toBe("endpointing")
    expect(settingOf("There is already a voice agent with this name.")).toBeUndefined()
  })

  it("meets another person's save: what one changed is clear, what both changed is chosen, what both made equal is no question", () => {
    const theirs = { ...agent, name: "Front desk", systemPrompt: "Theirs.", recording: true }
    const mine = { ...agent, systemPrompt: "Mine.", description: "New", recording: true }
    expect(meetingOf(agent, theirs, mine)).toEqual({
      both: ["systemPrompt"],
      onlyTheirs: ["name"],
      onlyMine: ["description"]
    })
    expect(merged(agent, theirs, mine, new Set(["systemPrompt"]))).toEqual({ ...theirs, ...mine, name: "Front desk" })
    expect(merged(agent, theirs, mine, new Set())).toEqual({ ...theirs, description: "New" })
  })

  it("is kept in the tab without secrets, and is forgotten when the record is another one", () => {
    const headers = { authorization: "Bearer typed", "x-key": "********cdef" }
    const draft = { ...agent, tools: [{ ...tool, handler: { ...tool.handler, headers } }] }
    const kept = JSON.stringify({ readAt: "2026-11-26", settings: withoutSecrets(draft) })
    expect(kept).not.toContain("typed")
    expect(kept).toContain("********cdef")
    expect(readKept(kept, { updatedAt: "2026-11-26" })?.tools).toHaveLength(1)
    expect(readKept(kept, { updatedAt: "2026-11-27" })).toBeUndefined()
    expect(readKept('{"readAt":"2026-11-26","settings":{}}', { updatedAt: "2026-11-26" })).toBeUndefined()
    expect(readKept("no JSON", { updatedAt: "2026-11-26" })).toBeUndefined()
  })
})

describe("the form of a tool", () => {
  it("gives back the tool that it was given, and begins a try with a value of each kind", () => {
    expect(withParameters(tool, parametersOf(tool))).toEqual(tool)
    expect(sampleArguments(tool)).toEqual({ number: "", kind: "a" })
  })
})

describe("a difference", () => {
  it("names the lines that are gone and new, in their order", () => {
    expect(linesOf("a\nb\nc", "a\nx\nc")).toEqual([
      { kind: "same", text: "a" },
      { kind: "gone", text: "b" },
      { kind: "new", text: "x" },
      { kind: "same", text: "c" }
    ])
    expect(linesOf("", "a")).toEqual([{ kind: "new", text: "a" }])
    const long = Array.from({ length: 1_000 }, (_, line) => String(line)).join("\n")
    expect(linesOf(long, `${long}\nend`)).toHaveLength(2_001)
  })
})

describe("a tool that something else runs", () => {
  const builtin = {
    name: "find_product",
    description: "Look up products.",
    parameters: { type: "object" as const, properties: { search: { type: "string" } } },
    handler: { type: "builtin" as const, name: "find_product" }
  }

  it("takes the words, the parameters and the name of what runs it, with a number where that name is taken", () => {
    const fresh = { ...tool, name: freeName([]) }
    expect(runBy(fresh, builtin, [])).toEqual(builtin)
    expect(runBy(fresh, builtin, ["find_product", "find_product_2"]).name).toBe("find_product_3")
    const carts = { ...builtin, name: "find_cart", handler: { type: "builtin" as const, name: "find_cart" } }
    expect(runBy({ ...builtin, name: "find_product_2" }, carts, []).name).toBe("find_cart")
  })

  it("keeps a name that somebody has chosen, since prompts may name it", () => {
    expect(runBy({ ...tool, name: "stock" }, builtin, []).name).toBe("stock")
    expect(runBy({ ...builtin, name: "find_product_now" }, builtin, []).name).toBe("find_product_now")
  })

  it("is known by the name that its server's tool has for agents", () => {
    const foreign = { ...builtin, handler: { type: "mcp" as const, serverId: "mcs_1", tool: "parcels.track" } }
    expect(runBy({ ...foreign, name: "parcels_track" }, builtin, []).name).toBe("find_product")
  })
})
