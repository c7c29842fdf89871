/** The WebSocket route over which people listen to calls, and talk in them (`ListenerSocket`). Nobody is let in without a token that proves the invitation. */
import type { HttpResponse, TemplatedApp } from "uWebSockets.js"
import type { ListenerInvitation } from "../../actors/voice/engine/CallListeners.ts"
import { LogLimit } from "../../domain/basics/limits/LogLimit.ts"
import { type ListenerHost, ListenerSocket, mostListenerBytes } from "./ListenerSocket.ts"
import type { MediaStreamHost } from "./MediaStream.ts"

export const listenPath = "/listen"

/** If a peer leaves this many bytes unread, the socket is closed. Before that it gets nothing more, so it is never reached by sound. */
const maxBackPressureBytes = 64 * 1_024

/** The people who listen to calls of this process, or through its sockets. */
export interface Listening extends Pick<ListenerHost, "join"> {
  /** Whether the token proves the invitation. */
  readonly isInvited: (invitation: ListenerInvitation, token: string) => boolean
}

/** Registers the route. `refuseUpgrade` answers with an error instead of an upgrade. */
export const registerListening = (
  app: TemplatedApp,
  refuseUpgrade: (res: HttpResponse, status: number, sentence: string) => void,
  { join, isInvited }: Listening,
  warn: MediaStreamHost["warn"]
): void => {
  const lines = new LogLimit()
  const refused: ListenerHost["refused"] = (fields) => {
    const line = lines.take(Date.now())
    if (line !== undefined) warn("a listener was refused", { ...fields, ...line })
  }
  app.ws<{ readonly listener: ListenerSocket }>(listenPath, {
    // What is above a listener's own limit is answered with a close frame; the library gives none.
    maxPayloadLength: 2 * mostListenerBytes,
    maxBackpressure: maxBackPressureBytes,
    closeOnBackpressureLimit: true,
    idleTimeout: 60,
    upgrade: (res, req, context) => {
      const invitation = {
        organizationId: req.getQuery("organization") ?? "",
        callId: req.getQuery("call") ?? "",
        listener: req.getQuery("listener") ?? ""
      }
      const remote = Buffer.from(res.getRemoteAddressAsText()).toString()
      if (!isInvited(invitation, req.getQuery("token") ?? "")) {
        refused({ reason: "no token", remote })
        refuseUpgrade(res, 403, "The token to listen to a call is wrong or too old. Ask for a new one.")
        return
      }
      res.upgrade(
        { listener: new ListenerSocket({ join, refused }, invitation, remote) },
        req.getHeader("sec-websocket-key"),
        req.getHeader("sec-websocket-protocol"),
        req.getHeader("sec-websocket-extensions"),
        context
      )
    },
    open: (socket) => socket.getUserData().listener.opened(socket),
    message: (socket, data, isBinary) => socket.getUserData().listener.message(data, isBinary),
    close: (socket) => socket.getUserData().listener.closed()
  })
}
