import { assert, describe, it } from "@effect/vitest"
import { exampleOf } from "../../../../src/domain/basics/Examples.ts"
import { defaultDisclosureText } from "../../../../src/domain/people/organizations/Organization.ts"
import { agentConfig } from "../../../../src/domain/voice/agents/AgentConfigs.ts"
import { agentView } from "../../../../src/domain/voice/agents/AgentView.ts"
import { disclosureIn, disclosureSentences } from "../../../../src/domain/voice/agents/DisclosureSentences.ts"
import { type PrimaryLanguage, primaryLanguages, VoiceAgent } from "../../../../src/domain/voice/agents/VoiceAgent.ts"
import { asksForHuman } from "../../../../src/domain/voice/dialogue/Escalation.ts"

const scripts: Readonly<Partial<Record<PrimaryLanguage, RegExp>>> = {
  "hi-IN": /\p{Script=Devanagari}/u,
  "mr-IN": /\p{Script=Devanagari}/u,
  "ta-IN": /\p{Script=Tamil}/u,
  "te-IN": /\p{Script=Telugu}/u,
  "bn-IN": /\p{Script=Bengali}/u,
  "gu-IN": /\p{Script=Gujarati}/u,
  "pa-IN": /\p{Script=Gurmukhi}/u,
  "kn-IN": /\p{Script=Kannada}/u,
  "ml-IN": /\p{Script=Malayalam}/u,
  "od-IN": /\p{Script=Oriya}/u
}
const flags = { voiceAgents: true, voicePremium: true }
const silent = { id: "org_1", disclosureText: defaultDisclosureText, disclosureTexts: {}, flags }
const agentOf = (primaryLanguage: PrimaryLanguage): VoiceAgent => ({ ...exampleOf(VoiceAgent), primaryLanguage })

describe("the disclosure of an organization without words of its own", () => {
  it.each(primaryLanguages)("is in the agent's own language and script (%s)", (language) => {
    const sentence = disclosureIn(silent, language)
    const letters = scripts[language] ?? /\p{Script=Latin}/u
    for (const letter of sentence.match(/\p{L}|\p{M}/gu) ?? [])
      if (!/\p{Script=Inherited}|\p{Script=Common}/u.test(letter)) assert.match(letter, letters, sentence)
    assert.match(sentence, /[.।]$/u)
    assert.isFalse(asksForHuman(sentence, []), "an echo of it is no wish for a human")
  })

  it.each(primaryLanguages)("is what calls begin with, and what the agent's record shows (%s)", (language) => {
    const agent = agentOf(language)
    assert.strictEqual(agentConfig(agent, silent).disclosureText, disclosureSentences[language])
    assert.strictEqual(agentView(agent, silent).disclosureText, disclosureSentences[language])
  })

  it("is the default in every kind of English, and another sentence in every other language", () => {
    const others = primaryLanguages.filter((language) => !language.startsWith("en-"))
    assert.strictEqual(new Set(Object.values(disclosureSentences)).size, others.length + 1)
    assert.strictEqual(disclosureIn(silent, "en-AU"), defaultDisclosureText)
  })
})

describe("the disclosure of an organization with words of its own", () => {
  it.each(primaryLanguages)("is these words in every language (%s)", (language) => {
    const own = { ...silent, disclosureText: "This call is answered by a machine." }
    assert.strictEqual(agentConfig(agentOf(language), own).disclosureText, own.disclosureText)
  })
  it("is what it says in the agent's language, where it has words for that", () => {
    const own = { ...silent, disclosureText: "A machine answers.", disclosureTexts: { "ta-IN": "இது ஒரு இயந்திரம்." } }
    assert.strictEqual(disclosureIn(own, "ta-IN"), "இது ஒரு இயந்திரம்.")
    assert.strictEqual(disclosureIn(own, "hi-IN"), "A machine answers.")
    const halfway = { ...own, disclosureText: defaultDisclosureText }
    assert.strictEqual(disclosureIn(halfway, "hi-IN"), disclosureSentences["hi-IN"])
  })
})
