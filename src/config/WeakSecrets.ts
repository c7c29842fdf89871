/** Which secrets and proxies are too weak for production. A problem is a clause that goes on after the setting's name. */

const shortestSecret = 32
/** Random text of 32 hexadecimal digits has fewer than this many different ones once in some 10,000 times; `openssl rand -hex 32` never in practice. */
const fewestCharacters = 8
/** 32 random bytes have some 30 different ones. */
const fewestBytes = 16

/** `aaaa…`, `abab…`, `0123…`: each element follows the one before by the same step, or the beginning is repeated. */
const isPattern = (codes: ArrayLike<number>): boolean => {
  const all = Array.from(codes)
  const steps = new Set(all.slice(1).map((code, index) => code - all[index]))
  const period = Array.from({ length: Math.floor(all.length / 2) }, (_, index) => index + 1).find((length) =>
    all.every((code, index) => code === all[index % length])
  )
  return steps.size <= 1 || period !== undefined
}

/** Why a secret text is weak; `undefined` when it is not. */
export const secretProblem = (secret: string): string | undefined => {
  if (secret.length < shortestSecret) return ` must have at least ${shortestSecret} characters`
  const codes = Uint16Array.from(secret, (character) => character.charCodeAt(0))
  return new Set(codes).size < fewestCharacters || isPattern(codes) ? " repeats itself and could be guessed" : undefined
}

/** Why a key of 32 bytes is weak; `undefined` when it is not. */
export const keyProblem = ({ id, key }: { readonly id: string; readonly key: Uint8Array }): string | undefined =>
  new Set(key).size < fewestBytes || isPattern(key) ? `: key ${id} is not random and could be guessed` : undefined

const fewestBits4 = 8
const fewestBits6 = 16

/** IPv6 networks that begin with zeros. IPv4 addresses are among them: `::ffff:0.0.0.0/96` is all of these. */
const fewestBitsZeros = 96 + fewestBits4
const beginsWithZeros = (address: string): boolean => /^(0{1,4}:|::)/.test(address)

/** Private IPv6 networks, which may be trusted whole: fc00::/7. */
const isPrivate6 = (address: string, bits: number): boolean => /^f[cd]/i.test(address) && bits >= 7

/** The first network that is so wide that strangers are in it; `undefined` when there is none. `proxies` are valid addresses or networks. */
export const widestProxy = (proxies: ReadonlyArray<string>): string | undefined =>
  proxies.find((text) => {
    const [address, length] = text.split("/")
    if (length === undefined) return false
    const bits = Number(length)
    if (beginsWithZeros(address)) return bits < fewestBitsZeros
    return address.includes(":") ? bits < fewestBits6 && !isPrivate6(address, bits) : bits < fewestBits4
  })
