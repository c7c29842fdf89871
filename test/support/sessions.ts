import { Effect } from "effect"
import type { User } from "../../src/domain/people/access/Access.ts"
import { UserSessions } from "../../src/domain/people/access/UserSession.ts"
import { tokenHash } from "../../src/integrations/secrets/TokenHash.ts"

/** A session of a person who has no password yet. */
export const sessionOf = Effect.fnUntraced(function* (user: User) {
  const started = yield* (yield* UserSessions).start({ user, passwordMark: tokenHash("") })
  return started === undefined ? yield* Effect.die("the person has a password") : started.session
})
