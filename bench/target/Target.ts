/** What somebody points a crowd at: a Parley that runs elsewhere, or any server that speaks the provider's media-stream protocol. */
import { OptionsInvalid } from "../support/Options.ts"

/** An account of the telephony provider that the target knows, and the number that is called. */
export interface Account {
  readonly accountSid: string
  readonly authToken: string
  readonly calledNumber: string
}

export interface Target {
  /** Of a Parley its base address; of a plain target the address of its streams (`ws:` or `wss:`). */
  readonly url: URL
  /** Undefined for a plain target: nothing is signed, and no webhook is asked. */
  readonly account: Account | undefined
}

export interface TargetWords {
  readonly target: string
  readonly plain: boolean
  /** Whether the one who asks says that the target is theirs. */
  readonly owned: boolean
  readonly accountSid?: string | undefined
  readonly authToken?: string | undefined
  readonly number?: string | undefined
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Reads a target's address: one of `schemes`, and on loopback unless it is `owned`. Throws OptionsInvalid with what to do. */
export const addressOf = (text: string, schemes: ReadonlyArray<string>, owned: boolean): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !schemes.includes(url.protocol))
    throw new OptionsInvalid(`--target must be an address that begins with ${schemes.join("// or ")}//, not "${text}"`)
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new OptionsInvalid("--target must be an address without a user, a query or a fragment")
  if (!owned && !loopback.test(url.hostname))
    throw new OptionsInvalid(
      `${url.hostname} is not this machine. A bench can bring a service down: add --i-own-this-target if it is yours.`
    )
  return url
}

/** Throws OptionsInvalid for what cannot be called. */
export const targetOf = ({ target, plain, owned, accountSid, authToken, number }: TargetWords): Target => {
  if (plain) {
    if (accountSid !== undefined || authToken !== undefined || number !== undefined)
      throw new OptionsInvalid(
        "--plain calls a stream's address: --account-sid, --auth-token and --number have no meaning"
      )
    return { url: addressOf(target, ["ws:", "wss:"], owned), account: undefined }
  }
  const url = addressOf(target, ["http:", "https:"], owned)
  if (accountSid === undefined || authToken === undefined || number === undefined)
    throw new OptionsInvalid(
      "a Parley needs --account-sid, --auth-token and --number, as the provider has them; other servers are called with --plain"
    )
  if (!/^\+[1-9]\d{6,14}$/.test(number)) throw new OptionsInvalid(`--number must be like +14155550123, not "${number}"`)
  return { url, account: { accountSid, authToken, calledNumber: number } }
}

/** The base address without a slash at its end, to which paths are added. */
export const baseOf = ({ url }: Target): string => url.href.replace(/\/+$/, "")
