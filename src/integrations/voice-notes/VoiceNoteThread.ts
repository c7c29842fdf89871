/** The thread that decodes one voice message: `VoiceNoteReaderThread.ts` starts it with the bytes, and gets one message. */
import { parentPort, workerData } from "node:worker_threads"
import { NotTranscribed, opusSamples } from "./OpusSamples.ts"

export type VoiceNoteAnswer =
  | { readonly _tag: "Read"; readonly samples: Int16Array }
  | { readonly _tag: "Refused"; readonly message: string }

const answer = async (bytes: Uint8Array): Promise<VoiceNoteAnswer> => {
  try {
    return { _tag: "Read", samples: await opusSamples(bytes) }
  } catch (cause) {
    if (cause instanceof NotTranscribed) return { _tag: "Refused", message: cause.message }
    throw cause
  }
}

if (parentPort !== null) parentPort.postMessage(await answer(workerData as Uint8Array))
