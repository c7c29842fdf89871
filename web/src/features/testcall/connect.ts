/** The media stream of a test call: the protocol of the telephony provider over one WebSocket (docs/api.md, "Test calls"). */

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))

export interface CallStream {
  /** Sends 20 ms. Those before the socket is open are dropped: nobody would hear them. */
  readonly frame: (bytes: Uint8Array) => void
  readonly mark: (name: string) => void
  readonly close: () => void
}

export interface Hearer {
  readonly opened: () => void
  readonly media: (bytes: Uint8Array) => void
  readonly mark: (name: string) => void
  readonly clear: () => void
  /** Once. `opened`: whether the call had begun. */
  readonly closed: (opened: boolean) => void
}

interface Sent {
  readonly event?: unknown
  readonly media?: { readonly payload?: unknown }
  readonly mark?: { readonly name?: unknown }
}

/** A socket that does not take what is sent is given up: sound that is seconds late is no conversation. */
const mostWaitingBytes = 256 * 1024

export const connect = (url: string, hearer: Hearer): CallStream => {
  const socket = new WebSocket(url)
  let frames = 0
  let opened = false
  const send = (message: object) => {
    if (socket.readyState !== WebSocket.OPEN) return
    if (socket.bufferedAmount > mostWaitingBytes) socket.close()
    else socket.send(JSON.stringify(message))
  }
  socket.onopen = () => {
    opened = true
    send({ event: "start", streamSid: "microphone" })
    hearer.opened()
  }
  socket.onmessage = ({ data }: MessageEvent<string>) => {
    const { event, media, mark } = JSON.parse(data) as Sent
    if (event === "media" && typeof media?.payload === "string") hearer.media(fromBase64(media.payload))
    else if (event === "mark" && typeof mark?.name === "string") hearer.mark(mark.name)
    else if (event === "clear") hearer.clear()
  }
  socket.onclose = () => hearer.closed(opened)
  return {
    frame: (bytes) => {
      if (opened) send({ event: "media", media: { timestamp: String(frames++ * 20), payload: toBase64(bytes) } })
    },
    mark: (name) => send({ event: "mark", mark: { name } }),
    close: () => socket.close()
  }
}
