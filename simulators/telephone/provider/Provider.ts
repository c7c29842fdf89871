/** The telephony provider's data about its customers (accounts, numbers and SIP domains), and the routing of calls to them. */
import { randomBytes } from "node:crypto"
import type { Account } from "./Account.ts"

export interface ProviderAccount {
  readonly sid: string
  readonly authToken: string
  readonly friendlyName: string
  /** The account that made it; its own id for the platform's. */
  readonly owner: string
  status: "active" | "suspended" | "closed"
  readonly created: string
}

export interface OwnedNumber {
  readonly sid: string
  readonly accountSid: string
  readonly phone: string
  readonly country: string
  readonly created: string
  /** The settings, named as in requests: `VoiceUrl`, `StatusCallback` … */
  readonly settings: Map<string, string>
}

export interface SipDomain {
  readonly sid: string
  readonly accountSid: string
  readonly name: string
  readonly created: string
  readonly settings: Map<string, string>
  /** Credential lists that may call, and that may register: their ids with the time of the mapping. */
  readonly lists: Record<SipUse, Map<string, string>>
}
export type SipUse = "Calls" | "Registrations"

export interface CredentialList {
  readonly sid: string
  readonly accountSid: string
  readonly friendlyName: string
  readonly created: string
  readonly credentials: Map<
    string,
    { readonly sid: string; readonly username: string; password: string; created: string }
  >
}

/** The recording of a `<Record>`. */
export interface StoredRecording {
  readonly sid: string
  readonly accountSid: string
  readonly callSid: string
  readonly created: string
  readonly seconds: number
  readonly wav: Buffer
  /** False while it is being processed. */
  ready: boolean
}

export interface SipCredentials {
  readonly username: string
  readonly password: string
}

/** A new identifier in the provider's form: two letters and 32 hexadecimal digits. */
export const newSid = (prefix: string): string => prefix + randomBytes(16).toString("hex")

/** The current time in RFC 2822, the provider's format. */
export const rfc2822 = (): string => new Date().toUTCString().replace("GMT", "+0000")

/** The account of the platform that the simulator starts with. */
export const platformAccount = {
  accountSid: `AC${"f".repeat(32)}`,
  authToken: "0123456789abcdef0123456789abcdef"
} as const

export class Provider {
  readonly accounts = new Map<string, ProviderAccount>()
  readonly numbers = new Map<string, OwnedNumber>()
  readonly domains = new Map<string, SipDomain>()
  readonly credentialLists = new Map<string, CredentialList>()
  readonly recordings = new Map<string, StoredRecording>()

  constructor() {
    this.addAccount(platformAccount.accountSid, platformAccount.authToken)
  }

  /** Adds an account without a request. */
  addAccount(sid: string, authToken: string, friendlyName = "", owner = sid): ProviderAccount {
    const account: ProviderAccount = { sid, authToken, friendlyName, owner, status: "active", created: rfc2822() }
    this.accounts.set(sid, account)
    return account
  }

  /** Puts a number into an account, as a purchase or a finished port does. */
  addNumber(accountSid: string, phone: string, country = "US"): OwnedNumber {
    const number: OwnedNumber = {
      sid: newSid("PN"),
      accountSid,
      phone,
      country,
      created: rfc2822(),
      settings: new Map()
    }
    this.numbers.set(number.sid, number)
    return number
  }

  numberOf(phone: string): OwnedNumber | undefined {
    return [...this.numbers.values()].find((number) => number.phone === phone)
  }

  /** A closed account loses its numbers. */
  close(account: ProviderAccount): void {
    account.status = "closed"
    for (const number of this.numbers.values()) if (number.accountSid === account.sid) this.numbers.delete(number.sid)
  }

  /** Whether these credentials are valid for the account: its own, or those of the account that made it. */
  mayAct(accountSid: string, user: string, password: string): boolean {
    const account = this.accounts.get(accountSid)
    if (account === undefined || account.status === "closed") return false
    return (user === account.sid || user === account.owner) && this.accounts.get(user)?.authToken === password
  }

  #domainOf(address: string): SipDomain | undefined {
    const host = address.replace(/^sips?:[^@]*@|[;?].*$/g, "").toLowerCase()
    return [...this.domains.values()].find((domain) => domain.name === host)
  }

  /** The account that a call to this number or `sip:` address goes to; `undefined` when there is none, or it has no webhook. */
  route(to: string): Account | undefined {
    const target = /^sips?:/.test(to) ? this.#domainOf(to) : this.numberOf(to)
    const account = target === undefined ? undefined : this.accounts.get(target.accountSid)
    const webhookUrl = target?.settings.get("VoiceUrl")
    if (account?.status !== "active" || webhookUrl === undefined || webhookUrl === "") return undefined
    const fallbackUrl = target?.settings.get("VoiceFallbackUrl")
    return { accountSid: account.sid, authToken: account.authToken, webhookUrl, fallbackUrl }
  }

  /** Whether a carrier (or, for `Registrations`, a telephone) with these credentials may use the domain of a `sip:` address. */
  admits(address: string, use: SipUse, given: SipCredentials | undefined): boolean {
    const lists = [...(this.#domainOf(address)?.lists[use].keys() ?? [])]
    return lists.some((sid) =>
      [...(this.credentialLists.get(sid)?.credentials.values() ?? [])].some(
        ({ username, password }) => username === given?.username && password === given.password
      )
    )
  }
}
