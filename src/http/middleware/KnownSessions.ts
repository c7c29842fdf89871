/**
 * The sessions whose cookies this process has found good within the last minutes. Requests with such a cookie are counted for the session; with any
 * other cookie they are counted for the address, so that nobody escapes the limit with invented cookies, and nothing is looked up to count.
 */
import { createHash } from "node:crypto"
import { Clock, Context, Effect } from "effect"

/** How long after its last good request a session is known. */
const lifetimeMs = 10 * 60_000
/** Beyond it the session whose last good request is oldest is forgotten: its next request is counted for the address. */
const most = 50_000

export interface KnownSessionsService {
  /** Call it when a cookie was found good. */
  readonly add: (cookie: string, sessionId: string) => Effect.Effect<void>
  /** Call it when a cookie was found to be none, e.g. because its session has ended. */
  readonly remove: (cookie: string) => Effect.Effect<void>
  /** The id of the session with this cookie, when it is known. */
  readonly of: (cookie: string | undefined) => Effect.Effect<string | undefined>
}

const digest = (cookie: string): string => createHash("sha256").update(cookie).digest("base64")

export const makeKnownSessions = (): KnownSessionsService => {
  const sessions = new Map<string, { readonly id: string; readonly until: number }>()
  return {
    add: (cookie, id) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const key = digest(cookie)
        sessions.delete(key)
        const [oldest] = sessions.size >= most ? sessions.keys() : []
        if (oldest !== undefined) sessions.delete(oldest)
        sessions.set(key, { id, until: now + lifetimeMs })
      }),
    remove: (cookie) => Effect.sync(() => void sessions.delete(digest(cookie))),
    of: (cookie) =>
      cookie === undefined
        ? Effect.succeed(undefined)
        : Effect.map(Clock.currentTimeMillis, (now) => {
            const found = sessions.get(digest(cookie))
            return found !== undefined && found.until > now ? found.id : undefined
          })
  }
}

/** Those of this process, unless others are provided. */
export const KnownSessions = Context.Reference<KnownSessionsService>("parley/http/KnownSessions", {
  defaultValue: makeKnownSessions
})

/** The value of the session's cookie in a header; `undefined` when there is none. */
export const cookieIn = (header: string | undefined): string | undefined =>
  /(?:^|;\s*)parley_session=([\w-]{1,100})(?:;|$)/.exec(header ?? "")?.[1]
