import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { organization } from "./memory.ts"
import { makeWorld, type World } from "./world.ts"

const agent = {
  name: "Reception",
  welcomeMessage: "Welcome to Acme.",
  voiceFamily: "english",
  voiceId: "aura-2-thalia-en",
  systemPrompt: "You are a receptionist."
}

const scenario = (name: string, run: (world: World) => Promise<void>, options = {}) =>
  it.live(name, () => Effect.flatMap(makeWorld(options), (world) => Effect.promise(() => run(world))))

const onlyError = (body: Record<string, unknown>, sentence: RegExp) => {
  assert.deepStrictEqual(Object.keys(body), ["error"])
  assert.match(String(body.error), sentence)
}

describe("/api/voice-agents", () => {
  scenario("creates an agent with its defaults and has it on the engine before answering", async ({ call, engine }) => {
    const { status, body } = await call("POST", "/api/voice-agents", agent)
    assert.strictEqual(status, 201)
    assert.match(String(body.id), /^agt_/)
    assert.strictEqual(body.disclosureText, "You may be speaking with an AI.")
    assert.deepInclude(body, { ...agent, recording: false, primaryLanguage: "en-US", phoneNumber: null, overrides: [] })
    const config = engine.configs.get(String(body.id))
    assert.strictEqual(config?.voice.model, "aura-2-thalia-en")
    assert.strictEqual(config?.transcription.language, "en-IN")
    assert.deepStrictEqual(
      config?.tools.map((tool) => tool.name),
      ["escalate_to_human"]
    )
  })

  scenario("lists newest first in pages, and only the caller's own", async ({ call }) => {
    for (const name of ["A", "B", "C"]) await call("POST", "/api/voice-agents", { ...agent, name })
    const { status, body } = await call("GET", "/api/voice-agents?page=1&limit=2")
    assert.strictEqual(status, 200)
    assert.deepInclude(body, { page: 1, limit: 2, total: 3 })
    assert.deepStrictEqual(
      (body.data as ReadonlyArray<{ name: string }>).map(({ name }) => name),
      ["C", "B"]
    )
    const other = await call("GET", "/api/voice-agents", undefined, "mk_2")
    assert.deepStrictEqual(other.body, { data: [], page: 1, limit: 20, total: 0 })
    onlyError((await call("GET", "/api/voice-agents?limit=101")).body, /^limit is invalid/)
  })

  scenario("changes only what a PUT names, also inside a policy", async ({ call, engine }) => {
    const { body: made } = await call("POST", "/api/voice-agents", { ...agent, silence: { maxPrompts: 5 } })
    const path = `/api/voice-agents/${made.id}`
    const { status, body } = await call("PUT", path, { recording: true, silence: { promptAfterSeconds: 4 } })
    assert.strictEqual(status, 200)
    assert.deepInclude(body, { ...agent, recording: true, createdAt: made.createdAt })
    assert.deepInclude(body.silence, { promptAfterSeconds: 4, maxPrompts: 5, promptText: "Are you still there?" })
    assert.isTrue(engine.configs.get(String(made.id))?.recording)
    assert.deepStrictEqual((await call("GET", path)).body, body)
  })

  scenario("removes an agent here and on the engine", async ({ call, engine }) => {
    const { body } = await call("POST", "/api/voice-agents", agent)
    assert.strictEqual((await call("DELETE", `/api/voice-agents/${body.id}`)).status, 200)
    assert.strictEqual(engine.configs.size, 0)
    assert.strictEqual((await call("DELETE", `/api/voice-agents/${body.id}`)).status, 404)
  })

  scenario("hides another organization's agent behind 404", async ({ call }) => {
    const { body } = await call("POST", "/api/voice-agents", agent)
    for (const [method, path] of [
      ["GET", ""],
      ["PUT", ""],
      ["DELETE", ""],
      ["GET", "/calls"]
    ]) {
      const answer = await call(
        method,
        `/api/voice-agents/${body.id}${path}`,
        method === "PUT" ? {} : undefined,
        "mk_2"
      )
      assert.strictEqual(answer.status, 404, `${method} ${path}`)
      onlyError(answer.body, /no such voice agent/)
    }
  })

  scenario("names the field that is wrong", async ({ call }) => {
    const cases: ReadonlyArray<[object, RegExp]> = [
      [{ name: undefined }, /^name /],
      [{ name: "  " }, /^name /],
      [{ primaryLanguage: "fr-FR" }, /^primaryLanguage /],
      [{ maxCallSeconds: 5 }, /^maxCallSeconds /],
      [{ silence: { maxPrompts: "two" } }, /^silence\.maxPrompts /],
      [{ voiceId: "anushka" }, /^voiceId .*english/],
      [{ endpointing: { minSilenceMs: 900, maxSilenceMs: 300 } }, /^endpointing\.minSilenceMs /],
      [{ humanDestination: "call me" }, /^humanDestination /],
      [
        { tools: [{ name: "a b", description: "", parameters: { type: "object", properties: {} } }] },
        /^tools\.0\.name /
      ]
    ]
    for (const [change, sentence] of cases) {
      const { status, body } = await call("POST", "/api/voice-agents", { ...agent, ...change })
      assert.strictEqual(status, 400, JSON.stringify(change))
      onlyError(body, sentence)
    }
  })

  scenario("refuses a second agent of the same name with 409", async ({ call }) => {
    await call("POST", "/api/voice-agents", agent)
    const { status, body } = await call("POST", "/api/voice-agents", agent)
    assert.strictEqual(status, 409)
    onlyError(body, /Reception/)
    assert.strictEqual((await call("POST", "/api/voice-agents", agent, "mk_2")).status, 201)
  })

  scenario("says which plan or flag is missing with 403", async ({ call, memory }) => {
    const premium = { ...agent, voiceFamily: "premium", voiceId: "21m00Tcm4TlvDq8ikWAM" }
    onlyError((await call("POST", "/api/voice-agents", premium)).body, /voicePremium/)
    memory.organizations.set("org_1", organization({ flags: { voiceAgents: true, voicePremium: true } }))
    assert.strictEqual((await call("POST", "/api/voice-agents", premium)).status, 201)
    memory.organizations.set("org_1", organization({ flags: { voiceAgents: false, voicePremium: true } }))
    const off = await call("POST", "/api/voice-agents", agent)
    assert.strictEqual(off.status, 403)
    onlyError(off.body, /voiceAgents/)
    memory.organizations.set("org_1", organization({ plan: "PRO" }))
    onlyError((await call("POST", "/api/voice-agents", agent)).body, /Premium or Enterprise/)
  })

  scenario("shows which features the voice cannot give, and keeps the wish", async ({ call, engine }) => {
    const { body } = await call("POST", "/api/voice-agents", { ...agent, backchanneling: true, use_fillers: true })
    assert.isTrue(body.backchanneling)
    assert.deepInclude((body.overrides as ReadonlyArray<object>)[0], {
      feature: "backchanneling",
      requested: true,
      effective: false
    })
    assert.deepInclude(engine.configs.get(String(body.id)), { backchanneling: false, use_fillers: true })
  })

  scenario("gives 500 with the engine's sentence and saves nothing when the engine rejects", async (world) => {
    const { call, engine, memory } = world
    engine.rejects = "language is not supported by aura-2-thalia-en."
    const { status, body } = await call("POST", "/api/voice-agents", agent)
    assert.strictEqual(status, 500)
    assert.deepStrictEqual(body, { error: engine.rejects })
    assert.strictEqual(memory.agents.size, 0)
  })

  scenario(
    "gives 500 and saves nothing when the engine cannot be reached",
    async ({ call, memory }) => {
      const { status, body } = await call("POST", "/api/voice-agents", agent)
      assert.strictEqual(status, 500)
      onlyError(body, /voice engine cannot be reached/)
      assert.strictEqual(memory.agents.size, 0)
    },
    { engineUrl: "http://127.0.0.1:1" }
  )

  scenario("asks for a key, and for the scope", async ({ call }) => {
    const unknown = await call("GET", "/api/voice-agents", undefined, "mk_unknown")
    assert.strictEqual(unknown.status, 401)
    onlyError(unknown.body, /not valid/)
    onlyError((await call("GET", "/api/voice-agents", undefined, "mk_none")).body, /voice:read/)
    const write = await call("POST", "/api/voice-agents", agent, "mk_read")
    assert.strictEqual(write.status, 403)
    onlyError(write.body, /voice:write/)
  })
})
