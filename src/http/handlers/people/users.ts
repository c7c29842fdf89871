import { createHash } from "node:crypto"
import { Effect } from "effect"
import {
  makeManagePeople,
  type NoSuchPerson,
  type PeopleConflict,
  type PeopleRefused,
  type WeakPassword
} from "../../../domain/people/access/ManagePeople.ts"
import { type DuplicateUser, type LastOwner, Users } from "../../../domain/people/access/User.ts"
import { AppApi } from "../../groups/Api.ts"
import { Caller, requestOrigin, requireScope } from "../../middleware/Authorization.ts"
import { makeRateLimit } from "../../middleware/RateLimit.ts"
import { clientNetwork } from "../../server/ClientAddress.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, Conflict, Forbidden, NotFound, passwordsBusy, Unauthorized } from "../../wire/Errors.ts"
import { toPage, window } from "../../wire/Paging.ts"

const missing = {
  NoSuchPerson: (_: NoSuchPerson) => new NotFound({ error: "There is no such person." }),
  PeopleRefused: ({ message }: PeopleRefused) => new Forbidden({ error: message })
}
const taken = {
  PeopleRefused: missing.PeopleRefused,
  DuplicateUser: ({ email }: DuplicateUser) =>
    new Conflict({ error: `Your organization has a person with the address ${email} already.` })
}
const passwords = {
  WeakPassword: ({ message }: WeakPassword) => new BadRequest({ error: message }),
  PasswordsBusy: passwordsBusy
}
const lastOwner = {
  LastOwner: (_: LastOwner) => new Conflict({ error: "This is the last OWNER; make somebody else an OWNER first." })
}
const conflict = {
  PeopleConflict: ({ message }: PeopleConflict) => new Conflict({ error: message })
}

/** The limit against guessing the password in a session that somebody left open. */
const guesses = {
  name: "own-password",
  what: "attempts to change the password",
  limit: 10,
  window: "15 minutes"
} as const
const tokens = {
  name: "invitations",
  what: "attempts to accept an invitation",
  limit: 30,
  window: "15 minutes"
} as const

/** Needs Users, Audit and RateLimiter. */
export const layer = group(
  AppApi,
  "users",
  Effect.fn(function* (handlers) {
    const users = yield* Users
    const people = yield* makeManagePeople
    const countGuess = yield* makeRateLimit(guesses)
    const countToken = yield* makeRateLimit(tokens)

    const change = Effect.fnUntraced(function* (id: string, changes: Parameters<typeof people.change>[2]) {
      return yield* people.change(yield* Caller, id, changes).pipe(Effect.catchTags({ ...missing, ...lastOwner }))
    })

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* requireScope("admin")
        const at = window(query)
        return toPage(yield* users.list(organizationId, at.page, at.limit), at)
      }),
      colleagues: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* requireScope("conversations:read")
        const at = window(query)
        return toPage(yield* users.colleagues(organizationId, at.page, at.limit), at)
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        const caller = yield* Caller
        const { person, invitation } = yield* people
          .create(caller, payload)
          .pipe(Effect.catchTags({ ...taken, ...passwords }))
        return { ...person, invitation }
      }),
      acceptInvitation: Effect.fnUntraced(function* ({ payload }) {
        const origin = yield* requestOrigin
        yield* countToken(clientNetwork(origin.ip ?? "unknown"))
        return yield* people.accept(payload.token, payload.password, origin).pipe(
          Effect.catchTags({
            ...passwords,
            InvitationOver: () =>
              new Unauthorized({
                error: "This invitation is not good any more; ask an OWNER or ADMIN for a new one."
              })
          })
        )
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        return yield* people.get(yield* Caller, params.id).pipe(Effect.catchTags(missing))
      }),
      update: ({ params, payload }) => change(params.id, payload),
      deactivate: ({ params }) => change(params.id, { active: false }),
      setPassword: Effect.fnUntraced(function* ({ params, payload }) {
        const caller = yield* Caller
        const guess = countGuess(createHash("sha256").update(`${caller.organizationId}|${params.id}`).digest("hex"))
        const sessionsEnded = yield* people.setPassword(caller, params.id, payload, guess).pipe(
          Effect.catchTags({
            ...missing,
            ...passwords,
            OldPasswordMissing: () => new BadRequest({ error: "Changing your own password needs oldPassword." }),
            WrongPassword: () => new Forbidden({ error: "The old password is wrong." })
          })
        )
        return { id: params.id, sessionsEnded }
      }),
      invite: Effect.fnUntraced(function* ({ params }) {
        return yield* people.invite(yield* Caller, params.id).pipe(Effect.catchTags({ ...missing, ...conflict }))
      })
    })
  })
)
