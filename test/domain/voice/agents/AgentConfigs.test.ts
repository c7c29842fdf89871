import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { agentConfig, isLegacy, lockedStack } from "../../../../src/domain/voice/agents/AgentConfigs.ts"
import { agentView } from "../../../../src/domain/voice/agents/AgentView.ts"
import {
  compatibility,
  features,
  limitsOf,
  resolveFeatures
} from "../../../../src/domain/voice/agents/Compatibility.ts"
import {
  primaryLanguages,
  type VoiceAgent,
  voiceAgentDefaults
} from "../../../../src/domain/voice/agents/VoiceAgent.ts"
import { findVoice, speaks, suggestedFamily, voices } from "../../../../src/domain/voice/agents/Voices.ts"

const agent: VoiceAgent = {
  ...voiceAgentDefaults,
  id: "agt_1",
  organizationId: "org_1",
  name: "Reception",
  welcomeMessage: "Hi",
  voiceFamily: "indic",
  voiceId: "anushka",
  systemPrompt: "Help.",
  phoneNumber: null,
  providerStack: { speechToText: "", reasoning: "", textToSpeech: "", lockedAt: "2026-04-24T00:00:00.000Z" },
  createdAt: "2026-11-01T00:00:00.000Z",
  updatedAt: "2026-11-01T00:00:00.000Z"
}
const organization = {
  id: "org_1",
  disclosureText: "You may be speaking with an AI.",
  disclosureTexts: {},
  flags: { voiceAgents: true, voicePremium: true }
}

/** As a `jsonb` column gives it back: keys in another order. */
const reordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reordered)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reordered(item)])
  )
}

describe("the configuration of an agent", () => {
  it("speaks the locked models, and hears English as Indian English", () => {
    const hindi = agentConfig({ ...agent, primaryLanguage: "hi-IN" }, organization)
    assert.deepStrictEqual(hindi.voice, { family: "indic", voiceId: "anushka", model: "bulbul:v2", language: "hi-IN" })
    assert.deepStrictEqual(hindi.transcription, { model: "saarika:v2.5", language: "hi-IN" })
    const inIndia = agentConfig({ ...agent, primaryLanguage: "en-GB" }, organization)
    assert.deepStrictEqual([inIndia.voice.language, inIndia.transcription.language], ["en-IN", "en-IN"])
    const english = { voiceFamily: "english", voiceId: "aura-2-draco-en", primaryLanguage: "en-GB" } as const
    const british = agentConfig({ ...agent, ...english }, organization)
    assert.deepStrictEqual([british.voice.model, british.voice.language], ["aura-2-draco-en", "en-GB"])
    const premium = agentConfig({ ...agent, voiceFamily: "premium", voiceId: "21m00Tcm4TlvDq8ikWAM" }, organization)
    assert.strictEqual(premium.voice.model, "eleven_flash_v2_5")
    assert.strictEqual(lockedStack(agent).textToSpeech, "bulbul:v2")
  })

  it("has a similar voice while premium voices are switched off, and the record says so", () => {
    const off = { ...organization, flags: { voiceAgents: true, voicePremium: false } }
    const heard = (voiceId: string, primaryLanguage: VoiceAgent["primaryLanguage"]) => {
      const record: VoiceAgent = { ...agent, voiceFamily: "premium", voiceId, primaryLanguage, ambient_noise: true }
      const { voice, ambient_noise } = agentConfig(record, off)
      const view = agentView(record, off)
      assert.deepInclude(view, { voiceFamily: "premium", voiceId })
      assert.deepStrictEqual(
        view.overrides.map(({ feature }) => feature),
        ["premium_voice"]
      )
      assert.include(view.overrides[0].reason, voice.voiceId)
      assert.isTrue(ambient_noise)
      assert.notStrictEqual(agentConfig(record, off).version, agentConfig(record, organization).version)
      assert.notInclude(
        agentView(record, organization).overrides.map(({ feature }) => feature),
        "premium_voice"
      )
      return voice
    }
    const rachel = heard("21m00Tcm4TlvDq8ikWAM", "en-US")
    assert.deepInclude(rachel, { family: "english", model: rachel.voiceId, language: "en-US" })
    assert.deepInclude(findVoice("english", rachel.voiceId), { gender: "female", accent: "American" })
    assert.deepInclude(findVoice("english", heard("JBFqnCBsd6RMkjVDRZzb", "en-GB").voiceId), {
      gender: "male",
      accent: "British"
    })
    const brian = heard("nPczCjzI2devNBz1zQrb", "hi-IN")
    assert.deepInclude(brian, { family: "indic", model: "bulbul:v2", language: "hi-IN" })
    assert.strictEqual(findVoice("indic", brian.voiceId)?.gender, "male")
  })

  it("keeps the models of an agent from before the stack was locked", () => {
    const earlier = { speechToText: "saarika:v2", reasoning: "hosted-llm", lockedAt: null }
    const hindi = { ...agent, voiceId: "meera", providerStack: { ...earlier, textToSpeech: "bulbul:v1" } }
    const { voice, transcription } = agentConfig(hindi, organization)
    assert.deepStrictEqual([voice.voiceId, voice.model, transcription.model], ["meera", "bulbul:v1", "saarika:v2"])
    assert.isTrue(isLegacy(hindi))
    const family = { voiceFamily: "english", voiceId: "aura-2-thalia-en" } as const
    const english = { ...agent, ...family, providerStack: { ...earlier, textToSpeech: "aura-2-*" } }
    assert.strictEqual(agentConfig(english, organization).voice.model, "aura-2-thalia-en")
    const saved = { ...english, providerStack: lockedStack(english) }
    assert.isFalse(isLegacy(saved))
    assert.notStrictEqual(agentConfig(saved, organization).version, agentConfig(english, organization).version)
  })

  it("has a version that depends on what an engine would do differently, and on nothing else", () => {
    const { version } = agentConfig(agent, organization)
    assert.strictEqual(agentConfig({ ...agent, updatedAt: "later", description: "x" }, organization).version, version)
    assert.strictEqual(agentConfig(reordered(agent) as VoiceAgent, organization).version, version)
    assert.notStrictEqual(agentConfig({ ...agent, welcomeMessage: "Hello" }, organization).version, version)
    assert.notStrictEqual(agentConfig(agent, { ...organization, disclosureText: "AI." }).version, version)
  })

  it("always has the escalation tool once, and never says where a tool runs", () => {
    const parameters = { type: "object", properties: {} } as const
    const handler = { type: "http", url: "https://x.test", method: "GET", headers: { authorization: "s" } } as const
    const tools = [
      { name: "a", description: "", parameters, handler },
      { name: "escalate_to_human", description: "mine", parameters }
    ]
    const config = agentConfig({ ...agent, tools }, organization)
    assert.deepStrictEqual(
      config.tools.map(({ name }) => name),
      ["a", "escalate_to_human"]
    )
    assert.notInclude(JSON.stringify(config), "x.test")
  })
})

