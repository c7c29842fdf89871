/** How well speech is told from noise: misses and false alarms per 20 ms frame, at several noise levels and colours. */
import { performance } from "node:perf_hooks"
import { decode, encode } from "../src/audio/Mulaw.ts"
import { Vad, VadEvent } from "../src/audio/Vad.ts"
import { noise } from "../test/support/speech.ts"
import { conversation, label, type NoiseColor, onLine, trial } from "../test/support/vad-trial.ts"

const limits: Record<number, number> = { 20: 3, 10: 8, 5: 25 }
const falseLimit = 1

/** What is taken for speech of 90 s of noise without any, at three loudnesses. */
const alone = (color: NoiseColor): { readonly voiced: number; readonly falseStarts: number } => {
  let frames = 0
  let voiced = 0
  let falseStarts = 0
  for (const level of [30, 300, 3_000]) {
    const vad = new Vad()
    const line = decode(encode(Int16Array.from(noise(color, 240_000, 21), (sample) => sample * level)))
    for (let at = 0; at < line.length; at += 160, frames++) {
      if (vad.step(line.subarray(at, at + 160)) === VadEvent.SpeechStarted) falseStarts++
      if (vad.voiced) voiced++
    }
  }
  return { voiced: (100 * voiced) / frames, falseStarts }
}

/** Prints the table; 0 when all goals are met, else 1. */
export const run = async (_args: ReadonlyArray<string>): Promise<number> => {
  const { clean, starts } = await conversation()
  const labels = label(clean)
  let failed = false
  console.log("noise   SNR    missed  limit   false voiced  false speaking  limit   onset (median)")
  for (const color of ["white", "pink", "brown"] satisfies ReadonlyArray<NoiseColor>) {
    for (const snr of [20, 10, 5]) {
      const results = [1, 2, 3].map((seed) => trial(onLine(clean, color, snr, seed), labels, starts))
      const mean = (pick: (result: (typeof results)[number]) => number) =>
        results.reduce((sum, result) => sum + pick(result), 0) / results.length
      const missed = mean((result) => result.missed)
      const falseVoiced = mean((result) => result.falseVoiced)
      const falseSpeaking = mean((result) => result.falseSpeaking)
      const onsets = results.flatMap((result) => result.onsets).sort((a, b) => a - b)
      const bad = missed > limits[snr] || Math.max(falseVoiced, falseSpeaking) > falseLimit
      failed ||= bad
      const cell = (value: number, width: number) => `${value.toFixed(2)} %`.padStart(width)
      console.log(
        `${color.padEnd(6)} ${String(snr).padStart(2)} dB ${cell(missed, 9)} ${`${limits[snr]} %`.padStart(6)} ` +
          `${cell(falseVoiced, 14)} ${cell(falseSpeaking, 15)} ${`${falseLimit} %`.padStart(6)} ` +
          `${`${onsets[Math.floor(onsets.length / 2)]} ms`.padStart(9)}${bad ? "   MISSED" : ""}`
      )
    }
  }
  for (const color of ["white", "pink", "brown"] satisfies ReadonlyArray<NoiseColor>) {
    const { voiced, falseStarts } = alone(color)
    const bad = voiced > falseLimit || falseStarts > 0
    failed ||= bad
    console.log(
      `${color.padEnd(6)} alone: ${voiced.toFixed(2)} % voiced, speech started ${falseStarts} times in 90 s${bad ? "   MISSED" : ""}`
    )
  }
  const line = onLine(clean, "pink", 15, 9)
  const vad = new Vad()
  const frames = labels.length
  const rounds = 20
  for (let i = 0; i < frames; i++) vad.step(line.subarray(i * 160, i * 160 + 160))
  const views = Array.from({ length: frames }, (_, i) => line.subarray(i * 160, i * 160 + 160))
  const started = performance.now()
  for (let round = 0; round < rounds; round++) for (const view of views) vad.step(view)
  console.log(
    `cost: ${(((performance.now() - started) * 1_000) / (rounds * frames)).toFixed(2)} µs per frame (pink noise, 15 dB)`
  )
  return failed ? 1 : 0
}
