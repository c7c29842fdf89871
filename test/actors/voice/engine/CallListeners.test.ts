/** Who may listen to the calls of a process, and sockets that are in another process than their call. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { CallPeople, type ListenerLine } from "../../../../src/actors/voice/call/CallPeople.ts"
import { makeCallListeners, mostListeners } from "../../../../src/actors/voice/engine/CallListeners.ts"
import { FRAME_BYTES } from "../../../../src/audio/frames/Frame.ts"
import { makeProcessBus, ProcessBus } from "../../../../src/domain/basics/bus/ProcessBus.ts"

const frame = (byte: number) => new Uint8Array(FRAME_BYTES).fill(byte)

/** Two processes with a bus between them. The call is in the first. */
const makeProcesses = Effect.gen(function* () {
  const here = makeProcessBus()
  const there = makeProcessBus()
  here.listen((message) => there.relay(message), { relayed: false })
  const process = { dead: false }
  there.listen((message) => (process.dead ? undefined : here.relay(message)), { relayed: false })
  const listened: Array<boolean> = []
  const said: Array<number> = []
  const people = new CallPeople({
    listened: (on) => void listened.push(on),
    said: (audio) => void said.push(audio[0])
  })
  const calls = new Map([["call_1", { people, organizationId: "org_1" }]])
  const withCall = yield* Effect.provideService(
    makeCallListeners((callId) => calls.get(callId)),
    ProcessBus,
    here
  )
  const withSocket = yield* Effect.provideService(
    makeCallListeners(() => undefined),
    ProcessBus,
    there
  )
  return { people, listened, said, withCall, withSocket, there: process }
})

const makeLine = () => {
  const heard: Array<Uint8Array> = []
  let closes = 0
  const line: ListenerLine = {
    ready: () => true,
    send: (audio) => void heard.push(audio.slice()),
    close: () => void closes++
  }
  return { line, heard, closes: () => closes }
}

const invitation = (listener: string) => ({ organizationId: "org_1", callId: "call_1", listener })

describe("the people who listen to the calls of a process", () => {
  it.effect("come with an invitation, once, and only to the call and the organization that it names", () =>
    Effect.gen(function* () {
      const { withCall, people } = yield* makeProcesses
      const { join } = withCall.service
      const { line } = makeLine()
      assert.isUndefined(yield* join(invitation("lst_1"), line))
      assert.isUndefined(withCall.invite(invitation("lst_1"), people))
      assert.isUndefined(yield* join({ ...invitation("lst_1"), organizationId: "org_2" }, line))
      assert.isDefined(yield* join(invitation("lst_1"), line))
      assert.isUndefined(yield* join(invitation("lst_1"), line))
    }).pipe(Effect.scoped)
  )

  it.effect("are twenty at most; who has left, and who was invited and did not come, makes room", () =>
    Effect.gen(function* () {
      const { withCall, people } = yield* makeProcesses
      const { join } = withCall.service
      const ids = Array.from({ length: mostListeners }, (_, index) => `lst_${index}`)
      for (const id of ids) assert.isUndefined(withCall.invite(invitation(id), people))
      const first = yield* join(invitation("lst_0"), makeLine().line)
      assert.strictEqual(withCall.invite(invitation("lst_more"), people), "full")
      first?.left()
      assert.isUndefined(withCall.invite(invitation("lst_more"), people))
      yield* join(invitation("lst_1"), makeLine().line)
      yield* TestClock.adjust("20 seconds")
      assert.isUndefined(withCall.invite(invitation("lst_late"), people))
      assert.isUndefined(yield* join(invitation("lst_2"), makeLine().line))
      // Who listens stays.
      assert.isTrue(people.has("lst_1"))
    }).pipe(Effect.scoped)
  )

  it.effect("are not invited to a call that is ending", () =>
    Effect.gen(function* () {
      const { withCall, people } = yield* makeProcesses
      people.closing = true
      assert.strictEqual(withCall.invite(invitation("lst_1"), people), "ending")
    }).pipe(Effect.scoped)
  )

  it.effect("hear a call of another process, talk in it, and leave it", () =>
    Effect.gen(function* () {
      const { withCall, withSocket, people, listened, said } = yield* makeProcesses
      const { line, heard } = makeLine()
      withCall.invite(invitation("lst_1"), people)
      const joined = yield* withSocket.service.join(invitation("lst_1"), line)
      assert.deepStrictEqual(listened, [true])
      for (let i = 1; i <= 5; i++) people.hear(frame(i), frame(0))
      assert.deepStrictEqual(
        heard.map((audio) => [...new Set(audio)]),
        [[1, 2, 3, 4, 5]]
      )
      people.take("lst_1")
      people.given()
      joined?.voice(frame(7))
      joined?.voice(frame(8))
      assert.deepStrictEqual(said, [7, 8])
      joined?.left()
      assert.deepStrictEqual(listened, [true, false])
    }).pipe(Effect.scoped)
  )

  it.effect("are sent away from another process when the call is over", () =>
    Effect.gen(function* () {
      const { withCall, withSocket, people } = yield* makeProcesses
      const { line, closes } = makeLine()
      withCall.invite(invitation("lst_1"), people)
      yield* withSocket.service.join(invitation("lst_1"), line)
      people.end()
      assert.strictEqual(closes(), 1)
    }).pipe(Effect.scoped)
  )

  it.effect("stay while the process of their socket says that they are there, and go when it is silent", () =>
    Effect.gen(function* () {
      const { withCall, withSocket, people, there } = yield* makeProcesses
      withCall.invite(invitation("lst_1"), people)
      yield* withSocket.service.join(invitation("lst_1"), makeLine().line)
      yield* TestClock.adjust("2 minutes")
      assert.isTrue(people.has("lst_1"))
      there.dead = true
      yield* TestClock.adjust("40 seconds")
      assert.isFalse(people.has("lst_1"))
    }).pipe(Effect.scoped)
  )
})
