/**
 * The largest body of a route. A route that takes more or less than the default declares it beside its payload: `.annotateMerge(bodyLimit(bytes))`.
 * The server asks the table that is made of these declarations before any byte of a body is kept.
 */
import { Context } from "effect"
import { OpenApi } from "effect/http-api"
import { defaultBodyLimit } from "../server/UwsHttpServer.ts"
import { type Declared, endpointsOf, pathOf, pathPattern, withoutSlash } from "./RoutePatterns.ts"

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

/** Makes the function that gives the limit of a request, in bytes, from the declarations of these interfaces. */
export const bodyLimitsOf = (...apis: ReadonlyArray<Declared>): ((method: string, url: string) => number) => {
  const fixed = new Map<string, number>()
  const patterns = new Map<string, Array<readonly [RegExp, number]>>()
  for (const { method, path, annotations } of endpointsOf(apis)) {
    const bytes = Context.get(annotations, BodyLimit)
    if (bytes === defaultBodyLimit) continue
    if (!path.includes(":")) fixed.set(`${method} ${withoutSlash(path)}`, bytes)
    else patterns.set(method, [...(patterns.get(method) ?? []), [pathPattern(path), bytes]])
  }
  return (method, url) => {
    const path = pathOf(url)
    const known = fixed.get(`${method} ${path}`)
    if (known !== undefined) return known
    for (const [pattern, bytes] of patterns.get(method) ?? []) if (pattern.test(path)) return bytes
    return defaultBodyLimit
  }
}
