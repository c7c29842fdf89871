/** Shared by the admin commands: finding the organization, printing the answer, and refusing. */
import { Console, Effect, Schema } from "effect"
import { CliError, Flag } from "effect/cli"
import { Organizations } from "../../domain/people/organizations/Organization.ts"

/** A refusal. The operator sees its message. */
export class AdminError extends Schema.TaggedError<AdminError>()("AdminError", { message: Schema.String }) {
  override get [CliError.userMessage]() {
    return this.message
  }
}

/** Turns a use case's refusal into an `AdminError` with the same message. */
export const explained = <A, E extends { readonly message: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.mapError(effect, ({ message }) => new AdminError({ message }))

export const json = Flag.Boolean("json").pipe(Flag.withDescription("Print one JSON object"), Flag.withDefault(false))

export const organization = Flag.String("organization").pipe(Flag.withDescription("Id of the organization (org_…)"))

/** The organization with this id. Fails with an `AdminError` when there is none. */
export const existing = Effect.fnUntraced(function* (organizationId: string) {
  const organizations = yield* Organizations
  const found = yield* organizations.find(organizationId)
  return found ?? (yield* new AdminError({ message: `There is no organization ${organizationId}.` }))
})

/** Prints the result: as one JSON object, or one field per line. */
export const answer = (asJson: boolean, result: Readonly<Record<string, unknown>>): Effect.Effect<void> => {
  if (asJson) return Console.log(JSON.stringify(result))
  const shown = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value))
  const width = Math.max(...Object.keys(result).map((key) => key.length))
  return Console.log(
    Object.entries(result)
      .map(([key, value]) => `${key.padEnd(width)}  ${shown(value)}`)
      .join("\n")
  )
}
