/** The WebSocket route over which the telephony provider streams calls (Twilio Media Streams, text frames), with the limits of each socket. */

import type { HttpResponse, TemplatedApp } from "uWebSockets.js"
import { LogLimit } from "../../domain/basics/limits/LogLimit.ts"
import { MediaStream, type MediaStreamHost, maxMessageBytes } from "./MediaStream.ts"
import { WaitingStreams } from "./WaitingStreams.ts"

export const mediaPath = "/media"

const defaultStartDeadlineMs = 5_000
/**
 * The library drops a connection without a close frame at messages above this, which the peer sees as 1006. So it is twice what a stream takes: what is
 * between the two is closed with 1009.
 */
const maxPayloadBytes = 2 * maxMessageBytes
/** If a peer leaves this many bytes unread (about a minute of audio), the socket is closed and the call is lost. */
const maxBackPressureBytes = 1_024 * 1_024

/**
 * Registers the route. `refuseUpgrade` answers with an error instead of an upgrade. A stream that has not started
 * after `startDeadlineMs` is closed.
 */
export const register = (
  app: TemplatedApp,
  refuseUpgrade: (res: HttpResponse, status: number, sentence: string) => void,
  { streams, warn, ignored }: Pick<MediaStreamHost, "streams" | "warn" | "ignored">,
  startDeadlineMs: number = defaultStartDeadlineMs
): void => {
  const lines = new LogLimit()
  const refused: MediaStreamHost["refused"] = (fields) => {
    const line = lines.take(Date.now())
    if (line !== undefined) warn("media stream refused", { ...fields, ...line })
  }
  const host: MediaStreamHost = { streams, warn, ignored, refused, startDeadlineMs, waiting: new WaitingStreams() }
  app.ws<{ readonly stream: MediaStream }>(mediaPath, {
    maxPayloadLength: maxPayloadBytes,
    maxBackpressure: maxBackPressureBytes,
    closeOnBackpressureLimit: true,
    idleTimeout: 60,
    upgrade: (res, req, context) => {
      const signature = req.getHeader("x-twilio-signature")
      const [callId, token] = [req.getQuery("call"), req.getQuery("token")]
      const invitation = callId !== undefined && token !== undefined ? { callId, token } : undefined
      const remote = Buffer.from(res.getRemoteAddressAsText()).toString()
      if (signature === "" && invitation === undefined) {
        refused({ reason: "no signature", remote })
        refuseUpgrade(res, 403, "Only the telephony provider may open a media stream: its signature is missing.")
        return
      }
      res.upgrade(
        { stream: new MediaStream(host, { signature, remote, invitation }) },
        req.getHeader("sec-websocket-key"),
        req.getHeader("sec-websocket-protocol"),
        req.getHeader("sec-websocket-extensions"),
        context
      )
    },
    open: (socket) => socket.getUserData().stream.opened(socket),
    message: (socket, data, isBinary) => socket.getUserData().stream.message(data, isBinary),
    close: (socket) => socket.getUserData().stream.closed()
  })
}
