/** The tokens of a connection that was authorized by OAuth. They are refreshed once, whoever asks (`RenewOnce.ts`). */
import { Clock, Effect } from "effect"
import { endsSoon, makeRenewOnce, renewalPauseMs } from "../basics/tokens/RenewOnce.ts"
import { AppAdapters, AppFailure, type AppSession } from "./AppAdapter.ts"
import { AppConnections, type StoredConnection } from "./AppConnection.ts"

/** What a token endpoint gives, as it is stored among the credentials. `expiresAt`: Unix milliseconds. */
export const tokensOf = (
  before: Readonly<Record<string, string>>,
  given: {
    readonly accessToken: string
    readonly refreshToken?: string | undefined
    readonly lifetimeSeconds?: number | undefined
  },
  now: number
): Readonly<Record<string, string>> => ({
  ...before,
  accessToken: given.accessToken,
  ...(given.refreshToken === undefined ? {} : { refreshToken: given.refreshToken }),
  ...(given.lifetimeSeconds === undefined ? {} : { expiresAt: String(now + given.lifetimeSeconds * 1_000) })
})

/** Whether there can be other tokens than those that are stored. */
export const isRenewable = ({ refreshToken, expiresAt }: Readonly<Record<string, string>>): boolean =>
  refreshToken !== undefined || expiresAt !== undefined

const endOf = ({ expiresAt }: Readonly<Record<string, string>>) =>
  expiresAt === undefined ? undefined : Number(expiresAt)

/** Needs AppAdapters, AppConnections and Exclusive once; the function it gives needs nothing. `ask` sends requests that are not logged. */
export const makeAppTokens = Effect.gen(function* () {
  const adapters = yield* AppAdapters
  const connections = yield* AppConnections

  const renewed = yield* makeRenewOnce<StoredConnection, StoredConnection["credentials"], AppFailure>({
    organizationId: ({ organizationId }) => organizationId,
    id: ({ id }) => id,
    version: ({ credentialsVersion }) => credentialsVersion,
    failedAt: ({ refreshFailedAt }) => refreshFailedAt,
    find: ({ organizationId, provider, id }) =>
      Effect.map(connections.find(organizationId, provider), (stored) => (stored?.id === id ? stored : undefined)),
    replace: connections.replaceTokens,
    gone: new AppFailure({ action: "retry", message: "The connection was removed." }),
    again: new AppFailure({
      action: "wait",
      message: "The access could not be renewed a moment ago.",
      retryAfterMs: renewalPauseMs
    })
  })

  const refresh = Effect.fnUntraced(function* (stored: StoredConnection, ask: AppSession["ask"], began: number) {
    const { organizationId, provider, id, credentials } = stored
    const { oauth, renewal } = adapters[provider]
    const refreshed =
      renewal?.isNeeded(credentials) === true
        ? renewal.renew(ask, stored, began)
        : oauth?.refresh(ask, credentials, began)
    if (refreshed === undefined)
      return yield* new AppFailure({
        action: "reconnect",
        message: "The operator of this service has no client at the provider any more.",
        final: true
      })
    return yield* refreshed.pipe(
      Effect.tapError(() =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => connections.refreshFailed(organizationId, id, now))
      ),
      // Without an answer nobody knows whether the old token still counts: the whole connection waits.
      Effect.mapError((failure) =>
        failure.action === "retry"
          ? new AppFailure({ action: "wait", message: failure.message, retryAfterMs: renewalPauseMs })
          : failure
      )
    )
  })

  /** The connection with tokens that can be used. `refused`: the provider has just refused those that it has. */
  return Effect.fnUntraced(function* (connection: StoredConnection, ask: AppSession["ask"], refused = false) {
    const { credentials, provider } = connection
    const isFirst = credentials.accessToken === undefined && adapters[provider].renewal?.isNeeded(credentials) === true
    if (!isFirst && !isRenewable(credentials)) return connection
    if (!isFirst && !refused && !endsSoon(endOf(credentials), yield* Clock.currentTimeMillis)) return connection
    return yield* renewed(connection, (stored, now) => refresh(stored, ask, now))
  })
})
