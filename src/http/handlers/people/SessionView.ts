/** A session as its person is shown it, with what a page needs for its first paint. */
import { Effect } from "effect"
import { PersonalSettingsStore } from "../../../domain/people/access/PersonalSettings.ts"
import { csrfToken, type UserSession } from "../../../domain/people/access/UserSession.ts"
import { Unauthorized } from "../../wire/Errors.ts"

/** Needs PersonalSettingsStore. `cookie`: the value of the session's cookie. */
export const makeSessionView = Effect.map(PersonalSettingsStore, (settings) =>
  Effect.fnUntraced(function* ({ user, principal, expiresAt }: UserSession, cookie: string) {
    const { organizationId, ...person } = user
    const found = yield* settings.find(organizationId, user.id)
    const chosen = found ?? (yield* new Unauthorized({ error: "Your session is over. Please sign in again." }))
    const { scopes } = principal
    return { user: person, organizationId, scopes, csrfToken: csrfToken(cookie), expiresAt, ...chosen }
  })
)
