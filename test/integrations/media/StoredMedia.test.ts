/** Files of messages over a real database and each kind of object storage. */
import { createHash } from "node:crypto"
import { readdir } from "node:fs/promises"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Redacted, Stream } from "effect"
import { SqlClient } from "effect/sql"
import * as Simulator from "../../../simulators/object-storage/ObjectStorage.ts"
import { type ObjectKey, ObjectStorage, ObjectStorageError } from "../../../src/domain/basics/ObjectStorage.ts"
import { Conversations } from "../../../src/domain/messaging/conversations/Conversation.ts"
import { Messages } from "../../../src/domain/messaging/conversations/Message.ts"
import { largestMediaBytes, MediaFiles, mediaKey, type NewMedia } from "../../../src/domain/messaging/media/Media.ts"
import { MediaRecords } from "../../../src/domain/messaging/media/MediaRecords.ts"
import { Contacts } from "../../../src/domain/people/contacts/Contact.ts"
import { ContactErasure } from "../../../src/domain/privacy/ContactErasure.ts"
import * as StoredMedia from "../../../src/integrations/media/StoredMedia.ts"
import { tenant } from "../../../src/integrations/postgres/tenancy/Tenant.ts"
import * as LocalObjectStorage from "../../../src/integrations/storage/LocalObjectStorage.ts"
import * as S3ObjectStorage from "../../../src/integrations/storage/S3ObjectStorage.ts"
import { eventually } from "../../support/eventually.ts"
import { temporaryFolder } from "../../support/folder.ts"
import * as samples from "../../support/mediaSamples.ts"
import { newOrganization, testStores } from "../../support/tenants.ts"

const temporary = temporaryFolder("media")

/** The folder for uploads, and the faults that the storage is told to have. */
class Place extends Context.Service<
  Place,
  { readonly folder: string; readonly objects: Effect.Effect<number>; readonly break: (broken: boolean) => void }
>()("test/Place") {}

const stored = (storage: Layer.Layer<ObjectStorage>, objects: Effect.Effect<number>, breakIt: (on: boolean) => void) =>
  Effect.map(temporary, (folder) =>
    StoredMedia.layer({ folder }).pipe(
      Layer.provideMerge(Layer.merge(storage, testStores)),
      Layer.merge(Layer.succeed(Place, { folder, objects, break: breakIt }))
    )
  )

const bucket = Layer.unwrap(
  Effect.gen(function* () {
    const accessKeyId = "AKIAPARLEY"
    const simulator = yield* Effect.acquireRelease(
      Effect.promise(() => Simulator.start({ bucket: "media", accessKeyId })),
      ({ close }) => Effect.promise(close)
    )
    const storage = S3ObjectStorage.layer({
      bucket: "media",
      region: "eu-test-1",
      endpoint: simulator.url,
      credentials: { accessKeyId, secretAccessKey: Redacted.make("a secret") },
      pathStyle: true
    })
    return yield* stored(
      storage,
      Effect.sync(() => simulator.objects.size + simulator.uploads.size),
      (on) => {
        simulator.faults.failNext = on ? 1_000 : 0
      }
    )
  })
)

const local = Layer.unwrap(
  Effect.gen(function* () {
    const folder = yield* temporary
    const counted = Effect.promise(async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      return entries.filter((entry) => entry.isFile()).length
    })
    let broken = false
    const storage = Layer.effect(
      ObjectStorage,
      Effect.map(ObjectStorage, (real) => {
        const gone = (key: ObjectKey) =>
          new ObjectStorageError({ operation: "remove", key, message: "the disk is gone" })
        return ObjectStorage.of({
          ...real,
          remove: (key) => Effect.suspend(() => (broken ? Effect.fail(gone(key)) : real.remove(key)))
        })
      })
    ).pipe(Layer.provide(LocalObjectStorage.layer({ folder })))
    return yield* stored(storage, counted, (on) => {
      broken = on
    })
  })
)

