/**
 * The certificate by which one end of a link between machines is known, its key, and the authority whose certificates it accepts: three PEM files of the
 * operator. They are read again while the process lives, so a renewed certificate needs no restart.
 */
import { createPrivateKey, X509Certificate } from "node:crypto"
import { readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { createSecureContext } from "node:tls"
import { messageOf } from "../../domain/basics/ErrorMessage.ts"

/** Paths of PEM files. */
export interface CertificateFiles {
  /** The certificate, with those between it and the authority. */
  readonly cert: string
  readonly key: string
  /** The authority: one certificate, or several while it is being replaced. */
  readonly ca: string
}

/** What is in the files. */
export interface CertificateTexts {
  readonly cert: string
  readonly key: string
  readonly ca: string
}

/** The files cannot be used. The message is a sentence for the operator that names the file. */
export class CertificatesUnusable extends Error {
  override readonly name = "CertificatesUnusable"
}

/** How often the files are read again. Milliseconds. */
const readAgainMs = 10_000

const unusable = (sentence: string, cause?: unknown) => new CertificatesUnusable(sentence, { cause })

const certificateIn = (text: string, file: string): X509Certificate => {
  try {
    return new X509Certificate(text)
  } catch (cause) {
    throw unusable(`${file} has no certificate (PEM).`, cause)
  }
}

/** Throws CertificatesUnusable. */
const checked = (texts: CertificateTexts, { cert, key, ca }: CertificateFiles, nowMs: number): CertificateTexts => {
  const certificate = certificateIn(texts.cert, cert)
  certificateIn(texts.ca, ca)
  if (Date.parse(certificate.validTo) <= nowMs)
    throw unusable(`The certificate in ${cert} has expired (${certificate.validTo}).`)
  let isTheKey: boolean
  try {
    isTheKey = certificate.checkPrivateKey(createPrivateKey(texts.key))
  } catch (cause) {
    throw unusable(`${key} has no private key (PEM, without a passphrase).`, cause)
  }
  if (!isTheKey) throw unusable(`The key in ${key} is not that of the certificate in ${cert}.`)
  try {
    createSecureContext(texts)
  } catch (cause) {
    throw unusable(`${cert} and ${key} cannot be used for TLS: ${messageOf(cause)}.`, cause)
  }
  return texts
}

/** Throws CertificatesUnusable. */
export const readCertificates = (files: CertificateFiles, nowMs = Date.now()): CertificateTexts => {
  const read = (file: string) => {
    try {
      return readFileSync(file, "utf8")
    } catch (cause) {
      throw unusable(`${file} cannot be read: ${messageOf(cause)}.`, cause)
    }
  }
  return checked({ cert: read(files.cert), key: read(files.key), ca: read(files.ca) }, files, nowMs)
}

export interface LinkCertificatesOptions {
  /** The files have changed, and what is in them may be used. */
  readonly changed?: (texts: CertificateTexts) => void
  /** They have changed, and may not be used: those from before are used on. */
  readonly warn: (sentence: string, fields: Readonly<Record<string, unknown>>) => void
  /** How often they are read again; 10 s by default. */
  readonly readAgainMs?: number
}

export class LinkCertificates {
  /** What is to be used now. */
  current: CertificateTexts
  private readonly files: CertificateFiles
  private readonly options: LinkCertificatesOptions
  private readonly timer: ReturnType<typeof setInterval>
  private reading = false
  /** What is wrong with the files, as it was told last. */
  private told: string | undefined

  /** Throws CertificatesUnusable when the files cannot be used now. */
  constructor(files: CertificateFiles, options: LinkCertificatesOptions) {
    this.files = files
    this.options = options
    this.current = readCertificates(files)
    this.timer = setInterval(() => this.readAgain(), options.readAgainMs ?? readAgainMs).unref()
  }

  /** They are not read any more. */
  close(): void {
    clearInterval(this.timer)
  }

  private readAgain(): void {
    // A disk may be slow.
    if (this.reading) return
    this.reading = true
    this.renew()
      .then(
        () => {
          this.told = undefined
        },
        (cause: unknown) => this.tell(messageOf(cause))
      )
      .finally(() => {
        this.reading = false
      })
  }

  private async renew(): Promise<void> {
    const { cert, key, ca } = this.files
    const read = (file: string) => readFile(file, "utf8")
    const texts: CertificateTexts = { cert: await read(cert), key: await read(key), ca: await read(ca) }
    const { current } = this
    if (texts.cert === current.cert && texts.key === current.key && texts.ca === current.ca) return
    this.current = checked(texts, this.files, Date.now())
    this.options.changed?.(this.current)
  }

  private tell(problem: string): void {
    if (problem === this.told) return
    this.told = problem
    this.options.warn("the certificate of links between machines cannot be renewed: the one from before is used on", {
      problem
    })
  }
}
