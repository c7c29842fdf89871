/** Voice messages become samples, whatever the file says of itself, and what cannot be read is said in a sentence. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { speak } from "../../../simulators/voice/Voice.ts"
import { oggPages, opusHead, opusTags, voiceNote } from "../../../simulators/voice/VoiceNote.ts"
import { recordedRate } from "../../../src/domain/ai/providers/VoiceNoteLimits.ts"
import { VoiceNoteReader } from "../../../src/domain/ai/providers/VoiceNotes.ts"
import { NoOggOpus, readOggOpus } from "../../../src/integrations/voice-notes/OggOpus.ts"
import * as VoiceNoteReaderThread from "../../../src/integrations/voice-notes/VoiceNoteReaderThread.ts"
import * as samples from "../../support/mediaSamples.ts"

const read = (bytes: Uint8Array) =>
  Effect.flatMap(VoiceNoteReader, (reader) => reader.read(bytes)).pipe(Effect.provide(VoiceNoteReaderThread.layer()))
const refusal = (bytes: Uint8Array) => Effect.map(Effect.flip(read(bytes)), ({ message }) => message)
const spoken = Effect.promise(() => speak("Is my order ready?", "en-US"))

/** A packet of 60 ms that holds nothing: one byte. */
const silence60 = Uint8Array.of(0x18)

describe("the reader of voice messages", () => {
  it.live("gives the samples of what a telephone recorded", () =>
    Effect.gen(function* () {
      const said = yield* spoken
      const found = yield* read(voiceNote(said))
      // The utterance and the half second after it, to the frame.
      assert.approximately(found.length / recordedRate, said.samples.length / 8_000 + 0.5, 0.03)
      const loudest = found.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
      assert.isAbove(loudest, 3_000)
    })
  )

  it.live("says of other forms that they are not transcribed", () =>
    Effect.gen(function* () {
      assert.match(yield* refusal(samples.mp3()), /in a form that is not transcribed/)
      assert.match(yield* refusal(new Uint8Array(0)), /in a form that is not transcribed/)
      assert.match(yield* refusal(oggPages([Buffer.from("\x01vorbis"), opusTags()])), /in a form/)
      assert.match(yield* refusal(oggPages([opusHead(9), opusTags(), silence60])), /in a form/)
    })
  )

  it.live("says of a damaged one that it is damaged, and reads one that lost its end", () =>
    Effect.gen(function* () {
      const whole = voiceNote(yield* spoken)
      const cut = yield* read(whole.subarray(0, Math.round(whole.length * 0.7)))
      assert.isAbove(cut.length, recordedRate / 2)
      assert.match(yield* refusal(oggPages([opusHead(), opusTags()])), /damaged/)
      const noise = Array.from({ length: 50 }, () => Uint8Array.of(0xff, 0xff, 0xff, 0xff))
      assert.match(yield* refusal(oggPages([opusHead(), opusTags(), ...noise])), /damaged/)
    })
  )

  it.live("stops at five minutes, however small the file is that holds hours", () =>
    Effect.gen(function* () {
      const hours = Array.from({ length: 200_000 }, () => silence60)
      assert.match(yield* refusal(oggPages([opusHead(), opusTags(), ...hours], 255)), /longer than 5 minutes/)
    })
  )
})

describe("the packets of an Ogg file", () => {
  const packet = fc.uint8Array({ minLength: 1, maxLength: 700 })

  it("are what was put into it, however they lie in the pages", () => {
    fc.assert(
      fc.property(fc.array(packet, { maxLength: 120 }), fc.integer({ min: 1, max: 80 }), (packets, perPage) => {
        const file = oggPages([opusHead(2), opusTags(), ...packets], perPage)
        assert.deepStrictEqual(
          readOggOpus(file).packets.map((one) => [...one]),
          packets.map((one) => [...one])
        )
      })
    )
  })

  it("never make the reader fail otherwise than by saying that it is none, also when bytes are changed, lost or added", () => {
    const file = oggPages([opusHead(), opusTags(), ...Array.from({ length: 30 }, () => silence60)], 7)
    fc.assert(
      fc.property(fc.nat(file.length - 1), fc.uint8Array({ maxLength: 300 }), fc.nat(40), (at, bytes, lost) => {
        const broken = Buffer.concat([file.subarray(0, at), bytes, file.subarray(Math.min(file.length, at + lost))])
        try {
          assert.isAtMost(
            readOggOpus(broken).packets.reduce((sum, { length }) => sum + length, 0),
            broken.length
          )
        } catch (cause) {
          assert.instanceOf(cause, NoOggOpus)
        }
      })
    )
  })
})
