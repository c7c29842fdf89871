/**
 * Client mistakes on every route. The requests are made from our OpenAPI description, so that new routes are covered: invalid keys, and invalid
 * values for every parameter and field. The answer is a refusal with one sentence, and nothing changes.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Scope } from "../../src/domain/people/access/Access.ts"
import { ApiKeys } from "../../src/domain/people/access/ApiKey.ts"
import { Organizations } from "../../src/domain/people/organizations/Organization.ts"
import { contents, type Messaging, startMessaging } from "../support/messaging.ts"
import { operatorHeaders } from "../support/operators.ts"

interface Parameter {
  readonly name: string
  readonly in: string
}
interface JsonSchema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, unknown>>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
}
interface Operation {
  readonly security?: ReadonlyArray<object>
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
}

interface Route {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

const refusals = [400, 401, 403, 404, 409]
/** Looks like one of our ids, but belongs to nothing. */
const foreignId = "cnt_01KAJ300000000000000000000"
const hostile = [
  foreignId,
  "'; DROP TABLE contacts; --",
  "<script>alert(1)</script>",
  "../../etc/passwd",
  "\u0000",
  "x".repeat(1_000)
]
const notMeant: ReadonlyArray<unknown> = [
  [[["deep"]]],
  { $gt: "" },
  "\u0000",
  "\ud800",
  -1e308,
  "x".repeat(70_000),
  "<script>alert('\u0007')</script>"
]

const withPath = (path: string, id: string): string => path.replace(/\{\w+\}/g, encodeURIComponent(id))

/** The fields of a JSON body, at every depth of the schema. */
const fieldsOf = (
  schema: JsonSchema | undefined,
  schemas: Readonly<Record<string, JsonSchema>>
): ReadonlyArray<string> => {
  if (schema === undefined) return []
  if (schema.$ref !== undefined) return fieldsOf(schemas[schema.$ref.split("/").at(-1) ?? ""], schemas)
  const parts = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap((part) => fieldsOf(part, schemas))
  return [...new Set([...Object.keys(schema.properties ?? {}), ...parts])]
}

/** The organization, and what an operator of the installation sends with each request. */
interface Seat extends Messaging {
  readonly operator: Readonly<Record<string, string>>
}

/** Whether the description says which scope a key needs. */
const namesScope = ({ security = [] }: Operation): boolean =>
  security.some((way) => Object.values(way).some((scopes) => Array.isArray(scopes) && scopes.length > 0))

const isOfOperators = (path: string): boolean => path.startsWith("/api/operator/")

/** With the organization's own key, routes of operators are asked by an operator. */
const ask = async (
  { base, key, operator }: Seat,
  method: string,
  path: string,
  options: { readonly key?: string; readonly body?: string } = {}
) => {
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(options.key === undefined
        ? {}
        : options.key === key && isOfOperators(path)
          ? operator
          : { authorization: `Bearer ${options.key}` }),
      ...(options.body === undefined ? {} : { "content-type": "application/json" })
    },
    ...(options.body === undefined ? {} : { body: options.body })
  })
  const text = await response.text()
  return { status: response.status, text }
}

/** What is wrong with a refusal. `undefined` when its status is one of these and its body is one sentence that says why. */
const wrongWith = (
  { status, text }: { readonly status: number; readonly text: string },
  allowed: ReadonlyArray<number>
) => {
  if (!allowed.includes(status)) return `${status} ${text.slice(0, 200)}`
  const body: unknown = JSON.parse(text)
  const sentence = typeof body === "object" && body !== null && "error" in body ? body.error : undefined
  return typeof sentence === "string" && sentence !== "" && Object.keys(body as object).length === 1
    ? undefined
    : `${status} without one sentence: ${text.slice(0, 200)}`
}

const story = (name: string, play: (messaging: Seat, routes: ReadonlyArray<Route>) => Promise<ReadonlyArray<string>>) =>
  it.live(
    name,
    () =>
      Effect.gen(function* () {
        const messaging = yield* startMessaging
        const routes = Object.entries(messaging.world.contract.document.paths).flatMap(([path, operations]) =>
          Object.entries(operations).map(([method, operation]) => ({
            method: method.toUpperCase(),
            path,
            operation: operation as Operation
          }))
        )
        const guarded = routes.filter(({ operation }) => (operation.security ?? []).length > 0)
        assert.isAbove(guarded.length, 75)
        yield* Effect.promise(() => messaging.conversation("+14155550123", "Hello?"))
        const before = yield* Effect.promise(() => contents(messaging))
        const seat = { ...messaging, operator: yield* Effect.promise(() => operatorHeaders(messaging)) }
        assert.deepStrictEqual(yield* Effect.promise(() => play(seat, guarded)), [])
        assert.strictEqual(yield* Effect.promise(() => contents(messaging)), before, "nothing has changed")
      }).pipe(Effect.scoped),
    240_000
  )

/** Sends the requests one after the other. Gives those that were not refused as they should be. */
const problemsOf = async (
  asked: Iterable<readonly [what: string, answer: () => ReturnType<typeof ask>, allowed: ReadonlyArray<number>]>
) => {
  const problems: Array<string> = []
  for (const [what, answer, allowed] of asked) {
    const problem = wrongWith(await answer(), allowed)
    if (problem !== undefined) problems.push(`${what}: ${problem}`)
  }
  return problems
}

