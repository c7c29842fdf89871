/**
 * Ambient noise (`ambient_noise`): a quiet office under the agent's speech and silence, so that pauses do not sound like a dead
 * line. One loop for the whole process; each call starts at another place.
 */
import { BYTES_PER_MS, FRAME_BYTES, SAMPLE_RATE, SILENCE } from "../frames/Frame.ts"
import { mixInto } from "../frames/Mulaw.ts"

/** A whole number of frames, so that no frame crosses the seam. */
const LOOP_SAMPLES = 12_000 * BYTES_PER_MS
const LOOP_FRAMES = LOOP_SAMPLES / FRAME_BYTES
/** Root mean square against full scale: audible on a telephone when nobody speaks, about 25 dB below speech. */
const LEVEL_DB = -45
const SEED = 0x0ff1ce
/** Samples after which no filter of the room tone remembers anything. */
const FILTER_MEMORY = 8_000
/** Soft distant sounds in the loop: a chair, steps, a murmur. */
const EVENTS = 7
/** How far apart in the loop calls that follow each other start: the golden ratio never clusters. */
const GOLDEN = 0.618_034

/** Numbers from -1 to 1, the same ones for the same seed (mulberry32). */
const randomOf = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1
}

/** Air and ventilation: pink noise (three poles and a rest, after Kellet), dull as behind a wall, swelling and sinking slowly. */
const roomTone = (random: () => number): Float64Array => {
  const tone = new Float64Array(LOOP_SAMPLES)
  for (let i = 0; i < LOOP_SAMPLES; i++) tone[i] = random()
  let slow = 0
  let middle = 0
  let fast = 0
  let dull = 0
  let swell = 1
  // Before the loop begins the filters hear its end, so that the two fit together.
  for (let i = -FILTER_MEMORY; i < LOOP_SAMPLES; i++) {
    const white = tone[i < 0 ? LOOP_SAMPLES + i : i]
    slow = 0.997_65 * slow + 0.099_05 * white
    middle = 0.963 * middle + 0.296_52 * white
    fast = 0.57 * fast + 1.052_69 * white
    dull += 0.55 * (slow + middle + fast + 0.1848 * white - dull)
    if (i < 0) continue
    if (i % 16 === 0) {
      const turn = (2 * Math.PI * i) / LOOP_SAMPLES
      swell = 1 + 0.2 * Math.sin(3 * turn) + 0.12 * Math.sin(7 * turn + 1)
    }
    tone[i] = dull * swell
  }
  return tone
}

/** Adds soft bursts of noise around one pitch each, spread over the loop. */
const addEvents = (tone: Float64Array, random: () => number): void => {
  const between = (low: number, high: number) => low + ((random() + 1) / 2) * (high - low)
  for (let event = 0; event < EVENTS; event++) {
    const start = Math.floor((LOOP_SAMPLES * (event + between(0, 0.6))) / EVENTS)
    const length = Math.floor(between(0.15, 0.9) * SAMPLE_RATE)
    const loudness = between(0.1, 0.25)
    // A resonance: two poles at the pitch, a little inside the unit circle.
    const damping = 0.96
    const feedback = 2 * damping * Math.cos((2 * Math.PI * between(250, 900)) / SAMPLE_RATE)
    let last = 0
    let lastButOne = 0
    for (let i = 0; i < length; i++) {
      const sound = random() + feedback * last - damping * damping * lastButOne
      lastButOne = last
      last = sound
      tone[(start + i) % LOOP_SAMPLES] += sound * loudness * Math.sin((Math.PI * i) / length) ** 2
    }
  }
}

/** Takes about 30 ms, once, when the first call needs it. The provider is further ahead than that, so no call hears the stall. */
const synthesize = (): Int16Array => {
  const random = randomOf(SEED)
  const tone = roomTone(random)
  addEvents(tone, random)
  let energy = 0
  for (let i = 0; i < LOOP_SAMPLES; i++) energy += tone[i] * tone[i]
  const scale = (32_768 * 10 ** (LEVEL_DB / 20)) / Math.sqrt(energy / LOOP_SAMPLES)
  const loop = new Int16Array(LOOP_SAMPLES)
  for (let i = 0; i < LOOP_SAMPLES; i++) loop[i] = Math.round(tone[i] * scale)
  return loop
}

let shared: Int16Array | undefined
let calls = 0

/** One call's place in the room. */
export class Ambience {
  private readonly loop: Int16Array
  private frame: number

  /** @param startFrame where in the loop of 600 frames to begin; by default each call begins somewhere else. */
  constructor(startFrame = Math.floor(((calls++ * GOLDEN) % 1) * LOOP_FRAMES)) {
    shared ??= synthesize()
    this.loop = shared
    this.frame = startFrame % LOOP_FRAMES
  }

  /** Adds the next 20 ms of the room to a frame of speech (160 mu-law bytes), in place. Allocates nothing. */
  mixInto(frame: Uint8Array): void {
    mixInto(frame, this.loop, this.frame * FRAME_BYTES)
    this.frame = (this.frame + 1) % LOOP_FRAMES
  }

  /** Fills `out` (160 bytes) with the next 20 ms of the room alone. Allocates nothing. */
  nextFrame(out: Uint8Array): void {
    out.fill(SILENCE)
    this.mixInto(out)
  }
}
