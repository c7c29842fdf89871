import { globSync } from "node:fs"
import { resolve } from "node:path"
import { describe, expect, it } from "vitest"
import { kindOf, testFiles } from "./TestKinds.ts"

describe("the projects of vitest.config.ts", () => {
  it("contain every test file exactly once", () => {
    const { fast, service, stories } = testFiles()
    const files = globSync("test/**/*.test.ts", { cwd: resolve(import.meta.dirname, "../..") })
    expect([...fast, ...service, ...stories].sort()).toEqual(files.sort())
  })

  it("distinguish a pure file, a file that uses a database directly or through an import, and a story in real time", () => {
    expect(kindOf("test/audio/frames/Mulaw.test.ts")).toBe("fast")
    expect(kindOf("test/http/everyRoute.test.ts")).toBe("service")
    expect(kindOf("test/http/server/ClientAddress.test.ts")).toBe("service")
    expect(kindOf("test/http/server/UwsHttpServer.test.ts")).toBe("stories")
  })
})
