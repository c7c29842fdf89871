/** The contract of every object storage, tested on each; then the properties of single storages. */
import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Redacted, Schema, Stream } from "effect"
import fc from "fast-check"
import * as Simulator from "../../../simulators/object-storage/ObjectStorage.ts"
import { ObjectKey, ObjectStorage, objectKey } from "../../../src/domain/basics/ObjectStorage.ts"
import * as LocalObjectStorage from "../../../src/integrations/storage/LocalObjectStorage.ts"
import * as S3ObjectStorage from "../../../src/integrations/storage/S3ObjectStorage.ts"
import { eventually } from "../../support/eventually.ts"
import { temporaryFolder } from "../../support/folder.ts"

const folder = temporaryFolder("objects")

const local = Layer.unwrap(Effect.map(folder, (path) => LocalObjectStorage.layer({ folder: path })))

const accessKeyId = "AKIAPARLEY"
const simulator = Effect.acquireRelease(
  Effect.promise(() => Simulator.start({ bucket: "calls", accessKeyId })),
  ({ close }) => Effect.promise(close)
)
const bucketOf = (endpoint: string, changes: Partial<S3ObjectStorage.S3ObjectStorageOptions> = {}) =>
  S3ObjectStorage.layer({
    bucket: "calls",
    region: "eu-test-1",
    endpoint,
    credentials: { accessKeyId, secretAccessKey: Redacted.make("a secret") },
    pathStyle: true,
    ...changes
  })
const s3 = Layer.unwrap(Effect.map(simulator, ({ url }) => bucketOf(url)))

const key = objectKey("recordings", "org_1", "call_1", "a.wav")
const wav = (size: number) => ({ contentType: "audio/wav", size })
const bytesOf = (size: number) => Uint8Array.from({ length: size }, (_, index) => (index * 7 + (index >> 8)) & 0xff)
/** Streams the bytes in chunks of 64 KB, as a file is read. */
const streamOf = (bytes: Uint8Array) =>
  Stream.fromIterable(
    Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, index) =>
      bytes.slice(index * 65_536, (index + 1) * 65_536)
    )
  )
const read = (range?: { start: number; end: number }) =>
  Effect.flatMap(ObjectStorage, (storage) => Stream.runCollect(storage.read(key, range))).pipe(
    Effect.map((chunks) => Buffer.concat([...chunks]))
  )

