/** Use case: connect an integration, try it, switch it, send again what failed. The audit log records each of these, without secrets. */
import { randomBytes } from "node:crypto"
import { Clock, Effect } from "effect"
import { traced } from "../../basics/Traced.ts"
import { Audit } from "../../people/access/Audit.ts"
import { makePlanRefusal } from "../../people/organizations/PlanGate.ts"
import { AppAdapters } from "../AppAdapter.ts"
import {
  type AppConnection,
  AppConnections,
  type ConnectionRecord,
  type Integration,
  type StoredConnection
} from "../AppConnection.ts"
import type { AppFailure, AppSession } from "../AppSession.ts"
import { ArrivalQueue } from "../ArrivalQueue.ts"
import { type AppProvider, appProviders, isAppProvider, rowOf } from "../Catalogue.ts"
import { PullQueue } from "../PullQueue.ts"
import { makeReadFields } from "../ReadFields.ts"
import { checkMapping, type RemoteField } from "../RemoteFields.ts"
import { SyncRecords } from "../SyncRecords.ts"
import { makeUseConnection } from "../UseConnection.ts"
import { makeAuthorizeConnection } from "./AuthorizeConnection.ts"
import {
  ConnectionNotFound,
  IntegrationNotAllowed,
  InvalidConnection,
  ProviderUnreachable
} from "./ConnectionErrors.ts"
import { completedConnection, type GivenConnection } from "./ConnectionRules.ts"

const recordable = ({ enabled, account, settings }: ConnectionRecord) => ({ enabled, account, settings })

const refused = ({ action, message }: AppFailure) =>
  action === "retry" || action === "wait" ? new ProviderUnreachable({ message }) : new InvalidConnection({ message })

