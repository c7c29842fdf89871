/** Annotates an endpoint whose answer holds secrets that are shown once: a repeated request gets them masked. */
import { Context } from "effect"
import { maskSecret } from "../../domain/basics/MaskedSecret.ts"

/** The secrets of an answer, by the path of their fields: `key`, `invitation.token`. */
export const ShownOnce = Context.Reference<ReadonlyArray<string>>("parley/http/ShownOnce", { defaultValue: () => [] })

const masked = (value: unknown, [field, ...deeper]: ReadonlyArray<string>): unknown => {
  if (field === undefined) return typeof value === "string" ? maskSecret(value) : value
  if (typeof value !== "object" || value === null || !(field in value)) return value
  return { ...value, [field]: masked(Reflect.get(value, field), deeper) }
}

/** A JSON document with these secrets masked. */
export const withoutSecrets = (json: string, paths: ReadonlyArray<string>): string =>
  paths.length === 0
    ? json
    : JSON.stringify(paths.reduce((document: unknown, path) => masked(document, path.split(".")), JSON.parse(json)))
