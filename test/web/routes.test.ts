/** The pages of the dashboard and the addresses that the service answers with them are the same. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { dashboardPages } from "../../src/http/dashboard/DashboardPages.ts"
import { importsOf, sources } from "../support/imports.ts"

const web = join(import.meta.dirname, "../../web")
const router = sources("web/src/router")
  .map((file) => readFileSync(join(web, "..", file), "utf8"))
  .join("\n")

describe("the dashboard", () => {
  it("has a route for each address that the service answers with a page, and no others", () => {
    const routes = [...router.matchAll(/^ {2}path: "([^"]+)"/gm)].map(([, path]) => path.replaceAll("$", ":"))
    expect(routes.toSorted()).toEqual([...dashboardPages].toSorted())
  })

  it("has no inline style, no event handler and no address of another host in its page", () => {
    const page = readFileSync(join(web, "index.html"), "utf8")
    expect(page).not.toMatch(/\son\w+=|\sstyle=|https?:/)
    expect([...page.matchAll(/<script>/g)]).toHaveLength(1)
  })

  it("calls the service by its generated client alone: no address of the interface is written by hand, apart from those of files", () => {
    const files = sources("web/src")
    expect(files.length).toBeGreaterThan(30)
    const calls = files.filter((file) => {
      const code = readFileSync(join(web, "..", file), "utf8")
      return /\bfetch\(|XMLHttpRequest|EventSource/.test(code)
    })
    expect(calls).toEqual([])
  })

  it("carries nothing of the service: neither Effect nor modules of Node, and no markup from texts", () => {
    const files = sources("web/src")
    const wrong = files
      .flatMap(importsOf)
      .filter(
        ({ specifier, target }) =>
          /^(node:|effect|@effect\/)/.test(specifier) || (target !== undefined && !target.startsWith("web/src/"))
      )
    expect(wrong).toEqual([])
    const markup = files.filter((file) =>
      /dangerouslySetInnerHTML|innerHTML/.test(readFileSync(join(web, "..", file), "utf8"))
    )
    expect(markup).toEqual([])
  })

  it("has its rooms in order: routes, features, components, lib; only features, routes and the session know the service", () => {
    const order = ["routes", "features", "api", "components", "lib"]
    const roomOf = (path: string) => order.indexOf(path.split("/")[2])
    const edges = sources("web/src").flatMap(importsOf)
    const wrong = edges.filter(
      ({ file, target }) =>
        target !== undefined &&
        roomOf(file) >= 0 &&
        roomOf(target) >= 0 &&
        (roomOf(target) < roomOf(file) || (file.startsWith("web/src/components/") && target.startsWith("web/src/api/")))
    )
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
  })
})
