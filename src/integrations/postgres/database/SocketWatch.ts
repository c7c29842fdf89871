/**
 * Sees connections to the database on which nobody answers any more: its machine is gone, or the way to it, and no packet says so. The kernel would go on
 * sending for a quarter of an hour, and whoever has asked would wait as long. Here they fail after some seconds, like connections that were cut, unless
 * the database says, over a new connection, that it is still at work on something of ours that takes as long (a broadcast to a million).
 */
import { connect, type Socket } from "node:net"
import { Duplex } from "node:stream"
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"

/** Seconds without an answer until the database is asked. Few statements of ours take longer, and the provider of telephony waits 15 s for the answer to a webhook. */
const longest = 10

interface Watched {
  readonly socket: Socket
  /** What was written when something was heard last: more than that is a question without an answer. Bytes. */
  answered: number
  /** Seconds since then with such a question, and since anything was heard. */
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
 * Whether the database has worked on a statement of this role for as long. The backend of a dead connection never heard of one, or waits for its
 * client. Of several nodes with one role, one's long statement makes the others patient, too.
 */
const askWhetherAtWork = (url: Redacted.Redacted) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const found = yield* sql`SELECT 1 AS found FROM pg_stat_activity
      WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
      AND state = 'active' AND wait_event_type IS DISTINCT FROM 'Client'
      AND query_start < clock_timestamp() - make_interval(secs => ${longest - 1}) LIMIT 1`
    return found.length > 0
  }).pipe(
    Effect.provide(PgClient.layerFrom(PgClient.makeClient({ url, connectTimeout: "3 seconds" }))),
    Effect.timeout("5 seconds"),
    Effect.catch((error) => Effect.as(Effect.logWarning("the database cannot be asked", error), false))
  )

/**
 * Gives what opens a stream to the database, watched for as long as the scope lasts. When one of them is given up, so are all on which nothing was heard
 * for as long: who takes one of those next would have to wait anew.
 */
export const make = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const { secure, to } = destination(url)
  const all = new Set<Watched>()

  /** Seconds are counted, not measured: a process that stood still itself accuses nobody. */
  const second = () => {
    for (const it of all) {
      it.quiet++
      it.waits = it.socket.bytesWritten > it.answered ? it.waits + 1 : 0
    }
  }
  const somebodyWaits = () => [...all].some(({ waits }) => waits >= longest)
  const giveUp = () => {
    for (const { quiet, socket } of all)
      if (quiet >= longest) socket.destroy(new Error(`The database has not answered for ${longest} s.`))
  }
  const wait = () => {
    for (const it of all) it.waits = 0
  }
  // The answer may come while the database is being asked.
  const judge = Effect.flatMap(askWhetherAtWork(url), (atWork) =>
    atWork || !somebodyWaits()
      ? Effect.sync(wait)
      : Effect.andThen(
          Effect.logWarning("the database does not answer, its connections are given up"),
          Effect.sync(giveUp)
        )
  )
  yield* Effect.suspend(() => {
    second()
    return somebodyWaits() ? judge : Effect.void
  }).pipe(Effect.repeat(Schedule.spaced("1 second")), Effect.forkScoped)

  return (): Duplex => {
    const socket = connect({ ...to, noDelay: true })
    const watched = { socket, answered: 0, waits: 0, quiet: 0 }
    all.add(watched)
    socket.on("close", () => all.delete(watched))
    socket.on("data", () => {
      watched.answered = socket.bytesWritten
      watched.waits = 0
      watched.quiet = 0
    })
    // TLS would take a socket's handle for itself, and nothing would be seen here.
    return secure ? Duplex.from({ readable: socket, writable: socket }) : socket
  }
})
