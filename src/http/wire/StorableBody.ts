/**
 * Refuses bodies that cannot be stored, before their fields are checked. The database cannot hold NUL characters or halves of characters (lone
 * surrogates), and nobody writes other control characters than tabs and line breaks. A body that is nested too deeply is refused too, because later
 * code and the database process it by recursion. The answer names the field.
 */
import { parsedJson } from "../../domain/basics/Json.ts"
import { isWritable } from "../../domain/basics/PlainText.ts"

/** JSON can contain them only as escapes. A match may also be half of an escaped whole character, so the parsed body is checked then. */
const suspicious = /\\(?:[bf]|u(?:00[01]|d[89a-f]))/i
/** A path is not extended beyond this many characters. */
const longestPath = 200
/** Levels of nested objects and lists: many more than any valid request needs. */
const deepest = 100

/** A list or an object in a body, of which the values from `next` on are not looked at yet. */
interface Place {
  readonly value: Readonly<Record<string | number, unknown>> | ReadonlyArray<unknown>
  /** The names of the properties; `undefined` for a list. */
  readonly names: ReadonlyArray<string> | undefined
  readonly length: number
  /** Its name or number in the place around it. */
  readonly name: string | number
  next: number
}

const placeOf = (value: object, name: string | number): Place => {
  if (Array.isArray(value)) return { value, names: undefined, length: value.length, name, next: 0 }
  const names = Object.keys(value)
  return { value: value as Readonly<Record<string, unknown>>, names, length: names.length, name, next: 0 }
}

const pathOf = (places: ReadonlyArray<Place>, last?: string | number): string => {
  let path = ""
  for (const name of [...places.slice(1).map((place) => place.name), ...(last === undefined ? [] : [last])])
    if (path.length <= longestPath) path = path === "" ? String(name) : `${path}.${name}`
  return path
}

/** The path of the first text or property name that cannot be stored; `undefined` when there is none. */
const unstorableIn = (body: unknown): string | undefined => {
  if (typeof body === "string") return isWritable(body) ? undefined : ""
  if (typeof body !== "object" || body === null) return undefined
  // Without recursion, because bodies may be deep. Only the way to the current value is kept, because they may be wide.
  const places = [placeOf(body, "")]
  for (let around = places.at(-1); around !== undefined; around = places.at(-1)) {
    if (around.next === around.length) {
      places.pop()
      continue
    }
    const at = around.next++
    const name = around.names === undefined ? at : around.names[at]
    if (typeof name === "string" && !isWritable(name)) return pathOf(places)
    const inner = (around.value as Readonly<Record<string | number, unknown>>)[name]
    if (typeof inner === "string" && !isWritable(inner)) return pathOf(places, name)
    if (typeof inner === "object" && inner !== null) places.push(placeOf(inner, name))
  }
  return undefined
}

/** Whether the text has enough opening brackets to be too deep. Most bodies have fewer. */
const opensMany = (text: string): boolean => {
  let opened = 0
  for (let i = 0; i < text.length && opened <= deepest; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x5b || code === 0x7b) opened++
  }
  return opened > deepest
}

/** The top-level field that is nested too deeply; "" when its name is too long to show, `undefined` when none is. */
const tooDeepIn = (body: unknown): string | undefined => {
  const waiting: Array<readonly [field: string, depth: number, value: unknown]> = [["", 0, body]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [field, depth, value] = next
    if (typeof value !== "object" || value === null) continue
    if (depth === deepest) return field.length > longestPath ? "" : field
    for (const [name, inner] of Object.entries(value)) waiting.push([depth === 0 ? name : field, depth + 1, inner])
  }
  return undefined
}

/** Whether a body, as JSON, is nested deeper than later code can follow by recursion. */
export const isTooDeep = (text: string): boolean => opensMany(text) && tooDeepIn(parsedJson(text)) !== undefined

/** The reason why a body, as JSON, cannot be stored, as a sentence; `undefined` when it can. */
export const unstorable = (text: string): string | undefined => {
  const [strange, many] = [suspicious.test(text), opensMany(text)]
  if (!strange && !many) return undefined
  const body = parsedJson(text)
  const named = (field: string, problem: string) =>
    `${field === "" ? "The body" : field} is invalid: it must not ${problem}.`
  const path = strange ? unstorableIn(body) : undefined
  if (path !== undefined) return named(path, "contain control characters or halves of characters")
  const field = many ? tooDeepIn(body) : undefined
  return field === undefined ? undefined : named(field, `be nested deeper than ${deepest} levels`)
}
