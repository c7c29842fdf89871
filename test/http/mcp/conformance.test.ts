/** The protocol's conformance suite against our server, in both eras. `docs/mcp.md` says why scenarios do not apply. */
import { execFile } from "node:child_process"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFolder } from "../../support/folder.ts"
import { root } from "../../support/imports.ts"
import { startMessagingWith } from "../../support/messaging.ts"

/** The scenarios that apply: all that need no tools of the suite's own, and nothing that the server does not offer. */
const scenarios: Readonly<Record<string, ReadonlyArray<string>>> = {
  "2025-11-25": [
    "server-initialize",
    "server-session-lifecycle",
    "ping",
    "tools-list",
    "resources-list",
    "prompts-list",
    "server-sse-multiple-streams"
  ],
  "2026-07-28": [
    "tools-list",
    "resources-list",
    "prompts-list",
    "sep-2164-resource-not-found",
    "http-header-validation"
  ]
}

/** The suite sends no key, so a proxy adds it. */
const withKey = (base: string, key: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((incoming, outgoing) => {
        const headers = { ...incoming.headers, authorization: `Bearer ${key}` }
        const onward = request(new URL(incoming.url ?? "/", base), { method: incoming.method, headers }, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(outgoing)
        })
        onward.on("error", () => outgoing.destroy())
        outgoing.on("close", () => onward.destroy())
        incoming.pipe(onward)
      })
      await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
      return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/mcp` }
    }),
    ({ server }) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )

const suite = join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js")

describe("the conformance suite", () => {
  it.live.each(Object.entries(scenarios))(
    "passes in the revision %s",
    ([revision, names]) =>
      Effect.gen(function* () {
        const { base, key } = yield* startMessagingWith({})
        const { url } = yield* withKey(base, key)
        const folder = yield* temporaryFolder("conformance")
        yield* Effect.forEach(names, (name) =>
          Effect.promise(async () => {
            const args = [suite, "server", "--url", url, "--scenario", name, "--spec-version", revision, "-o", folder]
            const { stdout, failed } = await promisify(execFile)(process.execPath, args).then(
              ({ stdout }) => ({ stdout, failed: false }),
              (error: { readonly stdout: string }) => ({ stdout: error.stdout, failed: true })
            )
            assert.isFalse(failed, `${name}: ${stdout}`)
            assert.match(stdout, /Passed: [1-9]\d*\/\d+, 0 failed|✓|SUCCESS/, stdout)
          })
        )
      }),
    240_000
  )
})
