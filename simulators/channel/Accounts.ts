/** The channel's data about its customers: apps, business accounts, numbers, tokens, templates. */
import { createHmac, randomInt } from "node:crypto"

export interface Template {
  readonly id: string
  readonly name: string
  readonly language: string
  status: string
  readonly category: string
  readonly components: ReadonlyArray<object>
  readonly rejected_reason?: string
}

export interface BusinessNumber {
  readonly phoneNumberId: string
  /** Id of the WhatsApp business account. */
  readonly accountId: string
  /** As people read it: `+1 555-078-3881`. */
  readonly displayPhoneNumber: string
  readonly verifiedName: string
  readonly accessToken: string
  /** The secret of the app that sends messages and gets webhooks. */
  readonly appSecret: string
}

/** A new numeric id in the channel's form. */
export const newNumericId = (): string => `1${Array.from({ length: 14 }, () => randomInt(10)).join("")}`

export class Accounts {
  readonly numbers = new Map<string, BusinessNumber>()
  readonly templates = new Map<string, Array<Template>>()
  /** Accounts whose app gets webhooks. */
  readonly subscribed = new Set<string>()

  addNumber(given: Partial<BusinessNumber> = {}): BusinessNumber {
    const number: BusinessNumber = {
      phoneNumberId: newNumericId(),
      accountId: newNumericId(),
      displayPhoneNumber: "+1 555-078-3881",
      verifiedName: "Maple Books",
      accessToken: `EAA${newNumericId()}`,
      appSecret: "meta-app-secret-0001",
      ...given
    }
    this.numbers.set(number.phoneNumberId, number)
    return number
  }

  addTemplate(accountId: string, given: Partial<Template> & Pick<Template, "name">): Template {
    const template: Template = {
      id: newNumericId(),
      language: "en_US",
      status: "APPROVED",
      category: "UTILITY",
      components: [{ type: "BODY", text: "Hello {{1}}", example: { body_text: [["Asha"]] } }],
      ...given
    }
    this.templates.set(accountId, [...(this.templates.get(accountId) ?? []), template])
    return template
  }

  /** Whether the token exists. A token gives access to the numbers it was made for, and their accounts. */
  knowsToken(token: string): boolean {
    return [...this.numbers.values()].some(({ accessToken }) => accessToken === token)
  }

  /** Whether the proof was made with the secret of the token's app. */
  proves(token: string, proof: string): boolean {
    return [...this.numbers.values()].some(
      ({ accessToken, appSecret }) =>
        accessToken === token && createHmac("sha256", appSecret).update(token).digest("hex") === proof
    )
  }

  number(phoneNumberId: string, token: string): BusinessNumber | undefined {
    const number = this.numbers.get(phoneNumberId)
    return number?.accessToken === token ? number : undefined
  }

  ofAccount(accountId: string, token: string): BusinessNumber | undefined {
    return [...this.numbers.values()].find((one) => one.accountId === accountId && one.accessToken === token)
  }
}
