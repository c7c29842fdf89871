import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  canonicalAddress,
  clientNetwork,
  makeClientAddress,
  proxiesProblem
} from "../../../src/http/server/ClientAddress.ts"

const proxies = ["10.0.0.0/8", "fd00::/8"]
const client = makeClientAddress(proxies)
const proxy = fc.constantFrom("10.0.0.1", "10.255.1.2", "fd00::7", "::ffff:10.1.2.3")
/** Addresses that belong to no trusted proxy. */
const outsider = fc.oneof(
  fc.ipV4().filter((address) => !address.startsWith("10.")),
  fc.constantFrom("2001:db8::1", "::1", "fe80::1")
)
/** Values that a client may write into the header to look like another client. */
const forged = fc.array(
  fc.oneof(outsider, proxy, fc.string(), fc.constantFrom("unknown", "", "10.0.0.1:80", "[::1]:9"))
)

describe("the client's address", () => {
  it("is the socket's address when no proxy is trusted or the socket is not a proxy's, whatever the header says", () => {
    fc.assert(
      fc.property(outsider, fc.option(forged, { nil: undefined }), (peer, header) => {
        const expected = canonicalAddress(peer)
        assert.strictEqual(client(peer, header?.join(", ")), expected)
        assert.strictEqual(makeClientAddress([])(peer, header?.join(", ")), expected)
      })
    )
  })

  it("is the one that the outermost trusted proxy saw, whatever a client writes before it", () => {
    fc.assert(
      fc.property(forged, outsider, fc.array(proxy), proxy, (lies, real, hops, peer) => {
        const header = [...lies, real, ...hops].join(", ")
        assert.strictEqual(client(peer, header), canonicalAddress(real))
      })
    )
  })

  it("is the nearest proxy's own address when that proxy sends something that is not an address", () => {
    assert.strictEqual(client("10.0.0.1", "203.0.113.9, unknown"), "10.0.0.1")
    assert.strictEqual(client("10.0.0.1", "203.0.113.9, _hidden, 10.0.0.2"), "10.0.0.2")
    assert.strictEqual(client("10.0.0.1", ""), "10.0.0.1")
  })

  it("may come with a port, and is the first in the header when all addresses are proxies", () => {
    assert.strictEqual(client("10.0.0.1", "203.0.113.9:51234"), "203.0.113.9")
    assert.strictEqual(client("10.0.0.1", "[2001:db8::9]:443"), "2001:db8::9")
    assert.strictEqual(client("10.0.0.1", "10.0.0.3, 10.0.0.2"), "10.0.0.3")
  })

  it("has one spelling, and counts by the network of a household", () => {
    for (const text of ["2001:0db8:0:0:0:0:0:1", "2001:DB8::1"])
      assert.strictEqual(canonicalAddress(text), "2001:db8::1")
    assert.strictEqual(canonicalAddress("0000:0000:0000:0000:0000:ffff:c000:0201"), "192.0.2.1")
    assert.strictEqual(clientNetwork("192.0.2.1"), "192.0.2.1")
    assert.strictEqual(clientNetwork("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64")
    assert.strictEqual(clientNetwork("2001:db8::1"), clientNetwork("2001:db8::ffff:1"))
    assert.notStrictEqual(clientNetwork("2001:db8:0:1::1"), clientNetwork("2001:db8::1"))
  })

  it("is not determined when a setting is not a network, and the error names that setting", () => {
    assert.isUndefined(proxiesProblem(["10.0.0.1", "10.0.0.0/8", "::1", "fd00::/8"]))
    for (const wrong of ["10.0.0.0/33", "proxy.local", "10.0.0", "fd00::/129", "10.0.0.0/-1"])
      assert.include(proxiesProblem(["::1", wrong]), `"${wrong}"`)
  })

  it("is looked for in the nearest 20 entries only, however long the header is", () => {
    const chain = (length: number) => ["203.0.113.9", ...Array(length).fill("fd00::7"), "fd00::8"].join(",")
    assert.strictEqual(client("10.0.0.1", chain(18)), "203.0.113.9")
    assert.strictEqual(client("10.0.0.1", chain(2_000)), "fd00::7")
  })
})
