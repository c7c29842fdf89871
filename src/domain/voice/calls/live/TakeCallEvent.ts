/**
 * Use case: what an engine tells of a call is applied to its record. Applying it has gone well when this has; told again it changes nothing.
 */
import { Effect } from "effect"
import { ObjectStorage } from "../../../basics/ObjectStorage.ts"
import { Precedence } from "../../../basics/Precedence.ts"
import type { CallEvent } from "../../engine/CallEvent.ts"
import { Calls } from "../records/CallRecord.ts"
import { makeConfirmHandover } from "./ConfirmHandover.ts"

/** Needs Calls, ObjectStorage, Precedence and what `makeConfirmHandover` needs, once; the function it gives needs nothing. Dies when the event cannot be applied. */
export const makeTakeCallEvent = Effect.gen(function* () {
  const calls = yield* Calls
  const objects = yield* ObjectStorage
  const confirmHandover = yield* makeConfirmHandover
  const { behind } = yield* Precedence

  return Effect.fnUntraced(function* (event: CallEvent) {
    const { transferred, unwanted } = yield* behind(calls.apply(event))
    // Before the event counts as taken: what is left over would be nobody's.
    if (unwanted !== undefined) yield* Effect.orDie(objects.remove(unwanted))
    if (event.type === "call_end" && transferred) yield* confirmHandover(event)
  })
})
