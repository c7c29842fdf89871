/**
 * `parley listen`: receives the webhooks of an organization on this machine, verifies their signatures and prints them. For trying the interface: the
 * service must be allowed to reach this machine, as one without provider keys is.
 */
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { Config, Console, Effect, Queue, Redacted, Schema } from "effect"
import { CliError, Command, Flag } from "effect/cli"
import { sameSecret } from "../domain/basics/tokens/SameSecret.ts"
import { signedHeaders } from "../domain/events/WebhookSignature.ts"

/** What the service refused, or why it could not be asked. */
class ListenRefused extends Schema.TaggedError<ListenRefused>()("ListenRefused", { message: Schema.String }) {
  override get [CliError.userMessage]() {
    return this.message
  }
}

const Endpoint = Schema.Struct({ id: Schema.String, secret: Schema.String })
const Event = Schema.fromJsonString(Schema.Struct({ type: Schema.String, timestamp: Schema.String }))
const eventOf = Schema.decodeUnknownOption(Event)

interface Received {
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/** A server on loopback that takes webhooks, and its address. Lives as long as the scope. */
const receiver = Effect.gen(function* () {
  const queue = yield* Queue.unbounded<Received>()
  const server = createServer(async (request, response) => {
    const parts: Array<Buffer> = []
    for await (const part of request) parts.push(part)
    Queue.offerUnsafe(queue, { headers: request.headers, body: Buffer.concat(parts).toString() })
    response.writeHead(204).end()
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))),
    () => Effect.sync(() => server.close())
  )
  return { queue, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
})

/** Whether the signature is that of the endpoint's secret over these bytes. */
const isSigned = ({ headers, body }: Received, secret: string): boolean => {
  const { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": signature } = headers
  if (typeof id !== "string" || typeof signature !== "string") return false
  const wanted = signedHeaders([secret], id, body, Number(seconds) * 1_000)["webhook-signature"]
  return signature.split(" ").some((one) => sameSecret(one, wanted))
}

const ask = (url: string, key: string, method: string, path: string, body?: object) =>
  Effect.tryPromise({
    try: async () => {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${response.status} ${text}`)
      return JSON.parse(text) as unknown
    },
    catch: (cause) => new ListenRefused({ message: `The service at ${url} did not take it: ${String(cause)}` })
  })

export const listen = Command.make(
  "listen",
  {
    url: Flag.String("url").pipe(Flag.withDescription("The service"), Flag.withDefault("http://127.0.0.1:8080")),
    most: Flag.Int("events").pipe(
      Flag.withDescription("End after so many events (default: never)"),
      Flag.withDefault(0)
    )
  },
  Effect.fnUntraced(function* ({ url, most }) {
    const key = Redacted.value(yield* Config.Redacted("PARLEY_API_KEY"))
    const { queue, url: address } = yield* receiver
    const { id, secret } = yield* Effect.acquireRelease(
      Effect.flatMap(
        ask(url, key, "POST", "/api/webhook-endpoints", { url: address, description: "parley listen" }),
        (made) => Effect.orDie(Schema.decodeUnknownEffect(Endpoint)(made))
      ),
      ({ id }) => Effect.ignore(ask(url, key, "DELETE", `/api/webhook-endpoints/${id}`))
    )
    yield* Console.log(`Listening as ${id}. Ctrl-C ends it.`)
    for (let count = 0; most === 0 || count < most; count++) {
      const received = yield* Queue.take(queue)
      const event = eventOf(received.body)
      const what = event._tag === "Some" ? `${event.value.timestamp}  ${event.value.type.padEnd(24)}` : "unreadable"
      yield* Console.log(
        `${what}  signature ${isSigned(received, secret) ? "verified" : "WRONG"}  ${received.body.slice(0, 200)}`
      )
    }
  }, Effect.scoped)
).pipe(Command.withDescription("Receive an organization's webhooks on this machine; needs PARLEY_API_KEY"))
