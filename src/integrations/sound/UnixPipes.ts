/** Streams of bytes between processes of one machine, over Unix sockets. Whoever may open the socket's folder may connect. */
import { rmSync } from "node:fs"
import { connect, createServer, type Socket } from "node:net"

export interface Pipe {
  /** False: it takes no more until `drained`. */
  readonly write: (bytes: Uint8Array) => boolean
  readonly close: () => void
}

export interface PipeListener {
  readonly receive: (bytes: Uint8Array) => void
  readonly drained: () => void
  readonly closed: () => void
}

/** Makes what hears of a new pipe. */
type Opened = (pipe: Pipe) => PipeListener

const firstPauseMs = 20
const longestPauseMs = 1_000

const join = (socket: Socket, opened: Opened): void => {
  const { receive, drained, closed } = opened({
    write: (bytes) => socket.write(bytes),
    close: () => socket.destroy()
  })
  socket.on("data", receive)
  socket.on("drain", drained)
  socket.on("close", closed)
}

/** Connects, and again when the connection is lost, until the returned function is called. */
export const keepConnected = (path: string, opened: Opened): (() => void) => {
  let over = false
  let pauseMs = firstPauseMs
  let socket: Socket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const again = () => {
    if (over) return
    timer = setTimeout(open, pauseMs)
    pauseMs = Math.min(2 * pauseMs, longestPauseMs)
  }
  const open = () => {
    const opening = connect(path)
    socket = opening
    opening.once("connect", () => {
      pauseMs = firstPauseMs
      join(opening, opened)
    })
    // Each error is followed by "close".
    opening.on("error", () => undefined)
    opening.once("close", again)
  }
  open()
  return () => {
    over = true
    clearTimeout(timer)
    socket?.destroy()
  }
}

/** Listens. Resolves with the function that stops it; connections go on. Rejects when the path cannot be used. */
export const listen = (path: string, opened: Opened): Promise<() => void> =>
  new Promise((resolve, reject) => {
    // Of a process that is gone.
    rmSync(path, { force: true })
    const server = createServer((socket) => {
      // Each error is followed by "close".
      socket.on("error", () => undefined)
      join(socket, opened)
    })
    server.once("error", reject)
    server.listen(path, () => resolve(() => server.close()))
  })
