/**
 * `McpClient`: the connections of this process with external MCP servers. A server has one connection, which is made when a tool or a call needs it,
 * and stays while calls of agents that use the server are under way. Nothing here fails for a caller: a model gets every trouble as a sentence.
 */
import { Clock, Effect, Exit, Layer, Queue, Scope, Semaphore } from "effect"
import { McpClient, McpUnreachable } from "../../domain/ai/tools/McpClient.ts"
import { type McpHealth, type McpServer, McpServers } from "../../domain/ai/tools/McpServer.ts"
import { type ToolAnswer, toolFailed } from "../../domain/ai/tools/ToolRunner.ts"
import { isoTime } from "../../domain/basics/IsoTime.ts"
import { canonicalJson } from "../../domain/basics/Json.ts"
import { periodically } from "../../domain/basics/Periodically.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { Breaker } from "../resilience/Breaker.ts"
import { urlRefusal } from "../web/GuardedFetch.ts"
import { type Connection, connectMcp } from "./Connection.ts"
import { failureOf, McpFailure } from "./Failures.ts"
import { McpCredentials } from "./McpCredentials.ts"
import { answerOf } from "./ResultText.ts"

export interface McpPoolOptions {
  /** Lets servers be on loopback and private addresses: for demo and development. */
  readonly allowPrivateNetwork?: boolean
  /** How long a connection that no call needs stays open, in milliseconds. */
  readonly idleMs?: number
}

/** The most servers that a process is connected with. */
const mostConnections = 500
/** The longest that connecting may take, all attempts together. */
const connectMs = 10_000
/** The pause between two readings of a list that changes all the time. */
const refreshPauseMs = 5_000
const circuit = { failures: 4, openMs: 2_000, longestOpenMs: 30_000 }

interface Held {
  readonly connection: Connection
  /** Has the list of tools read in the background. */
  readonly read: () => void
  readonly revision: number
  readonly scope: Scope.Closeable
}

interface Entry {
  readonly organizationId: string
  readonly serverId: string
  /** One attempt to connect at a time. */
  readonly turn: Semaphore.Semaphore
  readonly breaker: Breaker
  held: Held | undefined
  usedAt: number
  /** Requests under way. */
  running: number
}

/** A failure that says something about the server: it counts against it. */
const blames = ({ kind }: McpFailure): boolean => kind === "lost" || kind === "slow" || kind === "strange"

const isUnauthorized = ({ kind }: McpFailure): boolean => kind === "unauthorized" || kind === "scope"

const healthOf = (now: number, failure?: McpFailure): McpHealth => ({
  status: failure === undefined ? "ok" : isUnauthorized(failure) ? "unauthorized" : "failing",
  checkedAt: isoTime(now),
  error: failure?.message ?? null
})

/** What the model is told when a tool could not be run. */
const told = (failure: McpFailure, timeoutMs: number): ToolAnswer => {
  switch (failure.kind) {
    case "slow":
      return toolFailed(`The tool did not answer within ${timeoutMs} ms.`)
    case "lost":
      return toolFailed(`${failure.message} The tool may or may not have done its work.`)
    default:
      return toolFailed(failure.message)
  }
}

