/** The built-in tools as people see them who give them to agents. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chatBuiltins } from "../../../../src/domain/messaging/agents/ChatTools.ts"
import { makeAccessWorld } from "../../../support/access.ts"

interface Shown {
  readonly name: string
  readonly description: string
  readonly parameters: object
  readonly agents: ReadonlyArray<string>
}

describe("the list of built-in tools", () => {
  it.live("names each with what an agent begins with, and an agent made of them is taken", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld({ builtinTools: chatBuiltins })
      const admin = yield* world.as("ADMIN")
      const { status, body } = yield* admin.ask("GET", "/api/builtin-tools")
      assert.strictEqual(status, 200)
      const data: ReadonlyArray<Shown> = body.data
      assert.deepStrictEqual(
        data.map(({ name }) => name),
        chatBuiltins.map(({ spec }) => spec.name)
      )
      assert.isTrue(data.every(({ description }) => description !== ""))
      const tools = data
        .filter(({ agents }) => agents.includes("text"))
        .map(({ name, description, parameters }) => ({
          ...{ name, description, parameters },
          handler: { type: "builtin", name }
        }))
      const made = yield* admin.ask("POST", "/api/ai-agents", { body: { name: "Shop", tools } })
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      assert.deepStrictEqual(made.body.tools, tools)
    })
  )

  it.live("is for keys that may read agents of either kind, and for no others", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const asked = (scope: "voice:read" | "agents:read" | "status:read") =>
        Effect.gen(function* () {
          const { secret } = yield* world.keyOf([scope])
          return (yield* world.withKey(secret)("GET", "/api/builtin-tools")).status
        })
      assert.deepStrictEqual(
        [yield* asked("voice:read"), yield* asked("agents:read"), yield* asked("status:read")],
        [200, 200, 403]
      )
    })
  )
})