const upload = (bytes: Uint8Array, filename?: string): NewMedia => ({
  bytes: Stream.make(bytes),
  filename,
  source: "upload"
})
const read = (organizationId: string, mediaId: string, range?: { start: number; end: number }) =>
  Effect.flatMap(MediaFiles, ({ open }) => Stream.runCollect(open(organizationId, mediaId, range))).pipe(
    Effect.map((chunks) => Buffer.concat([...chunks]))
  )
const recordsOf = (organizationId: string) =>
  tenant(organizationId)(
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql<{ id: string; state: string }>`SELECT id, state FROM media`)
  )
const nothingGathered = Effect.flatMap(Place, ({ folder }) =>
  Effect.map(
    Effect.promise(() => readdir(folder)),
    (names) => assert.deepStrictEqual(names, [])
  )
)
const hourLater = (organizationId: string) =>
  tenant(organizationId)(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`UPDATE media SET state_since = state_since - interval '61 minutes'`
    )
  )
for (const [name, place] of [
  ["the local folder", local],
  ["an S3-compatible bucket", bucket]
] as const)
  layer(place, { excludeTestServices: true })(`media in ${name}`, (it) => {
    it.effect.each(Object.keys(samples.sendable))(
      "%s is stored under its own type, and returned whole and in part",
      (type) =>
        Effect.gen(function* () {
          const { id: organizationId } = yield* newOrganization()
          const bytes = yield* Effect.promise(async () => samples.sendable[type]())
          const files = yield* MediaFiles
          const media = yield* files.store(organizationId, upload(bytes, "../../etc/a\u0000 file.bin "))
          assert.deepStrictEqual(
            [media.mimeType, media.sizeBytes, media.filename, media.sha256],
            [type, bytes.length, "a file.bin", createHash("sha256").update(bytes).digest("hex")]
          )
          assert.deepStrictEqual(yield* files.find(organizationId, media.id), media)
          assert.isTrue((yield* read(organizationId, media.id)).equals(bytes))
          assert.isTrue((yield* read(organizationId, media.id, { start: 3, end: 9 })).equals(bytes.subarray(3, 10)))
          yield* nothingGathered
        })
    )

    it.effect("the same bytes are stored once for an organization, and separately for another one", () =>
      Effect.gen(function* () {
        const [one, two] = [yield* newOrganization(), yield* newOrganization()]
        const files = yield* MediaFiles
        const place = yield* Place
        const before = yield* place.objects
        const bytes = yield* Effect.promise(() => samples.png(41, 200))
        const all = yield* Effect.forEach(
          Array.from({ length: 12 }, (_, index) => `${index}.png`),
          (filename) => files.store(one.id, upload(bytes, filename)),
          { concurrency: 12 }
        )
        assert.strictEqual(new Set(all.map(({ id }) => id)).size, 1)
        const other = yield* files.store(two.id, upload(bytes))
        assert.notStrictEqual(other.id, all[0].id)
        assert.strictEqual((yield* place.objects) - before, 2)
        assert.isUndefined(yield* files.find(two.id, all[0].id))
        assert.strictEqual((yield* Effect.flip(read(two.id, all[0].id)))._tag, "MediaNotFound")
        assert.isFalse(yield* files.hide(two.id, all[0].id))
      })
    )

    it.effect("a file that is empty, too large or of another kind is refused and leaves nothing", () =>
      Effect.gen(function* () {
        const { id: organizationId } = yield* newOrganization()
        const files = yield* MediaFiles
        const objects = yield* (yield* Place).objects
        const refused = (bytes: Uint8Array) =>
          Effect.map(
            Effect.flip(files.store(organizationId, upload(bytes))),
            ({ _tag, message }) => `${_tag}: ${message}`
          )
        const large = Buffer.alloc(largestMediaBytes + 1)
        large.set(samples.pdf())
        assert.strictEqual(yield* refused(Buffer.alloc(0)), "MediaRefused: The file is empty.")
        assert.match(yield* refused(large), /larger than 16 MB/)
        assert.match(yield* refused(samples.html()), /of a kind that is not known; what is taken are images/)
        assert.match(
          yield* refused(Buffer.concat([samples.html(), yield* Effect.promise(() => samples.png())])),
          /not known/
        )
        assert.match(yield* refused(yield* Effect.promise(() => samples.gif())), /is image\/gif/)
        assert.match(yield* refused(yield* Effect.promise(() => samples.plainZip())), /is application\/zip/)
        assert.match(yield* refused(samples.amr()), /is audio\/amr/)
        assert.deepStrictEqual(yield* recordsOf(organizationId), [])
        assert.strictEqual(yield* (yield* Place).objects, objects)
        yield* nothingGathered
        const most = yield* files.store(organizationId, upload(large.subarray(0, largestMediaBytes)))
        assert.strictEqual(most.sizeBytes, largestMediaBytes)
      })
    )

    it.effect(
      "a contact's file is kept whatever its kind, and the channel's type counts where the content shows none",
      () =>
        Effect.gen(function* () {
          const { id: organizationId } = yield* newOrganization()
          const files = yield* MediaFiles
          const receive = (bytes: Uint8Array, claimedType: string) =>
            Effect.map(
              files.store(organizationId, { bytes: Stream.make(bytes), source: "channel", claimedType }),
              ({ kind, mimeType }) => `${kind} ${mimeType}`
            )
          assert.strictEqual(yield* receive(samples.amr(), "audio/amr; codecs=amr"), "audio audio/amr")
          assert.strictEqual(
            yield* receive(yield* Effect.promise(() => samples.webp(3)), "image/gif"),
            "image image/webp"
          )
          assert.strictEqual(yield* receive(samples.html(9), "text/html"), "document text/html")
          assert.strictEqual(yield* receive(Buffer.from("a,b"), "nonsense"), "document application/octet-stream")
          assert.strictEqual(yield* receive(samples.mp4(2), "audio/mp4"), "audio audio/mp4")
          assert.strictEqual(yield* receive(samples.mp4(3), "text/html"), "video video/mp4")
          assert.match(
            yield* receive(yield* Effect.promise(() => samples.xlsx()), "application/zip"),
            /^document .*sheet$/
          )
        })
    )

    it.effect("an upload that breaks off or is interrupted leaves nothing", () =>
      Effect.gen(function* () {
        const { id: organizationId } = yield* newOrganization()
        const files = yield* MediaFiles
        const start = Stream.make(samples.pdf(7))
        const broken = files.store(organizationId, {
          bytes: Stream.concat(start, Stream.fail("gone" as const)),
          source: "upload"
        })
        assert.strictEqual(yield* Effect.flip(broken), "gone")
        const stalled = yield* Effect.forkChild(
          files.store(organizationId, { bytes: Stream.concat(start, Stream.never), source: "upload" })
        )
        const { folder } = yield* Place
        yield* eventually("the draft", async () => (await readdir(folder)).length === 1)
        yield* Fiber.interrupt(stalled)
        yield* nothingGathered
        assert.deepStrictEqual(yield* recordsOf(organizationId), [])
      })
    )

    it.effect("a file is removed with its content, and the same bytes then make a new file", () =>
      Effect.gen(function* () {
        const { id: organizationId } = yield* newOrganization()
        const files = yield* MediaFiles
        const objects = yield* ObjectStorage
        const media = yield* files.store(organizationId, upload(samples.mp3(5)))
        assert.isTrue(yield* files.hide(organizationId, media.id))
        assert.isFalse(yield* files.hide(organizationId, media.id))
        yield* files.finishRemovals(organizationId, [media.id])
        assert.isUndefined(yield* files.find(organizationId, media.id))
        assert.strictEqual(
          (yield* Effect.flip(objects.find(mediaKey(organizationId, media.id))))._tag,
          "ObjectNotFound"
        )
        assert.deepStrictEqual(yield* recordsOf(organizationId), [])
        assert.notStrictEqual((yield* files.store(organizationId, upload(samples.mp3(5)))).id, media.id)
      })
    )

    it.effect("a file whose removal was cut off is hidden, and its removal is finished an hour later", () =>
      Effect.gen(function* () {
        const { id: organizationId } = yield* newOrganization()
        const files = yield* MediaFiles
        const place = yield* Place
        const media = yield* files.store(organizationId, upload(samples.ogg(8)))
        const objects = yield* place.objects
        place.break(true)
        assert.isTrue(yield* files.hide(organizationId, media.id))
        yield* files.finishRemovals(organizationId, [media.id])
        assert.isUndefined(yield* files.find(organizationId, media.id))
        // Meanwhile the same bytes are uploaded again. They must outlive the removal.
        place.break(false)
        const again = yield* files.store(organizationId, upload(samples.ogg(8)))
        assert.notStrictEqual(again.id, media.id)
        assert.strictEqual(yield* files.settle, 0)
        yield* hourLater(organizationId)
        assert.strictEqual(yield* files.settle, 1)
        assert.strictEqual(yield* place.objects, objects)
        assert.deepStrictEqual(yield* recordsOf(organizationId), [{ id: again.id, state: "stored" }])
        assert.strictEqual((yield* read(organizationId, again.id)).length, samples.ogg(8).length)
      })
    )

    it.effect(
      "the remains of a killed upload are removed an hour later, and an upload that was only slow stores its file all the same",
      () =>
        Effect.gen(function* () {
          const { id: organizationId } = yield* newOrganization()
          const [files, records, objects] = [yield* MediaFiles, yield* MediaRecords, yield* ObjectStorage]
          const bytes = samples.pdf(90)
          const sha256 = createHash("sha256").update(bytes).digest("hex")
          const file = {
            organizationId,
            kind: "document",
            mimeType: "application/pdf",
            sizeBytes: bytes.length,
            sha256,
            filename: null
          } as const
          const { media, stored } = yield* records.claim(file)
          assert.isFalse(stored)
          yield* objects.put(mediaKey(organizationId, media.id), Stream.make(bytes), {
            contentType: "application/pdf",
            size: bytes.length
          })
          assert.isUndefined(yield* files.find(organizationId, media.id))
          yield* hourLater(organizationId)
          assert.strictEqual(yield* files.settle, 1)
          assert.strictEqual(
            (yield* Effect.flip(objects.find(mediaKey(organizationId, media.id))))._tag,
            "ObjectNotFound"
          )
          assert.deepStrictEqual(yield* recordsOf(organizationId), [])
          assert.isUndefined(yield* records.confirm({ organizationId, mediaId: media.id }))
          assert.isDefined(yield* files.find(organizationId, (yield* files.store(organizationId, upload(bytes))).id))
        })
    )

    it.effect("a file that messages refer to is not removed as unused", () =>
      Effect.gen(function* () {
        const { id: organizationId } = yield* newOrganization()
        const files = yield* MediaFiles
        const { contact } = yield* (yield* Contacts).save(organizationId, { phone: "+14155550101" }, "key_1")
        const conversationId = yield* (yield* Conversations).open(organizationId, contact.id, "messaging")
        const used = yield* files.store(organizationId, upload(samples.mp3(21)))
        const unused = yield* files.store(organizationId, upload(samples.mp3(22)))
        const message = {
          organizationId,
          conversationId,
          direction: "outbound",
          type: "audio",
          content: { mediaId: used.id }
        } as const
        yield* (yield* Messages).add({ ...message, sentBy: "key_1" }, Date.now())
        assert.deepStrictEqual(yield* files.removeUnused(organizationId, [used.id, unused.id, "med_none"]), [unused.id])
        assert.isDefined(yield* files.find(organizationId, used.id))
        yield* (yield* ContactErasure).erase(organizationId, contact.id)
        // The file is hidden when its contact is erased. Its content is removed next.
        assert.isUndefined(yield* files.find(organizationId, used.id))
        assert.deepStrictEqual(yield* files.removeUnused(organizationId, [used.id]), [])
        yield* files.finishRemovals(organizationId, [used.id])
        assert.deepStrictEqual(yield* recordsOf(organizationId), [])
      })
    )
  })
