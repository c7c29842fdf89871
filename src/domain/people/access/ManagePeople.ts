/**
 * Use case: invite, change and deactivate an organization's people, and accept an invitation. The audit log records each change. `PeopleRules`
 * decides who may do it. The operator at the command line has no `Principal` and uses `add` and `replacePassword`.
 */
import { Clock, Effect, Schema } from "effect"
import { traced } from "../../basics/Traced.ts"
import type { Principal, Role } from "./Access.ts"
import { Acting, Audit, changedFields } from "./Audit.ts"
import { passwordProblem } from "./PasswordRules.ts"
import { changeRefusal, createRefusal, isSelf, passwordRefusal, seeRefusal } from "./PeopleRules.ts"
import { type ChangedPerson, type NewPerson, type Person, type PersonChanges, type User, Users } from "./User.ts"

/** 404: the organization has no such person. */
export class NoSuchPerson extends Schema.TaggedError<NoSuchPerson>()("NoSuchPerson", { userId: Schema.String }) {}
/** 403: the caller may not do this; `message` is a sentence. */
export class PeopleRefused extends Schema.TaggedError<PeopleRefused>()("PeopleRefused", { message: Schema.String }) {}
/** 409: not possible in the person's state; `message` is a sentence. */
export class PeopleConflict extends Schema.TaggedError<PeopleConflict>()("PeopleConflict", {
  message: Schema.String
}) {}
/** 400: the new password is one that is guessed first; `message` is a sentence. */
export class WeakPassword extends Schema.TaggedError<WeakPassword>()("WeakPassword", { message: Schema.String }) {}
/** 403: the old password is wrong. */
export class WrongPassword extends Schema.TaggedError<WrongPassword>()("WrongPassword", {}) {}
/** 400: the old password is missing. */
export class OldPasswordMissing extends Schema.TaggedError<OldPasswordMissing>()("OldPasswordMissing", {}) {}
/** 401: the invitation is unknown, used or too old. */
export class InvitationOver extends Schema.TaggedError<InvitationOver>()("InvitationOver", {}) {}

/** How long an invitation is valid. */
const invitationMs = 7 * 24 * 60 * 60 * 1_000

export interface Invitation {
  /** Shown only this once. Whoever has it can choose the person's password. */
  readonly token: string
  readonly expiresAt: string
}

/** A new person. Without a password the person is invited. */
type Joining = Omit<NewPerson, "organizationId" | "passwordHash"> & { readonly password?: string }

const shown = ({ email, name, role, status }: Person) => ({ email, name, role, status })

const refuse = (sentence: string | undefined) =>
  sentence === undefined ? Effect.void : Effect.fail(new PeopleRefused({ message: sentence }))

