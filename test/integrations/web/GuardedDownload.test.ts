import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { listen } from "../../../simulators/support/Loopback.ts"
import { addressProblem, headersFor, makeGuardedDownload } from "../../../src/integrations/web/GuardedDownload.ts"
import { isPublicAddress, pinnedLookup } from "../../../src/integrations/web/PublicNetwork.ts"

/** A provider on loopback that redirects `/to?<address>` there, and answers everything else with the token that it was sent. */
const provider = Effect.acquireRelease(
  Effect.promise(() =>
    listen(async (request, response) => {
      const [path, address] = (request.url ?? "").split("?")
      if (path === "/loop") response.writeHead(302, { location: "/loop" })
      else if (path === "/to") response.writeHead(307, { location: decodeURIComponent(address) })
      response.end(request.headers.authorization ?? "none")
    })
  ),
  ({ close }) => Effect.promise(close)
)

const setUp = Effect.gen(function* () {
  const { url } = yield* provider
  const download = yield* makeGuardedDownload({ ownOrigin: url })
  const refusal = (address: string) =>
    Effect.map(Effect.flip(download(address, { authorization: "Bearer t" })), ({ message }) => message)
  return { url, download, to: (address: string) => `${url}/to?${encodeURIComponent(address)}`, refusal }
})

describe("a file from an address that somebody else gave", () => {
  it.live("is fetched with the token from the provider's own origin, also after a redirect there", () =>
    Effect.gen(function* () {
      const { download, to } = yield* setUp
      const answer = yield* download(to("/file"), { authorization: "Bearer t" })
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(yield* Effect.promise(() => answer.text()), "Bearer t")
    }).pipe(Effect.scoped)
  )

  it.live("is not fetched from a private network, over plain http, or over redirects without end", () =>
    Effect.gen(function* () {
      const { url, to, refusal } = yield* setUp
      const other = (yield* provider).url
      assert.match(yield* refusal(to(`${other}/metadata`)), /not https/)
      assert.match(yield* refusal(to("https://127.0.0.1:9/")), /127\.0\.0\.1 is not a public address/)
      assert.match(yield* refusal(to("https://[::1]/")), /::1 is not a public address/)
      assert.match(yield* refusal(to("https://169.254.169.254/latest/meta-data")), /not a public address/)
      assert.match(yield* refusal(to("file:///etc/passwd")), /not https/)
      assert.match(yield* refusal("https://10.0.0.1/x"), /not a public address/)
      assert.match(yield* refusal(`${url}/loop`), /more than 3 times/)
    }).pipe(Effect.scoped)
  )

  it.live("is not fetched from a public name that stands for a private address", () =>
    Effect.gen(function* () {
      const { url } = yield* provider
      const rebound = pinnedLookup(
        (_name, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
        isPublicAddress
      )
      const download = yield* makeGuardedDownload({ ownOrigin: url, lookup: rebound })
      const { message } = yield* Effect.flip(download(`${url}/to?https%3A%2F%2Ffiles.example.com%2Fx`, {}))
      assert.match(message, /files\.example\.com is not a public address/)
    }).pipe(Effect.scoped)
  )

  it("leaves its credentials at the origin that they are for", () => {
    const token = { Authorization: "Bearer t", Cookie: "a=b", accept: "*/*" }
    const [first, same, other] = ["https://a.test/x", "https://a.test/y", "https://b.test/x"].map((url) => new URL(url))
    assert.deepStrictEqual(headersFor(same, first, token), token)
    assert.deepStrictEqual(headersFor(other, first, token), { accept: "*/*" })
    assert.match(addressProblem(new URL("https://user:secret@a.test/"), "https://b.test") ?? "", /user name/)
  })
})
