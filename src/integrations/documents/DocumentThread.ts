/** The thread that reads one document: `DocumentReaderThread.ts` starts it with the bytes, and gets one message. */
import { parentPort, workerData } from "node:worker_threads"
import type { ReadDocument } from "../../domain/ai/knowledge/Documents.ts"
import { type DocumentTask, documentOf } from "./DocumentKinds.ts"
import { Refused } from "./Refused.ts"

export type DocumentAnswer =
  | { readonly _tag: "Read"; readonly document: ReadDocument }
  | { readonly _tag: "Refused"; readonly message: string }

const answer = async (task: DocumentTask): Promise<DocumentAnswer> => {
  try {
    return { _tag: "Read", document: await documentOf(task) }
  } catch (cause) {
    return {
      _tag: "Refused",
      message: cause instanceof Refused ? cause.message : "The document is damaged and cannot be read."
    }
  }
}

if (parentPort !== null) parentPort.postMessage(await answer(workerData as DocumentTask))
