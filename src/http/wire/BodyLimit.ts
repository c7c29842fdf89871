/**
 * The largest body of a route. A route that takes more or less than the default declares it beside its payload: `.annotateMerge(bodyLimit(bytes))`.
 * The server asks the table that is made of these declarations before any byte of a body is kept.
 */
import { Context } from "effect"
import { OpenApi } from "effect/http-api"
import { defaultBodyLimit } from "../server/UwsHttpServer.ts"

/** In bytes. */
const BodyLimit = Context.Reference<number>("parley/http/BodyLimit", { defaultValue: () => defaultBodyLimit })

/** The annotation of an endpoint that takes bodies up to `bytes`. `/openapi.json` shows it as `x-max-body-bytes`. */
export const bodyLimit = (bytes: number) =>
  Context.add(
    OpenApi.annotations({
      transform: (operation) =>
        operation.requestBody === undefined ? operation : { ...operation, "x-max-body-bytes": bytes }
    }),
    BodyLimit,
    bytes
  )

interface Endpoint {
  readonly method: string
  readonly path: string
  readonly annotations: Context.Context<never>
}
/** What is read of an `HttpApi`. */
interface Declared {
  readonly groups: Readonly<Record<string, { readonly endpoints: Readonly<Record<string, Endpoint>> }>>
}

const withoutSlash = (path: string) => (path.endsWith("/") && path !== "/" ? path.slice(0, -1) : path)
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** A regular expression for the paths of a route: a parameter is anything between two slashes. */
const pathPattern = (path: string) =>
  new RegExp(
    `^${withoutSlash(path)
      .split("/")
      .map((part) => (part.startsWith(":") ? "[^/]+" : escaped(part)))
      .join("/")}$`
  )

/** Makes the function that gives the limit of a request, in bytes, from the declarations of these interfaces. */
export const bodyLimitsOf = (...apis: ReadonlyArray<Declared>): ((method: string, url: string) => number) => {
  const fixed = new Map<string, number>()
  const patterns = new Map<string, Array<readonly [RegExp, number]>>()
  const groups = apis.flatMap((api) => Object.values(api.groups))
  for (const { method, path, annotations } of groups.flatMap(({ endpoints }) => Object.values(endpoints))) {
    const bytes = Context.get(annotations, BodyLimit)
    if (bytes === defaultBodyLimit) continue
    if (!path.includes(":")) fixed.set(`${method} ${withoutSlash(path)}`, bytes)
    else patterns.set(method, [...(patterns.get(method) ?? []), [pathPattern(path), bytes]])
  }
  return (method, url) => {
    const query = url.indexOf("?")
    const path = withoutSlash(query === -1 ? url : url.slice(0, query))
    const known = fixed.get(`${method} ${path}`)
    if (known !== undefined) return known
    for (const [pattern, bytes] of patterns.get(method) ?? []) if (pattern.test(path)) return bytes
    return defaultBodyLimit
  }
}
