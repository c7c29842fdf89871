/** The disclosure that begins every call: the customer may change its words but not remove it. */
import { isDeepStrictEqual } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { comesAbout } from "../../../support/eventually.ts"
import { connect, hooks, post, receptionist } from "../../telephone.ts"
import { makeWorld, type World } from "../../world.ts"

const path = "/api/organization/disclosure"
interface Office {
  readonly world: World
  readonly set: (text: unknown, key?: string) => ReturnType<World["call"]>
  /** The disclosure in the engine's configuration of each of the organization's agents. */
  readonly texts: (organizationId?: string) => ReadonlyArray<string>
  /** Calls the organization's first agent. */
  readonly ring: () => Promise<string>
}

/** Two agents of one organization and one of another. */
const scenario = (name: string, run: (office: Office) => Promise<void>) =>
  it.live(name, () =>
    Effect.flatMap(makeWorld(), (world) =>
      Effect.promise(async () => {
        await connect(world)
        await world.call("POST", "/api/voice-agents", { ...receptionist, name: "Sales" })
        await world.call("POST", "/api/voice-agents", receptionist, "mk_2")
        await run({
          world,
          set: (text, key = "mk_admin") => world.call("PUT", path, { text }, key),
          texts: (organizationId = "org_1") =>
            [...world.engine.configs.values()]
              .filter((config) => config.organizationId === organizationId)
              .map(({ disclosureText }) => disclosureText),
          ring: async () => (await post(world, `${hooks}/voice`)).text
        })
      })
    )
  )

const old = "You may be speaking with an AI."

describe("the disclosure", () => {
  scenario("is changed for every agent of the organization before its next call", async ({ world, set, texts }) => {
    assert.deepStrictEqual((await world.call("GET", path)).body, { text: old, texts: {} })
    const changed = await set("  This is Acme's assistant, a machine.\n")
    assert.deepStrictEqual(
      [changed.status, changed.body],
      [200, { text: "This is Acme's assistant, a machine.", texts: {} }]
    )
    assert.deepStrictEqual((await world.call("GET", path)).body, changed.body)
    await comesAbout("both agents have it", () => isDeepStrictEqual(texts(), Array(2).fill(changed.body.text)))
    assert.deepInclude(world.memory.audited.at(-1), {
      organizationId: "org_1",
      action: "organization.disclosure_changed",
      subjectId: "org_1",
      before: { disclosureText: old },
      after: { disclosureText: changed.body.text }
    })
    assert.deepStrictEqual((await world.call("GET", path, undefined, "mk_2")).body, { text: old, texts: {} })
    assert.deepStrictEqual(texts("org_2"), [old])
  })

  scenario("reaches an engine that missed a change with the next call", async ({ world, set, texts, ring }) => {
    world.engine.rejects = "Synthesis failed."
    assert.strictEqual((await set("A machine speaks.")).status, 200)
    await comesAbout("both were refused", () => world.engine.refused === 2)
    assert.deepStrictEqual(texts(), [old, old])
    world.engine.rejects = undefined
    assert.match(await ring(), /<Stream /)
    const [setup] = world.engine.setups
    assert.strictEqual(world.engine.configs.get(setup.agentId)?.disclosureText, "A machine speaks.")
    assert.strictEqual(world.engine.configs.get(setup.agentId)?.version, setup.agentVersion)
    assert.deepStrictEqual(texts("org_2"), [old])
  })

  scenario("ends up on the engine as the later of two simultaneous changes", async ({ world, set, texts }) => {
    world.engine.delayMs = 50
    await set("The first text.")
    await set("The second text.")
    await comesAbout("both agents have it", () => isDeepStrictEqual(texts(), Array(2).fill("The second text.")))
    assert.deepStrictEqual((await world.call("GET", path)).body, { text: "The second text.", texts: {} })
  })

  scenario("is said in the words that an organization has for the agent's language", async ({ world, set, texts }) => {
    // The two that are there speak Hindi.
    const voice = { primaryLanguage: "en-US", voiceFamily: "english", voiceId: "aura-2-thalia-en" }
    assert.strictEqual(
      (await world.call("POST", "/api/voice-agents", { ...receptionist, ...voice, name: "Front" })).status,
      201
    )
    const own = { "hi-IN": "यह एक मशीन है।" }
    const changed = await world.call("PUT", path, { text: "A machine speaks.", texts: own }, "mk_admin")
    assert.deepStrictEqual([changed.status, changed.body], [200, { text: "A machine speaks.", texts: own }])
    await comesAbout("each has that of its language", () =>
      isDeepStrictEqual([...texts()].toSorted(), ["A machine speaks.", own["hi-IN"], own["hi-IN"]])
    )
    // Who does not send them leaves them as they are.
    assert.deepStrictEqual((await set("A robot speaks.")).body, { text: "A robot speaks.", texts: own })
    const refused = await world.call("PUT", path, { text: "A machine.", texts: { "hi-IN": "…" } }, "mk_admin")
    assert.strictEqual(refused.status, 400)
    assert.match(String(refused.body.error), /cannot be switched off|not switched off/)
    const none = await world.call("PUT", path, { text: "A machine.", texts: {} }, "mk_admin")
    assert.deepStrictEqual(none.body, { text: "A machine.", texts: {} })
  })

  scenario("cannot be switched off, exceed 500 characters or have several lines", async ({ world, set }) => {
    for (const nothing of ["", "   ", "\n\t", "...", "\u200b", "–"]) {
      const { status, body } = await set(nothing)
      assert.deepStrictEqual(
        [status, body],
        [400, { error: "text is invalid: it must have words: the disclosure can be changed, but not switched off." }],
        JSON.stringify(nothing)
      )
    }
    const refusal = async (text: unknown) => {
      const { status, body } = await set(text)
      assert.strictEqual(status, 400)
      return String(body.error)
    }
    assert.match(await refusal("a".repeat(501)), /^text is invalid: .*500/)
    assert.match(await refusal("A machine\nspeaks."), /^text is invalid: it must not contain control characters\.$/)
    assert.match(await refusal("A\u0000machine."), /^text is invalid: .*control characters/)
    assert.match(await refusal(null), /^text is invalid: it must be a text\.$/)
    assert.match(await refusal(undefined), /^text is invalid: it is missing\.$/)
    assert.deepStrictEqual((await world.call("GET", path)).body, { text: old, texts: {} })
    assert.strictEqual((await set(`${"a".repeat(500)}  `)).status, 200)
  })

  scenario("can be changed by administrators, and read with the scope voice:read", async ({ world, set }) => {
    const refused = await set("A machine speaks.", "mk_1")
    assert.deepStrictEqual([refused.status, refused.body], [403, { error: "This API key lacks the scope admin." }])
    assert.strictEqual((await world.call("GET", path, undefined, "mk_read")).status, 200)
    assert.strictEqual((await world.call("GET", path, undefined, "mk_none")).status, 403)
  })
})
