/** Certificate chains of our own: a root, an intermediate and one that signs, as an authority would issue them. Each is written in DER here. */
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"

const length = (bytes: number): Buffer => {
  if (bytes < 128) return Buffer.from([bytes])
  const hex = bytes.toString(16)
  const big = Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex")
  return Buffer.concat([Buffer.from([0x80 | big.length]), big])
}
const der = (tag: number, ...parts: ReadonlyArray<Buffer>): Buffer => {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag]), length(content.length), content])
}
const sequence = (...parts: ReadonlyArray<Buffer>) => der(0x30, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"))

/** sha256WithRSAEncryption, commonName, basicConstraints. */
const algorithm = sequence(oid("2a864886f70d01010b"), der(0x05))
const nameOf = (common: string) => sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from(common)))))
const timeOf = (at: number) =>
  der(0x18, Buffer.from(`${new Date(at).toISOString().replaceAll(/[-:T]/g, "").slice(0, 14)}Z`))
const constraints = (isAuthority: boolean) =>
  sequence(
    oid("551d13"),
    der(0x01, Buffer.from([0xff])),
    der(0x04, sequence(...(isAuthority ? [der(0x01, Buffer.from([0xff]))] : [])))
  )

export interface Issued {
  readonly name: string
  readonly key: KeyObject
  readonly pem: string
}

interface Wanted {
  readonly name: string
  readonly isAuthority: boolean
  /** Absent: it signs itself. */
  readonly issuer?: Issued
  /** Unix milliseconds. */
  readonly from?: number
  readonly until?: number
}

const yearMs = 365 * 86_400_000

/** Issues a certificate with a new RSA key. */
export const issue = ({
  name,
  isAuthority,
  issuer,
  from = Date.now() - yearMs,
  until = Date.now() + yearMs
}: Wanted) => {
  const pair = generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    publicKeyEncoding: { type: "spki", format: "der" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" }
  })
  const key = createPrivateKey(pair.privateKey)
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    nameOf(issuer?.name ?? name),
    sequence(timeOf(from), timeOf(until)),
    nameOf(name),
    pair.publicKey,
    der(0xa3, sequence(constraints(isAuthority)))
  )
  const signature = sign("sha256", body, issuer?.key ?? key)
  const whole = sequence(body, algorithm, der(0x03, Buffer.from([0]), signature))
  const lines = whole.toString("base64").match(/.{1,64}/g) ?? []
  const pem = `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`
  return { name, key, pem } satisfies Issued
}
