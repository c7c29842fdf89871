/** All stored secrets are encrypted again with the newest key, so that older keys can be taken out of the ring. */
import { Context, type Effect } from "effect"

export interface KeyRotationReport {
  /** Secrets that an older key had encrypted (or none), and the newest has now. */
  readonly reencrypted: number
  /** Secrets that no key of the ring opens; left as they are. */
  readonly unreadable: number
  /** Afterwards: by field (`table.column`), how many secrets need which key. */
  readonly keysInUse: Readonly<Record<string, Readonly<Record<string, number>>>>
}

export class KeyRotation extends Context.Service<
  KeyRotation,
  {
    /**
     * Of every organization, in small transactions beside the running service. A row that somebody is changing is passed over: it shows in
     * the report, and running again takes it up.
     */
    readonly run: Effect.Effect<KeyRotationReport>
  }
>()("parley/domain/KeyRotation") {}
