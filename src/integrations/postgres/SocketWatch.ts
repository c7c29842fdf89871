/**
 * Sees connections to the database on which nobody answers any more: its machine is gone, or the way to it, and no packet says so. The kernel would go on
 * sending for a quarter of an hour, and whoever has asked would wait as long. Here they fail after some seconds, like connections that were cut.
 */
import { connect, type Socket } from "node:net"
import { Duplex } from "node:stream"
import { Effect, Redacted, Schedule } from "effect"

/** Seconds without an answer. Longer than any statement of ours takes, and the provider of telephony waits 15 s for the answer to a webhook. */
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
 * Gives what opens a stream to the database, watched for as long as the scope lasts. When one of them is given up, so are all on which nothing was heard
 * for as long: who takes one of those next would have to wait anew.
 */
export const make = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const { secure, to } = destination(url)
  const all = new Set<Watched>()

  const second = Effect.sync(() => {
    let dead = false
    for (const it of all) {
      it.quiet++
      it.waits = it.socket.bytesWritten > it.answered ? it.waits + 1 : 0
      dead ||= it.waits >= longest
    }
    if (!dead) return false
    for (const { quiet, socket } of all)
      if (quiet >= longest) socket.destroy(new Error(`The database has not answered for ${longest} s.`))
    return true
  })
  // Seconds are counted, not measured: a process that stood still itself accuses nobody.
  yield* second.pipe(
    Effect.tap((dead) =>
      dead ? Effect.logWarning("the database does not answer, its connections are given up") : Effect.void
    ),
    Effect.repeat(Schedule.spaced("1 second")),
    Effect.forkScoped
  )

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
