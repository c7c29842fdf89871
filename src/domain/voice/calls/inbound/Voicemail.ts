/**
 * A message that a caller left outside business hours, on its way from the telephony provider into the call's record. The provider tells of
 * it by webhooks; what is to be done is a row, so that nothing is lost when the process ends in between.
 */
import { Context, type Effect } from "effect"
import type { TelephonyAccount, TelephonyError } from "../../telephony/Telephony.ts"

/** What is to be done next. `given_up`: it failed for too long; what was stored before stays. */
export type VoicemailStep = "fetch" | "remove" | "transcribe" | "done" | "given_up"

export interface NewVoicemail {
  readonly organizationId: string
  readonly callId: string
  /** The provider's ids: of the call, which must be this call's, of its account, and of the recording. */
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
  /** Its call's contact was erased: nobody may have the message any more. */
  readonly erased: boolean
  /** How often this step has failed. */
  readonly attempts: number
}

/** Times are Unix milliseconds. */
export class Voicemails extends Context.Service<
  Voicemails,
  {
    /** Notes a message once, however often it is told of; false when the organization has no such call. */
    readonly received: (message: NewVoicemail, now: number) => Effect.Effect<boolean>
    /** The provider made no recording after all (too short, silent): there is nothing to fetch, whoever tells of it later. */
    readonly absent: (message: NewVoicemail, now: number) => Effect.Effect<boolean>
    /** The messages with something to do, of every organization. Each is given to one asker only, and again after `leaseMs`. */
    readonly claim: (now: number, leaseMs: number, most: number) => Effect.Effect<ReadonlyArray<Voicemail>>
    /** A step is done: the next one may begin at once. */
    readonly advance: (message: Voicemail, step: VoicemailStep, now: number) => Effect.Effect<void>
    /** A step failed: it is tried again at `dueAt`. */
    readonly postpone: (message: Voicemail, dueAt: number, error: string) => Effect.Effect<void>
  }
>()("parley/domain/Voicemails") {}

/** Port to the telephony provider: the recordings it has made of calls. */
export class ProviderRecordings extends Context.Service<
  ProviderRecordings,
  {
    /** The recording as a WAV file. 404 as long as the provider is not through with it. */
    readonly fetch: (account: TelephonyAccount, recordingSid: string) => Effect.Effect<Uint8Array, TelephonyError>
    /** Removing what is not there succeeds. */
    readonly remove: (account: TelephonyAccount, recordingSid: string) => Effect.Effect<void, TelephonyError>
  }
>()("parley/domain/ProviderRecordings") {}
