/** A TCP proxy in front of a real server, with which a test can make the server unreachable during a call and reachable again. */
import { connect, createServer, type Socket } from "node:net"
import { Effect } from "effect"

export interface TcpProxy {
  readonly port: number
  /** Cuts every connection and refuses new ones. */
  readonly cut: () => void
  /** The server becomes silent: no connection, existing or new, carries data any more, and none is closed. */
  readonly freeze: () => void
  /** New connections work again. */
  readonly restore: () => void
}

export const tcpProxy = (host: string, port: number) =>
  Effect.acquireRelease(
    Effect.callback<TcpProxy & { readonly close: () => void }>((resume) => {
      const sockets = new Set<Socket>()
      let state: "open" | "cut" | "frozen" = "open"
      const server = createServer((client) => {
        if (state === "cut") {
          client.destroy()
          return
        }
        if (state === "frozen") {
          sockets.add(client.on("error", () => client.destroy()).on("close", () => sockets.delete(client)))
          return
        }
        const upstream = connect(port, host)
        for (const [socket, other] of [
          [client, upstream],
          [upstream, client]
        ] as const) {
          sockets.add(socket)
          socket.on("error", () => other.destroy())
          socket.on("close", () => {
            sockets.delete(socket)
            other.destroy()
          })
          socket.pipe(other)
        }
      })
      const cut = () => {
        state = "cut"
        for (const socket of sockets) socket.destroy()
      }
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(
          Effect.succeed({
            port: typeof address === "object" && address !== null ? address.port : 0,
            cut,
            freeze: () => {
              state = "frozen"
              for (const socket of sockets) {
                socket.unpipe()
                socket.pause()
              }
            },
            restore: () => {
              state = "open"
            },
            close: () => {
              cut()
              server.close()
            }
          })
        )
      })
    }),
    ({ close }) => Effect.sync(close)
  )
