/** The engine's side of calls whose sound is in other processes: tells them of reservations, and takes the recordings that they write. */
import { createHash, randomUUID } from "node:crypto"
import { Effect, Queue, Schedule, type Scope } from "effect"
import { Recordings } from "../../../domain/voice/engine/Recordings.ts"
import type { Reservation } from "../../../domain/voice/engine/ReservationBoard.ts"
import { streamSignatures } from "../../../domain/voice/telephony/twilio/TwilioSignature.ts"
import type { CallRecording } from "../call/Recording.ts"
import type { MindEndOptions } from "../sound/link/MindEnd.ts"
import { AwaitedRecordings } from "./AwaitedRecordings.ts"
import type { ReservationSound } from "./Reservations.ts"
import { type SoundAddress, SoundLinks, type SoundLinksOptions } from "./SoundLinks.ts"

/** Where the sound is. */
export interface SoundPlace {
  readonly sounds: ReadonlyArray<SoundAddress>
}

export interface SoundElsewhereOptions extends SoundPlace {
  readonly streamUrl: string
  readonly now: () => number
  readonly claimed: MindEndOptions["claimed"]
  readonly taken: NonNullable<MindEndOptions["taken"]>
  readonly held: SoundLinksOptions["held"]
}

/** The processes with the sound are started beside this one. */
const linkWait = Schedule.max([Schedule.spaced("20 millis"), Schedule.recurs(500)])

const notRecorded =
  "a call is not recorded, though its agent has recording on: its sound is on another machine (MEDIA_LINKS)"

export interface SoundElsewhere extends ReservationSound {
  readonly links: SoundLinks
  /** What stores the recording of a call whose sound writes it to this file; undefined without a file. */
  readonly recordingOf: (file: string) => Pick<CallRecording, "store"> | undefined
  /** Waits for a moment until the sound is there. */
  readonly ready: Effect.Effect<void>
}

/** Lives as long as the engine. */
export const make: (options: SoundElsewhereOptions) => Effect.Effect<SoundElsewhere, never, Recordings | Scope.Scope> =
  Effect.fnUntraced(function* ({ sounds, streamUrl, now, claimed, taken, held }: SoundElsewhereOptions) {
    const recordings = yield* Recordings
    // A recording is written where the sound is, and nothing brings it here from another machine.
    const records = !sounds.some(({ isRemote }) => isRemote)
    const awaited = new AwaitedRecordings()
    const warnings = yield* Queue.sliding<readonly [string, object]>(64)
    yield* Effect.forkScoped(
      Effect.forever(Effect.flatMap(Queue.take(warnings), ([text, fields]) => Effect.logWarning(text, fields)))
    )
    const links = yield* Effect.acquireRelease(
      Effect.sync(
        () =>
          new SoundLinks({
            sounds,
            id: randomUUID(),
            now,
            claimed,
            taken,
            held,
            recorded: (file) => awaited.complete(file),
            warn: (text, fields) => void Queue.offerUnsafe(warnings, [text, fields])
          })
      ),
      (links) => Effect.sync(() => links.close())
    )
    yield* Effect.forkScoped(
      Effect.repeat(
        Effect.sync(() => links.check()),
        Schedule.spaced("1 second")
      )
    )

    const recordingOf: SoundElsewhere["recordingOf"] = (file) => {
      if (file === "") return undefined
      const { finished, forget } = awaited.add(file)
      return {
        store: (_, isLeft) =>
          Effect.addFinalizer(() => (isLeft() ? Effect.sync(forget) : recordings.finish(file, finished)))
      }
    }

    return {
      links,
      recordingOf,
      ready: Effect.suspend(() => (links.open ? Effect.void : Effect.fail("not yet" as const))).pipe(
        Effect.retry(linkWait),
        Effect.catch(() => Effect.logWarning("the sound cannot be reached yet: no calls are taken until it is there"))
      ),
      reserve: ({ setup, agent, token }: Reservation, goodForMs: number) => {
        const { organizationId, agentId } = agent
        const { callId, accountSid, callSid } = setup
        if (agent.recording && !records) void Queue.offerUnsafe(warnings, [notRecorded, { callId, agentId }])
        const recording =
          agent.recording && records ? recordings.fileElsewhere({ organizationId, agentId, callId }) : undefined
        links.reserve({
          _tag: "Reserve",
          callId,
          tokenHash: createHash("sha256").update(token).digest(),
          goodForMs,
          accountSid,
          callSid,
          // No telephony provider sends the stream of a test call.
          signatures: setup.tested === undefined ? streamSignatures(streamUrl, setup.authToken) : [],
          agent,
          ambience: agent.ambient_noise,
          elapsedMs: setup.resume?.elapsedMs ?? 0,
          recording: recording ?? ""
        })
      },
      cancel: (callId: string) => links.cancel(callId)
    }
  })
