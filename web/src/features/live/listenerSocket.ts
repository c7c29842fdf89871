/** The sound of a call for a person who listens: mu-law in binary messages over one WebSocket (docs/api.md, "People in a call"). */

export interface ListenerSocket {
  /** Sends 20 ms of the microphone. Those before the socket is open are dropped. */
  readonly frame: (bytes: Uint8Array<ArrayBuffer>) => void
  readonly close: () => void
}

/** A socket that does not take what is sent is given up: sound that is seconds late is no conversation. */
const mostWaitingBytes = 16 * 1024

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
  socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
    if (!opened) hearer.opened()
    opened = true
    hearer.heard(new Uint8Array(data))
  }
  socket.onclose = () => hearer.closed(opened)
  return {
    frame: (bytes) => {
      if (socket.readyState !== WebSocket.OPEN) return
      if (socket.bufferedAmount > mostWaitingBytes) socket.close()
      else socket.send(bytes)
    },
    close: () => socket.close()
  }
}
