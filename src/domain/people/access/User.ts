/** The people of an organization, and the port of the stored ones with their passwords and invitations. */
import { Context, type Effect, Schema } from "effect"
import { isEmail, longestEmail, noEmail } from "../../basics/Email.ts"
import { exampleIds } from "../../basics/Examples.ts"
import type { Page } from "../../basics/Listing.ts"
import { Role } from "./Access.ts"

/** 409: a person of this organization has this e-mail address. */
export class DuplicateUser extends Schema.TaggedError<DuplicateUser>()("DuplicateUser", { email: Schema.String }) {}

export interface User {
  readonly organizationId: string
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
}

/** A person whose password was checked. */
export interface VerifiedUser {
  readonly user: User
  /** Changes with the password. A session begins only while it is the same. */
  readonly passwordMark: string
}

/**
 * The lower-case form of an e-mail address, under which sign-in attempts are counted. The lookup of people uses the same form, not the database's own
 * case folding (it may fold `İ` to `i`): an address that only the database folds would have a count of its own.
 */
export const addressKey = (email: string): string => email.toLowerCase()

/** The address of a new person. A sign-in also accepts addresses from before this rule, see `groups/session`. */
export const Email = Schema.String.check(
  Schema.isMaxLength(longestEmail),
  Schema.makeFilter((text: string) => isEmail(text) || noEmail)
)

export const shortestPassword = 10
export const longestPassword = 1_000

/** A new password. Its shortest length counts code points, not UTF-16 units. */
export const Password = Schema.String.check(
  Schema.isMaxLength(longestPassword),
  Schema.makeFilter(
    (text: string) => [...text].length >= shortestPassword || `must have at least ${shortestPassword} characters.`
  )
)

/** A person as other people see them. */
export const Person = Schema.Struct({
  id: Schema.String,
  email: Schema.String,
  name: Schema.String,
  role: Role,
  /** `invited`: has not chosen a password yet. `deactivated`: can no longer sign in. */
  status: Schema.Literals(["active", "invited", "deactivated"]),
  createdAt: Schema.String,
  updatedAt: Schema.String
}).annotate({
  title: "User",
  examples: [
    {
      id: exampleIds.colleague,
      email: "ben@maplebooks.example",
      name: "Ben Ortiz",
      role: "AGENT",
      status: "active",
      createdAt: "2026-11-20T08:05:00.000Z",
      updatedAt: "2026-11-20T08:05:00.000Z"
    }
  ]
})
export type Person = typeof Person.Type

/** What everybody in an organization may know of a person: enough to assign a conversation. */
export const Colleague = Schema.Struct({ id: Schema.String, name: Schema.String }).annotate({
  title: "Colleague",
  examples: [{ id: exampleIds.colleague, name: "Ben Ortiz" }]
})
export type Colleague = typeof Colleague.Type

export interface PersonChanges {
  readonly name?: string
  readonly role?: Role
  readonly active?: boolean
}

/** The stored hash of a password. */
export interface PasswordHash {
  readonly stored: string
}

export interface NewPerson extends Omit<User, "id"> {
  /** Without a password the person is invited. */
  readonly passwordHash?: PasswordHash
}

/** 409: without this person the organization would have no OWNER who can sign in. */
export class LastOwner extends Schema.TaggedError<LastOwner>()("LastOwner", { userId: Schema.String }) {}

/** 429: too many passwords are hashed at this moment; a second later it may work. */
export class PasswordsBusy extends Schema.TaggedError<PasswordsBusy>()("PasswordsBusy", {}) {}

/** A changed person, and what the change did to the keys that they made. */
export interface ChangedPerson {
  readonly person: Person
  /** The ids of the keys that ended. */
  readonly endedKeys: ReadonlyArray<string>
  /** The keys that lost scopes: their scopes before and after. */
  readonly narrowedKeys: ReadonlyArray<{
    readonly id: string
    readonly before: ReadonlyArray<string>
    readonly after: ReadonlyArray<string>
  }>
}

/** Port of the stored people, their passwords and invitations. */
export class Users extends Context.Service<
  Users,
  {
    /**
     * Hashes a password for this person. It is slow and waits for other hashes, so call it before a transaction begins. If people of other
     * organizations have the address, the hash gets their salt: then signing in takes equally long for an address of one or of several
     * organizations. Otherwise the salt is new.
     */
    readonly hash: (
      password: string,
      person: Pick<User, "organizationId" | "email">
    ) => Effect.Effect<PasswordHash, PasswordsBusy>
    readonly create: (input: NewPerson) => Effect.Effect<{ readonly id: string }, DuplicateUser>
    /** The people with this address, of all organizations and in any case of letters, the oldest first; never a deactivated person. */
    readonly findByEmail: (email: string) => Effect.Effect<ReadonlyArray<User>>
    /**
     * The person with this address and password. Of several organizations' people with both, the oldest. Takes as long for an unknown address as for a
     * wrong password.
     */
    readonly verify: (email: string, password: string) => Effect.Effect<VerifiedUser | undefined, PasswordsBusy>
    /** Whether this is the person's password. */
    readonly isPassword: (
      organizationId: string,
      userId: string,
      password: string
    ) => Effect.Effect<boolean, PasswordsBusy>
    /** The name of the organization, which its people's passwords may not be made of. */
    readonly organizationName: (organizationId: string) => Effect.Effect<string>
    /** Sets the password and ends the person's sessions and invitation; gives how many sessions ended. */
    readonly setPassword: (organizationId: string, userId: string, password: PasswordHash) => Effect.Effect<number>
    /** All people, newest first, including deactivated ones. */
    readonly list: (organizationId: string, page: number, limit: number) => Effect.Effect<Page<Person>>
    /** The active people by name, without addresses and roles. */
    readonly colleagues: (organizationId: string, page: number, limit: number) => Effect.Effect<Page<Colleague>>
    readonly find: (organizationId: string, userId: string) => Effect.Effect<Person | undefined>
    /**
     * Changes a person; `undefined` when there is no such person. A new role or a deactivation ends the person's sessions, notifications to their
     * devices, and their invitation. A deactivation ends the keys they made for good; a lower role takes from those keys the scopes it does not have,
     * and ends a key that has none left. Checks for the last OWNER run one after the other.
     */
    readonly change: (
      organizationId: string,
      userId: string,
      changes: PersonChanges
    ) => Effect.Effect<ChangedPerson | undefined, LastOwner>
    /**
     * Makes a new invitation, valid until `endsAt` (Unix milliseconds), and ends the one before. Gives its token, which is shown only this once.
     * `undefined` when the person's role has changed or they are deactivated: the right to invite was checked for the given role.
     */
    readonly invite: (
      organizationId: string,
      person: Pick<Person, "id" | "role">,
      endsAt: number
    ) => Effect.Effect<string | undefined>
    /** The person with this invitation, if it is valid at `now` (Unix milliseconds). */
    readonly invited: (token: string, now: number) => Effect.Effect<User | undefined>
    /** Like `setPassword`, with the token of an invitation, which it ends. False when the token was used meanwhile. */
    readonly accept: (
      organizationId: string,
      userId: string,
      token: string,
      password: PasswordHash
    ) => Effect.Effect<boolean>
  }
>()("parley/domain/Users") {}
