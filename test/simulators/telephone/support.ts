/** A small engine and a small app for tests of the telephone network. */
import type { IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { type WebSocket, WebSocketServer } from "ws"
import { listen, readBody } from "../../../simulators/support/Loopback.ts"
import { start, type TelephoneNetwork, type TelephoneOptions } from "../../../simulators/telephone/TelephoneNetwork.ts"

export interface Message {
  readonly event: string
  readonly sequenceNumber: string
  readonly streamSid: string
  readonly start: { readonly callSid: string; readonly customParameters: Record<string, string> }
  readonly media: { readonly chunk: string; readonly timestamp: string; readonly payload: string }
  readonly mark: { readonly name: string }
  readonly dtmf: { readonly digit: string }
}

/** One media stream as the engine sees it. */
export interface Stream {
  readonly socket: WebSocket
  readonly request: IncomingMessage
  readonly messages: Array<Message>
  readonly atMs: Array<number>
  readonly media: (bytes: Uint8Array) => void
  readonly send: (event: string, fields?: object) => void
  /** Resolves with the first message of that kind (and name, for marks). */
  readonly next: (event: string, name?: string) => Promise<Message>
  readonly of: (event: string) => Array<Message>
}

export interface Post {
  readonly path: string
  readonly signature: string | undefined
  readonly form: Record<string, string>
}

export interface World {
  readonly network: TelephoneNetwork
  readonly posts: Array<Post>
  readonly streams: Array<Stream>
  readonly close: () => Promise<void>
}

export const authToken = "12345abcde67890fghij12345abcde67"
export const accountSid = "AC0123456789abcdef0123456789abcdef"
export const webhookUrl = "https://app.example.test/api/webhooks/telephony/voice?src=pstn"
export const streamUrl = "wss://engine.example.test/twilio/media"

export const connect = (attributes = "") =>
  `<Response><Connect ${attributes}><Stream url="${streamUrl}"><Parameter name="token" value="t &amp; 1"/></Stream></Connect></Response>`

const stream = (socket: WebSocket, request: IncomingMessage): Stream => {
  const messages: Array<Message> = []
  const atMs: Array<number> = []
  const waiting: Array<{ event: string; name: string | undefined; resolve: (message: Message) => void }> = []
  socket.on("message", (data, binary) => {
    if (binary) return socket.close(1003)
    const message: Message = JSON.parse(data.toString())
    messages.push(message)
    atMs.push(performance.now())
    for (const waiter of waiting) {
      if (waiter.event === message.event && (waiter.name ?? message.mark?.name) === message.mark?.name) {
        waiter.resolve(message)
      }
    }
  })
  const streamSid = () => messages.find((message) => message.event === "start")?.streamSid
  const send = (event: string, fields = {}) => socket.send(JSON.stringify({ event, streamSid: streamSid(), ...fields }))
  const of = (event: string) => messages.filter((message) => message.event === event)
  return {
    socket,
    request,
    messages,
    atMs,
    send,
    of,
    media: (bytes) => send("media", { media: { payload: Buffer.from(bytes).toString("base64") } }),
    next: (event, name) =>
      new Promise((resolve) => {
        const there = of(event).find((message) => (name ?? message.mark?.name) === message.mark?.name)
        if (there !== undefined) resolve(there)
        else waiting.push({ event, name, resolve })
      })
  }
}

/** `twiml` answers the posts by path; `engine` is run for every stream once it has started. */
export const world = async (
  twiml: (post: Post) => string | undefined,
  engine: (stream: Stream) => void = () => {},
  options: Partial<TelephoneOptions> = {}
): Promise<World> => {
  const posts: Array<Post> = []
  const streams: Array<Stream> = []
  const app = await listen(async (request, response) => {
    const { "x-twilio-signature": signature } = request.headers
    const form = Object.fromEntries(new URLSearchParams(await readBody(request)))
    const post = { path: request.url ?? "", signature: signature?.toString(), form }
    posts.push(post)
    const document = twiml(post)
    response.writeHead(document === undefined ? 403 : 200, { "content-type": "text/xml" }).end(document)
  })
  const sockets = new WebSocketServer({ port: 0, host: "127.0.0.1" })
  sockets.on("connection", (socket, request) => {
    const opened = stream(socket, request)
    streams.push(opened)
    void opened.next("start").then(() => engine(opened))
  })
  await new Promise((resolve) => sockets.once("listening", resolve))
  const { port } = sockets.address() as AddressInfo
  const network = await start({
    webhookUrl,
    accountSid,
    authToken,
    dial: (url) =>
      url.replace("wss://engine.example.test", `ws://127.0.0.1:${port}`).replace("https://app.example.test", app.url),
    ...options
  })
  const close = async () => {
    await network.close()
    for (const client of sockets.clients) client.terminate()
    await new Promise((resolve) => sockets.close(resolve))
    await app.close()
  }
  return { network, posts, streams, close }
}

/** `ms` of a tone, as mu-law-friendly 8 kHz samples. */
export const tone = (ms: number, hertz = 440): Int16Array =>
  Int16Array.from({ length: ms * 8 }, (_, i) => Math.round(8_000 * Math.sin((2 * Math.PI * hertz * i) / 8_000)))

export const numbers = { from: "+919812345678", to: "+14155550123" }