describe("every route that needs a key", () => {
  story("refuses requests without a key, with an invalid key and with an expired key", async (messaging, routes) => {
    const { organizationId, run } = messaging
    const expired = await run(
      Effect.flatMap(ApiKeys, (keys) =>
        keys.create({ organizationId, name: "old", expiresAt: new Date(Date.now() - 1_000) })
      )
    )
    const keys = [undefined, "", "mk_00000000_nothing", "Bearer", "mk_1", "'; --", expired.secret]
    return problemsOf(
      routes.flatMap(({ method, path }) =>
        keys.map((key) => {
          const options = key === undefined ? {} : { key }
          return [
            `${method} ${path} ${key}`,
            () => ask(messaging, method, withPath(path, foreignId), options),
            [401]
          ] as const
        })
      )
    )
  })

  story("refuses a key whose scopes do not cover it", async (messaging, routes) => {
    const { secret: key } = await messaging.run(messaging.keyOf(messaging.organizationId, ["mcp"]))
    return problemsOf(
      routes.map(
        ({ method, path, operation }) =>
          [
            `${method} ${path}`,
            () =>
              ask(messaging, method, withPath(path, foreignId), { key, ...(method === "GET" ? {} : { body: "{" }) }),
            // What a route without a scope needs depends on the record or the person; there an invalid body may be refused first.
            isOfOperators(path) ? [401] : namesScope(operation) ? [403] : [400, 403]
          ] as const
      )
    )
  })

  story("refuses unknown ids and malformed ids", async (messaging, routes) => {
    const { key } = messaging
    return problemsOf(
      routes
        .filter(({ path }) => path.includes("{"))
        .flatMap(({ method, path }) =>
          hostile.map((id) => {
            const body = method === "GET" || method === "DELETE" ? {} : { body: "{}" }
            return [
              `${method} ${path} ${id.slice(0, 30)}`,
              () => ask(messaging, method, withPath(path, id), { key, ...body }),
              refusals
            ] as const
          })
        )
    )
  })

  story("refuses invalid pages and limits", async (messaging, routes) => {
    const { key } = messaging
    const wrong = ["-1", "0", "9e99", "1.5", "NaN", "", "x", "1'--"]
    return problemsOf(
      routes.flatMap(({ method, path, operation }) =>
        (operation.parameters ?? [])
          .filter(({ name, in: place }) => place === "query" && (name === "page" || name === "limit"))
          .flatMap(({ name }) =>
            wrong.map(
              (value) =>
                [
                  `${method} ${path}?${name}=${value}`,
                  () =>
                    ask(messaging, method, `${withPath(path, foreignId)}?${name}=${encodeURIComponent(value)}`, {
                      key
                    }),
                  [400, 403]
                ] as const
            )
          )
      )
    )
  })

  story("refuses bodies that are not JSON, too large, or nested too deep", async (messaging, routes) => {
    const { key } = messaging
    const bodies = {
      "no JSON": "{",
      "a list": "[]",
      "a text": '"x"',
      "10 MB": JSON.stringify({ name: "x".repeat(10_000_000) }),
      deep: `{"name":${"[".repeat(20_000)}${"]".repeat(20_000)}}`
    }
    return problemsOf(
      routes
        .filter(({ operation }) => operation.requestBody?.content["application/json"] !== undefined)
        .flatMap(({ method, path }) =>
          Object.entries(bodies).map(
            ([what, body]) =>
              [
                `${method} ${path} ${what}`,
                () => ask(messaging, method, withPath(path, foreignId), { key, body }),
                // Where the body is optional and the field unknown, the route goes on and looks for the record.
                what === "deep" ? [400, 403, 404] : [400, 403]
              ] as const
          )
        )
    )
  })

  story("refuses bodies that the database cannot hold, and names the field", async (messaging, routes) => {
    const { organizationId, run, keyOf } = messaging
    // Scope and plan are checked before the body.
    await run(Effect.flatMap(Organizations, ({ setPlan }) => setPlan(organizationId, "ENTERPRISE", true)))
    const { secret: key } = await run(keyOf(organizationId, Scope.literals))
    const bodies = ["\\u0000", "\\ud800", "\\uDC00"].map((text) => `{"a":{"b":["fine \\ud83d\\ude42","x${text}"]}}`)
    // A file is taken row by row, and refuses single rows.
    const takesFile = ({ operation }: Route) => operation.requestBody?.content["text/csv"] !== undefined
    const changing = routes.filter((route) => route.method !== "GET" && route.method !== "DELETE" && !takesFile(route))
    assert.isAbove(changing.length, 30)
    const asked = changing.flatMap(({ method, path }) =>
      bodies.map(async (body) => {
        const { status, text } = await ask({ ...messaging, key }, method, withPath(path, foreignId), { key, body })
        return status === 400 && text.includes("a.b.1 is invalid") ? [] : [`${method} ${path}: ${status} ${text}`]
      })
    )
    return (await Promise.all(asked)).flat()
  })

  story("refuses an invalid value in every field", async (messaging, routes) => {
    const { key, world } = messaging
    const schemas = (world.contract.document.components as { readonly schemas: Readonly<Record<string, JsonSchema>> })
      .schemas
    return problemsOf(
      routes.flatMap(({ method, path, operation }) =>
        fieldsOf(operation.requestBody?.content["application/json"]?.schema, schemas).flatMap((field) =>
          notMeant.map(
            (value, which) =>
              [
                `${method} ${path} ${field} (${which})`,
                () =>
                  ask(messaging, method, withPath(path, foreignId), { key, body: JSON.stringify({ [field]: value }) }),
                refusals
              ] as const
          )
        )
      )
    )
  })
})
