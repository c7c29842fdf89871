/** Use case: a person signs in to the dashboard and signs out. */
import { Effect, Schema } from "effect"
import { traced } from "../../basics/Traced.ts"
import type { UserPrincipal } from "./Access.ts"
import { Acting, Audit } from "./Audit.ts"
import { Devices, type NewDevice } from "./Device.ts"
import { Users, type VerifiedUser } from "./User.ts"
import { type SessionDevice, UserSessions } from "./UserSession.ts"

/** 401: no person has this address and password. It does not tell whether the address is known. */
export class WrongCredentials extends Schema.TaggedError<WrongCredentials>()("WrongCredentials", {}) {}

/** Needs Users, UserSessions, Devices and Audit once; the functions it gives need nothing. */
export const makeSignIn = Effect.gen(function* () {
  const users = yield* Users
  const sessions = yield* UserSessions
  const devices = yield* Devices
  const audit = yield* Audit

  const begin = Effect.fnUntraced(function* (
    verified: VerifiedUser,
    device: NewDevice | undefined,
    from: SessionDevice
  ) {
    const started = yield* sessions.start(verified, from)
    if (started === undefined) return yield* new WrongCredentials()
    const { user } = verified
    const { principal, expiresAt } = started.session
    if (device !== undefined) yield* devices.register({ user, sessionId: principal.sessionId, expiresAt }, device)
    return started
  })

  /** Starts a session; gives it with the value of its cookie. `origin`: from where the person signs in; `device`: gets their notifications. */
  const start = traced("SignIn.start")(function* (
    email: string,
    password: string,
    { userAgent, ...origin }: Pick<Acting, "ip" | "requestId"> & { readonly userAgent: string | null },
    device?: NewDevice
  ) {
    const verified = yield* users.verify(email, password)
    if (verified === undefined) return yield* new WrongCredentials()
    const { user } = verified
    return yield* audit
      .recorded(user.organizationId, begin(verified, device, { ip: origin.ip, userAgent }), ({ session }) => ({
        action: "session.started",
        subjectId: session.principal.sessionId
      }))
      .pipe(Effect.provideService(Acting, { actor: { type: "user", id: user.id }, ...origin }))
  })

  const end = traced("SignIn.end")(({ organizationId, sessionId }: UserPrincipal) =>
    audit.recorded(organizationId, sessions.end(organizationId, sessionId), () => ({
      action: "session.ended",
      subjectId: sessionId
    }))
  )

  /** Ends a session of the person who asks. False when they have no such session. */
  const endOther = traced("SignIn.endOther")(function* ({ organizationId, userId }: UserPrincipal, sessionId: string) {
    const own = yield* sessions.list(organizationId, userId)
    if (!own.some(({ id }) => id === sessionId)) return false
    yield* audit.recorded(organizationId, sessions.end(organizationId, sessionId), () => ({
      action: "session.ended",
      subjectId: sessionId
    }))
    return true
  })

  return { start, end, endOther }
})
