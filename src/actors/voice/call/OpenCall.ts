/** An open call: the parts that the socket and the media clock use. They exist before the call's fiber runs. */
import { Effect, Queue } from "effect"
import { Ambience } from "../../../audio/playout/Ambience.ts"
import type { CallInput } from "../../../domain/voice/dialogue/Call.ts"
import type { AgentConfig } from "../../../domain/voice/engine/AgentConfig.ts"
import type { CallSetup } from "../../../domain/voice/engine/CallSetup.ts"
import { CallAudio } from "./CallAudio.ts"
import type { Line } from "./Line.ts"
import * as Listening from "./Listening.ts"
import * as Recording from "./Recording.ts"

/** The mailbox gets events, not frames: a handful a minute. */
const mailboxCapacity = 256

export interface CallOptions {
  readonly setup: CallSetup
  readonly agent: AgentConfig
  readonly streamSid: string
  readonly line: Line
  readonly now: () => number
}

/** Makes the synchronous half of a call. `Call.run` is the other half. */
export const open = (options: CallOptions) => {
  const mailbox = Effect.runSync(Queue.make<CallInput>({ capacity: mailboxCapacity, strategy: "dropping" }))
  const offer = (event: CallInput) => {
    Queue.offerUnsafe(mailbox, event)
  }
  // First: a call that is ended at once still begins with its disclosure.
  offer({ _tag: "Answered" })
  let session: CallAudio
  const listening = Listening.make(options.agent, (text) => session.transcript(text), options.now)
  const elapsedMs = options.setup.resume?.elapsedMs ?? 0
  const recording = Recording.make({ agent: options.agent, now: options.now, elapsedMs })
  session = new CallAudio({
    ...options,
    elapsedMs,
    sink: listening.sink,
    offer,
    ...(options.agent.ambient_noise ? { ambience: new Ambience() } : {}),
    ...(recording === undefined ? {} : { recorder: recording.recorder })
  })
  return { options, mailbox, offer, listening, session, recording }
}
export type OpenCall = ReturnType<typeof open>
