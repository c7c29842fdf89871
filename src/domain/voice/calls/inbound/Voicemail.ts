/**
 * A message that a caller left outside business hours, on its way from the telephony provider into the call's record. The provider reports it
 * by webhooks. The next step is stored as a row, so that nothing is lost when the process ends in between.
 */
import { Context, type Effect } from "effect"
import type { TelephonyAccount, TelephonyError } from "../../telephony/Telephony.ts"

/** The next step for a message. `given_up`: a step failed for too long; what earlier steps stored stays. */
export type VoicemailStep = "fetch" | "remove" | "transcribe" | "done" | "given_up"

export interface NewVoicemail {
  readonly organizationId: string
  readonly callId: string
  /** The provider's ids of the call, its account and the recording. `callSid` must be the one of `callId`. */
  readonly callSid: string
  readonly accountSid: string
  readonly recordingSid: string
}

export interface Voicemail {
  readonly organizationId: string
  readonly callId: string
  readonly agentId: string | null
  readonly accountSid: string
  readonly recordingSid: string
  readonly step: VoicemailStep
  /** The call's contact was erased, so nobody may get the message any more. */
  readonly erased: boolean
  /** How often this step has failed. */
  readonly attempts: number
}

/** Times are Unix milliseconds. */
export class Voicemails extends Context.Service<
  Voicemails,
  {
    /** Stores a message once, however often it is reported. False when the organization has no such call. */
    readonly received: (message: NewVoicemail, now: number) => Effect.Effect<boolean>
    /**
     * Stores that the provider made no recording (too short, silent). Nothing is fetched then, also if a later webhook reports a message.
     * False when the organization has no such call.
     */
    readonly absent: (message: NewVoicemail, now: number) => Effect.Effect<boolean>
    /** Up to `most` messages of any organization with a step to do. Each goes to one worker only, and again to any after `leaseMs`. */
    readonly claim: (now: number, leaseMs: number, most: number) => Effect.Effect<ReadonlyArray<Voicemail>>
    /** Sets the next step after one is done. It may begin at once. */
    readonly advance: (message: Voicemail, step: VoicemailStep, now: number) => Effect.Effect<void>
    /** Retries a failed step at `dueAt`. */
    readonly postpone: (message: Voicemail, dueAt: number, error: string) => Effect.Effect<void>
  }
>()("parley/domain/Voicemails") {}

/** Port to the telephony provider's own recordings of calls. */
export class ProviderRecordings extends Context.Service<
  ProviderRecordings,
  {
    /** The recording as a WAV file. Fails with 404 while the provider is still processing it. */
    readonly fetch: (account: TelephonyAccount, recordingSid: string) => Effect.Effect<Uint8Array, TelephonyError>
    /** Removes a recording. Succeeds when there is none. */
    readonly remove: (account: TelephonyAccount, recordingSid: string) => Effect.Effect<void, TelephonyError>
  }
>()("parley/domain/ProviderRecordings") {}
