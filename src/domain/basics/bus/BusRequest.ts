/** A request over the bus to whichever process can fulfil it. That process says so; nobody does when there is none. */
import { Clock, Deferred, Effect } from "effect"
import { newId } from "../Ids.ts"
import { isJsonObject, type JsonObject } from "../Json.ts"
import { type BusMessage, ProcessBus } from "./ProcessBus.ts"

/** How long an answer is waited for. A process answers within milliseconds. */
const patience = "2 seconds"

const answerTo = (type: string): string => `${type}.taken`

/** Gives the function that sends a request of this type. False: no process can fulfil it, or none answers. */
export const makeBusRequest = (type: string) =>
  Effect.map(ProcessBus, (bus) =>
    Effect.fnUntraced(function* (organizationId: string, request: JsonObject) {
      const at = yield* Clock.currentTimeMillis
      const id = newId("cmd", at)
      const taken = yield* Deferred.make<boolean>()
      const stop = bus.listen(
        (message) => {
          if (message.type === answerTo(type) && message.data.id === id)
            Deferred.doneUnsafe(taken, Effect.succeed(true))
        },
        { relayed: true }
      )
      bus.publish({ organizationId, type, at, data: { id, request } })
      return yield* Deferred.await(taken).pipe(
        Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.succeed(false) }),
        Effect.ensuring(Effect.sync(stop))
      )
    })
  )

/** Hands the requests of this type to `take`, until the scope ends. `take` gives whether it could fulfil one, and must not throw. */
export const takeBusRequests = Effect.fnUntraced(function* (
  type: string,
  take: (organizationId: string, request: JsonObject) => boolean
) {
  const bus = yield* ProcessBus
  const hear = ({ organizationId, type: sent, at, data: { id, request } }: BusMessage) => {
    if (sent !== type || typeof id !== "string" || !isJsonObject(request)) return
    if (take(organizationId, request)) bus.publish({ organizationId, type: answerTo(type), at, data: { id } })
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => bus.listen(hear, { relayed: true })),
    (stop) => Effect.sync(stop)
  )
})
