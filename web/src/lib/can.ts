/** What the signed-in person may do. Asked by navigation, palette and actions: what one may not do is not shown. */
import type { Session } from "@parley/client"

export type Scope = Session["scopes"][number]

export const can = (session: Pick<Session, "scopes">, scope: Scope): boolean => session.scopes.includes(scope)

/** Owners and admins: by `roleScopes` only they have `admin`. */
export const isAdmin = (session: Pick<Session, "scopes">): boolean => can(session, "admin")
