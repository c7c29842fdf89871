/**
 * Sees connections to the database on which nobody answers any more: its machine is gone, or the way to it, and no packet says so. The kernel would go on
 * sending for a quarter of an hour, and whoever has asked would wait as long. Here they fail after some seconds, like connections that were cut, unless
 * the database says, over a new connection, that it is still at work on something of ours that takes as long (a broadcast to a million). It also tells
 * for how long the database as a whole has been silent: then requests are answered without it (`RecordsSilence`).
 */
import { connect, type Socket } from "node:net"
import { Duplex } from "node:stream"
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"

/** Milliseconds. */
const tickMs = 250
/** Without an answer for as long, the database is asked over a new connection whether it is at work. */
const askAfterMs = 2_000
const askEveryMs = 1_000
/** A connection without an answer for as long is given up if the database, which answers, is not at work on anything of ours that is as old. */
const deadAfterMs = 3_000
/**
 * If the database does not answer at all, connections are kept for as long: it may have stopped for a moment. The provider of telephony waits 15 s for
 * the answer to a webhook.
 */
const longestMs = 10_000

interface Watched {
  readonly socket: Socket
  /** What was written when something was heard last: more than that is a question without an answer. Bytes. */
  answered: number
  /** Milliseconds since then with such a question, and since anything was heard. */
  waits: number
  quiet: number
}

/** Where the URL says the database is, and whether over TLS (as `PgClient` reads it). */
const destination = (url: Redacted.Redacted) => {
  const { hostname, port, searchParams } = new URL(Redacted.value(url))
  const host = searchParams.get("host") ?? (decodeURIComponent(hostname).replace(/^\[|\]$/g, "") || "localhost")
  const number = Number(searchParams.get("port") ?? (port || 5432))
  const secure = (searchParams.get("sslmode") ?? "disable") !== "disable"
  return { secure, to: host.startsWith("/") ? { path: `${host}/.s.PGSQL.${number}` } : { host, port: number } }
}

/**
 * Whether the database has worked on a statement of this role for `ms`; undefined when it does not say. The backend of a dead connection never heard
 * of one, or waits for its client. Of several nodes with one role, one's long statement makes the others patient, too.
 */
const askWhetherAtWork = (url: Redacted.Redacted, ms: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const found = yield* sql`SELECT 1 AS found FROM pg_stat_activity
      WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
      AND state = 'active' AND wait_event_type IS DISTINCT FROM 'Client'
      AND query_start < clock_timestamp() - make_interval(secs => ${(ms - 1_000) / 1_000}) LIMIT 1`
    return found.length > 0
  }).pipe(
    Effect.provide(PgClient.layerFrom(PgClient.makeClient({ url, connectTimeout: "1500 millis" }))),
    Effect.timeout("1500 millis"),
    Effect.catch(({ message: reason }) =>
      Effect.as(Effect.logWarning("the database cannot be asked", { reason }), undefined)
    )
  )

/**
 * Gives what opens a stream to the database, watched for as long as the scope lasts, and how long the database has been silent. When a connection is
 * given up, so are all on which nothing was heard for as long: who takes one of those next would have to wait anew.
 */
export const make = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const { secure, to } = destination(url)
  const scope = yield* Effect.scope
  const all = new Set<Watched>()
  /** Milliseconds in which somebody waited and nothing was heard over any connection. */
  let silentMs = 0
  /** A connection could not be opened, and nothing was heard since. */
  let refused = false
  /** Milliseconds until the database is asked again, and whether it is being asked. */
  let askInMs = 0
  let asking = false

  const asked = () => {
    asking = false
  }
  const heard = () => {
    silentMs = 0
    refused = false
  }
  /** Time is counted, not measured: a process that stood still itself accuses nobody. */
  const tick = () => {
    for (const it of all) {
      it.quiet += tickMs
      it.waits = it.socket.bytesWritten > it.answered ? it.waits + tickMs : 0
    }
    askInMs -= tickMs
    if (refused || waitsFor(tickMs)) silentMs += tickMs
  }
  const waitsFor = (ms: number) => [...all].some(({ waits }) => waits >= ms)
  const giveUp = (ms: number) => {
    for (const { quiet, socket } of all)
      if (quiet >= ms) socket.destroy(new Error(`The database has not answered for ${ms / 1_000} s.`))
    return Effect.logWarning("the database does not answer, its connections are given up")
  }
  const judge = (ms: number) =>
    Effect.flatMap(askWhetherAtWork(url, Math.min(ms, longestMs)), (atWork) =>
      Effect.suspend(() => {
        // Whoever answers is not silent, whatever becomes of these connections.
        if (atWork !== undefined) heard()
        if (atWork === true) for (const it of all) it.waits = 0
        // The answer may have come while the database was being asked.
        if (atWork === false && waitsFor(deadAfterMs)) return giveUp(deadAfterMs)
        return atWork === undefined && waitsFor(longestMs) ? giveUp(longestMs) : Effect.void
      })
    )
  /** The longest wait is that of a connection, or of those who try to connect. */
  const longestWait = () => Math.max(silentMs, ...[...all].map(({ waits }) => waits))

  yield* Effect.suspend(() => {
    tick()
    const ms = longestWait()
    if (ms < askAfterMs || askInMs > 0 || asking) return Effect.void
    askInMs = askEveryMs
    asking = true
    return Effect.forkIn(Effect.ensuring(judge(ms), Effect.sync(asked)), scope)
  }).pipe(Effect.repeat(Schedule.spaced(tickMs)), Effect.forkScoped)

  const open = (): Duplex => {
    const socket = connect({ ...to, noDelay: true })
    const watched = { socket, answered: 0, waits: 0, quiet: 0 }
    all.add(watched)
    socket.on("close", () => {
      all.delete(watched)
      // Nothing was ever heard over it.
      if (watched.answered === 0) refused = true
    })
    socket.on("data", () => {
      watched.answered = socket.bytesWritten
      watched.waits = 0
      watched.quiet = 0
      heard()
    })
    // TLS would take a socket's handle for itself, and nothing would be seen here.
    return secure ? Duplex.from({ readable: socket, writable: socket }) : socket
  }
  return { open, silentMs: () => silentMs }
})
