/** Streams of bytes between processes of one machine, over Unix sockets. Whoever may open the socket's folder may connect. */
import { rmSync } from "node:fs"
import { connect, createServer } from "node:net"
import { joinPipe, keepConnecting, type PipeOpened } from "./SocketPipes.ts"

/** Connects, and again when the connection is lost, until the returned function is called. */
export const keepConnected = (path: string, opened: PipeOpened): (() => void) =>
  // The other process may not have been started yet: there is nothing to say of that.
  keepConnecting(
    () => connect(path),
    opened,
    () => undefined
  )

/** Listens. Resolves with the function that stops it; connections go on. Rejects when the path cannot be used. */
export const listen = (path: string, opened: PipeOpened): Promise<() => void> =>
  new Promise((resolve, reject) => {
    // Of a process that is gone.
    rmSync(path, { force: true })
    const server = createServer((socket) => {
      // Each error is followed by "close".
      socket.on("error", () => undefined)
      joinPipe(socket, opened)
    })
    server.once("error", reject)
    server.listen(path, () => resolve(() => server.close()))
  })
