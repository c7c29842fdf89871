/**
 * One contract for the port between sound and mind: in one process, and over pipes that delay, cut and join at random, in memory or over sockets. What races
 * on a link must really have raced, else the test is red.
 */
import fc from "fast-check"
import { expect } from "vitest"
import { speak } from "../../simulators/voice/Voice.ts"
import { KnownSound } from "../../src/actors/voice/call/KnownSound.ts"
import { CallAudio } from "../../src/actors/voice/sound/CallAudio.ts"
import type { CallSound, SoundEvent, SpeechSink } from "../../src/actors/voice/sound/CallSound.ts"
import { MindEnd } from "../../src/actors/voice/sound/link/MindEnd.ts"
import { SoundEnd } from "../../src/actors/voice/sound/link/SoundEnd.ts"
import { SoundInside } from "../../src/actors/voice/sound/SoundInside.ts"
import { encode } from "../../src/audio/frames/Mulaw.ts"
import type { CallInput } from "../../src/domain/voice/dialogue/Call.ts"
import { agentOf } from "./agent.ts"

type Operation =
  | { readonly what: "line" | "silence" | "commit" | "key" | "speaks" | "transcript" | "closes" | "replyOver" }
  | { readonly what: "think"; readonly held: boolean }
  | { readonly what: "ticks"; readonly count: number }
  | { readonly what: "toMind" | "toSound"; readonly bytes: number }

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ what: fc.constant("line" as const) }) },
  fc.record({
    what: fc.constantFrom("silence", "commit", "key", "speaks", "transcript", "closes", "replyOver")
  }),
  fc.record({ what: fc.constant("think" as const), held: fc.boolean() }),
  { weight: 3, arbitrary: fc.record({ what: fc.constant("ticks" as const), count: fc.integer({ min: 1, max: 20 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({ what: fc.constantFrom("toMind", "toSound"), bytes: fc.integer({ min: 1, max: 3_000 }) })
  }
)

/** How often something of one side was under way while the other side did what it bears on. */
interface Races {
  drainedAndPlan: number
  bargedInAndSilence: number
  bargedInAndCommit: number
  transcriptAndClose: number
  forget: number
  waited: number
}

/** Brings bytes to the other side in their order. */
export interface Carrier {
  readonly send: (bytes: Uint8Array) => void
  /** Who takes what has come. */
  came: (bytes: Uint8Array) => void
}
const inMemory = (): Carrier => {
  const carrier: Carrier = { send: (bytes) => carrier.came(bytes), came: () => undefined }
  return carrier
}

/** A pipe. It takes so much, and then no more until some of it was given to the other side. */
class Pipe {
  arrive: (bytes: Uint8Array) => void = () => undefined
  drained: () => void = () => undefined
  private readonly carrier: Carrier
  private readonly waited: () => void
  /** What has come, and how much of what was written was not given to the other side. */
  private bytes = Buffer.alloc(0)
  private left = 0
  private full = false
  constructor(carrier: Carrier, waited: () => void) {
    this.carrier = carrier
    this.waited = waited
    carrier.came = (bytes) => {
      this.bytes = Buffer.concat([this.bytes, bytes])
    }
  }
  /** Bytes that are under way. */
  get underWay(): number {
    return this.left
  }
  /** Some of them have not come yet. */
  get travels(): boolean {
    return this.left > this.bytes.length
  }
  write(batch: Uint8Array): boolean {
    this.left += batch.length
    this.carrier.send(batch)
    this.full = this.left > 4_000
    if (this.full) this.waited()
    return !this.full
  }
  deliver(count: number): void {
    const part = this.bytes.subarray(0, count)
    this.bytes = this.bytes.subarray(count)
    this.left -= part.length
    if (part.length > 0) this.arrive(part)
    if (!this.full || this.left > 0) return
    this.full = false
    this.drained()
  }
}

const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve))

/** How the two ends are joined: no link at all, or pipes over these. */
export type Joined = "inside" | { readonly toMind: Carrier; readonly toSound: Carrier }

const agent = agentOf()
const frames = 160

const makeCall = (joined: Joined, voice: Int16Array, races: Races) => {
  let now = 1_000
  let mediaMs = 0
  let playedUntil = 0
  const echoes: Array<{ readonly atMs: number; readonly name: string }> = []
  const line = {
    close: () => undefined,
    send: (bytes: string | Uint8Array) => {
      const message: { event: string; mark?: { name: string } } = JSON.parse(Buffer.from(bytes).toString())
      if (message.event === "media") playedUntil = Math.max(playedUntil, now) + 20
      if (message.event === "clear") {
        playedUntil = now
        echoes.length = 0
      }
      if (message.mark !== undefined) echoes.push({ atMs: playedUntil, name: message.mark.name })
    }
  }
  const inputs: Array<CallInput> = []
  /** The speech as speech-to-text takes it: in order, and what comes again only once. */
  let speech = Buffer.alloc(0)
  let pausedAt = 0
  let closed = false
  const sink: SpeechSink = {
    hear: (audio, position) => {
      expect(position).toBe(speech.length)
      speech = Buffer.concat([speech, audio])
    },
    pause: (position) => {
      expect(position).toBe(speech.length)
      pausedAt = position
    }
  }
  const planned: Array<{ readonly epoch: number; readonly word: number }> = []
  const heardWords: Array<number> = []
  const offer = (input: CallInput) => {
    inputs.push(input)
    if (input._tag === "HeardSoFar") races.drainedAndPlan++
    if ("spoken" in input)
      for (const [, word] of input.spoken.text.matchAll(/w(\d+)/g)) {
        // Nothing is told as heard twice, nor out of order.
        expect(Number(word)).toBeGreaterThan(heardWords.at(-1) ?? -1)
        heardWords.push(Number(word))
      }
    // An agent that has something left to say is not called silent.
    if (input._tag === "Drained")
      for (const { epoch, word } of planned) if (epoch === known.epoch) expect(heardWords).toContain(word)
  }
  const audioOptions = { streamSid: "MZ1", line, agent, now: () => now }
  const make = (tell: (event: SoundEvent) => void, to: SpeechSink) => new CallAudio({ ...audioOptions, tell, sink: to })
  let known: KnownSound
  const watched = (event: SoundEvent) => {
    if (event._tag === "Silenced" && event.late) races.bargedInAndSilence++
    known.take(event)
  }
  const tasks: Array<() => void> = []
  const runTasks = () => {
    for (const task of tasks.splice(0)) task()
  }
  const waited = () => void races.waited++
  const carriers = joined === "inside" ? { toMind: inMemory(), toSound: inMemory() } : joined
  const [toMind, toSound] = [new Pipe(carriers.toMind, waited), new Pipe(carriers.toSound, waited)]
  let audio: CallAudio
  let endings = () => {}
  let soundEnd: SoundEnd | undefined
  const begins = (sound: CallSound) => {
    known = new KnownSound({ sound, offer, now: () => now })
    // Its first words are planned at once, before the sound has heard anything of the mind.
    say()
  }
  let words = 0
  const clauseOf = (epoch: number, line?: "interruptible") => {
    const word = words++
    const clause = known.plan(`w${word}.`, epoch, line === undefined ? {} : { line })
    if (clause === undefined) return
    planned.push({ epoch, word })
    known.send({ _tag: "Sound", epoch, clause: clause.clause, audio: new Uint8Array(1_600).fill(0x55) })
    known.send({ _tag: "End", epoch, clause: clause.clause })
  }
  const say = () => clauseOf(known.epoch, "interruptible")
  if (joined === "inside") {
    const inside = new SoundInside({ ...audioOptions, tell: watched, sink })
    audio = inside.audio
    begins(inside)
  } else {
    const schedule = (run: () => void) => void tasks.push(run)
    const mindEnd = new MindEnd({
      write: (batch) => toSound.write(batch),
      schedule,
      later: schedule,
      id: "mind",
      now: () => now,
      claimed: (_, sound) => {
        begins(sound)
        endings = () => sound.forget()
        return {
          tell: watched,
          sink,
          lineClosed: () => {
            closed = true
          },
          audioFailed: () => expect.unreachable("the audio failed"),
          lost: () => expect.unreachable("the link was lost")
        }
      }
    })
    soundEnd = new SoundEnd({
      write: (batch) => toMind.write(batch),
      schedule,
      later: schedule,
      id: "sound",
      now: () => now,
      onError: (_, error) => {
        throw error
      }
    })
    toMind.arrive = (bytes) => mindEnd.receive(bytes)
    toSound.arrive = (bytes) => soundEnd?.receive(bytes)
    toMind.drained = () => soundEnd?.drained()
    toSound.drained = () => mindEnd.drained()
    audio = soundEnd.claim({ callId: "call_1", streamSid: "MZ1", at: now, make }).audio
  }
  const settle = async () => {
    for (let round = 0; round < 4_000; round++) {
      // Sockets bring what they bring in a turn of the event loop.
      if (toMind.travels || toSound.travels) await turnOfLoop()
      else await Promise.resolve()
      runTasks()
      toMind.deliver(Number.POSITIVE_INFINITY)
      toSound.deliver(Number.POSITIVE_INFINITY)
      if (tasks.length === 0 && toMind.underWay === 0 && toSound.underWay === 0) return
    }
    expect.unreachable("the link does not come to rest")
  }
  const tick = () => {
    now += 20
    audio.tick(now)
    soundEnd?.look()
    while (echoes[0] !== undefined && echoes[0].atMs <= now) audio.speech.mark(echoes.shift()?.name ?? "")
  }
  const frame = (samples: Int16Array) => {
    audio.media(encode(samples), mediaMs)
    mediaMs += 20
    tick()
  }
  const speaks = () => {
    for (let at = 0; at + frames <= Math.min(voice.length, 40 * frames); at += frames)
      frame(voice.subarray(at, at + frames))
    for (let quiet = 0; quiet < 400; quiet += 20) frame(new Int16Array(frames))
  }
  let thinkingIn = 0
  /** Until the claim has come there is no mind. */
  const isThere = () => known !== undefined
  const run = (happens: Operation) => {
    switch (happens.what) {
      case "ticks":
        for (let i = 0; i < happens.count; i++) tick()
        return
      case "speaks":
        return speaks()
      case "key":
        audio.key("1")
        return audio.key("#")
      case "toMind":
        return toMind.deliver(happens.bytes)
      case "toSound":
        return toSound.deliver(happens.bytes)
    }
    if (!isThere()) return
    switch (happens.what) {
      case "line":
        return say()
      case "think":
        thinkingIn = known.think(words, happens)
        return clauseOf(thinkingIn)
      case "replyOver":
        return known.send({ _tag: "ReplyOver", epoch: thinkingIn })
      case "commit":
        if (audio.speech.epoch > known.epoch) races.bargedInAndCommit++
        return known.commit()
      case "silence":
        return known.silence()
      case "transcript":
        if (closed) races.transcriptAndClose++
        return known.send({ _tag: "Transcript", text: "My number", understood: pausedAt })
      case "closes":
        return soundEnd?.lineClosed(1)
    }
  }
  const end = async () => {
    await settle()
    known.commit()
    known.send({ _tag: "ReplyOver", epoch: thinkingIn })
    known.send({ _tag: "Close" })
    for (let round = 0; round < 40; round++) {
      await settle()
      for (let i = 0; i < 20; i++) tick()
    }
    await settle()
    expect(known.epoch).toBe(audio.speech.epoch)
    const { position, audio: kept } = audio.kept.piece(0, audio.kept.end)
    const told = speech.subarray(position)
    expect(audio.kept.end - speech.length).toBeLessThan(1_600)
    expect(Buffer.compare(told, Buffer.from(kept.subarray(0, told.length)))).toBe(0)
    // Forgotten by the mind, while the sound goes on telling.
    if (soundEnd === undefined) return
    endings()
    speaks()
    audio.key("2")
    if (toMind.underWay + tasks.length > 0) races.forget++
    const before = inputs.length
    await settle()
    expect(soundEnd.size).toBe(0)
    expect(inputs.length).toBe(before)
  }
  /** What was written has come to the other side, which it is not given by that. */
  const comes = async () => {
    while (toMind.travels || toSound.travels) await turnOfLoop()
  }
  return { run, runTasks, comes, settle, end }
}

/** Plays random calls over the port, and expects the contract of each. */
export const expectContract = async (joinedBy: () => Joined): Promise<void> => {
  const voice = (await speak("My number is four one five", "en-US")).samples
  const races: Races = {
    drainedAndPlan: 0,
    bargedInAndSilence: 0,
    bargedInAndCommit: 0,
    transcriptAndClose: 0,
    forget: 0,
    waited: 0
  }
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(operation, { maxLength: 60, size: "max" }), async (joined, operations) => {
      const call = makeCall(joinedBy(), voice, races)
      if (joined) await call.settle()
      for (const happens of operations) {
        await call.comes()
        call.run(happens)
        await Promise.resolve()
        call.runTasks()
      }
      await call.end()
    }),
    { numRuns: 100, seed: 7 }
  )
  if (joinedBy() !== "inside") expect(Object.entries(races).filter(([, times]) => times === 0)).toEqual([])
}

/** A link over pipes in memory. */
export const linkedInMemory = (): Joined => ({ toMind: inMemory(), toSound: inMemory() })
