/** A TLS connection is watched like a plain one; its socket is not TLS's own. */
import type { AddressInfo } from "node:net"
import { connect, createServer } from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as SocketWatch from "../../../src/integrations/postgres/SocketWatch.ts"
import { certificate, privateKey } from "../../support/certificate.ts"
import { eventually } from "../../support/eventually.ts"
import { tcpProxy } from "../../support/tcp-proxy.ts"

/** Says back what it hears. */
const echo = Effect.acquireRelease(
  Effect.callback<ReturnType<typeof createServer>>((resume) => {
    const server = createServer({ cert: certificate, key: privateKey }, (socket) => {
      socket.on("error", () => socket.destroy())
      socket.pipe(socket)
    })
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  (server) => Effect.sync(() => server.close())
)

describe("a watched connection", () => {
  it.effect(
    "over TLS lives while it is answered or idle, and ends ten seconds after a question without an answer",
    () =>
      Effect.gen(function* () {
        const proxy = yield* tcpProxy("127.0.0.1", ((yield* echo).address() as AddressInfo).port)
        const open = yield* SocketWatch.make(
          Redacted.make(`postgres://somebody@127.0.0.1:${proxy.port}/parley?sslmode=require`)
        )
        let [heard, failure] = ["", ""]
        const stream = connect({ socket: open(), rejectUnauthorized: false })
        stream.on("data", (part) => {
          heard += part
        })
        stream.on("error", (error) => {
          failure = error.message
        })
        stream.write("one")
        yield* eventually("an answer", () => heard === "one")
        yield* TestClock.adjust("1 minute")
        stream.write("two")
        yield* eventually("another", () => heard === "onetwo")
        proxy.freeze()
        stream.write("three")
        yield* TestClock.adjust("9 seconds")
        assert.isFalse(stream.destroyed)
        yield* TestClock.adjust("2 seconds")
        yield* eventually("it is given up", () => stream.destroyed)
        assert.match(failure, /has not answered for 10 s/)
      }).pipe(Effect.scoped)
  )
})
