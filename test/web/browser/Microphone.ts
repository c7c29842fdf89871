/**
 * The microphone of a story: Chromium plays a WAV file whenever a page opens it. The recogniser of the simulators knows samples: filters of a browser change
 * them too much, other moments not (`betweenSamples`). So pages get it without filters.
 */
import { rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { afterAll } from "vitest"
import { encodeWav } from "../../../src/domain/basics/Wav.ts"

export interface Microphone {
  /** The arguments of Chromium. */
  readonly chromium: ReadonlyArray<string>
  /** What it plays; before a page opens it. */
  readonly plays: (samples: Int16Array) => void
}

/** `again`: whether it plays from the beginning again when it has come to the end. The file is removed after the tests. */
export const microphone = ({ again }: { readonly again: boolean }): Microphone => {
  const file = join(tmpdir(), `parley-microphone-${process.pid}-${again}.wav`)
  afterAll(() => rmSync(file, { force: true }))
  return {
    chromium: [`--use-file-for-fake-audio-capture=${file}${again ? "" : "%noloop"}`],
    plays: (samples) => writeFileSync(file, encodeWav([samples], 8_000))
  }
}

const withoutFilters = "{ audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false } }"

/** A script of pages: the microphone plays from when it is opened. */
export const openMicrophone = `
  const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
  navigator.mediaDevices.getUserMedia = () => ask(${withoutFilters})
`

/** A script of pages: the microphone is silent until the person is to speak (`speak`). On a busy machine nobody knows how long a call takes to begin. */
export const heldMicrophone = `
  const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
  let context, line, speech
  navigator.mediaDevices.getUserMedia = async () => {
    context = new AudioContext()
    line = new MediaStreamAudioDestinationNode(context, { channelCount: 1 })
    return line.stream
  }
  window.speak = async () => {
    for (const track of speech?.getTracks() ?? []) track.stop()
    speech = await ask(${withoutFilters})
    context.createMediaStreamSource(speech).connect(line)
  }
`

/** Lets the person at a page with a held microphone say what it plays, from its beginning. */
export const speak = (page: Page): Promise<void> => page.evaluate("window.speak()")