/** Needs Users and Audit once; the functions it gives need nothing. */
export const makeManagePeople = Effect.gen(function* () {
  const users = yield* Users
  const audit = yield* Audit

  const existing = Effect.fnUntraced(function* (organizationId: string, userId: string) {
    return (yield* users.find(organizationId, userId)) ?? (yield* new NoSuchPerson({ userId }))
  })

  const refuseWeak = Effect.fnUntraced(function* (
    { organizationId, email, name }: Pick<User, "organizationId" | "email" | "name">,
    password: string
  ) {
    const problem = passwordProblem(password, [email, name, yield* users.organizationName(organizationId)])
    if (problem !== undefined) return yield* new WeakPassword({ message: `password is invalid: ${problem}` })
  })

  const invitation = Effect.fnUntraced(function* (organizationId: string, person: Pick<Person, "id" | "role">) {
    const endsAt = (yield* Clock.currentTimeMillis) + invitationMs
    const token = yield* users.invite(organizationId, person, endsAt)
    if (token === undefined) return yield* new PeopleConflict({ message: "This person was just changed; try again." })
    return { token, expiresAt: new Date(endsAt).toISOString() }
  })

  const get = traced("ManagePeople.get")(function* (caller: Principal, userId: string) {
    yield* refuse(seeRefusal(caller, userId))
    return yield* existing(caller.organizationId, userId)
  })

  /** Adds a person without a check of the caller, which `create` makes. Gives an invitation too when no password is given. */
  const add = traced("ManagePeople.add")(function* (organizationId: string, { password, ...input }: Joining) {
    const person = { ...input, organizationId }
    if (password !== undefined) yield* refuseWeak(person, password)
    const newPerson: NewPerson =
      password === undefined ? person : { ...person, passwordHash: yield* users.hash(password, person) }
    const made = Effect.gen(function* () {
      const { id } = yield* users.create(newPerson)
      const invited: Invitation | undefined =
        password === undefined ? yield* Effect.orDie(invitation(organizationId, { id, role: input.role })) : undefined
      return { person: yield* Effect.orDie(existing(organizationId, id)), invitation: invited ?? null }
    })
    return yield* audit.recorded(organizationId, made, ({ person }) => ({
      action: password === undefined ? "user.invited" : "user.created",
      subjectId: person.id,
      after: shown(person)
    }))
  })

  const create = traced("ManagePeople.create")(function* (caller: Principal, person: Joining) {
    yield* refuse(createRefusal(caller, person.role))
    return yield* add(caller.organizationId, person)
  })

  const actionOf = (before: Person, changes: PersonChanges): string => {
    if (changes.active === false && before.status !== "deactivated") return "user.deactivated"
    return changes.active === true && before.status === "deactivated" ? "user.reactivated" : "user.updated"
  }

  /** Writes what a change of a person did to the keys that they made. */
  const recordKeys = Effect.fnUntraced(function* (
    organizationId: string,
    makerId: string,
    { endedKeys, narrowedKeys }: ChangedPerson
  ) {
    for (const subjectId of endedKeys)
      yield* audit.recorded(organizationId, Effect.void, () => ({
        action: "api_key.revoked",
        subjectId,
        before: { makerId }
      }))
    for (const { id, before, after } of narrowedKeys)
      yield* audit.recorded(organizationId, Effect.void, () => ({
        action: "api_key.narrowed",
        subjectId: id,
        before: { makerId, scopes: before },
        after: { scopes: after }
      }))
  })

  const change = traced("ManagePeople.change")(function* (caller: Principal, userId: string, changes: PersonChanges) {
    const { organizationId } = caller
    const sees = seeRefusal(caller, userId)
    yield* refuse(sees)
    const before = yield* existing(organizationId, userId)
    yield* refuse(changeRefusal(caller, before, changes))
    const made = Effect.gen(function* () {
      const changed = yield* users.change(organizationId, userId, changes)
      if (changed === undefined) return yield* new NoSuchPerson({ userId })
      yield* recordKeys(organizationId, userId, changed)
      return changed.person
    })
    return yield* audit.recorded(organizationId, made, (after) => ({
      action: actionOf(before, changes),
      subjectId: userId,
      ...changedFields(shown(before), shown(after))
    }))
  })

  /** Replaces a password without a check of the caller, which `setPassword` makes. Gives how many sessions ended. */
  const replacePassword = traced("ManagePeople.replacePassword")(function* (
    person: Pick<User, "organizationId" | "id" | "email" | "name">,
    password: string
  ) {
    const { organizationId, id } = person
    yield* refuseWeak(person, password)
    const hash = yield* users.hash(password, person)
    return yield* audit.recorded(organizationId, users.setPassword(organizationId, id, hash), () => ({
      action: "user.password_changed",
      subjectId: id
    }))
  })

  /**
   * Sets a password. A caller who changes their own must give the old one. Gives how many sessions ended. `countGuess` counts a guess of the old
   * password and fails over the limit. Only a person's own guesses are counted, so nobody uses up the limit of somebody else.
   */
  const setPassword = traced("ManagePeople.setPassword")(function* <E, R>(
    caller: Principal,
    userId: string,
    { password, oldPassword }: { readonly password: string; readonly oldPassword?: string },
    countGuess: Effect.Effect<void, E, R>
  ) {
    const { organizationId } = caller
    yield* refuse(seeRefusal(caller, userId))
    const person = yield* existing(organizationId, userId)
    if (isSelf(caller, userId)) {
      if (oldPassword === undefined) return yield* new OldPasswordMissing()
      yield* countGuess
      if (!(yield* users.isPassword(organizationId, userId, oldPassword))) return yield* new WrongPassword()
    } else yield* refuse(passwordRefusal(caller, person))
    return yield* replacePassword({ ...person, organizationId }, password)
  })

  /** Makes a new invitation for a person who lost the invitation or the password. */
  const invite = traced("ManagePeople.invite")(function* (caller: Principal, userId: string) {
    const { organizationId } = caller
    yield* refuse(seeRefusal(caller, userId))
    const person = yield* existing(organizationId, userId)
    yield* refuse(passwordRefusal(caller, person))
    if (person.status === "deactivated")
      return yield* new PeopleConflict({ message: "This person is deactivated; activate them first." })
    return yield* audit.recorded(organizationId, invitation(organizationId, person), () => ({
      action: "user.invited",
      subjectId: userId
    }))
  })

  /** Accepts an invitation: the person chooses a password and can then sign in with it. */
  const accept = traced("ManagePeople.accept")(function* (
    token: string,
    password: string,
    origin: Pick<Acting, "ip" | "requestId">
  ) {
    const user = yield* users.invited(token, yield* Clock.currentTimeMillis)
    if (user === undefined) return yield* new InvitationOver()
    const { organizationId, id, email, name, role } = user
    yield* refuseWeak(user, password)
    const hash = yield* users.hash(password, user)
    const accepted = Effect.filterOrFail(
      users.accept(organizationId, id, token, hash),
      (first) => first,
      () => new InvitationOver()
    )
    yield* audit
      .recorded(organizationId, accepted, () => ({
        action: "user.invitation_accepted",
        subjectId: id
      }))
      .pipe(Effect.provideService(Acting, { actor: { type: "user", id }, ...origin }))
    return { id, email, name, role: role satisfies Role }
  })

  return { get, add, create, change, replacePassword, setPassword, invite, accept }
})
