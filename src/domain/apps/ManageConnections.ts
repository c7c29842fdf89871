/** Use case: connect an integration, try it, switch it, send again what failed. The audit log records each of these, without secrets. */
import { createHash, randomBytes } from "node:crypto"
import { Clock, Effect, Schema } from "effect"
import { traced } from "../basics/Traced.ts"
import { Audit } from "../people/access/Audit.ts"
import { Organizations, planRefusal } from "../people/organizations/Organization.ts"
import { AppAdapters, type AppFailure, type AppSession } from "./AppAdapter.ts"
import { type AppConnection, AppConnections, type Integration, type StoredConnection } from "./AppConnection.ts"
import { type AppProvider, appProviders, isAppProvider, rowOf } from "./Catalogue.ts"
import { completedConnection, type GivenConnection } from "./ConnectionRules.ts"
import { makeReadFields } from "./ReadFields.ts"
import { checkMapping, type RemoteField } from "./RemoteFields.ts"
import { SyncRecords } from "./SyncRecords.ts"
import { makeUseConnection } from "./UseConnection.ts"

/** 400: what was entered is not right, or the provider refuses it. */
export class InvalidConnection extends Schema.TaggedError<InvalidConnection>()("InvalidConnection", {
  message: Schema.String
}) {}
/** 403: the plan does not allow the integration. */
export class IntegrationNotAllowed extends Schema.TaggedError<IntegrationNotAllowed>()("IntegrationNotAllowed", {
  message: Schema.String
}) {}
/** 404: there is no such integration, or it is not connected. */
export class ConnectionNotFound extends Schema.TaggedError<ConnectionNotFound>()("ConnectionNotFound", {
  message: Schema.String
}) {}
/** 500: the provider could not be asked. */
export class ProviderUnreachable extends Schema.TaggedError<ProviderUnreachable>()("ProviderUnreachable", {
  message: Schema.String
}) {}

/** How long a person may take to agree, in milliseconds. */
const authorizationMs = 10 * 60_000

const recordable = ({ enabled, account, settings }: AppConnection) => ({ enabled, account, settings })

const refused = ({ action, message }: AppFailure) =>
  action === "retry" || action === "wait" ? new ProviderUnreachable({ message }) : new InvalidConnection({ message })

