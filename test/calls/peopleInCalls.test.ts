/** People in a live call: they listen, whisper to the agent, talk in its place and hand the call back, in the real service between simulated providers. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Scope } from "effect"
import type { ChatRequest } from "../../simulators/language-model/Messages.ts"
import type { Script } from "../../simulators/language-model/Script.ts"
import { openRaw } from "../../simulators/telephone/RawStream.ts"
import { speak } from "../../simulators/voice/Voice.ts"
import { decode, encode } from "../../src/audio/frames/Mulaw.ts"
import { decodeWav } from "../../src/domain/basics/Wav.ts"
import { Audit } from "../../src/domain/people/access/Audit.ts"
import { freePort } from "../../src/integrations/web/FreePort.ts"
import { eventually } from "../support/eventually.ts"
import { type TestListener, testListener } from "../support/listener.ts"
import { startParley } from "../support/parley.ts"
import { startParleyProcess } from "../support/process.ts"
import { playsInRealTime } from "../support/Slowness.ts"

playsInRealTime()

const lines = {
  parcel: "Hello, where is my parcel?",
  thanks: "Thank you. And what did your colleague say?",
  person: "This is Maria. Your parcel is in Leipzig and comes tomorrow."
}
const whispered = "The parcel left yesterday."
const patience = 120_000
const patientAgent = { promptAfterSeconds: 60, maxPrompts: 1, promptText: "Hello?", goodbyeText: "Bye." }
/** How far behind a listener may be. Milliseconds. */
const behindMs = 300

const told = ({ messages }: ChatRequest, text: string): boolean =>
  messages.some(({ content }) => content?.includes(text) === true)

/** The model says what it was told of the people in the call. */
const script: Script = [
  {
    when: /colleague say/i,
    compose: (request) => (told(request, lines.person) ? "My colleague said that it comes tomorrow." : "I do not know.")
  },
  { when: /parcel/i, compose: (request) => (told(request, whispered) ? "It left yesterday." : "I do not know.") }
]

/** The loudest 20 ms of some speech, as the line carries them. */
const loudestFrame = (samples: Int16Array): Uint8Array => {
  let best = { sum: -1, at: 0 }
  for (let at = 0; at + 160 <= samples.length; at += 160) {
    const sum = samples.subarray(at, at + 160).reduce((all, sample) => all + Math.abs(sample), 0)
    if (sum > best.sum) best = { sum, at }
  }
  return encode(samples.subarray(best.at, best.at + 160))
}
const includes = (heard: Uint8Array, frame: Uint8Array): boolean => Buffer.from(heard).includes(Buffer.from(frame))

const firstLoudMs = (samples: Int16Array): number => samples.findIndex((sample) => Math.abs(sample) > 1_000) / 8

