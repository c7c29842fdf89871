/** The scope that a key or role needs, as part of the security of each operation. */
import { scopesNamed } from "../wire/caller/CallerNeeds.ts"

interface Operation {
  readonly description?: string
  readonly security?: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>
}

const forPeople = "Needs a session."

/** Adds its scope to the security of an operation, and leaves out keys where only a person may ask. Without a scope any key or session will do. */
export const withScope = <Given extends Operation>(operation: Given): Given => {
  const { description = "", security } = operation
  if (security === undefined || security.length === 0) return operation
  const ways = description.includes(forPeople) ? security.filter((way) => Object.hasOwn(way, "session")) : security
  const scopes = scopesNamed(description).slice(0, 1)
  return {
    ...operation,
    security: ways.map((way) => Object.fromEntries(Object.keys(way).map((scheme) => [scheme, scopes])))
  }
}