/** Needs the stores, Organizations, Audit, AppAdapters, HttpClient and RateLimiter once; the functions it gives need nothing. */
export const makeManageConnections = Effect.gen(function* () {
  const connections = yield* AppConnections
  const records = yield* SyncRecords
  const organizations = yield* Organizations
  const adapters = yield* AppAdapters
  const audit = yield* Audit
  const { use, open, askUnlogged } = yield* makeUseConnection
  const readFields = yield* makeReadFields

  const known = (name: string) =>
    isAppProvider(name)
      ? Effect.succeed(name)
      : Effect.fail(new ConnectionNotFound({ message: "There is no integration with this name." }))

  const refusalOf = Effect.fnUntraced(function* (organizationId: string, provider: AppProvider) {
    const organization = yield* organizations.find(organizationId)
    return organization === undefined
      ? "This organization no longer exists."
      : planRefusal(rowOf(provider).feature, organization)
  })

  const allowed = Effect.fnUntraced(function* (organizationId: string, provider: AppProvider) {
    const refusal = yield* refusalOf(organizationId, provider)
    if (refusal !== undefined) return yield* new IntegrationNotAllowed({ message: refusal })
  })

  const missing = (provider: AppProvider) =>
    new ConnectionNotFound({ message: `${rowOf(provider).title} is not connected.` })

  const stored = Effect.fnUntraced(function* (organizationId: string, name: string) {
    const provider = yield* known(name)
    const found = yield* connections.find(organizationId, provider)
    return found ?? (yield* missing(provider))
  })

  const shown = Effect.fnUntraced(function* (
    organizationId: string,
    provider: AppProvider,
    connection: AppConnection | undefined
  ) {
    const { kind, title, fields } = rowOf(provider)
    const refusal = (yield* refusalOf(organizationId, provider)) ?? null
    const authorizes = adapters[provider].oauth !== undefined
    return { provider, kind, title, refusal, authorizes, fields, connection: connection ?? null } satisfies Integration
  })

  const list = Effect.fnUntraced(function* (organizationId: string) {
    const made = yield* connections.list(organizationId)
    return yield* Effect.forEach(appProviders, (provider) => shown(organizationId, provider, made.get(provider)))
  })

  const get = Effect.fnUntraced(function* (organizationId: string, name: string) {
    const provider = yield* known(name)
    return yield* shown(organizationId, provider, (yield* connections.list(organizationId)).get(provider))
  })

  /** Asks the provider whose account the credentials open, and stores them. */
  const store = Effect.fnUntraced(function* (
    organizationId: string,
    provider: AppProvider,
    before: StoredConnection | undefined,
    given: Pick<StoredConnection, "credentials" | "settings">
  ) {
    const adapter = adapters[provider]
    const identify = (session: AppSession) =>
      Effect.tap(adapter.identify(session), () => checkMapping(adapter.fields, rowOf(provider).title, session))
    // Tokens of an authorization that are kept may have ended since.
    const { refreshToken } = given.credentials
    const isKept =
      before !== undefined && refreshToken !== undefined && before.credentials.refreshToken === refreshToken
    const asked = isKept
      ? use({ ...before, settings: given.settings }, ({ session }, { credentials }) =>
          Effect.map(identify(session), (account) => ({ account, credentials }))
        )
      : Effect.map(identify(open({ ...given, organizationId, provider, id: organizationId }).session), (account) => ({
          ...{ account, credentials: given.credentials }
        }))
    const { account, credentials } = yield* Effect.mapError(asked, refused)
    const completed = { credentials, settings: given.settings }
    const now = yield* Clock.currentTimeMillis
    const after = yield* audit.recorded(
      organizationId,
      connections.save(organizationId, provider, { ...completed, account }, now),
      (after) => ({
        action: before === undefined ? "integration.connected" : "integration.changed",
        subjectId: after.id,
        after: {
          ...recordable(after),
          changedSecrets: Object.keys(completed.credentials).filter(
            (secret) => completed.credentials[secret] !== before?.credentials[secret]
          )
        }
      })
    )
    return yield* shown(organizationId, provider, after)
  })

  /** Connects with credentials that a person enters. */
  const connect = traced("ManageConnections.connect")(function* (
    organizationId: string,
    name: string,
    given: GivenConnection
  ) {
    const provider = yield* known(name)
    yield* allowed(organizationId, provider)
    const before = yield* connections.find(organizationId, provider)
    const completed = completedConnection(rowOf(provider).fields, given, before)
    if (typeof completed === "string") return yield* new InvalidConnection({ message: completed })
    const problem = adapters[provider].problem(completed)
    if (problem !== undefined) return yield* new InvalidConnection({ message: problem })
    return yield* store(organizationId, provider, before, completed)
  })

  /** Tries the connection, and notes what came of it. */
  const test = traced("ManageConnections.test")(function* (organizationId: string, name: string) {
    const connection = yield* stored(organizationId, name)
    const { provider, id } = connection
    yield* allowed(organizationId, provider)
    const now = yield* Clock.currentTimeMillis
    const attempt = use(
      connection,
      ({ session }) => adapters[provider].tryOut?.(session, now) ?? Effect.asVoid(adapters[provider].identify(session))
    )
    const failure = yield* Effect.flip(attempt).pipe(Effect.catch(() => Effect.undefined))
    if (failure === undefined) yield* connections.note(organizationId, id, null, now)
    else if (failure.action === "reconnect")
      yield* connections.note(organizationId, id, { problem: failure.message, final: failure.final === true }, now)
    return { ok: failure === undefined, problem: failure?.message ?? null }
  })

  /** The fields of contacts there, by the provider's own schema. */
  const remoteFields = traced("ManageConnections.remoteFields")(function* (organizationId: string, name: string) {
    const connection = yield* stored(organizationId, name)
    yield* allowed(organizationId, connection.provider)
    const fields = readFields(connection) ?? Effect.succeed<ReadonlyArray<RemoteField>>([])
    return yield* Effect.mapError(fields, refused)
  })

  const setEnabled = traced("ManageConnections.setEnabled")(function* (
    organizationId: string,
    name: string,
    enabled: boolean
  ) {
    const { provider, id } = yield* stored(organizationId, name)
    // Switching off is always possible, also after a change to a smaller plan.
    if (enabled) yield* allowed(organizationId, provider)
    const now = yield* Clock.currentTimeMillis
    const change = Effect.flatMap(connections.setEnabled(organizationId, provider, enabled, now), (after) =>
      after === undefined ? Effect.fail(missing(provider)) : Effect.succeed(after)
    )
    const after = yield* audit.recorded(organizationId, change, () => ({
      action: enabled ? "integration.enabled" : "integration.disabled",
      subjectId: id
    }))
    return yield* shown(organizationId, provider, after)
  })

  const remove = traced("ManageConnections.remove")(function* (organizationId: string, name: string) {
    const { provider, id, settings, credentials } = yield* stored(organizationId, name)
    yield* audit.recorded(organizationId, connections.remove(organizationId, provider), () => ({
      action: "integration.removed",
      subjectId: id,
      before: { provider, settings }
    }))
    const { refreshToken } = credentials
    const revoked =
      refreshToken === undefined
        ? undefined
        : adapters[provider].oauth?.revoke?.(askUnlogged({ provider, id }), credentials)
    yield* Effect.catch(revoked ?? Effect.void, ({ message }) =>
      Effect.logWarning("a provider still has the authorization of a connection that was removed", {
        organizationId,
        provider,
        reason: message
      })
    )
  })

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

  const setBackfill = traced("ManageConnections.setBackfill")(function* (
    organizationId: string,
    name: string,
    running: boolean
  ) {
    const { provider, id } = yield* stored(organizationId, name)
    if (running) yield* allowed(organizationId, provider)
    const now = yield* Clock.currentTimeMillis
    const change = Effect.flatMap(connections.setBackfill(organizationId, provider, running, now), (after) =>
      after === undefined ? Effect.fail(missing(provider)) : Effect.succeed(after)
    )
    const after = yield* audit.recorded(organizationId, change, () => ({
      action: running ? "integration.backfill_started" : "integration.backfill_stopped",
      subjectId: id
    }))
    return yield* shown(organizationId, provider, after)
  })

  /** Sends a problem again, or all of them. */
  const replay = traced("ManageConnections.replay")(function* (
    organizationId: string,
    name: string,
    taskId: string | undefined
  ) {
    const { provider, id }: StoredConnection = yield* stored(organizationId, name)
    yield* allowed(organizationId, provider)
    const now = yield* Clock.currentTimeMillis
    const sent = Effect.flatMap(records.replay(organizationId, id, taskId, now), (queued) =>
      queued === 0 && taskId !== undefined
        ? Effect.fail(new ConnectionNotFound({ message: "There is no such problem." }))
        : Effect.succeed(queued)
    )
    return yield* audit.recorded(organizationId, sent, (queued) => ({
      action: "integration.replayed",
      subjectId: id,
      after: { queued, ...(taskId === undefined ? {} : { problem: taskId }) }
    }))
  })

  return {
    list,
    get,
    stored,
    remoteFields,
    connect,
    authorize,
    authorized,
    test,
    setEnabled,
    remove,
    setBackfill,
    replay
  }
})
