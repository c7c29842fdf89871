/** Sends mutated requests over kept-alive sockets, and judges the answers: an allowed status, and `{ "error" }` in each refusal. */
import { connect, type Socket } from "node:net"
import type { MutatedRequest } from "./mutations.ts"

interface Answer {
  readonly status: number
  readonly type: string
  readonly text: string
}

const refusals = new Set([400, 401, 403, 404, 405, 409, 429])
/** The sentence for what nobody has thought of. A 500 with another sentence says what is missing. */
const unforeseen = "Something went wrong on our side"

/** What is wrong with an answer; undefined when nothing is. */
export const wrongWith = (
  { operation, method, target }: MutatedRequest,
  { status, type, text }: Answer
): string | undefined => {
  const said = `${method} ${target.slice(0, 200)}: ${status} ${text.slice(0, 200)}`
  if (status < 400)
    return operation.statuses.includes(status) || method !== operation.method || status === 204 ? undefined : said
  if (!refusals.has(status) && !(status === 500 && !text.includes(unforeseen))) return said
  if (method === "HEAD" || text === "") return method === "HEAD" ? undefined : said
  if (!type.startsWith("application/json")) return said
  try {
    const body: unknown = JSON.parse(text)
    const good =
      typeof body === "object" &&
      body !== null &&
      "error" in body &&
      typeof body.error === "string" &&
      Object.keys(body).length === 1
    return good ? undefined : said
  } catch {
    return said
  }
}

const bytesOf = (port: number, { method, target, headers, body }: MutatedRequest): Buffer => {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")
  const length = body === undefined && method !== "POST" ? "" : `content-length: ${body?.length ?? 0}\r\n`
  const head = `${method} ${target} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${length}${lines}\r\n`
  return Buffer.concat([Buffer.from(head, "latin1"), body ?? Buffer.alloc(0)])
}

/** The answer, once all of it is there. The head of an endless one is enough. */
const answerIn = (text: string, method: string): Answer | undefined => {
  const end = text.indexOf("\r\n\r\n")
  if (end < 0) return undefined
  const head = text.slice(0, end).toLowerCase()
  const status = Number(head.slice(9, 12))
  if (status === 100) return answerIn(text.slice(end + 4), method)
  const type = /^content-type: (.*)$/m.exec(head)?.[1] ?? ""
  const body = text.slice(end + 4)
  if (type.startsWith("text/event-stream") || method === "HEAD" || status === 204 || status === 304)
    return { status, type, text: "" }
  if (head.includes("transfer-encoding: chunked"))
    return body.endsWith("0\r\n\r\n") ? { status, type, text: body } : undefined
  const length = Number(/^content-length: (\d+)/m.exec(head)?.[1] ?? 0)
  return body.length < length ? undefined : { status, type, text: Buffer.from(body, "latin1").toString("utf8") }
}

/** A request that is not answered within this time has not been answered. */
const patienceMs = 20_000

/** One request after the other on one connection, which is opened anew when the service has closed it. */
class Client {
  readonly #port: number
  #socket: Socket | undefined

  constructor(port: number) {
    this.#port = port
  }

  ask(request: MutatedRequest): Promise<Answer | undefined> {
    return new Promise((resolve) => {
      const socket = this.#open()
      let text = ""
      const impatience = setTimeout(() => done(undefined, true), patienceMs)
      const done = (answer: Answer | undefined, close: boolean) => {
        clearTimeout(impatience)
        socket.removeAllListeners("data").removeAllListeners("close")
        if (close) this.close()
        resolve(answer)
      }
      socket.on("data", (bytes) => {
        text += bytes.toString("latin1")
        const answer = answerIn(text, request.method)
        if (answer !== undefined)
          done(answer, answer.type.startsWith("text/event-stream") || /^connection: close/im.test(text))
      })
      socket.once("close", () => done(answerIn(text, request.method), true))
      socket.write(bytesOf(this.#port, request))
    })
  }

  #open(): Socket {
    if (this.#socket !== undefined) return this.#socket
    const socket = connect({ port: this.#port, host: "127.0.0.1", noDelay: true })
    // What is wrong with a connection closes it, too.
    socket.on("error", () => undefined)
    this.#socket = socket
    return socket
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }
}

/** Sends so many requests of `next`; gives what is wrong with their answers, and how many had each status. */
export const sendMutated = async (port: number, next: () => MutatedRequest, count: number, connections = 16) => {
  const problems: Array<string> = []
  const statuses: Record<number, number> = {}
  let sent = 0
  const work = async () => {
    const client = new Client(port)
    while (sent < count) {
      sent++
      const request = next()
      const answer = await client.ask(request)
      if (answer !== undefined) statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      const problem =
        answer === undefined
          ? `${request.method} ${request.target.slice(0, 200)}: no answer (${request.headers.map((header) => header.join(": ").slice(0, 60)).join(", ")})`
          : wrongWith(request, answer)
      if (problem !== undefined) problems.push(problem)
    }
    client.close()
  }
  await Promise.all(Array.from({ length: connections }, work))
  return { problems, statuses }
}
