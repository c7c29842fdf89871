/** Look-ups of customers' server names: a name server that does not answer delays no other name. */
import { createSocket } from "node:dgram"
import { lookup } from "node:dns"
import { isIPv4 } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { askNameServers } from "../../../src/integrations/web/NameServers.ts"
import { isPublicAddress, pinnedLookup, publicLookup } from "../../../src/integrations/web/PublicNetwork.ts"

const types = { A: 1, AAAA: 28 }

const nameIn = (query: Buffer): string => {
  const labels: Array<string> = []
  for (let at = 12; query[at] !== 0; at += query[at] + 1)
    labels.push(query.toString("ascii", at + 1, at + 1 + query[at]))
  return labels.join(".").toLowerCase()
}

const bytesOf = (address: string): Buffer =>
  isIPv4(address)
    ? Buffer.from(address.split(".").map(Number))
    : Buffer.from(address.replaceAll(":", "").padEnd(32, "0"), "hex")

/** Answers with its addresses for a name, possibly none, and does not answer for unknown names. IPv6 addresses are `xxxx:xxxx::`. */
const answerTo = (query: Buffer, known: Readonly<Record<string, ReadonlyArray<string>>>): Buffer | undefined => {
  const addresses = known[nameIn(query)]
  if (addresses === undefined) return undefined
  const end = query.indexOf(0, 12) + 5
  const type = query.readUInt16BE(end - 4)
  const wanted = addresses.filter((address) => (isIPv4(address) ? types.A : types.AAAA) === type)
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(0x8180, 2)
  header.writeUInt16BE(wanted.length, 6)
  header.writeUInt32BE(0, 8)
  const records = wanted.map((address) => {
    const data = bytesOf(address)
    return Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length]), data])
  })
  return Buffer.concat([header, query.subarray(12, end), ...records])
}

/** A name server on loopback that runs until the scope closes. */
const nameServer = (known: Readonly<Record<string, ReadonlyArray<string>>>) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const socket = createSocket("udp4")
        socket.on("message", (query, { port, address }) => {
          const answer = answerTo(query, known)
          if (answer !== undefined) socket.send(answer, port, address)
        })
        await new Promise<void>((done) => socket.bind(0, "127.0.0.1", done))
        return socket
      }),
      (socket) => Effect.promise(() => new Promise<void>((done) => socket.close(() => done())))
    ),
    (socket) => `127.0.0.1:${socket.address().port}`
  )

const ask = (look: typeof publicLookup, name: string) =>
  new Promise<unknown>((done) => look(name, { all: true }, (error, addresses) => done(error?.message ?? addresses)))

describe("the names of customers' servers", () => {
  it.live("resolve to all their addresses, and are refused when one of them is not public", () =>
    Effect.gen(function* () {
      const server = yield* nameServer({
        "both.test": ["2606:4700::", "93.184.216.34"],
        "old.test": ["93.184.216.34"],
        "inside.test": ["93.184.216.34", "10.0.0.1"],
        "empty.test": []
      })
      const look = pinnedLookup(askNameServers({ servers: [server] }), isPublicAddress)
      const answers = yield* Effect.promise(() =>
        Promise.all(["both.test", "old.test", "inside.test", "empty.test", "localhost"].map((name) => ask(look, name)))
      )
      const four = { address: "93.184.216.34", family: 4 }
      assert.deepStrictEqual(answers, [
        [four, { address: "2606:4700::", family: 6 }],
        [four],
        "inside.test is not a public address",
        "queryA ENODATA empty.test",
        "localhost is not a public address"
      ])
    }).pipe(Effect.scoped)
  )

  it.live("are given up in time when no server answers, and delay neither each other nor the system's look-ups", () =>
    Effect.gen(function* () {
      const server = yield* nameServer({ "good.test": ["93.184.216.34"] })
      const look = pinnedLookup(askNameServers({ servers: [server], timeoutMs: 1_000 }), isPublicAddress)
      yield* Effect.promise(async () => {
        let givenUp = 0
        const dead = Array.from({ length: 40 }, async (_, n) => {
          const answer = await ask(look, `dead${n}.test`)
          givenUp++
          return answer
        })
        assert.deepStrictEqual(await ask(look, "good.test"), [{ address: "93.184.216.34", family: 4 }])
        await new Promise<void>((done) => lookup("localhost", () => done()))
        assert.strictEqual(givenUp, 0)
        for (const answer of await Promise.all(dead)) assert.match(String(answer), /ETIMEOUT/)
      })
    }).pipe(Effect.scoped)
  )

  it.live("occupy no thread of the process during look-ups", () =>
    Effect.promise(async () => {
      const asked = ask(publicLookup, "nothing.invalid")
      assert.notInclude(process.getActiveResourcesInfo(), "GetAddrInfoReqWrap")
      assert.isString(await asked)
    })
  )
})