for (const [name, storage] of [
  ["the local folder", local],
  ["an S3-compatible bucket", s3]
] as const)
  describe(name, () => {
    const story = <E>(title: string, run: Effect.Effect<void, E, ObjectStorage>) =>
      it.live(title, () => run.pipe(Effect.provide(storage)))

    story(
      "returns a stored object whole and in parts, with its size and entity tag",
      Effect.gen(function* () {
        const { put, find } = yield* ObjectStorage
        const bytes = bytesOf(200_000)
        yield* put(key, streamOf(bytes), wav(bytes.length))
        const found = yield* find(key)
        assert.strictEqual(found.size, bytes.length)
        assert.match(found.etag, /^"[^"]+"$/)
        assert.isTrue((yield* read()).equals(bytes))
        assert.isTrue((yield* read({ start: 65_000, end: 131_071 })).equals(bytes.slice(65_000, 131_072)))
        assert.isTrue((yield* read({ start: 199_999, end: 199_999 })).equals(bytes.slice(199_999)))
      })
    )

    story(
      "replaces an existing object with another entity tag, and stores empty objects",
      Effect.gen(function* () {
        const { put, find } = yield* ObjectStorage
        yield* put(key, Stream.make(bytesOf(10)), wav(10))
        const first = yield* find(key)
        yield* put(key, Stream.empty, wav(0))
        const second = yield* find(key)
        assert.strictEqual(second.size, 0)
        assert.notStrictEqual(first.etag, second.etag)
      })
    )

    story(
      "says when an object does not exist, and no longer has removed objects",
      Effect.gen(function* () {
        const { put, find, remove } = yield* ObjectStorage
        assert.strictEqual((yield* Effect.flip(find(key)))._tag, "ObjectNotFound")
        assert.strictEqual((yield* Effect.flip(read()))._tag, "ObjectNotFound")
        yield* put(key, Stream.make(bytesOf(10)), wav(10))
        yield* remove(key)
        yield* remove(key)
        assert.strictEqual((yield* Effect.flip(find(key)))._tag, "ObjectNotFound")
      })
    )

    story(
      "keeps the old content when the new one breaks off, is too short or too long",
      Effect.gen(function* () {
        const { put } = yield* ObjectStorage
        yield* put(key, Stream.make(bytesOf(100)), wav(100))
        const broken = Stream.concat(Stream.make(bytesOf(6_000_000)), Stream.fail("the disk is gone" as const))
        assert.strictEqual(yield* Effect.flip(put(key, broken, wav(7_000_000))), "the disk is gone")
        const short = yield* Effect.flip(put(key, Stream.make(bytesOf(50)), wav(51)))
        assert.match(short.message, /50 bytes came instead of 51/)
        const long = yield* Effect.flip(put(key, Stream.make(bytesOf(50), bytesOf(50)), wav(99)))
        assert.match(long.message, /100 bytes came instead of 99/)
        assert.isTrue((yield* read()).equals(bytesOf(100)))
      })
    )

    story(
      "lets a reader stop in the middle",
      Effect.gen(function* () {
        const storage = yield* ObjectStorage
        yield* storage.put(key, streamOf(bytesOf(3_000_000)), wav(3_000_000))
        const first = yield* Stream.runCollect(Stream.take(storage.read(key), 1))
        assert.isAbove([...first][0].length, 0)
        assert.strictEqual((yield* read()).length, 3_000_000)
      })
    )
  })

describe("a key of the object storage", () => {
  it("consists of plain names, so that no key leaves the folder or hides in it", () => {
    for (const name of [
      "..",
      ".",
      "",
      ".hidden",
      "a/../b",
      "/etc",
      "a\\b",
      "a\0b",
      "ü",
      "%2e%2e",
      "a b",
      "x".repeat(129)
    ])
      assert.throws(() => objectKey("recordings", name), undefined, undefined, name)
    const part = fc.oneof(fc.string(), fc.constantFrom("..", ".", "recordings", "a.wav", ".."))
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
        if (!Schema.is(ObjectKey)(parts.join("/"))) return
        assert.isTrue(join("/store", parts.join("/")).startsWith("/store/"))
        assert.isTrue(parts.every((name) => !name.split("/").some((piece) => piece.startsWith(".") || piece === "")))
      })
    )
  })
})

describe("the local folder's files", () => {
  it.live("are named by their keys, and files that a crash left half-written are removed after a day", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const drafts = join(path, ".drafts")
      yield* Effect.promise(async () => {
        await mkdir(drafts)
        await writeFile(join(drafts, "old"), "")
        await utimes(join(drafts, "old"), 0, 0)
        await writeFile(join(drafts, "young"), "")
      })
      yield* Effect.flatMap(ObjectStorage, ({ put }) => put(key, Stream.make(bytesOf(3)), wav(3))).pipe(
        Effect.provide(LocalObjectStorage.layer({ folder: path }))
      )
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(drafts)), ["young"])
      const file = yield* Effect.promise(() => readFile(join(path, "recordings", "org_1", "call_1", "a.wav")))
      assert.strictEqual(file.length, 3)
    })
  )

  it.live("are never outside it, even with a forged key", () =>
    Effect.gen(function* () {
      const outer = yield* folder
      yield* Effect.promise(() => writeFile(join(outer, "secret"), "s"))
      const exit = yield* Effect.flatMap(ObjectStorage, ({ find }) => find("a/../../secret" as ObjectKey)).pipe(
        Effect.provide(LocalObjectStorage.layer({ folder: join(outer, "objects") })),
        Effect.exit
      )
      assert.isTrue(Exit.hasDies(exit))
    })
  )
})

