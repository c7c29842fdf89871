/** Files at the channel. Uploaded files live for 30 days, files that people sent for 7 days, and the address of a file for five minutes. */
import { createHash, randomBytes } from "node:crypto"
import { newNumericId } from "./Accounts.ts"
import { type Refusal, refusal } from "./GraphErrors.ts"

export interface StoredFile {
  readonly id: string
  readonly phoneNumberId: string
  readonly mimeType: string
  readonly bytes: Buffer
  readonly filename?: string
  /** Unix milliseconds. */
  readonly expiresAt: number
}

const day = 86_400_000
const addressLivesMs = 5 * 60_000

const megabyte = 1024 * 1024
const limits: ReadonlyArray<readonly [mime: RegExp, bytes: number]> = [
  [/^audio\/(aac|amr|mpeg|mp4|ogg)$/, 16 * megabyte],
  [/^image\/(jpeg|png)$/, 5 * megabyte],
  [/^video\/(mp4|3gpp)$/, 16 * megabyte],
  [/^image\/webp$/, 500 * 1024],
  [/^(application|text)\//, 100 * megabyte]
]

export class MediaShelf {
  readonly files = new Map<string, StoredFile>()
  readonly #addresses = new Map<string, { readonly id: string; readonly until: number }>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** Why the channel refuses a file of this type; undefined when it accepts it. The channel checks the bytes as well. */
  static problem(mimeType: string, bytes: Buffer): Refusal | undefined {
    const bare = mimeType.split(";")[0].trim()
    const limit = limits.find(([mime]) => mime.test(bare))?.[1]
    if (limit === undefined)
      return refusal(100, `Param file must be a file with one of the supported types, received ${bare}.`)
    return bytes.length > limit ? refusal(131053, `The file is larger than ${limit} bytes.`) : undefined
  }

  add(
    phoneNumberId: string,
    mimeType: string,
    bytes: Buffer,
    { days = 30, filename }: { readonly days?: number; readonly filename?: string } = {}
  ): StoredFile {
    const expiresAt = this.#now() + days * day
    const file = {
      id: newNumericId(),
      phoneNumberId,
      mimeType,
      bytes,
      expiresAt,
      ...(filename === undefined ? {} : { filename })
    }
    this.files.set(file.id, file)
    return file
  }

  /** `undefined` once it has expired. */
  find(id: string): StoredFile | undefined {
    const file = this.files.get(id)
    return file === undefined || file.expiresAt <= this.#now() ? undefined : file
  }

  /** The path of a new address that is valid for five minutes. */
  address(id: string): string {
    const key = randomBytes(12).toString("hex")
    this.#addresses.set(key, { id, until: this.#now() + addressLivesMs })
    return `/whatsapp_business/attachments/?mid=${id}&ext=${key}`
  }

  at(key: string): StoredFile | undefined {
    const address = this.#addresses.get(key)
    return address === undefined || address.until <= this.#now() ? undefined : this.find(address.id)
  }

  static sha256(bytes: Buffer): string {
    return createHash("sha256").update(bytes).digest("hex")
  }
}
