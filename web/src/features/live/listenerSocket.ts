/** The sound of a call for a person who listens: mu-law in binary messages over one WebSocket (docs/api.md, "People in a call"). */

export interface ListenerSocket {
  /** Sends 20 ms of the microphone. Those that the socket does not take now are dropped. */
  readonly frame: (bytes: Uint8Array<ArrayBuffer>) => void
  readonly close: () => void
}

/** Frames are dropped while so much waits, since late sound is no conversation: half a second. A page that stood still has as much at once. */
const mostWaitingBytes = 4_000
/** A socket that has taken nothing for so long is given up. Milliseconds. */
const mostStuckMs = 10_000

export const openListenerSocket = (
  url: string,
  hearer: {
    readonly opened: () => void
    readonly heard: (bytes: Uint8Array) => void
    /** Once. `opened`: whether the call was heard. */
    readonly closed: (opened: boolean) => void
  }
): ListenerSocket => {
  const socket = new WebSocket(url)
  socket.binaryType = "arraybuffer"
  let opened = false
  /** Since when frames have been dropped. */
  let stuckSince: number | undefined
  socket.onmessage = ({ data }: { readonly data: ArrayBuffer }) => {
    if (!opened) hearer.opened()
    opened = true
    hearer.heard(new Uint8Array(data))
  }
  socket.onclose = () => hearer.closed(opened)
  return {
    frame: (bytes) => {
      if (socket.readyState !== WebSocket.OPEN) return
      if (socket.bufferedAmount <= mostWaitingBytes) {
        stuckSince = undefined
        socket.send(bytes)
        return
      }
      stuckSince ??= performance.now()
      if (performance.now() - stuckSince > mostStuckMs) socket.close()
    },
    close: () => socket.close()
  }
}
