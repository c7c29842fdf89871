/**
 * Use case: apply an engine's event to the record of its call. An event counts as applied only if the whole use case succeeds. A repeated event
 * changes nothing.
 */
import { Effect } from "effect"
import { ObjectStorage } from "../../../basics/ObjectStorage.ts"
import { Precedence } from "../../../basics/Precedence.ts"
import type { CallEvent } from "../../engine/CallEvent.ts"
import { Calls } from "../records/CallRecord.ts"
import { makeConfirmHandover } from "./ConfirmHandover.ts"

/**
 * Needs Calls, ObjectStorage, Precedence and what `makeConfirmHandover` needs. The function it returns needs nothing, and dies when the event
 * cannot be applied.
 */
export const makeTakeCallEvent = Effect.gen(function* () {
  const calls = yield* Calls
  const objects = yield* ObjectStorage
  const confirmHandover = yield* makeConfirmHandover
  const { behind } = yield* Precedence

  return Effect.fnUntraced(function* (event: CallEvent) {
    const { transferred, unwanted } = yield* behind(calls.apply(event), event.callId)
    // The file is removed before the event counts as applied; otherwise nothing would ever remove it.
    if (unwanted !== undefined) yield* Effect.orDie(objects.remove(unwanted))
    if (event.type === "call_end" && transferred) yield* confirmHandover(event)
  })
})
