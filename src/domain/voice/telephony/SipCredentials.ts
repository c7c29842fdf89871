/** The credentials that an organization's own carrier uses at the organization's SIP domain. */
import { randomInt } from "node:crypto"
import { Context, type Effect, Schema } from "effect"

export const SipCredentials = Schema.Struct({
  username: Schema.String,
  /** In full when `isNew`, otherwise masked. */
  password: Schema.String,
  sipDomain: Schema.String,
  /** The password is new and is shown only this once. */
  isNew: Schema.Boolean
}).annotate({
  title: "SipCredentials",
  examples: [{ username: "maplebooks", password: "********", sipDomain: "maplebooks.sip.twilio.com", isNew: false }]
})
export type SipCredentials = typeof SipCredentials.Type

export const maskedPassword = "********"

export interface StoredSipCredentials {
  readonly username: string
  /** Decrypted; stored AES-256-GCM encrypted. Never logged. */
  readonly password: string
  /** False until the provider has confirmed these credentials. */
  readonly ready: boolean
}

export class SipCredentialStore extends Context.Service<
  SipCredentialStore,
  {
    readonly find: (organizationId: string) => Effect.Effect<StoredSipCredentials | undefined>
    readonly save: (organizationId: string, credentials: StoredSipCredentials) => Effect.Effect<void>
    readonly clear: (organizationId: string) => Effect.Effect<void>
  }
>()("parley/domain/SipCredentialStore") {}

/** `k-<last 12 characters of the organization's id>.<sip host>`. Those characters are random, and only letters and digits. */
export const sipDomain = (organizationId: string, sipHost: string): string =>
  `k-${organizationId
    .slice(-12)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "0")}.${sipHost}`

const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"
const characters = (count: number) => Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join("")
/** The provider wants at least 12 characters with a digit, a small and a capital letter. */
const strong = (password: string) => /\d/.test(password) && /[a-z]/.test(password) && /[A-Z]/.test(password)

/** 24 random characters (139 bits). The alphabet has no characters that look alike. */
export const newPassword = (): string => {
  for (;;) {
    const password = characters(24)
    if (strong(password)) return password
  }
}

export const newUsername = (): string => `carrier-${characters(8).toLowerCase()}`
