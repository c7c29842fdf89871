/** `parley mcp` as a script uses it: requests on standard input, which then ends. */
import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { startMessaging } from "../../support/messaging.ts"
import { programFile } from "../../support/programs.ts"

const requests = [
  {
    ...{ id: 0, method: "initialize" },
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "script", version: "1" } }
  },
  { method: "notifications/initialized" },
  { id: 1, method: "tools/list" },
  { id: 2, method: "tools/call", params: { name: "list_contacts", arguments: {} } }
]
const input = requests.map((request) => `${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`).join("")

describe("parley mcp", () => {
  it.live("answers everything that it was asked before its input ended, and ends", () =>
    Effect.gen(function* () {
      const { world, keyOf, organizationId, run, conversation } = yield* startMessaging
      yield* Effect.promise(() => conversation("+14155550123", "Hello?"))
      const key = yield* Effect.promise(() => run(keyOf(organizationId, ["mcp", "contacts:read"])))
      const program = yield* Effect.promise(() => programFile("main.ts"))
      const child = spawn(process.execPath, [program, "mcp", "--url", world.base], {
        env: { ...process.env, PARLEY_API_KEY: key.secret },
        stdio: ["pipe", "pipe", "inherit"]
      })
      yield* Effect.addFinalizer(() => Effect.sync(() => child.kill("SIGKILL")))
      const ended = new Promise((resolve) => child.once("exit", resolve))
      child.stdin.end(input)
      const output = yield* Effect.promise(() => text(child.stdout))
      const answers = output
        .trim()
        .split("\n")
        .map((line): { readonly id: number; readonly result: object } => JSON.parse(line))
        .toSorted((a, b) => a.id - b.id)
      assert.deepStrictEqual(
        answers.map(({ id }) => id),
        [0, 1, 2]
      )
      assert.include(JSON.stringify(answers[1].result), "list_contacts")
      assert.include(JSON.stringify(answers[2].result), "+14155550123")
      assert.strictEqual(yield* Effect.promise(() => ended), 0)
    }).pipe(Effect.scoped)
  )
})
