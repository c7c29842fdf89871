/**
 * What clients send is written down as it is, and the database holds neither NUL nor halves of characters: a body that has one anywhere is refused
 * before its fields are looked at, with the field's name. So is one that is nested deeper than what reads and writes it later can follow: that
 * goes down by recursion, here and in the database.
 */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { parsedJson } from "../../domain/basics/Json.ts"
import { isStorable } from "../../domain/basics/PlainText.ts"
import { isForm } from "../server/UwsBodyStream.ts"
import { BadRequest } from "./Errors.ts"

/** Neither can stand in JSON but as an escape; whoever escapes whole characters too has them looked at below. */
const suspicious = /\\u(?:0000|d[89a-f])/i
/** Longer paths end where they are long enough. */
const longestPath = 200
/** Levels of objects and lists within each other: many more than anything that is sent needs. */
const deepest = 100

/** Where in it the first such text is, also as a name; `undefined` when there is none. */
const unstorableIn = (body: unknown): string | undefined => {
  // Not by recursion: bodies may be deep.
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

/** Whether it may be that deep: most bodies do not open that much. */
const opensMany = (text: string): boolean => {
  let opened = 0
  for (let i = 0; i < text.length && opened <= deepest; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x5b || code === 0x7b) opened++
  }
  return opened > deepest
}

/** Which of its fields is too deep, "" when that has no name to be told; `undefined` when none is. */
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

/** Why the body cannot be stored, as a sentence. */
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

/** Goes on to `handler` when all of the body can be stored. */
export const withStorableBody = <A, E, R>(handler: Effect.Effect<A, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    if (request.method === "GET" || isForm(request.headers)) return handler
    return Effect.flatMap(Effect.orDie(request.text), (text): Effect.Effect<A, E | BadRequest, R> => {
      const error = problemOf(text)
      return error === undefined ? handler : new BadRequest({ error })
    })
  })
