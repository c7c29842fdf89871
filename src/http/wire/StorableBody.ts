/**
 * Refuses bodies that cannot be stored, before their fields are checked. The database cannot hold NUL characters or halves of characters (lone
 * surrogates). A body that is nested too deeply is refused too, because later code and the database process it by recursion. The answer names the
 * field.
 */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { parsedJson } from "../../domain/basics/Json.ts"
import { isStorable } from "../../domain/basics/PlainText.ts"
import { isForm } from "../server/UwsBody.ts"
import { BadRequest } from "./Errors.ts"

/** JSON can contain both only as escapes. A match may also be half of an escaped whole character, so the parsed body is checked then. */
const suspicious = /\\u(?:0000|d[89a-f])/i
/** A path is not extended beyond this many characters. */
const longestPath = 200
/** Levels of nested objects and lists: many more than any valid request needs. */
const deepest = 100

/** The path of the first text or property name that cannot be stored; `undefined` when there is none. */
const unstorableIn = (body: unknown): string | undefined => {
  // Without recursion, because bodies may be deep.
  const waiting: Array<readonly [path: string, value: unknown]> = [["", body]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [path, value] = next
    if (typeof value === "string" && !isStorable(value)) return path
    if (typeof value !== "object" || value === null) continue
    for (const [name, inner] of Object.entries(value).reverse()) {
      if (!isStorable(name)) return path
      waiting.push([path.length > longestPath ? path : path === "" ? name : `${path}.${name}`, inner])
    }
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

/** The reason why the body cannot be stored, as a sentence; `undefined` when it can. */
const problemOf = (text: string): string | undefined => {
  const [strange, many] = [suspicious.test(text), opensMany(text)]
  if (!strange && !many) return undefined
  const body = parsedJson(text)
  const named = (field: string, problem: string) =>
    `${field === "" ? "The body" : field} is invalid: it must not ${problem}.`
  const path = strange ? unstorableIn(body) : undefined
  if (path !== undefined) return named(path, "contain NUL characters or halves of characters")
  const field = many ? tooDeepIn(body) : undefined
  return field === undefined ? undefined : named(field, `be nested deeper than ${deepest} levels`)
}

/** Runs `handler` when the whole body can be stored; fails with 400 otherwise. */
export const withStorableBody = <A, E, R>(handler: Effect.Effect<A, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    if (request.method === "GET" || isForm(request.headers)) return handler
    return Effect.flatMap(Effect.orDie(request.text), (text): Effect.Effect<A, E | BadRequest, R> => {
      const error = problemOf(text)
      return error === undefined ? handler : new BadRequest({ error })
    })
  })
