/** A media socket for tests that break the protocol. */
import { WebSocket } from "ws"

export interface RawStream {
  /** 101 when the upgrade was accepted, else the status of the refusal (0: connection cut). */
  readonly status: number
  readonly messages: Array<string>
  readonly send: (data: string | Uint8Array) => void
  readonly close: () => void
  /** Settles when either side has closed the socket. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
}

/** Dials `url` with exactly these headers; resolves once it is open or refused. */
export const openRaw = (url: string, headers: Readonly<Record<string, string>> = {}): Promise<RawStream> =>
  new Promise((resolve) => {
    const socket = new WebSocket(url, { headers, perMessageDeflate: false, handshakeTimeout: 5_000 })
    const messages: Array<string> = []
    let status = 0
    const closed = new Promise<{ code: number; reason: string }>((settle) => {
      socket.on("close", (code, reason) => settle({ code, reason: reason.toString() }))
    })
    const raw = (): RawStream => ({
      status,
      messages,
      closed,
      send: (data) => socket.send(data),
      close: () => socket.close()
    })
    socket.on("message", (data) => messages.push(data.toString()))
    socket.on("unexpected-response", (request, response) => {
      status = response.statusCode ?? 0
      response.resume()
      request.destroy()
      socket.terminate()
      resolve(raw())
    })
    socket.once("open", () => {
      status = 101
      resolve(raw())
    })
    // `status` and `closed` report a refused or broken connection; the error adds nothing.
    socket.on("error", () => resolve(raw()))
  })
