/** Decodes voice messages in threads of their own, one for each, a few at once. */
import { Effect, Layer, Semaphore } from "effect"
import { UnreadableVoiceNote, VoiceNoteReader } from "../../domain/ai/providers/VoiceNotes.ts"
import { threadAnswer } from "../threads/LimitedThread.ts"
import type { VoiceNoteAnswer } from "./VoiceNoteThread.ts"

export interface VoiceNoteReaderOptions {
  /** Milliseconds for one message. */
  readonly timeoutMs?: number
  /** Megabytes of one message's thread. */
  readonly memoryMb?: number
}

const atOnce = 2
const damaged = new UnreadableVoiceNote({ message: "The voice message is damaged and cannot be transcribed." })

export const layer = ({
  timeoutMs = 60_000,
  memoryMb = 128
}: VoiceNoteReaderOptions = {}): Layer.Layer<VoiceNoteReader> =>
  Layer.effect(
    VoiceNoteReader,
    Effect.map(Semaphore.make(atOnce), (few) => ({
      read: (bytes) =>
        threadAnswer<VoiceNoteAnswer>({
          module: new URL("./VoiceNoteThread.ts", import.meta.url),
          task: bytes,
          memoryMb
        }).pipe(
          Effect.timeoutOrElse({ duration: timeoutMs, orElse: () => Effect.fail("broken" as const) }),
          Effect.mapError(() => damaged),
          Effect.flatMap((answer) =>
            answer._tag === "Read"
              ? Effect.succeed(answer.samples)
              : Effect.fail(new UnreadableVoiceNote({ message: answer.message }))
          ),
          few.withPermits(1)
        )
    }))
  )
