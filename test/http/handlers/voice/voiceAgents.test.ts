import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { organization } from "../../memory.ts"
import { makeWorld, type World } from "../../world.ts"

const agent = {
  name: "Reception",
  welcomeMessage: "Welcome to Acme.",
  voiceFamily: "english",
  voiceId: "aura-2-thalia-en",
  systemPrompt: "You are a receptionist."
}

const order = {
  name: "order_status",
  description: "Where an order is",
  parameters: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
  onInterruption: "cancel"
} as const
const asking = (headers: Record<string, string>, url = "https://shop.example.com/orders") => [
  { ...order, handler: { type: "http", url, method: "POST", headers } as const }
]

const scenario = (name: string, run: (world: World) => Promise<void>, options = {}) =>
  it.live(name, () => Effect.flatMap(makeWorld(options), (world) => Effect.promise(() => run(world))))

const onlyError = (body: Record<string, unknown>, sentence: RegExp) => {
  assert.deepStrictEqual(Object.keys(body), ["error"])
  assert.match(String(body.error), sentence)
}

describe("the route /api/voice-agents", () => {
  scenario("creates an agent with defaults and sends it to the engine before answering", async ({ call, engine }) => {
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

  scenario("lists only the organization's own agents, newest first, in pages", async ({ call }) => {
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

  scenario(
    "keeps all other settings when language and voice change, also those that the new voice does not support",
    async (world) => {
      const { call, engine } = world
      const wishes = { backchanneling: true, use_fillers: true, ambient_noise: true }
      const { body: made } = await call("POST", "/api/voice-agents", {
        ...agent,
        ...wishes,
        silence: { maxPrompts: 5 },
        tools: asking({ authorization: "Bearer sk-live-51H8" })
      })
      const path = `/api/voice-agents/${made.id}`
      const inHindi = { primaryLanguage: "hi-IN", voiceFamily: "indic", voiceId: "anushka" }
      const { status, body } = await call("PUT", path, inHindi)
      assert.strictEqual(status, 200)
      const { providerStack, updatedAt, overrides, ...kept } = made
      assert.deepInclude(body, { ...kept, ...inHindi })
      assert.deepInclude(body.providerStack, { textToSpeech: "bulbul:v2" })
      const named = (view: Record<string, unknown>) =>
        (view.overrides as ReadonlyArray<{ feature: string; reason: string }>).map(({ feature }) => feature)
      assert.deepStrictEqual([named(made), named(body)], [["backchanneling"], ["use_fillers"]])
      assert.deepStrictEqual((await call("GET", path)).body.overrides, body.overrides)
      const inList = (await call("GET", "/api/voice-agents")).body.data as ReadonlyArray<Record<string, unknown>>
      assert.deepStrictEqual(inList[0].overrides, body.overrides)
      assert.deepInclude(engine.configs.get(String(made.id)), { ...wishes, use_fillers: false })

      const alone = await call("PUT", path, { primaryLanguage: "en-GB", voiceFamily: "english" })
      assert.strictEqual(alone.status, 400)
      onlyError(alone.body, /^voiceId "anushka" is not a voice of the english family/)
      assert.deepStrictEqual((await call("GET", path)).body, body)
    }
  )

  scenario("keeps and passes on whether the model judges the ends of turns", async ({ call, engine }) => {
    const { body } = await call("POST", "/api/voice-agents", agent)
    assert.deepStrictEqual(body.endpointing, { minSilenceMs: 400, maxSilenceMs: 2_500, semantic: "auto" })
    const changed = await call("PUT", `/api/voice-agents/${body.id}`, { endpointing: { semantic: "off" } })
    assert.deepStrictEqual(changed.body.endpointing, { minSilenceMs: 400, maxSilenceMs: 2_500, semantic: "off" })
    assert.deepStrictEqual(
      [...engine.configs.values()].map(({ endpointing }) => endpointing.semantic),
      ["off"]
    )
  })

  scenario("removes an agent here and on the engine", async ({ call, engine }) => {
    const { body } = await call("POST", "/api/voice-agents", agent)
    assert.strictEqual((await call("DELETE", `/api/voice-agents/${body.id}`)).status, 200)
    assert.strictEqual(engine.configs.size, 0)
    assert.strictEqual((await call("DELETE", `/api/voice-agents/${body.id}`)).status, 404)
    assert.strictEqual((await call("DELETE", `/api/voice-agents/${"x".repeat(201)}`)).status, 404)
    onlyError((await call("DELETE", "/api/voice-agents/%c2%85")).body, /^id is invalid: it must not contain control/)
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
      [{ voiceFamily: "indic" }, /^voiceId .*indic/],
      [{ primaryLanguage: "ta-IN" }, /^voiceId "aura-2-thalia-en" does not speak Tamil .*indic/],
      [{ endpointing: { minSilenceMs: 900, maxSilenceMs: 300 } }, /^endpointing\.minSilenceMs /],
      [{ endpointing: { semantic: "always" } }, /^endpointing\.semantic /],
      [{ humanDestination: "call me" }, /^humanDestination /],
      [{ tools: [{ ...order, onInterruption: "maybe" }] }, /^tools\.0\.onInterruption /],
      [{ tools: [{ ...order, parameters: { ...order.parameters, required: ["id"] } }] }, /^tools requires "id"/],
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

  scenario(
    "refuses fields that are too long or cannot be stored, by name, before the engine gets the agent",
    async (world) => {
      const { call, engine, memory } = world
      const long = (length: number) => "x".repeat(length)
      const asked = (description: string) => [{ ...order, description }]
      const property = (changes: object) => [
        { ...order, parameters: { type: "object", properties: { order: { type: "string", ...changes } } } }
      ]
      const named = (name: string) => [
        { ...order, parameters: { type: "object", properties: { [name]: { type: "string" } } } }
      ]
      const many = Array.from({ length: 51 }, (_, n) => `phrase ${n}`)
      const wide = Object.fromEntries(many.map((name) => [name, { type: "string" }]))
      const cases: ReadonlyArray<[object, RegExp]> = [
        [{ escalationPhrases: many }, /^escalationPhrases is invalid/],
        [{ escalationPhrases: [long(101)] }, /^escalationPhrases\.0 is invalid/],
        [{ silence: { promptText: long(501) } }, /^silence\.promptText is invalid/],
        [{ silence: { goodbyeText: long(501) } }, /^silence\.goodbyeText is invalid/],
        [{ humanDestination: `sip:${long(300)}@example.com` }, /^humanDestination is invalid/],
        [{ tools: asked(long(2_001)) }, /^tools is invalid: it has a description of "order_status" longer than 2000/],
        [{ tools: property({ description: long(1_001) }) }, /^tools is invalid: .*"order" of "order_status"/],
        [
          { tools: property({ enum: many.concat(many) }) },
          /^tools is invalid: it has more than 100 values in the enum/
        ],
        [{ tools: property({ enum: [long(201)] }) }, /^tools is invalid: it has a value in the enum/],
        [{ tools: named(long(65)) }, /^tools is invalid: it has a property .* longer than 64/],
        [
          { tools: [{ ...order, parameters: { type: "object", properties: wide } }] },
          /^tools is invalid: it has more than 50 properties/
        ],
        [{ tools: asking({}, `https://shop.example.com/${long(2_000)}`) }, /^tools is invalid: it has a handler url/],
        [
          { tools: Array.from({ length: 20 }, (_, n) => ({ ...order, name: `tool_${n}`, description: long(1_900) })) },
          /^tools is invalid: .* bytes as JSON; the model can be told 32768/
        ],
        [{ tools: asked("a\u0000b") }, /^tools\.0\.description is invalid: .*control characters/],
        [{ tools: named("a\u0000b") }, /^tools\.0.* is invalid: .*control characters/],
        [{ tools: asking({}, "https://shop.example.com/\u0000") }, /^tools\.0.* is invalid: .*control characters/],
        [{ escalationPhrases: ["a\u0000b"] }, /^escalationPhrases\.0 is invalid/],
        [{ silence: { promptText: "\ud800" } }, /^silence\.promptText is invalid/],
        [{ voicemail: { message: "a\u0000b" } }, /^voicemail\.message is invalid/],
        [{ humanDestination: "sip:a\u0000@example.com" }, /^humanDestination is invalid/],
        ...["name", "welcomeMessage", "systemPrompt", "description", "fallbackLine"].map((field): [object, RegExp] => [
          { [field]: "a\u0000b" },
          new RegExp(`^${field} is invalid`)
        ])
      ]
      const { body: made } = await call("POST", "/api/voice-agents", { ...agent, name: "Before" })
      const told = engine.puts
      for (const [change, sentence] of cases) {
        const created = await call("POST", "/api/voice-agents", { ...agent, ...change })
        const changed = await call("PUT", `/api/voice-agents/${made.id}`, change)
        assert.deepStrictEqual([created.status, changed.status], [400, 400], JSON.stringify(change).slice(0, 200))
        onlyError(created.body, sentence)
        onlyError(changed.body, sentence)
      }
      assert.deepStrictEqual([engine.puts, memory.agents.size], [told, 1])
    }
  )

  scenario(
    "keeps an older agent's value beyond a later limit until the field is sent again",
    async ({ call, memory }) => {
      const { body: made } = await call("POST", "/api/voice-agents", agent)
      const escalationPhrases = Array.from({ length: 200 }, (_, n) => `phrase ${n}`)
      const stored = memory.agents.get(String(made.id))
      if (stored !== undefined) memory.agents.set(stored.id, { ...stored, escalationPhrases })
      const path = `/api/voice-agents/${made.id}`
      const { status, body } = await call("PUT", path, { recording: true })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual((await call("GET", path)).body, body)
      assert.deepStrictEqual(body.escalationPhrases, escalationPhrases)
      assert.strictEqual((await call("PUT", path, { escalationPhrases })).status, 400)
    }
  )

  scenario("refuses agents beyond the plan's number with 403", async ({ call, memory }) => {
    const { body: made } = await call("POST", "/api/voice-agents", agent)
    const stored = memory.agents.get(String(made.id))
    if (stored !== undefined)
      for (let n = 1; n < 100; n++) memory.agents.set(`agt_${n}`, { ...stored, id: `agt_${n}`, name: `Agent ${n}` })
    const { status, body } = await call("POST", "/api/voice-agents", { ...agent, name: "One more" })
    assert.strictEqual(status, 403)
    onlyError(body, /PREMIUM has at most 100 voice agents/)
    assert.strictEqual((await call("DELETE", "/api/voice-agents/agt_1")).status, 200)
    assert.strictEqual((await call("POST", "/api/voice-agents", { ...agent, name: "One more" })).status, 201)
  })

  scenario("refuses a second agent of the same name with 409", async ({ call }) => {
    await call("POST", "/api/voice-agents", agent)
    const { status, body } = await call("POST", "/api/voice-agents", agent)
    assert.strictEqual(status, 409)
    onlyError(body, /Reception/)
    assert.strictEqual((await call("POST", "/api/voice-agents", agent, "mk_2")).status, 201)
  })

  scenario(
    "never shows a tool's secret again, and keeps the secret when a client saves the agent as read",
    async (world) => {
      const { call, engine, memory } = world
      const secret = "Bearer sk-live-51H8"
      const masked = asking({ authorization: "********51H8" })
      const made = await call("POST", "/api/voice-agents", { ...agent, tools: asking({ authorization: secret }) })
      assert.deepStrictEqual(made.body.tools, masked)
      const path = `/api/voice-agents/${made.body.id}`
      const stored = () => memory.agents.get(String(made.body.id))?.tools
      assert.deepStrictEqual((await call("GET", path)).body.tools, masked)
      assert.notInclude(JSON.stringify((await call("GET", "/api/voice-agents")).body), "sk-live")
      assert.notInclude(JSON.stringify([...engine.configs.values()]), "51H8")
      assert.deepInclude(engine.configs.get(String(made.body.id))?.tools[0], {
        name: "order_status",
        onInterruption: "cancel"
      })

      const renamed = await call("PUT", path, { ...agent, name: "Front desk", tools: masked })
      assert.strictEqual(renamed.status, 200)
      assert.deepStrictEqual(renamed.body.tools, masked)
      assert.deepStrictEqual(stored(), asking({ authorization: secret }))

      const elsewhere = asking({ authorization: "********51H8" }, "https://thief.example.com/")
      const refused = await call("PUT", path, { tools: elsewhere })
      assert.strictEqual(refused.status, 400)
      onlyError(refused.body, /^tools has a masked header "authorization" of "order_status"/)
      onlyError((await call("POST", "/api/voice-agents", { ...agent, tools: masked })).body, /^tools has a masked/)
      assert.deepStrictEqual(stored(), asking({ authorization: secret }))

      const replaced = await call("PUT", path, { tools: asking({ authorization: "Bearer of something else" }) })
      assert.deepStrictEqual(replaced.body.tools, asking({ authorization: "********else" }))
    }
  )

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

  scenario("shows which features the voice does not support, and keeps the setting", async ({ call, engine }) => {
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

  scenario("leaves the record as it was when the engine rejects a change", async ({ call, engine }) => {
    const { body: made } = await call("POST", "/api/voice-agents", agent)
    engine.rejects = 'The English voice provider has no voice "aura-2-zeus-en"'
    const changed = await call("PUT", `/api/voice-agents/${made.id}`, { voiceId: "aura-2-zeus-en", recording: true })
    assert.strictEqual(changed.status, 500)
    assert.deepStrictEqual(changed.body, { error: engine.rejects })
    assert.deepStrictEqual((await call("GET", `/api/voice-agents/${made.id}`)).body, made)
    assert.strictEqual(engine.configs.get(String(made.id))?.voice.voiceId, agent.voiceId)
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

  scenario("needs a key with the scope", async ({ call }) => {
    const unknown = await call("GET", "/api/voice-agents", undefined, "mk_unknown")
    assert.strictEqual(unknown.status, 401)
    onlyError(unknown.body, /not valid/)
    onlyError((await call("GET", "/api/voice-agents", undefined, "mk_none")).body, /voice:read/)
    const write = await call("POST", "/api/voice-agents", agent, "mk_read")
    assert.strictEqual(write.status, 403)
    onlyError(write.body, /voice:write/)
  })
})
