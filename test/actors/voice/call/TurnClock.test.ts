/** The times of a turn, each from the caller's last voiced frame. */
import { describe, expect, it } from "vitest"
import { TurnClock } from "../../../../src/actors/voice/call/TurnClock.ts"
import { TurnStamper } from "../../../../src/actors/voice/sound/TurnStamper.ts"

describe("the clock of a turn", () => {
  it("tells when the model was asked: on a guess before the decision, else after it", () => {
    let now = 0
    const clock = new TurnClock(() => now)
    const stamper = new TurnStamper(() => now)
    const asks = (turn: number) => {
      clock.begin(turn)
      stamper.begin(turn)
    }
    now = 1_200
    asks(1)
    now = 1_400
    stamper.decided(1_000, 1_150)
    now = 1_450
    clock.firstToken(1)
    now = 1_600
    stamper.firstAudio()
    now = 1_620
    const first = stamper.firstFrame()
    now = 5_300
    stamper.decided(5_000, 5_100)
    now = 5_310
    asks(2)
    // The news of the first frame may be late.
    clock.firstFrame(first)
    now = 5_400
    clock.firstFrame(stamper.firstFrame())
    expect(clock.turns).toEqual([
      {
        turn: 1,
        decisionMs: 400,
        transcriptMs: 150,
        modelAskedMs: 200,
        firstTokenMs: 450,
        firstAudioMs: 600,
        firstFrameMs: 620
      },
      expect.objectContaining({ turn: 2, decisionMs: 300, modelAskedMs: 310, firstTokenMs: null })
    ])
    expect(clock.endsOfSpeech).toEqual([1_000, 5_000])
  })
})
