import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeWorld } from "../world.ts"

const desk = "https://desk.example.com"
const preflight = (origin: string) => ({
  method: "OPTIONS",
  headers: {
    origin,
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization, idempotency-key"
  }
})

describe("pages of other origins", () => {
  it.live("may use the interface when the setting names them, with a key and without cookies", () =>
    Effect.gen(function* () {
      const { base } = yield* makeWorld({ corsOrigins: [desk, "http://localhost:5173"] })
      const ask = (path: string, init: RequestInit) => Effect.promise(() => fetch(base + path, init))
      const asked = yield* ask("/api/messaging-api/send", preflight(desk))
      assert.strictEqual(asked.status, 204)
      assert.strictEqual(asked.headers.get("access-control-allow-origin"), desk)
      assert.match(asked.headers.get("access-control-allow-headers") ?? "", /Authorization.*Idempotency-Key/)
      assert.isNull(asked.headers.get("access-control-allow-credentials"))
      // Also an error may be read, with what it says about trying again.
      const answered = yield* ask("/api/voice-agents", { headers: { origin: desk } })
      assert.strictEqual(answered.status, 401)
      assert.strictEqual(answered.headers.get("access-control-allow-origin"), desk)
      assert.match(answered.headers.get("access-control-expose-headers") ?? "", /Retry-After/)
      assert.match(answered.headers.get("vary") ?? "", /Origin/)
      const stranger = yield* ask("/api/voice-agents", { headers: { origin: "https://evil.example" } })
      assert.isNull(stranger.headers.get("access-control-allow-origin"))
    })
  )

  it.live("may not, as long as nobody sets it", () =>
    Effect.gen(function* () {
      const { base } = yield* makeWorld()
      const asked = yield* Effect.promise(() => fetch(`${base}/api/messaging-api/send`, preflight(desk)))
      assert.strictEqual(asked.status, 405)
      assert.isNull(asked.headers.get("access-control-allow-origin"))
    })
  )
})
