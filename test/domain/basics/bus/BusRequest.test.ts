import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeBusRequest, takeBusRequests } from "../../../../src/domain/basics/bus/BusRequest.ts"
import { makeProcessBus, ProcessBus } from "../../../../src/domain/basics/bus/ProcessBus.ts"

/** Two processes: what one publishes is relayed to the other. */
const twoProcesses = () => {
  const [here, there] = [makeProcessBus(), makeProcessBus()]
  here.listen((message) => there.relay(message), { relayed: false })
  there.listen((message) => here.relay(message), { relayed: false })
  return { here, there }
}

describe("a request over the bus", () => {
  it.effect("is fulfilled by the process that can, and by no other", () =>
    Effect.gen(function* () {
      const { here, there } = twoProcesses()
      const taken: Array<string> = []
      yield* takeBusRequests("call.command", (organizationId, { callId }) => {
        if (callId !== "call_there") return false
        taken.push(`${organizationId} ${callId}`)
        return true
      }).pipe(Effect.provideService(ProcessBus, there))
      yield* takeBusRequests("call.command", () => false).pipe(Effect.provideService(ProcessBus, here))
      const send = yield* Effect.provideService(makeBusRequest("call.command"), ProcessBus, here)
      assert.isTrue(yield* send("org_1", { callId: "call_there" }))
      assert.deepStrictEqual(taken, ["org_1 call_there"])
    }).pipe(Effect.scoped)
  )

  it.effect("is given up after two seconds when no process can, and not before", () =>
    Effect.gen(function* () {
      const { here } = twoProcesses()
      const send = yield* Effect.provideService(makeBusRequest("call.command"), ProcessBus, here)
      const asking = yield* Effect.forkChild(send("org_1", { callId: "call_gone" }))
      yield* TestClock.adjust("1999 millis")
      assert.isUndefined(asking.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.isFalse(yield* Fiber.join(asking))
    })
  )
})
