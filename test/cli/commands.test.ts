import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { commandsFor } from "../../src/cli/commands.ts"

const namesFor = (...args: ReadonlyArray<string>) =>
  Effect.promise(async () => (await commandsFor(args)).map(({ name }) => name))

describe("the commands of parley", () => {
  it.effect("are loaded one by one when they are named, and all for the list of them", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* namesFor("listen", "--help"), ["listen"])
      const all = ["serve", "migrate", "demo", "listen", "mcp", "eval", "describe", "admin"]
      assert.deepStrictEqual(yield* namesFor("--help"), all)
      assert.deepStrictEqual(yield* namesFor(), all)
      assert.deepStrictEqual(yield* namesFor("constructor"), all)
    })
  )
})
