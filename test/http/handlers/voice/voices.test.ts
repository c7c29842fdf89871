import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { primaryLanguages } from "../../../../src/domain/voice/agents/VoiceAgent.ts"
import type { VoiceCatalogue } from "../../../../src/domain/voice/agents/VoiceCatalogue.ts"
import { organization } from "../../memory.ts"
import { makeWorld, type World } from "../../world.ts"

const scenario = (name: string, run: (world: World) => Promise<void>) =>
  it.live(name, () => Effect.flatMap(makeWorld(), (world) => Effect.promise(() => run(world))))

const catalogue = async ({ call }: World, query = ""): Promise<VoiceCatalogue> => {
  const { status, body } = await call("GET", `/api/voices${query}`)
  assert.strictEqual(status, 200)
  return body as unknown as VoiceCatalogue
}

describe("the route /api/voices", () => {
  scenario("suggests a family for each language and names the voices that speak it", async (world) => {
    const { languages, voices } = await catalogue(world)
    assert.deepStrictEqual(
      languages.map(({ tag }) => tag),
      [...primaryLanguages]
    )
    for (const { tag, suggestedFamily, families } of languages) {
      assert.strictEqual(suggestedFamily, tag.startsWith("en-") ? "english" : "indic")
      assert.include(families, suggestedFamily)
      for (const family of ["indic", "english", "premium"] as const)
        assert.strictEqual(
          families.includes(family),
          voices.some((voice) => voice.family === family && voice.languages.includes(tag))
        )
    }
    assert.deepInclude(languages[0], { tag: "hi-IN", name: "Hindi", families: ["indic", "premium"] })
  })

  scenario("offers other voices when the language changes", async (world) => {
    const idsFor = async (language: string) =>
      (await catalogue(world, `?language=${language}`)).voices.map(({ id }) => id)
    const [telugu, british] = [await idsFor("te-IN"), await idsFor("en-GB")]
    assert.lengthOf(telugu, 7)
    assert.include(telugu, "anushka")
    assert.notInclude(telugu, "aura-2-draco-en")
    assert.include(british, "aura-2-draco-en")
    const wrong = await world.call("GET", "/api/voices?language=fr-FR")
    assert.strictEqual(wrong.status, 400)
    assert.match(String(wrong.body.error), /^language /)
  })

  scenario("shows for each voice which features it supports, and why not the others", async (world) => {
    for (const { features, unsupported } of (await catalogue(world)).voices) {
      const named = [...features, ...unsupported.map(({ feature }) => feature)].toSorted()
      assert.deepStrictEqual(named, ["ambient_noise", "backchanneling", "use_fillers"])
      for (const { reason } of unsupported) assert.match(reason, /\.$/)
    }
  })

  scenario("says what must happen before premium voices can be used", async (world) => {
    const premium = async () => (await catalogue(world)).families.find(({ id }) => id === "premium")
    assert.deepInclude(await premium(), { available: false })
    assert.match((await premium())?.reason ?? "", /voicePremium/)
    world.memory.organizations.set("org_1", organization({ flags: { voiceAgents: true, voicePremium: true } }))
    assert.deepInclude(await premium(), { available: true, reason: null })
  })

  scenario("needs the scope voice:read, and is in the OpenAPI document", async ({ call }) => {
    assert.strictEqual((await call("GET", "/api/voices", undefined, "mk_none")).status, 403)
    assert.strictEqual((await call("GET", "/api/voices", undefined, "mk_unknown")).status, 401)
    assert.strictEqual((await call("GET", "/api/voices", undefined, "mk_read")).status, 200)
    const { paths } = (await call("GET", "/openapi.json")).body
    assert.isTrue("/api/voices" in (paths as object))
  })

  scenario("offers exactly the voices that an agent can be saved with", async (world) => {
    world.memory.organizations.set("org_1", organization({ flags: { voiceAgents: true, voicePremium: true } }))
    const { voices } = await catalogue(world)
    const sample = ["anushka", "aura-2-theia-en", "21m00Tcm4TlvDq8ikWAM"]
    for (const { id, family, languages } of voices.filter((voice) => sample.includes(voice.id)))
      for (const primaryLanguage of primaryLanguages) {
        const settings = { welcomeMessage: "Hi", systemPrompt: "", voiceFamily: family, voiceId: id, primaryLanguage }
        const name = `${id} ${primaryLanguage}`
        const { status, body } = await world.call("POST", "/api/voice-agents", { ...settings, name })
        assert.strictEqual(status, languages.includes(primaryLanguage) ? 201 : 400, name)
        if (status === 400) assert.match(String(body.error), new RegExp(`^voiceId "${id}" does not speak`))
      }
  })

  scenario("says a text as an agent with the voice would, and refuses what there is not", async (world) => {
    const wanted = { voiceFamily: "english", voiceId: "aura-2-thalia-en", primaryLanguage: "en-US", text: "Hello." }
    const ask = async (body: object) =>
      await fetch(`${world.base}/api/voices/preview`, {
        method: "POST",
        headers: { authorization: "Bearer mk_1", "content-type": "application/json" },
        body: JSON.stringify(body)
      })
    const heard = await ask(wanted)
    assert.deepStrictEqual([heard.status, heard.headers.get("content-type")], [200, "audio/wav"])
    const wav = Buffer.from(await heard.arrayBuffer())
    // The stand-in's audio is the text itself, after the header.
    assert.strictEqual(wav.subarray(0, 4).toString(), "RIFF")
    assert.include(wav.subarray(58).toString(), "Hello.")
    for (const wrong of [
      { ...wanted, voiceId: "nobody" },
      { ...wanted, primaryLanguage: "hi-IN" },
      { ...wanted, text: " " },
      { ...wanted, text: "x".repeat(301) }
    ])
      assert.strictEqual((await ask(wrong)).status, 400, JSON.stringify(wrong))
    assert.strictEqual((await ask({ ...wanted, voiceFamily: "premium", voiceId: "x" })).status, 403)
    world.voice.silent = true
    assert.strictEqual((await ask(wanted)).status, 500)
    world.voice.silent = false
    while ((await ask(wanted)).status === 200);
    assert.strictEqual((await ask(wanted)).status, 429)
  })
})
