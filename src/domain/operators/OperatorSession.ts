/**
 * The session of an operator. Its cookie holds 32 random bytes; only their SHA-256 is stored. It ends after 12 hours, after an hour without a
 * request, when the operator signs out, and when their password changes. Its CSRF token is made as that of people (`UserSession`).
 */
import { Context, type Effect } from "effect"
import type { SessionDevice } from "../people/access/UserSession.ts"
import type { Operator, VerifiedOperator } from "./Operator.ts"

export const operatorSessionLifetimeMs = 12 * 60 * 60 * 1_000
export const operatorSessionIdleMs = 60 * 60 * 1_000

export interface OperatorSession {
  readonly id: string
  readonly operator: Operator
  readonly expiresAt: string
}

export class OperatorSessions extends Context.Service<
  OperatorSessions,
  {
    /** Starts a session. `cookie` is its secret, given only this once. Undefined when the password has changed since it was checked, or the operator was removed. */
    readonly start: (
      verified: VerifiedOperator,
      device: SessionDevice
    ) => Effect.Effect<{ readonly session: OperatorSession; readonly cookie: string } | undefined>
    /** The session with this cookie; `undefined` when it is unknown or has ended. */
    readonly authenticate: (cookie: string) => Effect.Effect<OperatorSession | undefined>
    readonly end: (sessionId: string) => Effect.Effect<void>
  }
>()("parley/domain/OperatorSessions") {}
