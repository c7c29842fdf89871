import { assert, describe, it } from "@effect/vitest"
import {
  ReplayCache,
  signEngineRequest,
  verifyEngineRequest
} from "../../../../src/domain/voice/engine/EngineSignature.ts"

const request = { method: "POST", path: "/api/x?attempt=1", body: '{"a":1}' }
const now = 1_790_000_000_000

const verify = (
  header: string | undefined,
  changed: Partial<typeof request> = {},
  at = now,
  replay = new ReplayCache()
) => verifyEngineRequest("secret", header, { ...request, ...changed }, at, replay)

describe("the signature between app and engine", () => {
  const header = signEngineRequest("secret", request, now)

  it("has the agreed form and verifies", () => {
    assert.match(header, /^t=1790000000,v1=[0-9a-f]{64}$/)
    assert.isUndefined(verify(header))
  })

  it("covers method, path, query and body", () => {
    assert.strictEqual(verify(header, { method: "PUT" }), "wrong")
    assert.strictEqual(verify(header, { path: "/api/x?attempt=2" }), "wrong")
    assert.strictEqual(verify(header, { body: '{"a":2}' }), "wrong")
    assert.strictEqual(verify(header.replace("t=1790000000", "t=1790000001")), "wrong")
  })

  it("is valid for 300 seconds in either direction", () => {
    assert.isUndefined(verify(header, {}, now + 300_000))
    assert.strictEqual(verify(header, {}, now + 301_000), "expired")
    assert.isUndefined(verify(header, {}, now - 300_000))
    assert.strictEqual(verify(header, {}, now - 301_000), "expired")
  })

  it("is valid for one request, and a wrong signature does not use it up", () => {
    const replay = new ReplayCache()
    assert.strictEqual(verify(header, { body: "x" }, now, replay), "wrong")
    assert.isUndefined(verify(header, {}, now, replay))
    assert.strictEqual(verify(header, {}, now + 1_000, replay), "reused")
  })

  it("is refused when malformed", () => {
    assert.strictEqual(verify(undefined), "missing")
    for (const bad of ["t=1", "v1=ab,t=1", `t=-1,v1=${"a".repeat(64)}`, `${header},n=1`, header.toUpperCase()])
      assert.strictEqual(verify(bad), "malformed", bad)
  })

  it("is forgotten once it has expired, so that the memory stays bounded", () => {
    const replay = new ReplayCache(3)
    for (let i = 0; i < 10; i++) assert.isTrue(replay.add(`s${i}`, 100, 50))
    assert.isAtMost(replay.size, 3)
    assert.isTrue(replay.add("later", 500, 200))
    assert.strictEqual(replay.size, 1)
  })
})
