/** `GET /api/calls/{id}/recording` over a real socket, with the files in a real folder. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { joinedBytes, type RecordingPart } from "../../../../src/domain/voice/calls/records/RecordingParts.ts"
import { recordingHeader } from "../../../../src/domain/voice/engine/RecordingFormat.ts"
import { recordingKey } from "../../../../src/domain/voice/engine/Recordings.ts"
import { emptyCall } from "../../memory.ts"
import { makeWorld, type World } from "../../world.ts"

/** A call of org_1 with recordings of these sizes, in bytes of samples. */
const recordedCall = Effect.fnUntraced(function* ({ memory, objects }: World, ...sizes: ReadonlyArray<number>) {
  const callId = "call_1"
  memory.calls.push({
    ...emptyCall,
    id: callId,
    organizationId: "org_1",
    agentId: null,
    direction: "inbound",
    status: "completed",
    endReason: "caller_hangup",
    from: "+14155550100",
    to: "+14155550101",
    callSid: "CA1"
  })
  const files: Array<Buffer> = []
  const parts: Array<RecordingPart> = []
  for (const [index, size] of sizes.entries()) {
    const data = Buffer.from(Uint8Array.from({ length: size }, (_, i) => (i * 31 + index) & 0xff))
    const file = Buffer.concat([recordingHeader(size), data])
    const key = recordingKey("org_1", callId, `rec_${index}`)
    yield* objects.put(key, Stream.make(new Uint8Array(file)), { contentType: "audio/wav", size: file.length })
    parts.push({ key, bytes: file.length, durationMs: size / 32 })
    files.push(data)
  }
  memory.recordings.set(callId, parts)
  const all = Buffer.concat(files)
  const whole = Buffer.concat([recordingHeader(all.length), all])
  assert.strictEqual(joinedBytes(parts), whole.length)
  return { whole, parts, path: `/api/calls/${callId}/recording` }
})

const ask = (world: World, path: string, headers: Record<string, string> = {}, method = "GET", key = "mk_1") =>
  Effect.promise(async () => {
    const response = await fetch(world.base + path, { method, headers: { authorization: `Bearer ${key}`, ...headers } })
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
  })

describe("the recording of a call over HTTP", () => {
  it.live("is sent as a download with its length, and never exceeds that length", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { whole, path } = yield* recordedCall(world, 3_200_000)
      const { status, headers, bytes } = yield* ask(world, path)
      assert.strictEqual(status, 200)
      assert.isTrue(bytes.equals(whole))
      const expected = {
        "content-type": "audio/wav",
        "content-length": String(whole.length),
        "accept-ranges": "bytes",
        "content-disposition": 'attachment; filename="call_1.wav"',
        "x-content-type-options": "nosniff",
        "cache-control": "private, no-cache"
      }
      for (const [name, value] of Object.entries(expected)) assert.strictEqual(headers.get(name), value)
      assert.isNotNull(headers.get("x-request-id"))
      const head = yield* ask(world, path, {}, "HEAD")
      assert.deepStrictEqual([head.status, head.bytes.length], [200, 0])
      assert.strictEqual(head.headers.get("content-length"), String(whole.length))
    })
  )

  it.live("is sent in parts on request, also across the recordings of a call that returned", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { whole, path } = yield* recordedCall(world, 1_000, 2_000)
      const part = Effect.fnUntraced(function* (range: string, start: number, end: number) {
        const { status, headers, bytes } = yield* ask(world, path, { range })
        assert.strictEqual(status, 206, range)
        assert.strictEqual(headers.get("content-range"), `bytes ${start}-${end}/${whole.length}`)
        assert.strictEqual(headers.get("content-length"), String(end - start + 1))
        assert.isTrue(bytes.equals(whole.subarray(start, end + 1)), range)
      })
      yield* part("bytes=0-0", 0, 0)
      yield* part("bytes=40-1100", 40, 1_100)
      yield* part("bytes=2000-", 2_000, whole.length - 1)
      yield* part("bytes=-100", whole.length - 100, whole.length - 1)
      yield* part("bytes=0-99999999", 0, whole.length - 1)
      const beyond = yield* ask(world, path, { range: `bytes=${whole.length}-` })
      assert.strictEqual(beyond.status, 416)
      assert.strictEqual(beyond.headers.get("content-range"), `bytes */${whole.length}`)
      assert.deepStrictEqual(Object.keys(JSON.parse(beyond.bytes.toString())), ["error"])
      assert.strictEqual((yield* ask(world, path, { range: "bytes=0-1,5-6" })).status, 200)
    })
  )

  it.live("is not sent again to a client that has it, and a range of another version gets the whole", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { whole, path } = yield* recordedCall(world, 100)
      const etag = (yield* ask(world, path)).headers.get("etag") ?? ""
      assert.match(etag, /^"[0-9a-f]{32}"$/)
      const same = yield* ask(world, path, { "if-none-match": etag })
      assert.deepStrictEqual([same.status, same.bytes.length, same.headers.get("etag")], [304, 0, etag])
      assert.strictEqual((yield* ask(world, path, { range: "bytes=0-9", "if-range": etag })).status, 206)
      const stale = yield* ask(world, path, { range: "bytes=0-9", "if-range": '"other"' })
      assert.deepStrictEqual([stale.status, stale.bytes.length], [200, whole.length])
    })
  )

  it.live("is found only by its organization, with the scope voice:read", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { path } = yield* recordedCall(world, 100)
      const status = (key: string, at = path) => Effect.map(ask(world, at, {}, "GET", key), (answer) => answer.status)
      assert.strictEqual(yield* status("mk_read"), 200)
      assert.strictEqual(yield* status("mk_2"), 404)
      assert.strictEqual(yield* status("mk_none"), 403)
      assert.strictEqual(yield* status("mk_nobody"), 401)
      assert.strictEqual(yield* status("mk_1", "/api/calls/call_2/recording"), 404)
      assert.strictEqual(yield* status("mk_1", "/api/calls/..%2F..%2Fetc/recording"), 404)
      world.memory.recordings.clear()
      assert.strictEqual(yield* status("mk_1"), 404)
    })
  )

  it.live("gives 404 with a sentence, not a broken answer, when the storage has lost it", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { path, parts } = yield* recordedCall(world, 100)
      yield* world.objects.remove(parts[0].key)
      const { status, bytes } = yield* ask(world, path)
      assert.deepStrictEqual(
        [status, JSON.parse(bytes.toString())],
        [404, { error: "The recording of this call is gone." }]
      )
    })
  )

  it.live("is described in the OpenAPI document", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { body } = yield* Effect.promise(() => world.call("GET", "/openapi.json"))
      const paths = body.paths as Record<string, { get?: { responses: Record<string, { content?: object }> } }>
      const responses = paths["/api/calls/{id}/recording"]?.get?.responses ?? {}
      assert.deepStrictEqual(Object.keys(responses["200"]?.content ?? {}), ["audio/wav"])
      assert.includeMembers(Object.keys(responses), ["401", "403", "404", "500"])
    })
  )
})
