/**
 * The least that any service could do with the frames of a call: a bare uWebSockets.js server that sends every message back. Prints
 * its port; runs until it is killed.
 */
import * as Uws from "uWebSockets.js"

const app = Uws.App()
app.ws("/media", {
  maxPayloadLength: 64 * 1_024,
  idleTimeout: 60,
  message: (socket, message, isBinary) => void socket.send(message, isBinary)
})
app.any("/readyz", (res) => void res.end("ready"))
app.listen("127.0.0.1", Number(process.env.PORT), () => undefined)
