/** The contacts at the channel: reports what they write, and the statuses of the messages they get, as webhooks. */
import { randomBytes } from "node:crypto"
import type { Accounts, BusinessNumber } from "./Accounts.ts"
import { refusal, statusError } from "./GraphErrors.ts"
import { MediaShelf } from "./MediaShelf.ts"
import type { Webhooks } from "./Webhooks.ts"

export interface Person {
  /** Digits of the number; absent for a person who shows only a user name. */
  readonly waId?: string
  /** The channel's own id of the person for this business. */
  readonly userId?: string
  readonly name?: string
  readonly username?: string
}

/** A message as a person writes it: its type, the fields of the type, and fields that any message may have. */
export type Written = { readonly type: string } & Readonly<Record<string, unknown>>

export type ReportedStatus = "sent" | "delivered" | "read" | "played" | "failed" | "deleted"

export interface StatusOf {
  readonly id: string
  readonly to: string
  readonly byUserId: boolean
  readonly callbackData: string | undefined
}

export const newMessageId = (): string => `wamid.HBgL${randomBytes(24).toString("base64url")}`

export class People {
  readonly #accounts: Accounts
  readonly #webhooks: Webhooks
  readonly #media: MediaShelf
  readonly #now: () => number

  constructor(accounts: Accounts, webhooks: Webhooks, media: MediaShelf, now: () => number) {
    this.#accounts = accounts
    this.#webhooks = webhooks
    this.#media = media
    this.#now = now
  }

  #number(phoneNumberId: string): BusinessNumber {
    const number = this.#accounts.numbers.get(phoneNumberId)
    if (number === undefined) throw new Error(`There is no number ${phoneNumberId}`)
    return number
  }

  /** Unix seconds as text, as the channel writes times. */
  timestamp(): string {
    return String(Math.floor(this.#now() / 1_000))
  }

  /** Sends any webhook of a number. Nothing is sent for accounts that are not subscribed. */
  tell(phoneNumberId: string, field: string, value: Readonly<Record<string, unknown>>): void {
    const { accountId, displayPhoneNumber, appSecret } = this.#number(phoneNumberId)
    if (!this.#accounts.subscribed.has(accountId)) return
    const metadata = {
      display_phone_number: displayPhoneNumber.replace(/\D/g, ""),
      phone_number_id: phoneNumberId
    }
    this.#webhooks.tell(appSecret, {
      object: "whatsapp_business_account",
      entry: [{ id: accountId, changes: [{ field, value: { messaging_product: "whatsapp", metadata, ...value } }] }]
    })
  }

  /** Sends a webhook of an account that names no number: `value` unchanged. */
  tellAccount(accountId: string, field: string, value: object): void {
    const number = [...this.#accounts.numbers.values()].find((one) => one.accountId === accountId)
    if (number === undefined || !this.#accounts.subscribed.has(accountId)) return
    this.#webhooks.tell(number.appSecret, {
      object: "whatsapp_business_account",
      entry: [{ id: accountId, time: Math.floor(this.#now() / 1_000), changes: [{ field, value }] }]
    })
  }

  /** A person writes one or several messages, sent in one webhook. Returns their ids. */
  write(
    phoneNumberId: string,
    { waId, userId, name, username }: Person,
    ...messages: ReadonlyArray<Written>
  ): ReadonlyArray<string> {
    const ids = messages.map(newMessageId)
    const profile = { name: name ?? waId ?? "Somebody", ...(username === undefined ? {} : { username }) }
    this.tell(phoneNumberId, "messages", {
      contacts: [
        {
          profile,
          ...(waId === undefined ? {} : { wa_id: waId }),
          ...(userId === undefined ? {} : { user_id: userId })
        }
      ],
      messages: messages.map((message, i) => ({
        ...(waId === undefined ? {} : { from: waId }),
        ...(userId === undefined ? {} : { from_user_id: userId }),
        id: ids[i],
        timestamp: this.timestamp(),
        ...message
      }))
    })
    return ids
  }

  /** A person sends a file. Returns the message's id and the channel's id of the file. */
  writeFile(
    phoneNumberId: string,
    person: Person,
    type: "image" | "video" | "audio" | "document" | "sticker",
    file: { readonly mimeType: string; readonly bytes: Buffer; readonly filename?: string; readonly caption?: string }
  ): { readonly id: string; readonly mediaId: string } {
    const { id: mediaId } = this.#media.add(phoneNumberId, file.mimeType, file.bytes, { days: 7 })
    const { filename, caption, mimeType: mime_type } = file
    const sha256 = Buffer.from(MediaShelf.sha256(file.bytes), "hex").toString("base64")
    const content = {
      mime_type,
      sha256,
      id: mediaId,
      ...(filename === undefined ? {} : { filename }),
      ...(caption === undefined ? {} : { caption }),
      ...(type === "audio" ? { voice: true } : {})
    }
    const [id] = this.write(phoneNumberId, person, { type, [type]: content })
    return { id, mediaId }
  }

  /** Reports a status of a message. */
  report(phoneNumberId: string, message: StatusOf, status: ReportedStatus, failure?: number, details?: string): void {
    const { id, to, byUserId, callbackData } = message
    this.tell(phoneNumberId, "messages", {
      statuses: [
        {
          id,
          status,
          timestamp: this.timestamp(),
          ...(byUserId ? { recipient_user_id: to } : { recipient_id: to.replace(/\D/g, "") }),
          ...(callbackData === undefined ? {} : { biz_opaque_callback_data: callbackData }),
          ...(status === "sent"
            ? { pricing: { billable: true, pricing_model: "PMP", category: "service", type: "free_customer_service" } }
            : {}),
          ...(failure === undefined ? {} : { errors: [statusError(refusal(failure, details))] })
        }
      ]
    })
  }
}
