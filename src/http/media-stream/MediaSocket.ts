/** The WebSocket route over which the telephony provider streams calls (Twilio Media Streams, text frames), with the limits of each socket. */

import type { HttpRequest, HttpResponse, TemplatedApp } from "uWebSockets.js"
import { LogLimit } from "../../domain/basics/limits/LogLimit.ts"
import { type ListenerHost, type ListenerInvitation, ListenerSocket } from "./ListenerSocket.ts"
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

/** People who listen to calls, at the same address with a token of theirs. */
export interface Listening extends Pick<ListenerHost, "join"> {
  /** Whether the token proves the invitation. */
  readonly isInvited: (invitation: ListenerInvitation, token: string) => boolean
}

/**
 * Registers the route. `refuseUpgrade` answers with an error instead of an upgrade. A stream that has not started
 * after `startDeadlineMs` is closed.
 */
export const register = (
  app: TemplatedApp,
  refuseUpgrade: (res: HttpResponse, status: number, sentence: string) => void,
  {
    streams,
    warn,
    ignored,
    listening
  }: Pick<MediaStreamHost, "streams" | "warn" | "ignored"> & {
    readonly listening?: Listening
  },
  startDeadlineMs: number = defaultStartDeadlineMs
): void => {
  const lines = new LogLimit()
  const refused: MediaStreamHost["refused"] = (fields) => {
    const line = lines.take(Date.now())
    if (line !== undefined) warn("media stream refused", { ...fields, ...line })
  }
  const host: MediaStreamHost = { streams, warn, ignored, refused, startDeadlineMs, waiting: new WaitingStreams() }
  /** The socket of a listener; undefined when its token is wrong, or too old. */
  const listener = (req: HttpRequest, remote: string): ListenerSocket | undefined => {
    const invitation = {
      organizationId: req.getQuery("organization") ?? "",
      callId: req.getQuery("call") ?? "",
      listener: req.getQuery("listener") ?? ""
    }
    if (listening?.isInvited(invitation, req.getQuery("token") ?? "") !== true) return undefined
    return new ListenerSocket({ join: listening.join, refused }, invitation, remote)
  }
  app.ws<{ readonly stream: MediaStream | ListenerSocket }>(mediaPath, {
    maxPayloadLength: maxPayloadBytes,
    maxBackpressure: maxBackPressureBytes,
    closeOnBackpressureLimit: true,
    idleTimeout: 60,
    upgrade: (res, req, context) => {
      const signature = req.getHeader("x-twilio-signature")
      const [callId, token] = [req.getQuery("call"), req.getQuery("token")]
      const invitation = callId !== undefined && token !== undefined ? { callId, token } : undefined
      const remote = Buffer.from(res.getRemoteAddressAsText()).toString()
      const listens = req.getQuery("listener") !== undefined
      const listeningStream = listens ? listener(req, remote) : undefined
      if (listens && listeningStream === undefined) {
        refused({ reason: "no listener's token", remote })
        refuseUpgrade(res, 403, "The token to listen to a call is wrong or too old. Ask for a new one.")
        return
      }
      if (!listens && signature === "" && invitation === undefined) {
        refused({ reason: "no signature", remote })
        refuseUpgrade(res, 403, "Only the telephony provider may open a media stream: its signature is missing.")
        return
      }
      res.upgrade(
        { stream: listeningStream ?? new MediaStream(host, { signature, remote, invitation }) },
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
