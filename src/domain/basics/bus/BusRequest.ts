/** A request over the bus to whichever process can fulfil it. That process says so, or why it will not; nobody does when there is none. */
import { Clock, Deferred, Effect } from "effect"
import { newId } from "../Ids.ts"
import { isJsonObject, type JsonObject } from "../Json.ts"
import { type BusMessage, ProcessBus } from "./ProcessBus.ts"

/** How long an answer is waited for. A process answers within milliseconds. */
const patience = "2 seconds"

const answerTo = (type: string): string => `${type}.taken`

/** `nobody`: no process can fulfil the request, or none answers. */
export type BusAnswer = "taken" | "nobody" | { readonly refused: string }

/** Gives the function that sends a request of this type and says what became of it. */
export const makeBusQuestion = (type: string) =>
  Effect.map(ProcessBus, (bus) =>
    Effect.fnUntraced(function* (organizationId: string, request: JsonObject) {
      const at = yield* Clock.currentTimeMillis
      const id = newId("cmd", at)
      const answer = yield* Deferred.make<BusAnswer>()
      const stop = bus.listen(
        (message) => {
          if (message.type !== answerTo(type) || message.data.id !== id) return
          const { refused } = message.data
          Deferred.doneUnsafe(answer, Effect.succeed(typeof refused === "string" ? { refused } : "taken"))
        },
        { relayed: true }
      )
      bus.publish({ organizationId, type, at, data: { id, request } })
      return yield* Deferred.await(answer).pipe(
        Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.succeed<BusAnswer>("nobody") }),
        Effect.ensuring(Effect.sync(stop))
      )
    })
  )

/** Gives the function that sends a request of this type. False: no process can fulfil it, or none answers. */
export const makeBusRequest = (type: string) =>
  Effect.map(
    makeBusQuestion(type),
    (ask) => (organizationId: string, request: JsonObject) =>
      Effect.map(ask(organizationId, request), (answer) => answer === "taken")
  )

/**
 * Hands the requests of this type to `take`, until the scope ends. `take` gives whether it could fulfil one, or why it will not; false leaves it to other
 * processes. It must not throw.
 */
export const takeBusRequests = Effect.fnUntraced(function* (
  type: string,
  take: (organizationId: string, request: JsonObject) => boolean | { readonly refused: string }
) {
  const bus = yield* ProcessBus
  const hear = ({ organizationId, type: sent, at, data: { id, request } }: BusMessage) => {
    if (sent !== type || typeof id !== "string" || !isJsonObject(request)) return
    const taken = take(organizationId, request)
    if (taken === false) return
    bus.publish({ organizationId, type: answerTo(type), at, data: taken === true ? { id } : { id, ...taken } })
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => bus.listen(hear, { relayed: true })),
    (stop) => Effect.sync(stop)
  )
})