/** Needs the stores, Organizations, Audit, AppAdapters, HttpClient and RateLimiter once; the functions it gives need nothing. */
export const makeManageConnections = Effect.fnUntraced(function* (publicBaseUrl: string) {
  const pulls = yield* PullQueue
  const arrivals = yield* ArrivalQueue
  const connections = yield* AppConnections
  const records = yield* SyncRecords
  const planRefusalOf = yield* makePlanRefusal
  const adapters = yield* AppAdapters
  const audit = yield* Audit
  const { use, open, askUnlogged } = yield* makeUseConnection
  const readFields = yield* makeReadFields

  const known = (name: string) =>
    isAppProvider(name)
      ? Effect.succeed(name)
      : Effect.fail(new ConnectionNotFound({ message: "There is no integration with this name." }))

  const refusalOf = (organizationId: string, provider: AppProvider) =>
    planRefusalOf(organizationId, rowOf(provider).feature)

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

  /** Where the webhooks of a connection arrive. */
  const webhookUrl = (provider: AppProvider, token: string | null) =>
    token === null ? null : `${publicBaseUrl}/api/integrations/${provider}/webhooks/${token}`

  const withUrl = (provider: AppProvider, { webhookToken, ...record }: ConnectionRecord): AppConnection => ({
    ...record,
    webhookUrl: webhookUrl(provider, webhookToken)
  })

  const shown = Effect.fnUntraced(function* (
    organizationId: string,
    provider: AppProvider,
    record: ConnectionRecord | undefined
  ) {
    const { kind, title, fields } = rowOf(provider)
    const refusal = (yield* refusalOf(organizationId, provider)) ?? null
    const authorizes = adapters[provider].oauth !== undefined
    const notice = adapters[provider].notice?.(yield* Clock.currentTimeMillis) ?? null
    const connection = record === undefined ? null : withUrl(provider, record)
    return { provider, kind, title, refusal, authorizes, notice, fields, connection } satisfies Integration
  })

  const list = Effect.fnUntraced(function* (organizationId: string) {
    const made = yield* connections.list(organizationId)
    return yield* Effect.forEach(appProviders, (provider) => shown(organizationId, provider, made.get(provider)))
  })

  const shownNow = Effect.fnUntraced(function* (organizationId: string, provider: AppProvider) {
    return yield* shown(organizationId, provider, (yield* connections.list(organizationId)).get(provider))
  })

  const get = (organizationId: string, name: string) =>
    Effect.flatMap(known(name), (provider) => shownNow(organizationId, provider))

  /**
   * The address for webhooks, as its token, when the provider sends some; with the credentials that it gives when the address is registered. That comes
   * before anything is stored: what cannot be registered is not connected, and what is registered twice changes nothing.
   */
  const registered = Effect.fnUntraced(function* (
    provider: AppProvider,
    before: StoredConnection | undefined,
    session: AppSession
  ) {
    const { inbound } = adapters[provider]
    if (inbound === undefined) return { webhookToken: null, learned: {} }
    const webhookToken = before?.webhookToken ?? randomBytes(32).toString("base64url")
    const url = webhookUrl(provider, webhookToken) ?? ""
    const learned = inbound.subscribe?.(session, url, yield* Clock.currentTimeMillis) ?? Effect.succeed({})
    return { webhookToken, learned: yield* learned }
  })

  /** Asks the provider whose account the credentials open, and stores them. */
  const store = Effect.fnUntraced(function* (
    organizationId: string,
    provider: AppProvider,
    before: StoredConnection | undefined,
    given: Pick<StoredConnection, "credentials" | "settings">
  ) {
    const adapter = adapters[provider]
    const ready = (session: AppSession, credentials: StoredConnection["credentials"]) =>
      Effect.gen(function* () {
        const account = yield* adapter.identify(session)
        yield* checkMapping(adapter.fields, rowOf(provider).title, session)
        const { webhookToken, learned } = yield* registered(provider, before, session)
        return { account, webhookToken, credentials: { ...credentials, ...learned } }
      })
    // Tokens of an authorization that are kept may have ended since.
    const { refreshToken } = given.credentials
    const isKept =
      before !== undefined && refreshToken !== undefined && before.credentials.refreshToken === refreshToken
    const asked = isKept
      ? use({ ...before, settings: given.settings }, ({ session }, current) => ready(session, current.credentials))
      : ready(open({ ...given, organizationId, provider, id: organizationId }).session, given.credentials)
    const { account, credentials, webhookToken } = yield* Effect.mapError(asked, refused)
    const { settings } = given
    const now = yield* Clock.currentTimeMillis
    const after = yield* audit.recorded(
      organizationId,
      connections.save(organizationId, provider, { settings, credentials, account, webhookToken }, now),
      (after) => ({
        action: before === undefined ? "integration.connected" : "integration.changed",
        subjectId: after.id,
        after: {
          ...recordable(after),
          changedSecrets: Object.keys(credentials).filter(
            (secret) => credentials[secret] !== before?.credentials[secret]
          )
        }
      })
    )
    const { pull } = adapters[provider]
    if (pull !== undefined) yield* pulls.keepUp(organizationId, after.id, pull, now)
    return yield* shownNow(organizationId, provider)
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

  /** What the provider has sent to the address for webhooks to be pasted back there; null when nothing came yet, or it wants nothing. */
  const verification = traced("ManageConnections.verification")(function* (organizationId: string, name: string) {
    const { provider, credentials } = yield* stored(organizationId, name)
    const pasted = adapters[provider].inbound?.pasted
    return { token: pasted === undefined ? null : (credentials[pasted] ?? null) }
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
    const connection = yield* stored(organizationId, name)
    const { provider, id, settings, credentials } = connection
    const url = webhookUrl(provider, connection.webhookToken)
    const unsubscribed =
      url === null ? undefined : adapters[provider].inbound?.unsubscribe?.(open(connection).session, url)
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
    const ended = Effect.andThen(unsubscribed ?? Effect.void, revoked ?? Effect.void)
    yield* Effect.catch(ended, ({ message }) =>
      Effect.logWarning("a provider still has the authorization or the webhooks of a connection that was removed", {
        organizationId,
        provider,
        reason: message
      })
    )
  })

  const { authorize, authorized } = yield* makeAuthorizeConnection({ known, allowed, refused, askUnlogged, store })

  const setBackfill = traced("ManageConnections.setBackfill")(function* (
    organizationId: string,
    name: string,
    running: boolean
  ) {
    const { provider, id } = yield* stored(organizationId, name)
    if (running) yield* allowed(organizationId, provider)
    const now = yield* Clock.currentTimeMillis
    const { push, pull } = adapters[provider]
    const sending = push === undefined ? Effect.void : connections.setBackfill(organizationId, provider, running, now)
    const pulling =
      pull === undefined
        ? Effect.void
        : running
          ? pulls.start(organizationId, id, pull, "all", now)
          : pulls.stop(organizationId, id)
    yield* audit.recorded(organizationId, Effect.andThen(sending, pulling), () => ({
      action: running ? "integration.backfill_started" : "integration.backfill_stopped",
      subjectId: id
    }))
    return yield* shownNow(organizationId, provider)
  })

  /** Pulls the records that changed since the last complete pull. */
  const sync = traced("ManageConnections.sync")(function* (organizationId: string, name: string) {
    const { provider, id } = yield* stored(organizationId, name)
    yield* allowed(organizationId, provider)
    const { pull } = adapters[provider]
    if (pull === undefined)
      return yield* new InvalidConnection({
        message: `${rowOf(provider).title} is only told things: nothing is pulled from it.`
      })
    const now = yield* Clock.currentTimeMillis
    yield* audit.recorded(organizationId, pulls.start(organizationId, id, pull, "changed", now), () => ({
      action: "integration.sync_started",
      subjectId: id
    }))
    return yield* shownNow(organizationId, provider)
  })

  /** Takes up a problem again, or all of them: sends changes, or reads arrivals. */
  const replay = traced("ManageConnections.replay")(function* (
    organizationId: string,
    name: string,
    which: "changes" | "arrivals",
    taskId: string | undefined
  ) {
    const { provider, id }: StoredConnection = yield* stored(organizationId, name)
    yield* allowed(organizationId, provider)
    const now = yield* Clock.currentTimeMillis
    const { replay: again } = which === "changes" ? records : arrivals
    const sent = Effect.flatMap(again(organizationId, id, taskId, now), (queued) =>
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
    verification,
    connect,
    authorize,
    authorized,
    test,
    setEnabled,
    remove,
    setBackfill,
    sync,
    replay
  }
})
