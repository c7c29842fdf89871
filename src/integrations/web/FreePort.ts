/** Finds free ports for servers that must know their port before they listen. */
import { createServer } from "node:net"

/**
 * The ports lie below the range that operating systems use for outgoing connections (32,768 and up on Linux, 49,152 elsewhere). So no outgoing
 * connection can take a port between finding it and listening on it.
 */
const lowest = 10_240
const highest = 32_767
const tries = 100

const given = new Set<number>()

/** Whether nobody listens on this port of this machine, and this process may. */
export const canListen = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once("error", () => resolve(false))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)))
  })

/** A port of 127.0.0.1 that nobody listens on. This process never gets the same port twice. Rejects when a hundred random ports are taken. */
export const freePort = async (): Promise<number> => {
  for (let n = 0; n < tries; n++) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest + 1))
    if (given.has(port) || !(await canListen("127.0.0.1", port))) continue
    given.add(port)
    return port
  }
  throw new Error(`no free port between ${lowest} and ${highest}`)
}
