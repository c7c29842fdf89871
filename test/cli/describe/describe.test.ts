/** Writing the app of an automation tool into a folder. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { appFiles, writeApp } from "../../../src/cli/describe/describe.ts"
import { temporaryFolder } from "../../support/folder.ts"

describe("the folder of an app", () => {
  it.live("is written over when it has the app, and is refused when it has something else", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder("app")
      const written = (url: string) => writeApp(folder, appFiles("zapier", { baseUrl: url }))
      const address = () => JSON.parse(readFileSync(join(folder, "app.json"), "utf8")).auth.baseUrl
      yield* written("https://old.example.com")
      mkdirSync(join(folder, "node_modules"))
      writeFileSync(join(folder, ".zapierapprc"), "{}")
      yield* written("https://new.example.com")
      assert.strictEqual(address(), "https://new.example.com")
      writeFileSync(join(folder, "thesis.txt"), "years of work")
      const { message } = yield* Effect.flip(written("https://newest.example.com"))
      assert.include(message, "thesis.txt")
      assert.strictEqual(address(), "https://new.example.com")
    }).pipe(Effect.scoped)
  )

  it("gets texts in which nothing of a template is left", () => {
    for (const name of ["zapier", "n8n", "make"] as const)
      for (const { path, text } of appFiles(name, { baseUrl: undefined }))
        assert.notMatch(text, /\{\{(scopes|baseUrl|loaders|lists|test)\}\}/, `${name}: ${path}`)
  })
})
