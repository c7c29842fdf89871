import { performance } from "node:perf_hooks"
import { AudioQueue } from "../src/audio/AudioQueue.ts"
import { BYTES_PER_MS, FRAME_BYTES, Framer } from "../src/audio/Framing.ts"
import { decodeInto, encode } from "../src/audio/Mulaw.ts"
import { Turn } from "../src/audio/Turn.ts"
import { Vad } from "../src/audio/Vad.ts"
import { conversation, onLine } from "../test/support/vad-trial.ts"

const { clean } = await conversation()
const bytes = encode(await onLine(clean, "pink", 15, 1))
const total = Math.floor(bytes.length / FRAME_BYTES)
const step = process.argv[2] ?? "all"
const pcm = new Int16Array(FRAME_BYTES)
const trash = new Float64Array(Number(process.argv[4] ?? 0) * 128)
let sink = 0
const make = () => {
  const vad = new Vad()
  const rules = { patienceMs: () => 400, overAgent: () => "interruption" as const, paused: () => undefined }
  const turn = new Turn({ maxSilenceMs: 2_500, minSpeechMs: 200, surelySpeechMs: 1_200, rules })
  const preRoll = new AudioQueue(400 * BYTES_PER_MS)
  const framer = new Framer((frame, mediaMs) => {
    decodeInto(frame, pcm)
    if (step === "mulaw") return
    const event = vad.step(pcm)
    if (step === "vad") return
    turn.step(event, vad.voiced, mediaMs)
    if (!vad.speaking) preRoll.push(frame)
  })
  return framer
}
for (const n of (process.argv[3] ?? "1,50,200,1000").split(",").map(Number)) {
  const framers = Array.from({ length: n }, make)
  const rounds = Math.max(200, Math.floor(60000 / n))
  const offset = framers.map((_, i) => (i * 37) % total)
  // age
  let best = Infinity,
    sum = 0,
    count = 0
  for (let r = 0; r < rounds; r++) {
    const t = performance.now()
    let trashed = 0
    for (let c = 0; c < n; c++) {
      const f = (offset[c] + r) % total
      framers[c].push(bytes.subarray(f * FRAME_BYTES, (f + 1) * FRAME_BYTES), r * 20)
      if (trash.length) {
        const t0 = performance.now()
        for (let i = 0; i < trash.length; i += 8) sink += trash[i]
        trashed += performance.now() - t0
      }
    }
    const us = ((performance.now() - t - trashed) * 1000) / n
    if (r > rounds / 2) {
      sum += us
      count++
      best = Math.min(best, us)
    }
  }
  console.log(
    step,
    "channels",
    n,
    "mean",
    (sum / count).toFixed(2),
    "best",
    best.toFixed(2),
    "heap MB",
    (process.memoryUsage().heapUsed / 1e6).toFixed(1),
    (process.memoryUsage().arrayBuffers / 1e6).toFixed(1)
  )
}
