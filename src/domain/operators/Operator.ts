/**
 * An operator runs the installation: decides plans and flags of all organizations, and looks after providers and nodes. Operators belong to no
 * organization, and no person and no key of an organization is one. They are made at the command line only.
 */
import { Context, type Effect, Schema } from "effect"
import { exampleIds } from "../basics/Examples.ts"
import type { PasswordsBusy } from "../people/access/User.ts"

export const Operator = Schema.Struct({
  id: Schema.String,
  email: Schema.String,
  name: Schema.String,
  createdAt: Schema.String
}).annotate({
  title: "Operator",
  examples: [
    {
      id: exampleIds.operator,
      email: "noor@parley.example",
      name: "Noor Haddad",
      createdAt: "2026-11-20T08:00:00.000Z"
    }
  ]
})
export type Operator = typeof Operator.Type

/** An operator whose password was checked. */
export interface VerifiedOperator {
  readonly operator: Operator
  /** Changes with the password. A session begins only while it is the same. */
  readonly passwordMark: string
}

/** Another operator signs in with this address. */
export class DuplicateOperator extends Schema.TaggedError<DuplicateOperator>()("DuplicateOperator", {
  email: Schema.String
}) {}

/** Port of the stored operators and their passwords. */
export class Operators extends Context.Service<
  Operators,
  {
    /** Slow, and waits for other hashes: call it before a transaction begins. */
    readonly hash: (password: string) => Effect.Effect<string, PasswordsBusy>
    readonly create: (
      input: Pick<Operator, "email" | "name"> & { readonly passwordHash: string }
    ) => Effect.Effect<Operator, DuplicateOperator>
    /** The operator with this address and password. Takes as long for an unknown address as for a wrong password. */
    readonly verify: (email: string, password: string) => Effect.Effect<VerifiedOperator | undefined, PasswordsBusy>
    readonly findByEmail: (email: string) => Effect.Effect<Operator | undefined>
    /** By name. */
    readonly list: Effect.Effect<ReadonlyArray<Operator>>
    /** Sets the password and ends the sessions; gives how many ended. */
    readonly setPassword: (operatorId: string, passwordHash: string) => Effect.Effect<number>
    /** They cannot sign in any more, and their sessions end. What they did stays under their name. */
    readonly remove: (operatorId: string) => Effect.Effect<void>
  }
>()("parley/domain/Operators") {}
