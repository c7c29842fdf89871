/**
 * What a route's schemas say about requests beyond what decoding checks: which fields and parameters there are, and whether the body may be absent.
 * Read-only fields of a record are known where the record is changed, so that what was read can be sent back; what they hold is ignored.
 */
import type { Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { either, type Shape, shapeOf, unknownField } from "./KnownFields.ts"
import { nearestName } from "./NearestName.ts"
import { bodyMayBeAbsent } from "./OptionalBody.ts"

export interface RequestRules {
  /** `undefined` when the body may have any fields, or there is none. */
  readonly body: Shape | undefined
  readonly parameters: ReadonlySet<string>
  /** Whether an empty body means a body without fields. */
  readonly bodyMayBeAbsent: boolean
}

type Endpoint = Pick<HttpApiEndpoint.Top, "annotations" | "method" | "payload" | "query" | "success">

/** The names that are listed in a sentence at most. */
const mostListed = 12

const jsonPayloads = ({ payload }: Endpoint): ReadonlyArray<Schema.Top> =>
  [...payload.values()].flatMap(({ encoding, schemas }) => (encoding._tag === "Json" ? schemas : []))

const bodyShape = (endpoint: Endpoint, payloads: ReadonlyArray<Schema.Top>): Shape | undefined => {
  const taken = shapeOf(...payloads)
  if (taken === undefined || (endpoint.method !== "PUT" && endpoint.method !== "PATCH")) return taken
  const shown = [...endpoint.success].map((schema) => shapeOf(schema))
  return shown.reduce<Shape>((all, shape) => (shape === undefined ? all : either(all, shape)), taken)
}

const make = (endpoint: Endpoint): RequestRules => {
  const payloads = jsonPayloads(endpoint)
  return {
    body: bodyShape(endpoint, payloads),
    parameters: new Set(endpoint.query === undefined ? [] : shapeOf(endpoint.query)?.fields.keys()),
    bodyMayBeAbsent: bodyMayBeAbsent(endpoint)
  }
}

const made = new WeakMap<Endpoint, RequestRules>()

/** The rules of an endpoint, which are made when it is first asked. */
export const rulesOf = (endpoint: Endpoint): RequestRules => {
  const known = made.get(endpoint)
  if (known !== undefined) return known
  const rules = make(endpoint)
  made.set(endpoint, rules)
  return rules
}

const instead = (name: string, known: ReadonlyArray<string>, kind: "fields" | "parameters"): string => {
  const nearest = nearestName(name, known)
  if (nearest !== undefined) return `Did you mean ${nearest}?`
  if (known.length === 0) return `There are no ${kind} here.`
  return known.length > mostListed ? `The documentation lists the ${kind}.` : `The ${kind} are ${known.join(", ")}.`
}

const shortened = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text)

/** The first field of a body that is not known, as sentences; `undefined` when all are. */
export const unknownFieldOf = ({ body }: RequestRules, value: unknown): string | undefined => {
  const found = unknownField(value, body)
  return found === undefined
    ? undefined
    : `${shortened(found.path)} is not a known field. ${instead(found.name, found.known, "fields")}`
}

/** The first parameter of a query that is not known, as sentences; `undefined` when all are. */
export const unknownParameterOf = ({ parameters }: RequestRules, query: object): string | undefined => {
  for (const name of Object.keys(query))
    if (!parameters.has(name))
      return `${shortened(name)} is not a known query parameter. ${instead(name, [...parameters], "parameters")}`
  return undefined
}
