/**
 * Which changes of a schema break a client. A schema of a request must go on taking what it took. A schema of an answer must go on giving what a client
 * reads: new fields and new values of a list of words may come, as the changelog says.
 */
import { type JsonSchema, nameInRef } from "./OpenApiDocument.ts"

type Schemas = Readonly<Record<string, JsonSchema>>

/** `taken`: of requests. `given`: of answers and webhooks. */
export type Direction = "taken" | "given"

export interface BreakingChange {
  /** `POST /api/messaging-api/contacts`, or the name of a schema that is used in several places. */
  readonly place: string
  /** `contact.tags[]`; empty: the whole. */
  readonly field: string
  /** What is different, as the end of a sentence: `is not answered any more`. */
  readonly change: string
}

/** Where a schema is, for the message. */
interface At {
  readonly place: string
  readonly field: string
}

const within = ({ place, field }: At, name: string): At => ({ place, field: field === "" ? name : `${field}.${name}` })

/** A schema without references and choices: one of the shapes that a value may have. */
interface Shape extends JsonSchema {
  readonly anyOf?: never
  readonly oneOf?: never
  readonly allOf?: never
  readonly $ref?: never
  /** The name of the schema that it comes from, if it has one. */
  readonly from?: string
  /** Which of the shapes of that schema it is. */
  readonly number?: number
}

const least = (...values: ReadonlyArray<number | undefined>) => {
  const given = values.filter((value) => value !== undefined)
  return given.length === 0 ? {} : { value: Math.min(...given) }
}
const most = (...values: ReadonlyArray<number | undefined>) => {
  const given = values.filter((value) => value !== undefined)
  return given.length === 0 ? {} : { value: Math.max(...given) }
}

const lowerBounds = ["minLength", "minItems", "minimum", "exclusiveMinimum"] as const
const upperBounds = ["maxLength", "maxItems", "maximum", "exclusiveMaximum"] as const

/** Both at once. */
const merged = (one: JsonSchema, other: JsonSchema): JsonSchema => {
  const bounds = [
    ...lowerBounds.map((name) => [name, most(one[name], other[name]).value] as const),
    ...upperBounds.map((name) => [name, least(one[name], other[name]).value] as const)
  ].filter(([, value]) => value !== undefined)
  const required = [...new Set([...(one.required ?? []), ...(other.required ?? [])])]
  return {
    ...one,
    ...other,
    ...(one.properties === undefined && other.properties === undefined
      ? {}
      : { properties: { ...one.properties, ...other.properties } }),
    ...(required.length === 0 ? {} : { required }),
    ...Object.fromEntries(bounds)
  }
}

/** The shapes that a value of this schema may have. */
const shapesOf = (schema: JsonSchema, schemas: Schemas, seen: ReadonlyArray<string> = []): ReadonlyArray<Shape> => {
  const { $ref, anyOf, oneOf, allOf, const: only, ...plain } = schema
  if ($ref !== undefined) {
    const name = nameInRef($ref)
    if (seen.includes(name)) return []
    return shapesOf(schemas[name] ?? {}, schemas, [...seen, name]).map((shape, number) => ({
      ...shape,
      from: name,
      number
    }))
  }
  if (only !== undefined) return shapesOf({ ...plain, enum: [only] }, schemas, seen)
  if (allOf !== undefined) {
    const parts = allOf.reduce<ReadonlyArray<JsonSchema>>(
      (left, part) => left.flatMap((one) => shapesOf(part, schemas, seen).map((other) => merged(one, other))),
      [{ ...plain, ...(anyOf === undefined ? {} : { anyOf }), ...(oneOf === undefined ? {} : { oneOf }) }]
    )
    return parts.flatMap((part) => shapesOf(part, schemas, seen))
  }
  const choices = anyOf ?? oneOf
  if (choices === undefined) return [plain]
  const shapes = choices
    .flatMap((choice) => shapesOf(choice, schemas, seen))
    .map((choice) => merged(plain, choice) as Shape)
  // Lists of words in several places are one list.
  const words = shapes.filter(({ enum: values, properties }) => values !== undefined && properties === undefined)
  if (words.length < 2) return shapes
  const types = new Set(words.map(({ type }) => type))
  if (types.size > 1) return shapes
  return [
    { ...words[0], enum: words.flatMap(({ enum: values = [] }) => values) },
    ...shapes.filter((shape) => !words.includes(shape))
  ]
}

const typeOf = ({ type, properties, enum: values }: Shape): string | undefined =>
  type ?? (properties !== undefined ? "object" : values !== undefined ? typeof values[0] : undefined)

