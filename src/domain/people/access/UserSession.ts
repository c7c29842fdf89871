/**
 * The session of a signed-in person. Its cookie holds 32 random bytes, of which only the SHA-256 is stored; it ends after 7 days, after
 * 12 hours without a request, when the person signs out, and when their password changes.
 *
 * A page proves that a change comes from itself with the CSRF token: derived from the cookie's value, which no script can read, and told
 * only to who has the cookie. So a foreign page can make a browser send the cookie, but not the header.
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import { Context, type Effect } from "effect"
import type { User, UserPrincipal } from "./Access.ts"

export const sessionLifetimeMs = 7 * 24 * 60 * 60 * 1_000
export const sessionIdleMs = 12 * 60 * 60 * 1_000

/** What a page sends in the header `X-CSRF-Token` with every change. */
export const csrfToken = (cookie: string): string => createHmac("sha256", cookie).update("csrf").digest("base64url")

/** Whether the header is the token of this cookie; takes as long for a wrong one as for a right one. */
export const isCsrfToken = (cookie: string, header: string | undefined): boolean => {
  const [expected, sent] = [Buffer.from(csrfToken(cookie)), Buffer.from(header ?? "")]
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}

export interface UserSession {
  readonly user: User
  readonly principal: UserPrincipal
  readonly expiresAt: string
}

export class UserSessions extends Context.Service<
  UserSessions,
  {
    /** `cookie` is the secret, given out this once. */
    readonly start: (user: User) => Effect.Effect<{ readonly session: UserSession; readonly cookie: string }>
    /** `undefined` for an unknown or ended session. */
    readonly authenticate: (cookie: string) => Effect.Effect<UserSession | undefined>
    /** Is the session still good? Asking is no use of it. */
    readonly isGood: (organizationId: string, sessionId: string) => Effect.Effect<boolean>
    readonly end: (organizationId: string, sessionId: string) => Effect.Effect<void>
  }
>()("parley/domain/UserSessions") {}
