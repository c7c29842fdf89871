/**
 * The tokens of a connection that was authorized by OAuth. They are refreshed once, whoever asks: in a process by one fiber, across processes by the one
 * that holds the lease; and the result is stored only over the version that was read, which is the fence against a process that lost its lease.
 */
import { Clock, Deferred, Effect, Exit } from "effect"
import { Exclusive } from "../basics/Exclusive.ts"
import { AppAdapters, AppFailure, type AppSession } from "./AppAdapter.ts"
import { AppConnections, type StoredConnection } from "./AppConnection.ts"

/** Tokens that end within this time are refreshed before they are used. Milliseconds. */
const earlyMs = 60_000
/** A failed refresh is not tried again for this time. */
export const refreshPauseMs = 30_000

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

const endsSoon = ({ expiresAt }: Readonly<Record<string, string>>, now: number) =>
  expiresAt !== undefined && Number(expiresAt) - now < earlyMs

type Flight = Deferred.Deferred<StoredConnection, AppFailure>

/** Needs AppAdapters, AppConnections and Exclusive once; the function it gives needs nothing. `ask` sends requests that are not logged. */
export const makeAppTokens = Effect.gen(function* () {
  const adapters = yield* AppAdapters
  const connections = yield* AppConnections
  const exclusive = yield* Exclusive
  const flights = new Map<string, Flight>()

  const again = new AppFailure({
    action: "wait",
    message: "The access could not be renewed a moment ago.",
    retryAfterMs: refreshPauseMs
  })

  /** Refreshes the tokens of this version, or finds that somebody has done so. Runs under the lease. */
  const refresh = Effect.fnUntraced(function* (seen: StoredConnection, ask: AppSession["ask"]) {
    const { organizationId, provider, id } = seen
    const stored = yield* connections.find(organizationId, provider)
    if (stored === undefined || stored.id !== id)
      return yield* new AppFailure({ action: "retry", message: "The connection was removed." })
    if (stored.credentialsVersion !== seen.credentialsVersion) return stored
    const began = yield* Clock.currentTimeMillis
    if (stored.refreshFailedAt !== null && began - stored.refreshFailedAt < refreshPauseMs) return yield* again
    const { oauth, renewal } = adapters[provider]
    const renewed = renewal?.isNeeded(stored.credentials) === true ? renewal.renew(ask, stored, began) : undefined
    if (renewed === undefined && oauth === undefined)
      return yield* new AppFailure({
        action: "reconnect",
        message: "The operator of this service has no client at the provider any more.",
        final: true
      })
    const refreshed = renewed ?? oauth?.refresh(ask, stored.credentials, began) ?? Effect.succeed(stored.credentials)
    const credentials = yield* refreshed.pipe(
      Effect.tapError(() =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => connections.refreshFailed(organizationId, id, now))
      ),
      // Without an answer nobody knows whether the old token still counts: the whole connection waits.
      Effect.mapError((failure) =>
        failure.action === "retry"
          ? new AppFailure({ action: "wait", message: failure.message, retryAfterMs: refreshPauseMs })
          : failure
      )
    )
    const saved = yield* connections.replaceTokens(stored, credentials)
    if (saved !== undefined) return saved
    return (yield* connections.find(organizationId, provider)) ?? stored
  })

  const lead = Effect.fnUntraced(function* (seen: StoredConnection, ask: AppSession["ask"], flight: Flight) {
    const refreshed = exclusive
      .run(
        seen.organizationId,
        `tokens of ${seen.id}`
      )(refresh(seen, ask))
      .pipe(Effect.catchTag("Busy", () => Effect.fail(again)))
    // Those who wait get the result even when the fiber that began is interrupted.
    const exit = yield* Effect.onExit(refreshed, (exit) =>
      Effect.andThen(
        Effect.sync(() => flights.delete(seen.id)),
        Deferred.done(flight, Exit.hasInterrupts(exit) ? Exit.fail(again) : exit)
      )
    )
    return exit
  })

  /** The connection with tokens that can be used. `refused`: the provider has just refused those that it has. */
  return Effect.fnUntraced(function* (connection: StoredConnection, ask: AppSession["ask"], refused = false) {
    const { credentials, provider, id } = connection
    const first = credentials.accessToken === undefined && adapters[provider].renewal?.isNeeded(credentials) === true
    if (!first && !isRenewable(credentials)) return connection
    if (!first && !refused && !endsSoon(credentials, yield* Clock.currentTimeMillis)) return connection
    const flying = flights.get(id)
    if (flying !== undefined) return yield* Deferred.await(flying)
    const flight: Flight = Deferred.makeUnsafe()
    flights.set(id, flight)
    return yield* lead(connection, ask, flight)
  })
})
