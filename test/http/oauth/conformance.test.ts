/** The scenarios of the protocol's own conformance suite that test authorization servers, with a person in front of a browser. */
import { spawn } from "node:child_process"
import { resolve } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { freePort } from "../../../src/integrations/web/FreePort.ts"
import { makeOAuthWorld } from "../../support/oauth.ts"

const suite = resolve(import.meta.dirname, "../../../node_modules/@modelcontextprotocol/conformance/dist/index.js")

/** Runs the suite; `opens` gets the address that it asks a person to open. Gives its exit code and its words. */
const run = (args: ReadonlyArray<string>, opens: (url: string) => Promise<void>) =>
  new Promise<{ code: number | null; output: string }>((done) => {
    const child = spawn(process.execPath, [suite, "authorization", ...args], { stdio: ["ignore", "pipe", "pipe"] })
    let output = ""
    let opened = false
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString()
        const url = /^(http\S+\/oauth\/authorize\?\S+)$/m.exec(output)?.[1]
        if (url === undefined || opened) return
        opened = true
        opens(url).catch((error) => {
          output += String(error)
          child.kill()
        })
      })
    child.once("close", (code) => done({ code, output }))
  })

describe("the conformance suite", () => {
  for (const version of ["2025-11-25", "2026-07-28"])
    it.live(`finds nothing wrong with the authorization server, by the revision ${version}`, () =>
      Effect.gen(function* () {
        const world = yield* makeOAuthWorld()
        const { code, output } = yield* Effect.promise(async () => {
          const port = await freePort()
          const clientId = await world.publicClient("http://127.0.0.1/callback")
          const args = [
            "--url",
            world.base,
            "--client-id",
            clientId,
            "--resource",
            world.resource,
            "--port",
            String(port)
          ]
          return run([...args, "--spec-version", version], async (url) => {
            const browser = await world.browserOf()
            const { gone } = await browser.decide(await browser.open(url), "allow")
            assert.strictEqual((await fetch(String(gone))).status, 200)
          })
        })
        assert.strictEqual(code, 0, output)
        assert.match(output, /authorization-code-grant/)
        assert.notMatch(output, /FAILURE|SKIPPED/)
      })
    )
})
