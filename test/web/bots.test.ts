/** What a form of a text agent and of an evaluation sends: what was changed, and nothing of what the form does not show is lost. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type BotSettings, botRules } from "../../web/src/features/bots/draft.ts"
import { draftsOf, isComplete, type Written, writtenOf } from "../../web/src/features/evaluations/draft.ts"

const line = fc.stringMatching(/^[a-z][a-z ]{0,20}[a-z]$/)
const optional = <A>(name: string, arbitrary: fc.Arbitrary<A>) => fc.record({ [name]: arbitrary }, { requiredKeys: [] })

const expected = fc
  .tuple(
    optional("says", fc.array(line, { minLength: 1, maxLength: 3 })),
    optional("outcome", fc.constantFrom("answered", "handed_over", "resolved", "silent")),
    optional("contains", line),
    optional("tools", fc.array(fc.record({ name: line }), { maxLength: 2 }))
  )
  .map((parts) => Object.assign({}, ...parts) as object)
  .filter((parts) => Object.keys(parts).length > 0)

const contact = fc.oneof(line, fc.array(line, { minLength: 2, maxLength: 3 }))
const act = fc.oneof(
  fc.record({ contact }),
  fc.record({ human: line }),
  fc.constant({ handBack: true }),
  fc.constant({ resolve: true })
)
const turn = fc.tuple(act, optional("expect", expected)).map(([what, more]) => ({ ...what, ...more }))
const conversations = fc.array(
  fc
    .tuple(
      fc.record({ name: line, turns: fc.array(turn, { minLength: 1, maxLength: 4 }) }),
      optional("contact", fc.record({ name: line })),
      optional("tools", fc.dictionary(line, line, { maxKeys: 2 }))
    )
    .map((parts) => Object.assign({}, ...parts) as Written),
  { minLength: 1, maxLength: 3 }
)

describe("the form of an evaluation", () => {
  it("gives back what it was given, also what it does not show", () => {
    fc.assert(
      fc.property(conversations, (written) => {
        expect(draftsOf(written).map(writtenOf)).toEqual(written)
      })
    )
  })
  it("is complete when each conversation has a name, and each turn in which somebody writes its words", () => {
    const [draft] = draftsOf([{ name: "Orders", turns: [{ contact: "Is it ready?" }, { resolve: true }] }])
    if (draft === undefined) throw new Error("There is no draft.")
    expect(isComplete(draft)).toBe(true)
    expect(isComplete({ ...draft, name: " " })).toBe(false)
    expect(isComplete({ ...draft, turns: draft.turns.map((one) => ({ ...one, text: " " })) })).toBe(false)
  })
})

describe("the form of a text agent", () => {
  const { changesOf, settingOf } = botRules
  const settings: BotSettings = {
    ...{ name: "Shop", description: "", systemPrompt: "Be kind.", tools: [], voiceAgentId: null, knowledgeBases: [] },
    ...{ language: "en-US", escalationPhrases: [], fallbackLine: "Sorry.", handOverLine: "A colleague answers." },
    ...{ outsideHoursLine: null, disclosureText: "I am an AI.", channels: ["messaging"], answers: "never" },
    limits: { waitMs: 1_200, historyTokens: 4_000, modelCallsPerTurn: 8, secondsPerTurn: 30 }
  }
  it("sends only what differs", () => {
    expect(changesOf(settings, settings)).toEqual({})
    expect(changesOf(settings, { ...settings, answers: "always", tools: [] })).toEqual({ answers: "always" })
    const limits = { ...settings.limits, waitMs: 0 }
    expect(changesOf(settings, { ...settings, limits })).toEqual({ limits })
  })
  it("finds the setting that a sentence of the service is about", () => {
    expect(settingOf("knowledgeBases has two of one.")).toBe("knowledgeBases")
    expect(settingOf("The organization has as many as it may have.")).toBeUndefined()
    expect(settingOf(undefined)).toBeUndefined()
  })
})
