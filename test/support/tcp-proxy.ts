/** A TCP proxy in front of a real server, so that a test can take the server away in mid-call and give it back. */
import { connect, createServer, type Socket } from "node:net"
import { Effect } from "effect"

export interface TcpProxy {
  readonly port: number
  /** Cuts every connection and refuses new ones. */
  readonly cut: () => void
  readonly restore: () => void
}

export const tcpProxy = (host: string, port: number) =>
  Effect.acquireRelease(
    Effect.callback<TcpProxy & { readonly close: () => void }>((resume) => {
      const sockets = new Set<Socket>()
      let open = true
      const server = createServer((client) => {
        if (!open) {
          client.destroy()
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
        open = false
        for (const socket of sockets) socket.destroy()
      }
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(
          Effect.succeed({
            port: typeof address === "object" && address !== null ? address.port : 0,
            cut,
            restore: () => {
              open = true
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
