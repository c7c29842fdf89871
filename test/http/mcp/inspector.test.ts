/** The command line of the MCP Inspector, a program of others, over each transport. */
import { execFile } from "node:child_process"
import { dirname, join, resolve } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { root } from "../../support/imports.ts"
import { startMessagingWith } from "../../support/messaging.ts"

const program = resolve(root, "node_modules/@modelcontextprotocol/inspector-cli/build/index.js")

/** Runs the Inspector and gives what it prints, which is the answer as JSON. It finds its own package only from its folder. */
const inspect = (target: ReadonlyArray<string>, method: ReadonlyArray<string>, key: string) =>
  new Promise<string>((done, failed) => {
    execFile(
      process.execPath,
      [program, ...target, "--method", ...method],
      { cwd: dirname(program), env: { ...process.env, PARLEY_API_KEY: key }, timeout: 60_000 },
      (error, output, problems) => (error === null ? done(output) : failed(new Error(`${error.message}\n${problems}`)))
    )
  })

describe("the Inspector's command line", () => {
  it.live(
    "lists tools and calls one over Streamable HTTP, HTTP+SSE and stdio",
    () =>
      Effect.gen(function* () {
        const { base, key, conversation } = yield* startMessagingWith({})
        yield* Effect.promise(async () => {
          await conversation("+14155550123", "Where is my book?")
          const header = ["--header", `Authorization: Bearer ${key}`]
          const targets = {
            http: [`${base}/api/mcp`, "--transport", "http", ...header],
            sse: [`${base}/api/mcp/sse`, "--transport", "sse", ...header],
            stdio: [process.execPath, join(root, "src/main.ts"), "mcp", "--transport", "stdio"]
          }
          const answers = await Promise.all(
            Object.entries(targets).map(async ([name, target]) => {
              // What comes after -- is handed on to the program.
              const rest = name === "stdio" ? ["--", "--url", base] : []
              const { tools } = JSON.parse(await inspect(target, ["tools/list", ...rest], key))
              assert.lengthOf(tools, 20, name)
              const call = [
                "tools/call",
                "--tool-name",
                "list_contacts",
                "--tool-arg",
                "search=asha",
                "limit=5",
                ...rest
              ]
              return JSON.parse(await inspect(target, call, key)).structuredContent
            })
          )
          for (const answer of answers) {
            assert.strictEqual(answer.data[0].phone, "+14155550123")
            assert.deepStrictEqual(answer, answers[0])
          }
        })
      }),
    240_000
  )
})
