/** What a stranger reaches has a bound that docs/bounds.md names, and what our other role and providers sign is not taken for a stranger's. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { DashboardDeclared } from "../../src/http/dashboard/DashboardRoutes.ts"
import { AppApi, EngineApi } from "../../src/http/groups/Api.ts"
import { isCounted } from "../../src/http/middleware/AddressLimit.ts"
import { OAuthDeclared } from "../../src/http/oauth/OAuthRoutes.ts"
import { PayDeclared } from "../../src/http/pay/PayRoutes.ts"
import { type Endpoint, endpointsOf } from "../../src/http/wire/RoutePatterns.ts"

const wrappedBy = (endpoint: Endpoint): ReadonlyArray<string> =>
  "middlewares" in endpoint && endpoint.middlewares instanceof Set
    ? [...endpoint.middlewares].map((one: { readonly key: string }) => one.key)
    : []
const interfaces = endpointsOf([AppApi, EngineApi])
const isKeyed = (endpoint: Endpoint) => wrappedBy(endpoint).some((name) => name.endsWith("Authorization"))
const isOfOtherRole = (endpoint: Endpoint) => wrappedBy(endpoint).some((name) => name.endsWith("EngineSigned"))
const keyless = [...interfaces.filter((one) => !isKeyed(one)), ...endpointsOf([OAuthDeclared, PayDeclared])]

const text = readFileSync(join(import.meta.dirname, "..", "..", "docs", "bounds.md"), "utf8")
const table = text.slice(text.indexOf("## Routes without a key"), text.indexOf("## Media streams"))
const rows = table.split("\n").filter((line) => line.startsWith("| "))

/** The routes that the first cell of a row names, as `METHOD path`; a row without a method is about all of them. */
const namedIn = (row: string) =>
  [...row.split(" | ")[0].matchAll(/`((?:[A-Z]+ )?\/[^`]*)`/g)].map(([, route]) => {
    const [method, path] = route.includes(" ") ? route.split(" ") : ["[A-Z]+", route]
    const pattern = path
      .replace(/[.]/g, "\\.")
      .replace(/\{\w+\}/g, "[^/]+")
      .replace(/[*…]/g, ".*")
    return { route: new RegExp(`^${method} ${pattern}$`), isUncounted: row.split(" | ")[0].trimEnd().endsWith("*") }
  })
const named = rows.flatMap(namedIn)

const sample = ({ method, path }: Endpoint) => `${method} ${path.replace(/:\w+/g, "abc")}`

describe("a route without a key", () => {
  it("has a row in the list of bounds", () => {
    expect(keyless.length).toBeGreaterThan(30)
    expect(keyless.map(sample).filter((route) => !named.some((row) => row.route.test(route)))).toEqual([])
  })

  it("is counted for its address, unless the list says that it is not", () => {
    const wrong = keyless.filter((endpoint) => {
      const [row] = named.filter(({ route }) => route.test(sample(endpoint)))
      return row !== undefined && isCounted(endpoint.method, sample(endpoint).split(" ")[1]) === row.isUncounted
    })
    expect(wrong.map(sample)).toEqual([])
  })

  it("of the other role is never limited by its address, which all of its requests have", () => {
    const ofOtherRole = interfaces.filter(isOfOtherRole)
    expect(ofOtherRole.length).toBeGreaterThan(5)
    expect(ofOtherRole.filter(({ method, path }) => isCounted(method, path)).map(sample)).toEqual([])
  })
})

describe("a page of the dashboard", () => {
  it("is counted, and its files are not", () => {
    const wrong = endpointsOf([DashboardDeclared]).filter(
      ({ method, path }) => isCounted(method, path.replace(/:\w+/g, "abc")) === path.startsWith("/assets/")
    )
    expect(wrong.map(sample)).toEqual([])
  })
})