const wordOf = (schema: JsonSchema | undefined): unknown =>
  schema?.const ?? (schema?.enum?.length === 1 ? schema.enum[0] : undefined)

/** The fields that have one value only, by which records are told apart: `type=text`. */
const tagsOf = ({ properties = {} }: Shape): ReadonlyArray<string> =>
  Object.entries(properties).flatMap(([name, schema]) =>
    wordOf(schema) === undefined ? [] : [`${name}=${JSON.stringify(wordOf(schema))}`]
  )

const isRecord = ({ properties }: Shape): boolean => properties !== undefined

/** Whether records of several kinds are told apart by tags. */
const areTagged = (olds: ReadonlyArray<Shape>, nows: ReadonlyArray<Shape>): boolean =>
  [olds, nows].some((shapes) => shapes.filter(isRecord).length > 1) &&
  [...olds, ...nows].filter(isRecord).every((shape) => tagsOf(shape).length > 0)

/** How like each other two shapes are: the likest one is the one that is meant. */
const likeness = (one: Shape, other: Shape): number => {
  if (typeOf(one) !== typeOf(other)) return typeOf(one) === undefined || typeOf(other) === undefined ? 1 : 0
  const tags = tagsOf(other)
  const fields = Object.keys(other.properties ?? {})
  const shared = Object.keys(one.properties ?? {}).filter((name) => fields.includes(name)).length
  return 2 + 1_000 * tagsOf(one).filter((tag) => tags.includes(tag)).length + shared
}

const shown = (shape: Shape): string => {
  const [tag] = tagsOf(shape)
  if (tag !== undefined) return `the kind ${tag}`
  return shape.enum !== undefined
    ? shape.enum.map((value) => JSON.stringify(value)).join(", ")
    : (typeOf(shape) ?? "anything")
}