describe("an S3-compatible bucket, on the wire", () => {
  it.live("gets a large object in parts, with its content type", () =>
    Effect.gen(function* () {
      const { url, objects, uploads, requests } = yield* simulator
      const bytes = bytesOf(12_000_000)
      yield* Effect.flatMap(ObjectStorage, ({ put }) => put(key, streamOf(bytes), wav(bytes.length))).pipe(
        Effect.provide(bucketOf(url))
      )
      assert.strictEqual(requests.filter((line) => /partNumber=\d/.test(line)).length, 3)
      assert.strictEqual(objects.get(key)?.contentType, "audio/wav")
      assert.isTrue(objects.get(key)?.bytes.equals(bytes))
      assert.strictEqual(uploads.size, 0)
    })
  )

  it.live("is retried after a few errors of the storage, and lasting errors are reported", () =>
    Effect.gen(function* () {
      const { url, faults, objects } = yield* simulator
      yield* Effect.gen(function* () {
        const { put, find } = yield* ObjectStorage
        faults.failNext = 2
        yield* put(key, Stream.make(bytesOf(10)), wav(10))
        assert.isTrue(objects.has(key))
        faults.failNext = 100
        const error = yield* Effect.flip(find(key))
        assert.strictEqual(error._tag, "ObjectStorageError")
        faults.status = 0
        assert.strictEqual((yield* Effect.flip(put(key, Stream.make(bytesOf(10)), wav(10))))._tag, "ObjectStorageError")
      }).pipe(Effect.provide(bucketOf(url)))
    })
  )

  it.live("keeps no unfinished upload when an upload breaks off or is interrupted", () =>
    Effect.gen(function* () {
      const { url, uploads, objects } = yield* simulator
      yield* Effect.gen(function* () {
        const { put } = yield* ObjectStorage
        const broken = Stream.concat(streamOf(bytesOf(12_000_000)), Stream.fail("gone" as const))
        assert.strictEqual(yield* Effect.flip(put(key, broken, wav(13_000_000))), "gone")
        assert.strictEqual(uploads.size, 0)
        const stalled = Stream.concat(streamOf(bytesOf(12_000_000)), Stream.never)
        const upload = yield* Effect.forkChild(put(key, stalled, wav(13_000_000)))
        const uploading = (count: number) => eventually(`${count} uploads`, () => uploads.size === count)
        yield* uploading(1)
        yield* Fiber.interrupt(upload)
        yield* uploading(0)
        assert.isFalse(objects.has(key))
      }).pipe(Effect.provide(bucketOf(url)))
    })
  )

  it.live("refuses another access key, and the error does not name the secret", () =>
    Effect.gen(function* () {
      const { url, requests } = yield* simulator
      const stranger = bucketOf(url, {
        credentials: { accessKeyId: "AKIAOTHER", secretAccessKey: Redacted.make("a secret") }
      })
      const error = yield* Effect.flatMap(ObjectStorage, ({ put }) => put(key, Stream.make(bytesOf(1)), wav(1))).pipe(
        Effect.provide(stranger),
        Effect.flip
      )
      assert.match(error.message, /InvalidAccessKeyId/)
      assert.notInclude(JSON.stringify(error), "a secret")
      assert.deepStrictEqual(requests, [])
    })
  )

  it.live("may be slow without causing an error", () =>
    Effect.gen(function* () {
      const { url, faults } = yield* simulator
      faults.latencyMs = 300
      const bytes = yield* Effect.gen(function* () {
        const { put } = yield* ObjectStorage
        yield* put(key, Stream.make(bytesOf(10)), wav(10))
        return yield* read()
      }).pipe(Effect.provide(bucketOf(url)))
      assert.isTrue(bytes.equals(bytesOf(10)))
    })
  )
})
