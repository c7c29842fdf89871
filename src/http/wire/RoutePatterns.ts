/** Which requests a declared route takes, by method and path, apart from the router. */
import type { Context } from "effect"

export interface Endpoint {
  readonly method: string
  readonly path: string
  readonly annotations: Context.Context<never>
}
/** What is read of an `HttpApi`. */
export interface Declared {
  readonly groups: Readonly<Record<string, { readonly endpoints: Readonly<Record<string, Endpoint>> }>>
}

export const endpointsOf = (apis: ReadonlyArray<Declared>): ReadonlyArray<Endpoint> =>
  apis.flatMap((api) => Object.values(api.groups)).flatMap(({ endpoints }) => Object.values(endpoints))

export const withoutSlash = (path: string) => (path.endsWith("/") && path !== "/" ? path.slice(0, -1) : path)
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** The path of a URL, without its query. */
export const pathOf = (url: string): string => {
  const query = url.indexOf("?")
  return withoutSlash(query === -1 ? url : url.slice(0, query))
}

/** A regular expression for the paths of a route: a parameter is anything between two slashes. */
export const pathPattern = (path: string) =>
  new RegExp(
    `^${withoutSlash(path)
      .split("/")
      .map((part) => (part.startsWith(":") ? "[^/]+" : escaped(part)))
      .join("/")}$`
  )

/** Addresses that no interface declares, with their methods. */
export type Pages = Readonly<Record<string, ReadonlyArray<string>>>

/** Makes the function that gives the methods of an address, sorted: those of these interfaces and of `pages`. HEAD goes wherever GET does. */
export const methodsOf = (apis: ReadonlyArray<Declared>, pages: Pages) => {
  const routes = endpointsOf(apis).map(({ method, path }) => ({ method, pattern: pathPattern(path) }))
  return (url: string): ReadonlyArray<string> => {
    const path = pathOf(url)
    const methods = new Set(Object.hasOwn(pages, path) ? pages[path] : [])
    for (const { method, pattern } of routes) if (pattern.test(path)) methods.add(method)
    if (methods.has("GET")) methods.add("HEAD")
    return [...methods].sort()
  }
}