describe("the catalogue of voices", () => {
  it("has all voices of the locked models, each in one family", () => {
    assert.strictEqual(voices.filter(({ family }) => family === "indic").length, 7)
    const english = voices.filter(({ family }) => family === "english")
    assert.strictEqual(english.length, 41)
    for (const { id } of english) assert.match(id, /^aura-2-[a-z]+-en$/)
    assert.strictEqual(new Set(voices.map(({ id }) => id)).size, voices.length)
    assert.strictEqual(findVoice("english", "aura-2-theia-en")?.accent, "Australian")
    assert.isUndefined(findVoice("indic", "aura-2-theia-en"))
    for (const language of primaryLanguages)
      assert.isTrue(voices.some((voice) => voice.family === suggestedFamily(language) && speaks(voice, language)))
    assert.deepStrictEqual([suggestedFamily("od-IN"), suggestedFamily("en-AU")], ["indic", "english"])
  })
})

describe("the compatibility resolver", () => {
  const all = { backchanneling: true, use_fillers: true, ambient_noise: true }

  it("gives what is asked for or overrides it with a reason, for every voice and any wishes, in the record and on the engine", () => {
    const wishes = fc.record({ backchanneling: fc.boolean(), use_fillers: fc.boolean(), ambient_noise: fc.boolean() })
    fc.assert(
      fc.property(fc.constantFrom(...voices), wishes, (voice, requested) => {
        const { effective, overrides } = resolveFeatures(requested, voice)
        for (const feature of features) {
          const override = overrides.find((item) => item.feature === feature)
          const limit = limitsOf(voice)[feature]
          assert.strictEqual(effective[feature], requested[feature] && limit === undefined)
          if (effective[feature] === requested[feature]) assert.isUndefined(override)
          else assert.deepStrictEqual(override, { feature, requested: true, effective: false, reason: limit ?? "" })
        }
        const record = { ...agent, ...requested, voiceFamily: voice.family, voiceId: voice.id }
        const view = agentView(record, organization)
        assert.deepStrictEqual(view.overrides, overrides)
        assert.deepInclude(view, requested)
        assert.deepInclude(agentConfig(record, organization), effective)
        assert.deepStrictEqual(resolveFeatures(effective, voice), { effective, overrides: [] })
      })
    )
  })

  it("has for each feature voices that give it and voices that cannot", () => {
    for (const feature of features) {
      const given = voices.map((voice) => resolveFeatures(all, voice).effective[feature])
      assert.includeMembers(given, [true, false])
    }
  })

  it("lets one voice be more limited than its family", () => {
    const table = { ...compatibility, voices: { anushka: { ambient_noise: "Too quiet." } } }
    const { overrides } = resolveFeatures(all, { family: "indic", id: "anushka" }, table)
    assert.deepStrictEqual(
      overrides.map(({ feature }) => feature),
      ["use_fillers", "ambient_noise"]
    )
    assert.isTrue(resolveFeatures(all, { family: "indic", id: "vidya" }, table).effective.ambient_noise)
  })
})
