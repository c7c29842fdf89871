/** The format of a recording: stereo WAV at 8 kHz. The left channel has the caller, the right one the agent as the caller heard it. */
import { wavHeader } from "../../basics/Wav.ts"

const channels = 2
const sampleRate = 8_000

/** Bytes of one sample of both channels together. A recording is never cut inside such a sample. */
export const bytesPerSample = channels * 2
export const bytesPerMs = (bytesPerSample * sampleRate) / 1_000

/** The WAV header of a recording that has `dataBytes` bytes of samples. The header is `wavHeaderBytes` long. */
export const recordingHeader = (dataBytes: number): Uint8Array => wavHeader(channels, sampleRate, dataBytes)
