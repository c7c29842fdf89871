/** Sends bytes that no HTTP client would send. */
import { connect } from "node:net"

/** A server that says nothing for this long says nothing at all. */
const silentMs = 1_500
/** A server that has said something is done when it has sent no more for this long. */
const quietMs = 150
/** Between two packets, so that they arrive as two. */
const packetMs = 20

/** What a server on loopback answers to these packets, as Latin-1, and whether it has closed the connection. */
export const heardBy = (
  port: number,
  packets: ReadonlyArray<string>
): Promise<{ readonly text: string; readonly closed: boolean }> =>
  new Promise((resolve) => {
    let text = ""
    const done = (closed: boolean) => {
      clearTimeout(quiet)
      socket.destroy()
      resolve({ text, closed })
    }
    const socket = connect(port, "127.0.0.1", async () => {
      for (const packet of packets) {
        if (!socket.destroyed) socket.write(Buffer.from(packet, "latin1"))
        await new Promise((next) => setTimeout(next, packetMs))
      }
    })
    let quiet = setTimeout(() => done(false), silentMs)
    socket.on("data", (part) => {
      text += part.toString("latin1")
      clearTimeout(quiet)
      quiet = setTimeout(() => done(false), quietMs)
    })
    socket.on("close", () => done(true))
    socket.on("error", () => done(true))
  })
