/** Clients of POST /send with as little of their own as possible: one kept-alive socket each, one request at a time. */
import { connect, type Socket } from "node:net"

export interface Sent {
  /** From the first byte sent to the last byte received. */
  readonly ms: number
  readonly status: number
}

const request = (host: string, key: string, body: string): string =>
  `POST /api/messaging-api/send HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n` +
  `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

const opened = (port: number) =>
  new Promise<Socket>((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => resolve(socket))
    socket.once("error", reject)
  })

/** The status, once the whole answer is there. */
const answered = (text: string): number | undefined => {
  const head = text.indexOf("\r\n\r\n")
  if (head < 0) return undefined
  const length = Number(/^content-length: (\d+)/im.exec(text.slice(0, head))?.[1] ?? 0)
  return Buffer.byteLength(text) - head - 4 < length ? undefined : Number(text.slice(9, 12))
}

/** Sends what `next` gives until it gives nothing; `told` hears of each answer. */
const sender = async (port: number, key: string, next: () => string | undefined, told: (sent: Sent) => void) => {
  const socket = await opened(port)
  const host = `127.0.0.1:${port}`
  await new Promise<void>((resolve, reject) => {
    let text = ""
    let began = 0
    const go = () => {
      const body = next()
      if (body === undefined) return resolve()
      text = ""
      began = performance.now()
      socket.write(request(host, key, body))
    }
    socket.setEncoding("utf8")
    socket.on("data", (chunk) => {
      text += chunk
      const status = answered(text)
      if (status === undefined) return
      told({ ms: performance.now() - began, status })
      go()
    })
    socket.once("close", () => reject(new Error("the service closed a connection")))
    socket.once("error", reject)
    go()
  }).finally(() => socket.removeAllListeners("close").destroy())
}

/** So many senders at a time for so many seconds, each with the next text of `body`; gives all answers and how long it took. */
export const sendAll = async (
  { port, key, senders, seconds }: { port: number; key: string; senders: number; seconds: number },
  body: () => string
) => {
  const answers: Array<Sent> = []
  const began = performance.now()
  const next = () => (performance.now() - began < seconds * 1_000 ? body() : undefined)
  await Promise.all(Array.from({ length: senders }, () => sender(port, key, next, (sent) => answers.push(sent))))
  return { answers, seconds: (performance.now() - began) / 1_000 }
}