describe("people in a live call", () => {
  it.live(
    "hear both sides, whisper, talk in the agent's place and hand the call back to an agent that knows what was said",
    () =>
      Effect.gen(function* () {
        const parley = yield* startParley({ lines, script, agent: { recording: true, silence: patientAgent } })
        const ask = (method: string, path: string, body?: unknown) => parley.request(method, path, body)
        const reached = (address: string): string => {
          const url = new URL(address)
          url.protocol = "ws:"
          url.host = new URL(parley.baseUrl).host
          return url.href
        }
        const scope = yield* Effect.scope
        const inScope = <A>(effect: Effect.Effect<A, never, Scope.Scope>): Promise<A> =>
          Effect.runPromise(Effect.provideService(effect, Scope.Scope, scope))
        const connect = (url: string) => inScope(testListener(url))
        const statuses: Record<string, number> = {}
        const states: Array<string> = []
        let path = ""
        let other: TestListener | undefined
        let heardByPerson: Uint8Array = new Uint8Array(0)
        let behind = 0
        const result = yield* parley.call(
          async (caller) => {
            await caller.waitForAgentToFinish()
            const [call] = (await ask("GET", "/api/calls/live")).body.data as ReadonlyArray<{ id: string }>
            path = `/api/calls/${call.id}`
            const place = async () => {
              const answer = await ask("POST", `${path}/listen`)
              assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
              const { listener, url } = answer.body as { listener: string; url: string }
              return { listener, url: reached(url) }
            }
            const state = async () => {
              const { data } = (await ask("GET", "/api/calls/live")).body as { data: ReadonlyArray<{ state: string }> }
              return data[0]?.state
            }
            const withPerson = async () => {
              while ((await state()) !== "human") await caller.sleep(250)
            }
            const person = await place()
            statuses.absent = (await ask("POST", `${path}/take-over`, { listener: person.listener })).status
            const wrong = new URL(person.url)
            wrong.searchParams.set("listener", "lst_other")
            statuses.wrongToken = (await openRaw(wrong.href)).status
            const desk = await connect(person.url)
            await Effect.runPromise(desk.opened)
            const again = await connect(person.url)
            await Effect.runPromise(
              eventually(
                "a second socket is refused",
                Effect.sync(() => again.closed())
              )
            )
            statuses.secondSocket = again.closed() ?? 0
            other = await connect((await place()).url)

            statuses.whisper = (await ask("POST", `${path}/whisper`, { text: whispered })).status
            const began = performance.now()
            await caller.say(parley.samples("parcel"))
            behind =
              (desk.firstLoudAfter(began) ?? Number.POSITIVE_INFINITY) - began - firstLoudMs(parley.samples("parcel"))
            await caller.waitForAgentToFinish()

            await inScope(desk.openMicrophone)
            statuses.takeOver = (await ask("POST", `${path}/take-over`, { listener: person.listener })).status
            statuses.takeOverTwice = (await ask("POST", `${path}/take-over`, { listener: person.listener })).status
            statuses.say = (await ask("POST", `${path}/say`, { text: "Hello." })).status
            await withPerson()
            states.push((await state()) ?? "")
            await desk.say(parley.samples("person"))
            await caller.sleep(1_200)
            statuses.handBack = (await ask("POST", `${path}/hand-back`)).status
            statuses.handBackTwice = (await ask("POST", `${path}/hand-back`)).status
            await caller.waitForAgentToSpeak()
            await caller.waitForAgentToFinish()
            await caller.say(parley.samples("thanks"))
            await caller.waitForAgentToFinish()

            statuses.takeAgain = (await ask("POST", `${path}/take-over`, { listener: person.listener })).status
            await withPerson()
            heardByPerson = desk.heard()
            await Effect.runPromise(desk.breakOff)
            await caller.waitForAgentToSpeak()
            await caller.waitForAgentToFinish()
            caller.hangUp()
          },
          { maxMs: patience }
        )
        assert.deepStrictEqual(statuses, {
          absent: 409,
          wrongToken: 403,
          secondSocket: 1008,
          whisper: 200,
          takeOver: 200,
          takeOverTwice: 409,
          say: 409,
          handBack: 200,
          handBackTwice: 409,
          takeAgain: 200
        })
        const closed = yield* eventually(
          "the listener's socket is closed with the call",
          Effect.sync(() => other?.closed())
        )
        assert.strictEqual(closed, 1000)
        assert.deepStrictEqual(states, ["human"])
        assert.isBelow(behind, behindMs)
        const { call, utterances } = yield* parley.stored
        const said = utterances.map(({ role, by, text }) => `${by ?? role}: ${text}`)
        assert.deepStrictEqual(said.slice(2), [
          `caller: ${lines.parcel}`,
          "agent: It left yesterday.",
          "agent: A colleague is joining you now.",
          `person: ${lines.person}`,
          "agent: You are talking with the AI assistant again. How can I help you further?",
          `caller: ${lines.thanks}`,
          "agent: My colleague said that it comes tomorrow.",
          "agent: A colleague is joining you now.",
          "agent: You are talking with the AI assistant again. How can I help you further?"
        ])
        const persons = loudestFrame(parley.samples("person"))
        const callers = loudestFrame(parley.samples("parcel"))
        assert.isTrue(includes(result.heard, persons), "the caller hears the person")
        assert.isTrue(includes(other?.heard() ?? new Uint8Array(0), persons), "the other listener hears the person")
        assert.isFalse(includes(heardByPerson, persons), "the person does not hear their own voice")
        assert.isTrue(includes(heardByPerson, callers), "the person hears the caller")

        const recording = yield* eventually(
          "the recording is stored",
          Effect.promise(async () => {
            const answer = await fetch(`${parley.baseUrl}/api/calls/${call.id}/recording`, {
              headers: { authorization: `Bearer ${parley.tenant.key}` }
            })
            return answer.status === 200 ? new Uint8Array(await answer.arrayBuffer()) : undefined
          })
        )
        const [, right] = decodeWav(recording).channels
        const bytesOf = (samples: Int16Array) => new Uint8Array(samples.slice().buffer)
        assert.isTrue(includes(bytesOf(right), bytesOf(decode(persons))), "the recording has the person's voice")

        const audit = yield* Effect.provide(Audit, parley.services)
        const { data: log } = yield* audit.list(parley.tenant.organizationId, { subjectId: call.id }, 1, 50)
        assert.includeMembers(
          log.map(({ action }) => action),
          ["call.listened_to", "call.whispered_to", "call.taken_over_by", "call.handed_back_by", "call.person_lost"]
        )
        assert.notInclude(JSON.stringify(log), whispered)
        const late = yield* Effect.promise(() => ask("POST", `${path}/listen`))
        assert.strictEqual(late.status, 409)
      }).pipe(Effect.scoped),
    patience
  )

  it.live(
    "hear the caller, and are heard, also where the sound is in a process of its own",
    () =>
      Effect.gen(function* () {
        const [parcel, maria] = yield* Effect.promise(() =>
          Promise.all([speak(lines.parcel, "en-US"), speak(lines.person, "en-US")])
        )
        const mediaPort = yield* Effect.promise(freePort)
        const parley = yield* startParleyProcess({
          agent: { silence: patientAgent },
          args: ["--sound", "process"],
          env: { MEDIA_PORT: `${mediaPort}`, STREAM_URL: `wss://127.0.0.1:${mediaPort}/media` }
        })
        const scope = yield* Effect.scope
        const inScope = <A>(effect: Effect.Effect<A, never, Scope.Scope>): Promise<A> =>
          Effect.runPromise(Effect.provideService(effect, Scope.Scope, scope))
        const post = async (path: string, body?: object) => {
          const response = await fetch(`${parley.baseUrl}${path}`, {
            method: "POST",
            headers: { authorization: `Bearer ${parley.tenant.key}`, "content-type": "application/json" },
            ...(body === undefined ? {} : { body: JSON.stringify(body) })
          })
          return { status: response.status, body: (await response.json()) as Record<string, string> }
        }
        let desk: TestListener | undefined
        const result = yield* Effect.promise(() =>
          parley.call(async (caller) => {
            await caller.waitForAgentToFinish()
            const [call] = await Effect.runPromise(parley.records)
            const { body, status } = await post(`/api/calls/${call?.id}/listen`)
            assert.strictEqual(status, 200, JSON.stringify(body))
            const url = new URL(body.url)
            url.protocol = "ws:"
            desk = await inScope(testListener(url.href))
            await Effect.runPromise(desk.opened)
            // Speech-to-text knows no words here, so the agent has no answer.
            await caller.say(parcel.samples)
            await inScope(desk.openMicrophone)
            await post(`/api/calls/${call?.id}/take-over`, { listener: body.listener })
            await caller.waitForAgentToFinish()
            await desk.say(maria.samples)
            await caller.sleep(500)
            caller.hangUp()
          })
        )
        assert.isTrue(includes(desk?.heard() ?? new Uint8Array(0), loudestFrame(parcel.samples)), "the person hears")
        assert.isTrue(
          includes(result.heard, loudestFrame(maria.samples)),
          `the caller hears the person\n${parley.log()}`
        )
      }).pipe(Effect.scoped),
    patience
  )
})
