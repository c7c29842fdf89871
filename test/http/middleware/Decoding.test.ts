import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeWorld, type World } from "../world.ts"

const scenario = (name: string, run: (world: World) => Promise<void>) =>
  it.live(name, () => Effect.flatMap(makeWorld(), (world) => Effect.promise(() => run(world))))

const agent = {
  name: "Reception",
  welcomeMessage: "Welcome to Maple Books.",
  voiceFamily: "english",
  voiceId: "aura-2-thalia-en",
  systemPrompt: "You are the receptionist."
}
const contacts = "/api/messaging-api/contacts"

describe("a request", () => {
  scenario("with an unknown field is refused, and told which one may be meant", async ({ call, memory }) => {
    const refused = async (body: object, sentence: string) =>
      assert.deepStrictEqual(
        await call("POST", "/api/voice-agents", body).then(({ status, body }) => ({ status, body })),
        {
          status: 400,
          body: { error: sentence }
        }
      )
    await refused({ ...agent, welcomMessage: "Hi" }, "welcomMessage is not a known field. Did you mean welcomeMessage?")
    await refused({ ...agent, voice_id: "x" }, "voice_id is not a known field. Did you mean voiceId?")
    await refused(
      { ...agent, silence: { promptAfter: 5 } },
      "silence.promptAfter is not a known field. Did you mean promptAfterSeconds?"
    )
    await refused(
      {
        ...agent,
        tools: [{ name: "find", description: "Finds.", handler: { type: "http", uri: "https://a.example" } }]
      },
      "tools.0.handler.uri is not a known field. Did you mean url?"
    )
    assert.strictEqual(memory.agents.size, 0)
  })

  scenario("with an unknown query parameter is refused, also where there are none", async ({ call }) => {
    const sentences = await Promise.all(
      [`${contacts}?serch=asha`, `${contacts}?per_page=5`, "/api/session?verbose=1"].map(
        async (path) => (await call("GET", path)).body.error
      )
    )
    assert.deepStrictEqual(sentences, [
      "serch is not a known query parameter. Did you mean search?",
      "per_page is not a known query parameter. The parameters are page, limit, cursor, search, tag, archived, sort.",
      "verbose is not a known query parameter. There are no parameters here."
    ])
  })

  scenario("may send back what was read, also the fields that only the service writes", async ({ call }) => {
    const { body } = await call("POST", "/api/voice-agents", agent)
    const changed = await call("PUT", `/api/voice-agents/${body.id}`, { ...body, name: "Front desk" })
    assert.strictEqual(changed.status, 200)
    assert.include(changed.body, { id: body.id, createdAt: body.createdAt, name: "Front desk" })
    // A new record has no fields that the service wrote.
    assert.strictEqual((await call("POST", "/api/voice-agents", body)).status, 400)
  })

  scenario("needs no body where every field of a POST may be left out", async ({ base }) => {
    const headers = { authorization: "Bearer mk_1" }
    const types = [{}, { "content-type": "application/json" }, { "content-type": "application/x-www-form-urlencoded" }]
    for (const type of types) {
      const init = { headers: { ...headers, ...type }, body: null }
      // The body was taken: what is missing is the scope.
      const rotated = await fetch(`${base}/api/api-keys/key_none/rotate`, { method: "POST", ...init })
      assert.strictEqual(rotated.status, 403)
      const refused = await fetch(`${base}/api/voice-agents`, { method: "POST", ...init })
      assert.strictEqual(refused.status, 400)
    }
  })

  scenario("is told in words what a value must be", async ({ call }) => {
    const told = async (change: object) => (await call("POST", "/api/voice-agents", { ...agent, ...change })).body.error
    const page = async (page: string) => (await call("GET", `/api/voice-agents?page=${page}`)).body.error
    assert.deepStrictEqual(
      [
        await told({ maxCallSeconds: "ten" }),
        await told({ maxCallSeconds: 10.5 }),
        await told({ silence: { promptAfterSeconds: "ten" } }),
        await told({ maxCallSeconds: 1 }),
        await told({ recording: "yes" }),
        await told({ humanDestination: 5 }),
        await told({ tools: {} }),
        await told({ voiceFamily: "french" }),
        await told({ escalationPhrases: Array.from({ length: 51 }, () => "a") }),
        await page("x"),
        await page("0")
      ],
      [
        "maxCallSeconds is invalid: it must be a number.",
        "maxCallSeconds is invalid: it must be a whole number.",
        "silence.promptAfterSeconds is invalid: it must be a number.",
        "maxCallSeconds is invalid: it must be from 30 to 14400.",
        "recording is invalid: it must be true or false.",
        "humanDestination is invalid: it must be a text or null.",
        "tools is invalid: it must be a list.",
        "voiceFamily is invalid: it must be one of indic, english, premium.",
        "escalationPhrases is invalid: it must have at most 50 entries or characters.",
        "page is invalid: it must be a whole number.",
        "page is invalid: it must be from 1 to 1000000."
      ]
    )
  })

  scenario("is measured in characters, not in the units of a programming language", async ({ call }) => {
    const named = async (name: string) => (await call("POST", "/api/voice-agents", { ...agent, name })).status
    assert.deepStrictEqual(
      [await named("😀".repeat(120)), await named("😀".repeat(121)), await named("a".repeat(121))],
      [201, 400, 400]
    )
  })
})
