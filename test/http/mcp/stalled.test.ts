/** A client that opens a stream, asks much, and reads nothing. */
import { connect, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { startMessagingWith } from "../../support/messaging.ts"

/** Their answers, of some 50 KB each, are more than the buffers of the sockets hold. */
const posts = 600

/** Gives the stream once its address for messages is known. From then on nothing is read. */
const openStream = (base: string, key: string) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<{ readonly messages: string; readonly socket: Socket }>((done, failed) => {
          const { hostname, port } = new URL(base)
          const socket = connect(Number(port), hostname)
          let heard = ""
          const read = (chunk: Buffer) => {
            heard += chunk.toString()
            const messages = /^data: (\S+)$/m.exec(heard)?.[1]
            if (messages === undefined) return
            socket.removeListener("data", read).pause()
            done({ messages, socket })
          }
          socket.on("data", read).on("error", failed)
          socket.write(`GET /api/mcp/sse HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\n\r\n`)
        })
    ),
    ({ socket }) => Effect.sync(() => socket.destroy())
  )

describe("a client that stops reading", () => {
  it.live(
    "finds a part of its answers when it reads again, and the end of its stream; what had no room was not kept",
    () =>
      Effect.gen(function* () {
        const { base, key } = yield* startMessagingWith({})
        const { messages, socket } = yield* openStream(base, key)
        yield* Effect.promise(async () => {
          for (let id = 1; id <= posts; id++) {
            const posted = await fetch(base + messages, {
              method: "POST",
              headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
              body: JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list" })
            })
            assert.include([202, 404], posted.status)
          }
          let answers = 0
          socket.on("data", (chunk: Buffer) => {
            answers += chunk.toString("latin1").split("event: message").length - 1
          })
          const ended = new Promise<void>((done) => socket.once("close", () => done()))
          socket.resume()
          await ended
          assert.isAbove(answers, 0)
          assert.isBelow(answers, posts / 2)
        })
      }),
    240_000
  )
})
