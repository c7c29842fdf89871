/** Use case: a person authorizes an integration at the provider (OAuth 2 with a state and PKCE). */
import { createHash, randomBytes } from "node:crypto"
import { Clock, Effect } from "effect"
import { traced } from "../../basics/Traced.ts"
import { AppAdapters } from "../AppAdapter.ts"
import { AppConnections, type Integration, type StoredConnection } from "../AppConnection.ts"
import type { AppFailure } from "../AppSession.ts"
import { type AppProvider, rowOf } from "../Catalogue.ts"
import type { makeOpenSession } from "../OpenSession.ts"
import {
  type ConnectionNotFound,
  type IntegrationNotAllowed,
  InvalidConnection,
  type ProviderUnreachable
} from "./ConnectionErrors.ts"

/** How long a person may take to agree, in milliseconds. */
const authorizationMs = 10 * 60_000

/** What connecting consists of, whichever way it is begun. */
export interface Connecting {
  readonly known: (name: string) => Effect.Effect<AppProvider, ConnectionNotFound>
  readonly allowed: (organizationId: string, provider: AppProvider) => Effect.Effect<void, IntegrationNotAllowed>
  readonly refused: (failure: AppFailure) => InvalidConnection | ProviderUnreachable
  readonly askUnlogged: Effect.Success<typeof makeOpenSession>["askUnlogged"]
  readonly store: (
    organizationId: string,
    provider: AppProvider,
    before: StoredConnection | undefined,
    completed: Pick<StoredConnection, "credentials" | "settings">
  ) => Effect.Effect<Integration, InvalidConnection | ProviderUnreachable>
}

/** Needs AppAdapters and AppConnections once; the functions it gives need nothing. */
export const makeAuthorizeConnection = Effect.fnUntraced(function* ({
  known,
  allowed,
  refused,
  askUnlogged,
  store
}: Connecting) {
  const adapters = yield* AppAdapters
  const connections = yield* AppConnections

  /** The OAuth of a provider, when the operator has a client there. */
  const oauthOf = (provider: AppProvider) => {
    const { oauth } = adapters[provider]
    return oauth === undefined
      ? Effect.fail(
          new InvalidConnection({
            message: `${rowOf(provider).title} cannot be authorized here. Enter credentials instead.`
          })
        )
      : Effect.succeed(oauth)
  }

  /** Begins an authorization by a person; gives the address at the provider to send them to. */
  const authorize = traced("ManageConnections.authorize")(function* (
    organizationId: string,
    name: string,
    userId: string,
    redirectUri: string
  ) {
    const provider = yield* known(name)
    yield* allowed(organizationId, provider)
    const oauth = yield* oauthOf(provider)
    const [state, verifier] = [randomBytes(32).toString("base64url"), randomBytes(32).toString("base64url")]
    const now = yield* Clock.currentTimeMillis
    const pending = { provider, userId, verifier }
    yield* connections.beginAuthorization(organizationId, pending, state, now + authorizationMs, now)
    const challenge = createHash("sha256").update(verifier).digest("base64url")
    return oauth.authorizeUrl({ redirectUri, state, challenge })
  })

  /** Ends an authorization with what the provider has sent its person back with. It must be the person who began it. */
  const authorized = traced("ManageConnections.authorized")(function* (
    organizationId: string,
    userId: string,
    given: {
      readonly state: string
      readonly code: string | undefined
      readonly error: string | undefined
      readonly description: string | undefined
      readonly query: Readonly<Record<string, string>>
    },
    redirectUri: string
  ) {
    const began = yield* Clock.currentTimeMillis
    const pending = yield* connections.endAuthorization(organizationId, given.state, began)
    if (pending === undefined || pending.userId !== userId)
      return yield* new InvalidConnection({
        message: "This authorization is over or was begun by somebody else. Please begin again."
      })
    const { provider, verifier } = pending
    if (given.code === undefined) {
      const reason = adapters[provider].oauth?.declined?.(given.error ?? "", given.description ?? "")
      return yield* new InvalidConnection({
        message: reason ?? `${rowOf(provider).title} was not authorized. Please begin again.`
      })
    }
    yield* allowed(organizationId, provider)
    const oauth = yield* oauthOf(provider)
    const ask = askUnlogged({ provider, id: organizationId })
    const exchanged = oauth.exchange(ask, { code: given.code, verifier, redirectUri, query: given.query }, began)
    const credentials = yield* Effect.mapError(exchanged, refused)
    const before = yield* connections.find(organizationId, provider)
    return yield* store(organizationId, provider, before, { credentials, settings: before?.settings ?? {} })
  })

  return { authorize, authorized }
})
