import { Effect } from "effect"
import type { User } from "../../src/domain/people/access/User.ts"
import { UserSessions } from "../../src/domain/people/access/UserSession.ts"
import { tokenHash } from "../../src/integrations/secrets/TokenHash.ts"

/** A session of a person who has no password yet. */
export const sessionOf = (user: User) => Effect.map(startedSession(user, ""), ({ session }) => session)

/** A session with its cookie, of a person whose stored password this is. */
export const startedSession = Effect.fnUntraced(function* (user: User, passwordHash: string) {
  const started = yield* (yield* UserSessions).start({ user, passwordMark: tokenHash(passwordHash) })
  return started ?? (yield* Effect.die("the person has another password"))
})
