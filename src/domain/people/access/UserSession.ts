/**
 * The session of a signed-in person. Its cookie holds 32 random bytes; only their SHA-256 is stored. A session ends after 7 days, after 12 hours
 * without a request, when the person signs out, and when their password changes.
 *
 * With the CSRF token a page proves that a change comes from itself. The token is derived from the cookie's value, which no script can read, and
 * given only to a caller with the cookie. So a foreign page can make a browser send the cookie, but not the header.
 */
import { createHmac } from "node:crypto"
import { Context, type Effect, Schema } from "effect"
import { sameSecret } from "../../basics/tokens/SameSecret.ts"
import type { UserPrincipal } from "./Access.ts"
import type { User, VerifiedUser } from "./User.ts"

export const sessionLifetimeMs = 7 * 24 * 60 * 60 * 1_000
export const sessionIdleMs = 12 * 60 * 60 * 1_000

/** The token that a page sends in the header `X-CSRF-Token` with every change. */
export const csrfToken = (cookie: string): string => createHmac("sha256", cookie).update("csrf").digest("base64url")

/** Whether the header has the token of this cookie. Compares in constant time. */
export const isCsrfToken = (cookie: string, header: string | undefined): boolean =>
  sameSecret(csrfToken(cookie), header ?? "")

export interface UserSession {
  readonly user: User
  readonly principal: UserPrincipal
  readonly expiresAt: string
}

/** From what a person signs in. */
export interface SessionDevice {
  readonly ip: string | null
  readonly userAgent: string | null
}

/** A session as its person sees it among their others. */
export const ListedSession = Schema.Struct({
  id: Schema.String,
  createdAt: Schema.String,
  /** Precise to the minute. */
  lastSeenAt: Schema.String,
  expiresAt: Schema.String,
  /** The address from which the person signed in; null for sessions from before addresses were kept. */
  ip: Schema.NullOr(Schema.String),
  /** What the browser called itself then, at most 300 characters. */
  userAgent: Schema.NullOr(Schema.String)
}).annotate({
  title: "ListedSession",
  examples: [
    {
      id: "ses_01KAJ2ZF3M2P5S8V1X4Z7B9DKD",
      createdAt: "2026-11-21T08:00:00.000Z",
      lastSeenAt: "2026-11-21T09:30:00.000Z",
      expiresAt: "2026-11-28T08:00:00.000Z",
      ip: "203.0.113.7",
      userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    }
  ]
})
export type ListedSession = typeof ListedSession.Type

export class UserSessions extends Context.Service<
  UserSessions,
  {
    /**
     * Starts a session. `cookie` is its secret, given only this once. Undefined when the password has changed since it was checked, or the person is
     * deactivated: a change of the password ends all sessions, also those that are just beginning.
     */
    readonly start: (
      verified: VerifiedUser,
      device?: SessionDevice
    ) => Effect.Effect<{ readonly session: UserSession; readonly cookie: string } | undefined>
    /** The session with this cookie; `undefined` when it is unknown or has ended. */
    readonly authenticate: (cookie: string) => Effect.Effect<UserSession | undefined>
    /** Whether the session has not ended. The check does not count as a request. */
    readonly isGood: (organizationId: string, sessionId: string) => Effect.Effect<boolean>
    readonly end: (organizationId: string, sessionId: string) => Effect.Effect<void>
    /** The sessions of a person that have not ended, the latest used first, at most 100. */
    readonly list: (organizationId: string, userId: string) => Effect.Effect<ReadonlyArray<ListedSession>>
  }
>()("parley/domain/UserSessions") {}
