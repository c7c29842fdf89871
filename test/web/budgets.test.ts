/** The pages stay as light as they are promised to be (`docs/dashboard.md`). `npm run bench -- dashboard` measures the times. */
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import {
  mostOfFirstLoad,
  mostOfPage,
  mostOfShell,
  mostShellFiles,
  type Weights,
  weighPages
} from "../../web/build/budgets.ts"
import { freshness } from "../../web/build/freshness.ts"

describe("of the built pages", () => {
  let weights: Weights
  beforeAll(() => {
    if (freshness() !== "fresh")
      execFileSync(process.execPath, [join(import.meta.dirname, "../../web/build/ensure.ts")])
    weights = weighPages()
  })

  it("the shell, with styles and letters, is at most 185 KB in a few files", () => {
    expect(weights.shell.bytes).toBeGreaterThan(50_000)
    expect(weights.shell.bytes).toBeLessThanOrEqual(mostOfShell)
    expect(weights.shell.files.length, weights.shell.files.join(", ")).toBeLessThanOrEqual(mostShellFiles)
  })
  it("the inbox comes with at most 220 KB in all", () => {
    expect(weights.shell.bytes + weights.pages["Inbox.tsx"].bytes).toBeLessThanOrEqual(mostOfFirstLoad)
  })
  it("each page adds no more than its budget", () => {
    const over = Object.entries(weights.pages).filter(([page, { bytes }]) => bytes > mostOfPage(page))
    expect(Object.keys(weights.pages)).toContain("SignIn.tsx")
    expect(over).toEqual([])
  })
})
