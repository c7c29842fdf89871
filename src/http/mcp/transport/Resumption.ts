/** Answers that were interrupted: their events are kept, and a GET with `Last-Event-ID` gets those that its client missed. */
import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server"
import { Effect, Option, Stream } from "effect"
import type { HttpServerResponse } from "effect/http"
import { parsedJson } from "../../../domain/basics/Json.ts"
import { McpReplies } from "../../../domain/people/access/mcp/McpReplies.ts"
import { codes, refuseWith, rpcError } from "./JsonRpc.ts"
import { liveResponse } from "./LiveStream.ts"

/** `<answer>_<position>`: the SDK names each answer by a UUID. */
const eventId = /^([0-9a-f-]{36})_(\d{1,6})$/

const eventText = (answer: string, position: number, event: string) =>
  `${event === "" ? "" : "event: message\n"}id: ${answer}_${position}\ndata: ${event}\n\n`

/** Whether an event is the last one of its answer: the response itself. */
const isLast = (event: string): boolean => {
  const message = event === "" ? undefined : parsedJson(event)
  return typeof message === "object" && message !== null && ("result" in message || "error" in message)
}

/** How often, and how many times, an answer is looked at that is not complete yet. */
const lookEveryMs = 250
const mostLooks = 240

/** Needs McpReplies. */
export const makeResumption = Effect.map(McpReplies, (replies) => {
  /** For the SDK. The events of a message are stored before it is sent. */
  const storeOf = (session: string, run: <A>(work: Effect.Effect<A>) => Promise<A>): EventStore => ({
    storeEvent: async (answer: string, message: JSONRPCMessage | Record<string, never>) => {
      // The SDK stores an empty object for the event that only carries an id.
      const event = "jsonrpc" in message ? JSON.stringify(message) : ""
      return `${answer}_${await run(replies.keep(session, answer, event))}`
    },
    replayEventsAfter: () => Promise.reject(new Error("answers are resumed by a request of their own"))
  })

  /** The events after the one with this id, and those that are still to come. */
  const resume = Effect.fnUntraced(function* (session: string, lastEventId: string, over: Effect.Effect<void>) {
    const [, answer, position] = eventId.exec(lastEventId) ?? []
    if (answer === undefined)
      return yield* refuseWith(
        rpcError(400, codes.transport, "Bad Request: Last-Event-ID is not an id of this server's events")
      )
    const first = yield* replies.find(session, answer)
    if (first === undefined)
      return yield* refuseWith(
        rpcError(404, codes.transport, "The events of this answer are not kept any more. Send the request again.")
      )
    const looks = Stream.paginate({ position: Number(position), looks: 0 }, ({ position, looks }) =>
      Effect.map(replies.find(session, answer), (reply) => {
        const events = reply?.events ?? []
        const text = events.slice(position).map((event, at) => eventText(answer, position + at + 1, event))
        const isOver = reply === undefined || isLast(events.at(-1) ?? "") || looks >= mostLooks
        const next = isOver ? Option.none() : Option.some({ position: events.length, looks: looks + 1 })
        return [[text.join("")], next] as const
      })
    )
    const text = looks.pipe(
      Stream.tap((part) => (part === "" ? Effect.sleep(lookEveryMs) : Effect.void)),
      Stream.filter((part) => part !== ""),
      Stream.interruptWhen(over)
    )
    const response: HttpServerResponse.HttpServerResponse = liveResponse(Stream.encodeText(text), {
      "mcp-session-id": session
    })
    return response
  })

  return { storeOf, resume }
})
