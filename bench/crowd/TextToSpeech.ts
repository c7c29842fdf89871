/** Text-to-speech for a crowd, in Deepgram's protocol: real speech, marked frame by frame with the caller and the clause it was made for. */
import type { HttpResponse, TemplatedApp } from "uWebSockets.js"
import type { Clips } from "./Clips.ts"
import type { Outages } from "./Outages.ts"
import { whenRead } from "./RequestBody.ts"
import type { Stamps } from "./Stamps.ts"
import { frameBytes, stamp } from "./Watermark.ts"
import { lineNumber, readAnswerClause } from "./Words.ts"

/** From the request to the first byte, and from there to each of the two pieces that follow. */
const speechMs = { firstByte: 60, piece: 40 }
/** 400 ms of sound come at once, as from a provider that is well ahead of real time. */
const firstPiece = 3_200

/** The sound of `text`, marked. */
const synthesize = (
  clips: Clips,
  text: string
): { readonly audio: Uint8Array; readonly caller: number; readonly clause: number } => {
  const answer = readAnswerClause(text)
  const [caller, utterance] =
    answer === undefined ? [0, lineNumber(text)] : [answer.caller, (answer.turn << 2) | answer.clause]
  const clause = answer?.clause ?? 1
  const audio = Uint8Array.from(clips.agent[clause - 1])
  const total = audio.length / frameBytes
  for (let index = 0; index < total; index++) stamp(audio, index * frameBytes, { caller, utterance, index, total })
  return { audio, caller, clause }
}

export const addTextToSpeech = (app: TemplatedApp, clips: Clips, stamps: Stamps, outages: Outages): void => {
  const send = (res: HttpResponse, text: string, gone: () => boolean) => {
    const { audio, caller, clause } = synthesize(clips, text)
    const timed = caller !== 0 && clause === 1
    if (timed) stamps.of(caller).speechAsked = performance.now()
    const middle = firstPiece + Math.floor((audio.length - firstPiece) / 2)
    const write = (from: number, to: number) => {
      if (gone() || outages.cut("voice", res)) return
      const last = to === audio.length
      res.cork(() => {
        if (from === 0) res.writeHeader("content-type", "audio/mulaw")
        if (last) res.end(audio.subarray(from, to))
        else res.write(audio.subarray(from, to))
      })
    }
    setTimeout(() => {
      if (timed) stamps.of(caller).speechSent = performance.now()
      write(0, firstPiece)
      setTimeout(() => {
        write(firstPiece, middle)
        setTimeout(() => write(middle, audio.length), speechMs.piece)
      }, speechMs.piece)
    }, speechMs.firstByte)
  }
  app.post("/v1/speak", (res) =>
    whenRead(res, (body, gone) => {
      if (!outages.cut("voice", res)) send(res, (JSON.parse(body) as { readonly text: string }).text, gone)
    })
  )
}
