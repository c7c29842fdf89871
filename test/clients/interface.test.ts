/** What `npm run client` writes is up to date, and what breaks clients is in the changelog. */
import { describe, expect, it } from "vitest"
import { entryOf } from "../../clients/generator/Changelog.ts"
import { staleFiles, unnamedSince } from "../../clients/generator/Files.ts"
import { currentDocument } from "../../clients/generator/OpenApiDocument.ts"

const document = currentDocument()

describe("the interface", () => {
  it("has no breaking change since it was landed last that docs/changelog.md does not name", () => {
    expect(unnamedSince(document).map(entryOf)).toEqual([])
  })

  it("is that of the client and of docs/interface.json: if not, run `npm run client`", () => {
    expect(staleFiles(document)).toEqual([])
  })
})
