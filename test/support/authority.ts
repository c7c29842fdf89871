/** An authority that issues certificates (X.509) for tests, with their keys on the curve P-256. */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"

/** A value in DER: tag, length, content. */
const der = (tag: number, ...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, Math.floor(length / 256), length % 256]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: ReadonlyArray<Uint8Array>) => der(0x30, ...parts)
/** An object identifier, by its bytes. */
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"))
const bits = (bytes: Uint8Array) => der(0x03, Buffer.from([0]), bytes)
const time = (at: Date) => der(0x18, Buffer.from(`${at.toISOString().replace(/[-:T]/g, "").slice(0, 14)}Z`))
const nameOf = (common: string) => sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from(common)))))
const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"))
const extension = (id: string, value: Uint8Array) => sequence(oid(id), der(0x04, value))
const basicConstraints = (isAuthority: boolean) =>
  extension("551d13", isAuthority ? sequence(der(0x01, Buffer.from([0xff]))) : sequence())
const alternativeNames = (names: ReadonlyArray<string>) =>
  extension(
    "551d11",
    sequence(
      ...names.map((name) =>
        /^[\d.]+$/.test(name) ? der(0x87, Buffer.from(name.split(".").map(Number))) : der(0x82, Buffer.from(name))
      )
    )
  )

interface Signed {
  readonly issuer: string
  readonly by: KeyObject
  readonly subject: string
  readonly of: KeyObject
  readonly names: ReadonlyArray<string>
  readonly isAuthority: boolean
  readonly from: Date
  readonly to: Date
}

const pem = (kind: string, bytes: Uint8Array) =>
  `-----BEGIN ${kind}-----\n${Buffer.from(bytes)
    .toString("base64")
    .replace(/.{64}(?=.)/g, "$&\n")}\n-----END ${kind}-----\n`

const certificateOf = ({ issuer, by, subject, of, names, isAuthority, from, to }: Signed): string => {
  const extensions = [basicConstraints(isAuthority), ...(names.length === 0 ? [] : [alternativeNames(names)])]
  const said = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ecdsaWithSha256,
    nameOf(issuer),
    sequence(time(from), time(to)),
    nameOf(subject),
    of.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(...extensions))
  )
  return pem("CERTIFICATE", sequence(said, ecdsaWithSha256, bits(sign("sha256", said, by))))
}

const day = 24 * 60 * 60 * 1_000
const hence = (days: number) => new Date(Date.now() + days * day)

export interface Issue {
  /** DNS names, or IPv4 addresses. */
  readonly names: ReadonlyArray<string>
  /** How many days from now it is good for; negative: it has expired. */
  readonly days?: number
}

/** PEM. */
export interface Issued {
  readonly cert: string
  readonly key: string
  readonly ca: string
}

/** Makes an authority. `issue` makes a certificate of it, and the key. */
export const makeAuthority = (name = "Operator") => {
  const keys = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const own = { issuer: name, by: keys.privateKey }
  const ca = certificateOf({
    ...own,
    subject: name,
    of: keys.publicKey,
    names: [],
    isAuthority: true,
    from: hence(-30),
    to: hence(30)
  })
  const issue = ({ names, days = 1 }: Issue): Issued => {
    const issued = generateKeyPairSync("ec", { namedCurve: "P-256" })
    const cert = certificateOf({
      ...own,
      subject: names[0],
      of: issued.publicKey,
      names,
      isAuthority: false,
      from: hence(-20),
      to: hence(days)
    })
    return { cert, key: issued.privateKey.export({ type: "pkcs8", format: "pem" }).toString(), ca }
  }
  return { ca, issue }
}

/** Writes what was issued to files of this folder, and gives their paths. */
export const writeIssued = (folder: string, name: string, { cert, key, ca }: Issued) => {
  const files = {
    cert: join(folder, `${name}.cert.pem`),
    key: join(folder, `${name}.key.pem`),
    ca: join(folder, `${name}.ca.pem`)
  }
  writeFileSync(files.cert, cert)
  writeFileSync(files.key, key)
  writeFileSync(files.ca, ca)
  return files
}