/** Compares schemas of two documents. */
export const schemaChanges = (before: Schemas, after: Schemas) => {
  const known = new Map<string, ReadonlyArray<BreakingChange>>()

  /** Those of a schema with a name are told of that name, and found once. */
  const compareShapes = (direction: Direction, old: Shape, now: Shape, at: At): ReadonlyArray<BreakingChange> => {
    const name = now.from ?? old.from
    if (old.from === undefined || now.from === undefined)
      return compareParts(direction, old, now, name === undefined ? at : { place: name, field: "" })
    const key = [direction, old.from, old.number, now.from, now.number].join(" ")
    const told = known.get(key)
    if (told !== undefined) return told
    // A schema that refers to itself is the same there, if it is the same elsewhere.
    known.set(key, [])
    const found = compareParts(direction, old, now, { place: now.from, field: "" })
    known.set(key, found)
    return found
  }

  const compareParts = (direction: Direction, old: Shape, now: Shape, at: At): ReadonlyArray<BreakingChange> => {
    const change = (text: string): BreakingChange => ({ ...at, change: text })
    const [oldType, nowType] = [typeOf(old), typeOf(now)]
    const [wide, narrow] = direction === "taken" ? [nowType, oldType] : [oldType, nowType]
    if (wide === undefined) return []
    if (wide !== narrow && !(wide === "number" && narrow === "integer"))
      return [change(`is ${nowType ?? "anything"} instead of ${oldType ?? "anything"}`)]
    return [
      ...words(direction, old, now).map(change),
      ...(direction === "taken" ? bounds(old, now).map(change) : []),
      ...formats(direction, old, now).map(change),
      ...arrays(direction, old, now, at),
      ...records(direction, old, now, at)
    ]
  }

  const words = (direction: Direction, old: Shape, now: Shape): ReadonlyArray<string> => {
    if (old.enum === undefined)
      return direction === "taken" && now.enum !== undefined ? ["takes only some words now"] : []
    const values = now.enum
    if (values === undefined) return direction === "given" ? ["is any text now"] : []
    const lost = old.enum.filter((value) => !values.includes(value))
    return lost.map((value) => `${JSON.stringify(value)} is not ${direction} any more`)
  }

  const bounds = (old: Shape, now: Shape): ReadonlyArray<string> => [
    ...lowerBounds
      .filter(
        (name) =>
          now[name] !== undefined &&
          (old[name] ?? (name === "minLength" || name === "minItems" ? 0 : -Infinity)) < now[name]
      )
      .map((name) => `${name} is ${now[name]} instead of ${old[name] ?? "none"}`),
    ...upperBounds
      .filter((name) => now[name] !== undefined && (old[name] ?? Infinity) > now[name])
      .map((name) => `${name} is ${now[name]} instead of ${old[name] ?? "none"}`)
  ]

  const formats = (direction: Direction, old: Shape, now: Shape): ReadonlyArray<string> =>
    (["pattern", "format"] as const)
      .filter((name) => old[name] !== now[name] && (direction === "taken" ? now : old)[name] !== undefined)
      .map((name) => `${name} is ${now[name] ?? "none"} instead of ${old[name] ?? "none"}`)

  const arrays = (direction: Direction, old: Shape, now: Shape, at: At): ReadonlyArray<BreakingChange> => {
    if (typeOf(old) !== "array" || typeOf(now) !== "array") return []
    const itemsOf = ({ items, prefixItems }: Shape): JsonSchema =>
      typeof items === "object" ? items : (prefixItems?.[0] ?? {})
    return compare(direction, itemsOf(old), itemsOf(now), { ...at, field: `${at.field}[]` })
  }

  const records = (direction: Direction, old: Shape, now: Shape, at: At): ReadonlyArray<BreakingChange> => {
    if (typeOf(old) !== "object" || typeOf(now) !== "object") return []
    const [had, has] = [old.properties ?? {}, now.properties ?? {}]
    const [wasRequired, isRequired] = [new Set(old.required), new Set(now.required)]
    const found: Array<BreakingChange> = []
    const note = (name: string, change: string) => found.push({ ...within(at, name), change })
    for (const [name, schema] of Object.entries(had)) {
      if (has[name] !== undefined) found.push(...compare(direction, schema, has[name], within(at, name)))
      else if (typeof now.additionalProperties === "object")
        found.push(...compare(direction, schema, now.additionalProperties, within(at, name)))
      else if (direction === "given") note(name, "is not answered any more")
      else if (now.additionalProperties === false) note(name, "is not taken any more")
      if (direction === "given" && wasRequired.has(name) && !isRequired.has(name) && has[name] !== undefined)
        note(name, "may be missing now")
    }
    if (direction === "taken") for (const name of isRequired) if (!wasRequired.has(name)) note(name, "is required now")
    return [...found, ...others(direction, old, now, at)]
  }

  /** Fields that have no name in the schema. */
  const others = (direction: Direction, old: Shape, now: Shape, at: At): ReadonlyArray<BreakingChange> => {
    const [had, has] = [old.additionalProperties ?? true, now.additionalProperties ?? true]
    if (typeof had === "object" && typeof has === "object") return compare(direction, had, has, within(at, "*"))
    if (direction === "given") {
      const lost = typeof had === "object" && (has === true || Object.keys(now.properties ?? {}).length === 0)
      return lost ? [{ ...within(at, "*"), change: "is something else now" }] : []
    }
    if (had === false || has === true) return []
    if (has === false) return [{ ...within(at, "*"), change: "further fields are not taken any more" }]
    return had === true ? compare(direction, {}, has, within(at, "*")) : []
  }

  /** The breaking changes from one schema to another. */
  const compare = (direction: Direction, old: JsonSchema, now: JsonSchema, at: At): ReadonlyArray<BreakingChange> => {
    const [olds, nows] = [shapesOf(old, before), shapesOf(now, after)]
    const [asked, offered] = direction === "taken" ? [olds, nows] : [nows, olds]
    const ordered = (one: Shape, other: Shape) =>
      direction === "taken" ? compareShapes(direction, one, other, at) : compareShapes(direction, other, one, at)
    const tagged = areTagged(olds, nows)
    const matched = new Set<Shape>()
    const found = asked.flatMap((one) => {
      const likest = offered.toSorted((a, b) => likeness(one, b) - likeness(one, a))
      const tagsDiffer =
        tagged && isRecord(one) && !likest.some((other) => tagsOf(other).some((tag) => tagsOf(one).includes(tag)))
      // A new kind of record in an answer is like a new word.
      if (direction === "given" && tagsDiffer) return []
      const fitting = likest.find((other) => ordered(one, other).length === 0)
      if (fitting !== undefined) {
        matched.add(fitting)
        return []
      }
      const nearest = likest.at(0)
      const isOther = asked.length + offered.length > 2 && (nearest === undefined || likeness(one, nearest) === 0)
      if (nearest === undefined || isOther || tagsDiffer)
        return [
          { ...at, change: direction === "taken" ? `${shown(one)} is not taken any more` : `may be ${shown(one)} now` }
        ]
      matched.add(nearest)
      return ordered(one, nearest)
    })
    const lost =
      direction === "given" && tagged ? offered.filter((shape) => isRecord(shape) && !matched.has(shape)) : []
    return [...found, ...lost.map((shape) => ({ ...at, change: `${shown(shape)} is not given any more` }))]
  }

  return compare
}
