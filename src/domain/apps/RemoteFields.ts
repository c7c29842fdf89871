/** The fields of contacts that a provider has, as its own schema says, and whether a mapping of ours fits them. */
import { Effect, Schema } from "effect"
import { AppFailure, type AppSession } from "./AppSession.ts"

export const RemoteField = Schema.Struct({
  /** What a mapping calls it. */
  name: Schema.String,
  label: Schema.String,
  /** In the provider's words. */
  type: Schema.String,
  /** Whether a mapping can name it. */
  writable: Schema.Boolean
}).annotate({
  title: "IntegrationRemoteField",
  examples: [{ name: "Tags__c", label: "Tags", type: "multipicklist", writable: true }]
})
export type RemoteField = typeof RemoteField.Type

/** Why the mapping does not fit, as a sentence. */
export const mappingProblem = (
  title: string,
  mapping: Readonly<Record<string, string>>,
  fields: ReadonlyArray<RemoteField>
): string | undefined => {
  const strange = Object.values(mapping).find((name) => !fields.some((field) => field.name === name && field.writable))
  return strange === undefined
    ? undefined
    : `settings.mapping is invalid: contacts in ${title} have no property ${strange} that can be written.`
}

/** Fails when the mapping of the session does not fit the provider's own schema. */
export const checkMapping = (
  fields: ((session: AppSession) => Effect.Effect<ReadonlyArray<RemoteField>, AppFailure>) | undefined,
  title: string,
  session: AppSession
) => {
  const { mapping } = session.settings
  if (fields === undefined || typeof mapping !== "object" || Object.keys(mapping).length === 0) return Effect.void
  return Effect.flatMap(fields(session), (known) => {
    const message = mappingProblem(title, mapping, known)
    return message === undefined ? Effect.void : Effect.fail(new AppFailure({ action: "give_up", message }))
  })
}
