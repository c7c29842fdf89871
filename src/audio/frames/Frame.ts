/** The unit of live audio: 20 ms of one telephone channel, 8 kHz mono, one mu-law byte (or one sample) per 125 µs. */

/** Samples per second on a telephone line. */
export const SAMPLE_RATE = 8_000
/** Milliseconds of audio in a frame. */
export const FRAME_MS = 20
/** Mu-law bytes, and also PCM samples, in a frame. */
export const FRAME_BYTES = 160
/** Mu-law bytes, and also PCM samples, in a millisecond. */
export const BYTES_PER_MS = 8
/** The mu-law byte of digital silence (sample 0). */
export const SILENCE = 0xff
