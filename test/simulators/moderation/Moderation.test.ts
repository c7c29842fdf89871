import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { categories, type ModerationSimulator, start } from "../../../simulators/moderation/Moderation.ts"

describe("the moderation simulator", () => {
  let moderation: ModerationSimulator
  beforeEach(async () => {
    moderation = await start({ flagWords: ["kill you"], apiKey: "right" })
  })
  afterEach(() => moderation.close())

  const ask = (body: unknown, key = "right") =>
    fetch(`${moderation.url}/moderations`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify(body)
    })

  it("judges each input by whole words and names all thirteen categories", async () => {
    const answer = await ask({ input: ["I will KILL, you!", "a skill you have"] })
    const { results } = (await answer.json()) as {
      results: Array<{ flagged: boolean; categories: Record<string, boolean> }>
    }
    assert.deepStrictEqual(
      results.map(({ flagged }) => flagged),
      [true, false]
    )
    assert.deepStrictEqual(Object.keys(results[0].categories), [...categories])
    assert.lengthOf(categories, 13)
    assert.deepStrictEqual(moderation.texts, ["I will KILL, you!", "a skill you have"])
  })

  it("refuses a wrong key and a request without text", async () => {
    assert.strictEqual((await ask({ input: "x" }, "wrong")).status, 401)
    assert.strictEqual((await ask({})).status, 400)
  })
})
