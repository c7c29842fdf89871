/**
 * Events over a socket of our own (Socket Mode), for operators without a public address. An envelope is acknowledged when its event is stored; Slack sends the
 * others again. Slack closes each socket after some hours, and several processes may each have one.
 */
import { Effect, Layer, Option, Queue, Redacted, Schedule, Schema, type Scope } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { WebSocket } from "ws"
import { makeTakeChatEvent } from "../../domain/apps/chat/TakeChatEvent.ts"
import { reconnecting } from "./Reconnecting.ts"

export interface SlackSocketOptions {
  readonly baseUrl: string
  /** The app-level token: `xapp-…`. */
  readonly appToken: Redacted.Redacted<string>
}

class SocketLost extends Schema.TaggedError<SocketLost>()("SocketLost", { reason: Schema.String }) {}

const Opened = Schema.Struct({
  ok: Schema.Boolean,
  url: Schema.optionalKey(Schema.String),
  error: Schema.optionalKey(Schema.String)
})
const Envelope = Schema.Struct({
  type: Schema.String,
  envelope_id: Schema.optionalKey(Schema.String),
  reason: Schema.optionalKey(Schema.String),
  payload: Schema.optionalKey(Schema.Json)
})
const readOpened = Schema.decodeUnknownOption(Schema.fromJsonString(Opened))
const readEnvelope = Schema.decodeUnknownOption(Schema.fromJsonString(Envelope))

/** The largest envelope, in bytes, and how many may wait: Slack sends again what is not acknowledged. */
const largest = 1024 * 1024
const mostWaiting = 1_000
const goodAfter = "1 minute"
const pauses = Schedule.min([Schedule.exponential("1 second"), Schedule.spaced("30 seconds")]).pipe(Schedule.jittered)
/** Slack pings every few seconds: a socket that is silent for longer is dead. */
const silence = "60 seconds"

type Heard = { readonly data: string } | { readonly ping: true } | { readonly closed: string }

/** A socket of the scope, and what comes over it. */
const connect = (url: string): Effect.Effect<{ socket: WebSocket; heard: Queue.Queue<Heard> }, never, Scope.Scope> =>
  Effect.gen(function* () {
    const heard = yield* Queue.dropping<Heard>(mostWaiting)
    const socket = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const made = new WebSocket(url, { perMessageDeflate: false, maxPayload: largest })
        // `close` follows every error; without a listener Node would end the process.
        made.on("error", () => undefined)
        made.on("message", (data) => Queue.offerUnsafe(heard, { data: String(data) }))
        made.on("ping", () => Queue.offerUnsafe(heard, { ping: true }))
        made.on("close", (code) => Queue.offerUnsafe(heard, { closed: `closed with code ${code}` }))
        return made
      }),
      (made) => Effect.sync(() => made.terminate())
    )
    return { socket, heard }
  })

/** Needs AppAdapters, ChatMappings, ArrivalQueue, Organizations and HttpClient; runs for the life of the scope. */
export const layer = ({ baseUrl, appToken }: SlackSocketOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      const events = yield* makeTakeChatEvent("slack")
      if (events === undefined) return

      const address = Effect.gen(function* () {
        const response = yield* client.execute(
          HttpClientRequest.post(`${baseUrl}/api/apps.connections.open`).pipe(
            HttpClientRequest.bearerToken(Redacted.value(appToken)),
            HttpClientRequest.bodyText("", "application/x-www-form-urlencoded")
          )
        )
        const opened = Option.getOrUndefined(readOpened(yield* response.text))
        if (opened?.ok !== true || opened.url === undefined)
          return yield* new SocketLost({ reason: `Slack opens no socket (${opened?.error ?? response.status})` })
        return opened.url
      }).pipe(
        Effect.timeout("15 seconds"),
        Effect.catchTags({
          HttpClientError: () => new SocketLost({ reason: "Slack could not be reached" }),
          TimeoutError: () => new SocketLost({ reason: "Slack did not answer within 15 seconds" })
        })
      )

      /** Stores the event of an envelope and acknowledges it. What could not be stored is not acknowledged. */
      const take = Effect.fnUntraced(function* (socket: WebSocket, id: string, payload: unknown) {
        yield* events.heard(JSON.stringify(payload)).pipe(
          Effect.andThen(Effect.sync(() => socket.send(JSON.stringify({ envelope_id: id })))),
          Effect.catchCause((cause) => Effect.logWarning("an event of Slack could not be stored", cause))
        )
      })

      const listen = Effect.scoped(
        Effect.gen(function* () {
          const { socket, heard } = yield* connect(yield* address)
          for (;;) {
            const next = yield* Queue.take(heard).pipe(
              Effect.timeoutOrElse({ duration: silence, orElse: () => new SocketLost({ reason: "nothing was heard" }) })
            )
            if ("closed" in next) return yield* new SocketLost({ reason: next.closed })
            if (!("data" in next)) continue
            const envelope = Option.getOrUndefined(readEnvelope(next.data))
            // Slack is about to close it: the next one is opened at once.
            if (envelope?.type === "disconnect") return
            if (envelope?.envelope_id !== undefined) yield* take(socket, envelope.envelope_id, envelope.payload)
          }
        })
      )
      const told = listen.pipe(
        Effect.tapErrorTag("SocketLost", ({ reason }) => Effect.logWarning("the socket to Slack was lost", { reason }))
      )
      yield* Effect.forkScoped(reconnecting(told, { pauses, goodAfter }))
    })
  )
