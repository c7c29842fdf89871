/**
 * Speech-to-text for a crowd, in Sarvam's protocol. It understands what it hears by the marks in the sound: so it costs little, and
 * knows of every frame whether it came to the right stream, once and in order.
 */
import type { TemplatedApp, WebSocket } from "uWebSockets.js"
import { signalMessage, transcriptMessage } from "../../simulators/speech-to-text/Protocol.ts"
import type { Outages } from "./Outages.ts"
import type { Stamps } from "./Stamps.ts"
import type { Tally } from "./Tally.ts"
import { frameBytes, type Mark, newMark, readSampleMark } from "./Watermark.ts"
import { question } from "./Words.ts"

/** From a flush to its transcript: longer than the silence that ends a turn, so that the transcript is what the decision waits for. */
export const transcriptMs = 400
/** Frames that voice activity detection may leave out at either end of what is said. */
const edgeFrames = 15

/** A stream, and the mark of the last frame that it heard; the first one says whose stream it is. */
interface Hearing extends Mark {
  speaking: boolean
  /** It was sent something while the provider swallowed: whoever heard this stream is gone for good. */
  deaf: boolean
  open: boolean
  transcripts: number
}

type Socket = WebSocket<Hearing>

/** An utterance is said by its turn: the two lowest bits number the clauses of an answer. */
const turnOf = (utterance: number): number => utterance >> 2

const isWhole = ({ index, total }: Mark): boolean => index >= total - edgeFrames

/** What was said, by the last frame of it. A pause in the middle of an utterance: its words come when it has been heard to its end. */
export const heardText = (last: Mark): string =>
  isWhole(last) ? question({ caller: last.caller, turn: turnOf(last.utterance) }) : "and"

const audioHead = '{"audio":{"data":"'
const scratch = Buffer.alloc(64 * 1_024)
const samples = new Int16Array(scratch.buffer, scratch.byteOffset, scratch.length / 2)

/** Decodes the samples of an audio message into `samples`; how many there are. */
const decode = (text: string): number => {
  if (!text.startsWith(audioHead)) throw new Error(`not an audio message: ${text.slice(0, 60)}`)
  const end = text.indexOf('"', audioHead.length)
  return scratch.write(text.slice(audioHead.length, end), "base64") / 2
}

export const addSpeechToText = (app: TemplatedApp, tally: Tally, stamps: Stamps, outages: Outages): void => {
  const mark = newMark()
  const sockets = new Set<Socket>()
  outages.onChange((name, away) => {
    if (name === "speech-to-text" && away && !outages.silent) for (const socket of [...sockets]) socket.close()
  })

  const begin = (hearing: Hearing) => {
    const { caller, utterance, index, total } = mark
    if (index > edgeFrames) tally.errors.lost += index
    Object.assign(hearing, { caller, utterance, index, total })
  }

  const frame = (hearing: Hearing) => {
    if (hearing.caller !== 0 && mark.caller !== hearing.caller) {
      tally.errors.crossed++
      return tally.note(`speech-to-text of caller ${hearing.caller} heard caller ${mark.caller}`)
    }
    if (mark.utterance !== hearing.utterance) return begin(hearing)
    const step = mark.index - hearing.index
    if (step === 1) {
      hearing.index = mark.index
      return
    }
    if (step > 1) tally.errors.lost += step - 1
    else tally.errors.repeated++
    tally.note(`speech-to-text of caller ${mark.caller}: frame ${mark.index} after ${hearing.index}`)
    hearing.index = mark.index
  }

  const hear = (socket: Socket, hearing: Hearing, text: string) => {
    const count = decode(text)
    let spoken = false
    for (let at = 0; at + frameBytes <= count; at += frameBytes) {
      if (!readSampleMark(samples, at, mark)) continue
      spoken = true
      frame(hearing)
    }
    if (!spoken || hearing.speaking) return
    hearing.speaking = true
    socket.send(signalMessage("START_SPEECH", Date.now()))
  }

  const answer = (socket: Socket, hearing: Hearing) => {
    const { caller, index } = hearing
    const [whole, text] = [isWhole(hearing), heardText(hearing)]
    setTimeout(() => {
      if (!hearing.open) return
      if (whole) {
        const turn = stamps.of(caller)
        turn.transcriptSent = performance.now()
        turn.modelAsked = 0
        turn.clauseSent = 0
        turn.speechAsked = 0
        turn.speechSent = 0
      }
      socket.send(transcriptMessage(++hearing.transcripts, text, "en-IN", index * frameBytes, transcriptMs))
    }, transcriptMs)
  }

  app.ws<Hearing>("/speech-to-text/ws", {
    maxPayloadLength: 1_024 * 1_024,
    idleTimeout: 120,
    upgrade: (res, req, context) => {
      if (outages.swallows("speech-to-text")) return void res.onAborted(() => undefined)
      if (outages.cut("speech-to-text", res)) return
      const hearing = {
        caller: 0,
        utterance: -1,
        index: 0,
        total: 0,
        speaking: false,
        deaf: false,
        open: true,
        transcripts: 0
      }
      res.upgrade(
        hearing,
        req.getHeader("sec-websocket-key"),
        req.getHeader("sec-websocket-protocol"),
        req.getHeader("sec-websocket-extensions"),
        context
      )
    },
    open: (socket) => {
      sockets.add(socket)
      tally.streams.opened.push(performance.now())
    },
    message: (socket, data) => {
      const hearing = socket.getUserData()
      if (outages.swallows("speech-to-text")) hearing.deaf = true
      if (hearing.deaf) return
      const text = Buffer.from(data).toString("latin1")
      if (!text.startsWith('{"type":"flush"')) return hear(socket, hearing, text)
      if (!hearing.speaking) return
      hearing.speaking = false
      socket.send(signalMessage("END_SPEECH", Date.now()))
      answer(socket, hearing)
    },
    close: (socket) => {
      socket.getUserData().open = false
      sockets.delete(socket)
      tally.streams.closed.push(performance.now())
    }
  })
}
