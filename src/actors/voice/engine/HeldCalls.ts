/** Asks the processes with the sound which calls they have, before this engine decides what an earlier one has left behind. */
import { randomUUID } from "node:crypto"
import { byEventLoop } from "../sound/link/LinkEnd.ts"
import { MindEnd } from "../sound/link/MindEnd.ts"
import type { SoundAddress } from "./SoundLinks.ts"

/** A process that does not answer has no calls, or will end them. Milliseconds. */
const patienceMs = 3_000

export interface HeldCallsOptions {
  readonly sounds: ReadonlyArray<SoundAddress>
  readonly now: () => number
}

const heldBy = ({ keepConnected }: SoundAddress, now: () => number): Promise<ReadonlyArray<string>> =>
  new Promise((resolve) => {
    const done = (calls: ReadonlyArray<string>) => {
      clearTimeout(timer)
      disconnect()
      resolve(calls)
    }
    const timer = setTimeout(() => done([]), patienceMs)
    const unexpected = () => {
      throw new Error("a call came over a link that only asks")
    }
    const disconnect = keepConnected(
      (pipe) => {
        const end = new MindEnd({
          id: randomUUID(),
          now,
          ...byEventLoop,
          write: (batch) => pipe.write(batch),
          claimed: unexpected,
          onNotice: (message) => {
            if (message._tag === "Held") done(message.calls)
          }
        })
        return { receive: (bytes) => end.receive(bytes), drained: () => end.drained(), closed: () => undefined }
      },
      // The links that are opened beside this say the same.
      () => undefined
    )
  })

export const heldCalls = async ({ sounds, now }: HeldCallsOptions): Promise<ReadonlySet<string>> =>
  new Set((await Promise.all(sounds.map((sound) => heldBy(sound, now)))).flat())
