import { request } from "node:http"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeWorld, type World } from "../world.ts"

/** The answer as it is on the wire: `fetch` would undo the compression. */
const wire = ({ direct }: World, path: string, encodings: string | undefined) =>
  new Promise<{
    readonly status: number
    readonly encoding: string | undefined
    readonly vary: string
    readonly body: Buffer
  }>((resolve, reject) => {
    const headers = {
      authorization: "Bearer mk_1",
      ...(encodings === undefined ? {} : { "accept-encoding": encodings })
    }
    request(direct + path, { headers }, (response) => {
      const parts: Array<Buffer> = []
      response.on("data", (part: Buffer) => parts.push(part))
      response.on("end", () => {
        const { statusCode = 0, headers } = response
        resolve({
          status: statusCode,
          encoding: headers["content-encoding"],
          vary: headers.vary ?? "",
          body: Buffer.concat(parts)
        })
      })
    })
      .on("error", reject)
      .end()
  })

const scenario = (name: string, run: (world: World) => Promise<void>) =>
  it.live(name, () => Effect.flatMap(makeWorld(), (world) => Effect.promise(() => run(world))))

describe("JSON", () => {
  scenario("is sent in the encoding that the client accepts, and says the same in each", async (world) => {
    const plain = await wire(world, "/openapi.json", undefined)
    const brotli = await wire(world, "/openapi.json", "gzip, deflate, br")
    const gzip = await wire(world, "/openapi.json", "gzip;q=1.0, br;q=0")
    const identity = await wire(world, "/openapi.json", "zstd")
    assert.deepStrictEqual(
      [plain, brotli, gzip, identity].map(({ encoding }) => encoding),
      [undefined, "br", "gzip", undefined]
    )
    assert.isTrue(plain.body.equals(identity.body))
    assert.isTrue(plain.body.equals(brotliDecompressSync(brotli.body)))
    assert.isTrue(plain.body.equals(gunzipSync(gzip.body)))
    assert.isBelow(brotli.body.length, plain.body.length / 5)
    assert.match(plain.vary, /Accept-Encoding/i)
  })

  scenario("of less than 1 KB is sent as it is", async (world) => {
    const { status, encoding, body } = await wire(world, "/api/voice-agents", "br")
    assert.deepStrictEqual([status, encoding, JSON.parse(body.toString()).data], [200, undefined, []])
  })
})
