/** Key rotation: encrypts all stored secrets again with the newest key, so that older keys can be removed from the key ring. */
import { Context, type Effect } from "effect"

export interface KeyRotationReport {
  /** Secrets that were in plain text or encrypted with an older key, and are now encrypted with the newest. */
  readonly reencrypted: number
  /** Secrets that no key of the ring can decrypt; they stay as they are. */
  readonly unreadable: number
  /** After the run: for each field (`table.column`), how many secrets need each key. */
  readonly keysInUse: Readonly<Record<string, Readonly<Record<string, number>>>>
}

export class KeyRotation extends Context.Service<
  KeyRotation,
  {
    /**
     * Rotates the secrets of all organizations, in small transactions while the service runs. It skips a row that another transaction is changing;
     * the report shows it, and another run processes it.
     */
    readonly run: Effect.Effect<KeyRotationReport>
  }
>()("parley/domain/KeyRotation") {}