/** Needs McpServers and McpCredentials. */
export const layer = ({ allowPrivateNetwork = false, idleMs = 120_000 }: McpPoolOptions = {}) =>
  Layer.effect(
    McpClient,
    Effect.gen(function* () {
      const servers = yield* McpServers
      const credentials = yield* McpCredentials
      const scope = yield* Effect.scope
      const entries = new Map<string, Entry>()

      const attempt = <A>(run: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, McpFailure> =>
        Effect.tryPromise({ try: run, catch: failureOf })

      const entryOf = Effect.fnUntraced(function* ({ organizationId, id }: McpServer) {
        const known = entries.get(id)
        if (known !== undefined) return known
        if (entries.size >= mostConnections)
          return yield* new McpFailure({ kind: "paused", message: "Too many MCP servers are in use at this moment." })
        const breaker = new Breaker(circuit, () => undefined)
        const entry: Entry = {
          organizationId,
          serverId: id,
          turn: Semaphore.makeUnsafe(1),
          breaker,
          held: undefined,
          usedAt: yield* Clock.currentTimeMillis,
          running: 0
        }
        entries.set(id, entry)
        return entry
      })

      /** Gives up the connection. Whoever asks from now on gets a new one; the effect closes this one. */
      const drop = (entry: Entry): Effect.Effect<void> => {
        const { held } = entry
        entry.held = undefined
        return held === undefined ? Effect.void : Scope.close(held.scope, Exit.void)
      }

      /** Reads what the server offers and stores it. */
      const refresh = Effect.fnUntraced(function* (server: McpServer, connection: Connection) {
        const offered = yield* attempt(connection.list)
        const now = yield* Clock.currentTimeMillis
        const stored = yield* servers.find(server.organizationId, server.id)
        const same = stored?.health.status === "ok" && canonicalJson(stored.offered) === canonicalJson(offered)
        const seen = { transport: connection.transport, offered }
        if (!same) yield* servers.observe(server, healthOf(now), seen)
        return seen
      })

      const troubled = Effect.fnUntraced(function* (server: McpServer, failure: McpFailure) {
        yield* Effect.logWarning("an MCP server could not be asked", {
          organizationId: server.organizationId,
          serverId: server.id,
          kind: failure.kind,
          reason: failure.message
        })
        if (failure.scope !== undefined) yield* credentials.wants(server, failure.scope)
        const now = yield* Clock.currentTimeMillis
        if (server.health.error !== failure.message) yield* servers.observe(server, healthOf(now, failure))
      })

      /** Connects; the connection ends with the scope. Its list is read again whenever the server says that it changed. */
      const open = Effect.fnUntraced(function* (server: McpServer, within: Scope.Closeable) {
        const changes = yield* Queue.sliding<void>(1)
        const read = () => void Queue.offerUnsafe(changes, undefined)
        const auth = yield* credentials.of(server)
        const options = {
          url: server.url,
          allowPrivateNetwork,
          credentials: auth,
          onChanged: read
        }
        const connection = yield* attempt((signal) => connectMcp(options, signal)).pipe(
          Effect.timeoutOrElse({
            duration: connectMs,
            orElse: () => Effect.fail(new McpFailure({ kind: "slow", message: "The server did not answer in time." }))
          })
        )
        yield* Scope.addFinalizer(within, Effect.promise(connection.close))
        const follow = Queue.take(changes).pipe(
          Effect.andThen(refresh(server, connection)),
          Effect.catch((failure) => troubled(server, failure)),
          Effect.andThen(Effect.sleep(refreshPauseMs)),
          Effect.forever
        )
        yield* Effect.forkIn(follow, within)
        return { connection, read, revision: server.revision, scope: within }
      })

      const connected = Effect.fnUntraced(function* (entry: Entry, server: McpServer, anew: boolean) {
        const { held } = entry
        if (!anew && held?.revision === server.revision && held.connection.isOpen()) return { held, isNew: false }
        yield* drop(entry)
        const within = yield* Scope.fork(scope)
        const made = yield* Effect.onError(open(server, within), () => Scope.close(within, Exit.void))
        entry.held = made
        return { held: made, isNew: true }
      })

      /** The connection with the server, made now when there is none, or when it must be a new one. */
      const connectionTo = (entry: Entry, server: McpServer, anew = false) =>
        entry.turn.withPermits(1)(connected(entry, server, anew))

      /** A connection for a tool. Of a new one the list is read while the tool runs. */
      const ready = (entry: Entry, server: McpServer, anew = false) =>
        Effect.map(connectionTo(entry, server, anew), ({ held, isNew }) => {
          if (isNew) held.read()
          return held.connection
        })

      /** Keeps the entry while the work is under way. */
      const busy = <A>(entry: Entry, work: Effect.Effect<A, McpFailure>) =>
        Effect.clockWith((clock) => {
          entry.running++
          return Effect.ensuring(
            work,
            Effect.sync(() => {
              entry.running--
              entry.usedAt = clock.currentTimeMillisUnsafe()
            })
          )
        })

      /** Runs a request through the circuit of its server. */
      const guarded = <A>(entry: Entry, request: Effect.Effect<A, McpFailure>) =>
        Effect.clockWith((clock) => {
          const admission = entry.breaker.admit(clock.currentTimeMillisUnsafe())
          if (admission === undefined)
            return Effect.fail(
              new McpFailure({
                kind: "paused",
                message: "The tool's server has failed several times and is not asked for now."
              })
            )
          const record = (exit: Exit.Exit<A, McpFailure>) =>
            Effect.sync(() => {
              const error = Exit.isFailure(exit) ? Exit.findErrorOption(exit) : undefined
              const failed = error?._tag === "Some" ? blames(error.value) : false
              const outcome = failed ? "failure" : Exit.hasInterrupts(exit) ? "ignored" : "success"
              entry.breaker.record(admission, outcome, clock.currentTimeMillisUnsafe())
            })
          return busy(entry, Effect.onExit(request, record))
        })

      const request = Effect.fnUntraced(function* (entry: Entry, server: McpServer, tool: string, input: object) {
        const ask = (connection: Connection) =>
          attempt((signal) => connection.call(tool, { ...input }, server.timeoutMs, signal))
        const connection = yield* ready(entry, server)
        // A session that the server has forgotten did nothing, so the request may be sent again.
        return yield* Effect.catchIf(
          ask(connection),
          ({ kind }) => kind === "gone",
          () => Effect.flatMap(ready(entry, server, true), ask)
        )
      })

      const call = traced("McpClient.call")(function* (server: McpServer, tool: string, input: object) {
        const { timeoutMs } = server
        const entry = yield* entryOf(server)
        const late = Effect.fail(new McpFailure({ kind: "slow", message: "The tool did not answer in time." }))
        const asked = request(entry, server, tool, input).pipe(
          Effect.timeoutOrElse({ duration: timeoutMs, orElse: () => late })
        )
        return answerOf(yield* Effect.tapError(guarded(entry, asked), (failure) => fell(server, entry, failure)))
      })

      /** After a failure: tells people, and gives up a connection that no other request uses. */
      const fell = (server: McpServer, entry: Entry, failure: McpFailure) =>
        failure.kind === "refused" || failure.kind === "paused"
          ? Effect.void
          : Effect.andThen(
              Effect.forkIn(troubled(server, failure), scope),
              entry.running === 0 && !isUnauthorized(failure) ? Effect.forkIn(drop(entry), scope) : Effect.void
            )

      const warmOne = Effect.fnUntraced(function* (organizationId: string, serverId: string) {
        const server = yield* servers.find(organizationId, serverId)
        if (server === undefined) return
        const entry = yield* entryOf(server)
        entry.usedAt = yield* Clock.currentTimeMillis
        yield* Effect.tapError(guarded(entry, ready(entry, server)), (failure) => fell(server, entry, failure))
      })

      /** Closes what no call needs. */
      const sweep = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        for (const [id, entry] of entries) {
          if (entry.running > 0 || now - entry.usedAt < idleMs) continue
          if (entry.held !== undefined && (yield* servers.isInUse(entry.organizationId, id))) continue
          entries.delete(id)
          yield* drop(entry)
        }
      })
      yield* periodically("MCP connections were not looked after", { every: idleMs / 4, first: idleMs / 4 }, sweep)

      return McpClient.of({
        refusal: (url) => urlRefusal(url, allowPrivateNetwork),
        test: traced("McpClient.test")(
          function* (server) {
            const entry = yield* entryOf(server)
            const introduced = Effect.flatMap(connectionTo(entry, server, true), ({ held }) =>
              refresh(server, held.connection)
            )
            return yield* busy(entry, introduced)
          },
          (tested, server) => Effect.tapError(tested, (failure) => troubled(server, failure)),
          Effect.mapError(
            (failure) => new McpUnreachable({ message: failure.message, unauthorized: isUnauthorized(failure) })
          )
        ),
        call: (server, tool, input) =>
          Effect.catch(call(server, tool, input), (failure) => Effect.succeed(told(failure, server.timeoutMs))),
        warm: (organizationId, serverIds) =>
          Effect.forEach(
            serverIds,
            (id) =>
              Effect.forkIn(
                Effect.catchCause(warmOne(organizationId, id), (cause) =>
                  Effect.logDebug("an MCP server is not connected ahead of a call", cause)
                ),
                scope
              ),
            { discard: true }
          ),
        forget: (serverId) =>
          Effect.suspend(() => {
            const entry = entries.get(serverId)
            entries.delete(serverId)
            return entry === undefined ? Effect.void : drop(entry)
          })
      })
    })
  )
