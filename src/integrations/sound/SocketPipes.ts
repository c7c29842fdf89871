/** Pipes of bytes over sockets of any kind: what `UnixPipes` and `TlsPipes` have in common. */
import type { Socket } from "node:net"

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
export type PipeOpened = (pipe: Pipe) => PipeListener

const firstPauseMs = 20
const longestPauseMs = 1_000
/** Whoever accepts a connection speaks first, within this time. Milliseconds. */
export const speaksWithinMs = 5_000

/** Makes a pipe of a socket that is connected. Errors are the caller's: each is followed by "close". */
export const joinPipe = (socket: Socket, opened: PipeOpened): PipeListener => {
  const listener = opened({
    write: (bytes) => socket.write(bytes),
    close: () => socket.destroy()
  })
  socket.on("data", listener.receive)
  socket.on("drain", listener.drained)
  socket.on("close", listener.closed)
  return listener
}

/**
 * Connects, and again when the connection is lost, until the returned function is called. A connection is a pipe once the other side has said something:
 * before that it may still refuse this one, and with TLS 1.3 a refused client takes itself for accepted. `failed` hears why a connection became no pipe.
 */
export const keepConnecting = (
  connect: () => Socket,
  opened: PipeOpened,
  failed: (cause: Error) => void
): (() => void) => {
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
    const opening = connect()
    socket = opening
    let cause: Error | undefined = new Error("the other side closed the connection before it said anything")
    const patience = setTimeout(
      () => opening.destroy(new Error("the other side has said nothing for 5 s")),
      speaksWithinMs
    )
    opening.once("data", (first: Uint8Array) => {
      clearTimeout(patience)
      cause = undefined
      pauseMs = firstPauseMs
      joinPipe(opening, opened).receive(first)
    })
    // Each error is followed by "close". Those of a pipe are told to its listener by that.
    opening.on("error", (error) => {
      if (cause !== undefined) cause = error
    })
    opening.once("close", () => {
      clearTimeout(patience)
      if (cause !== undefined && !over) failed(cause)
      again()
    })
  }
  open()
  return () => {
    over = true
    clearTimeout(timer)
    socket?.destroy()
  }
}
