/** The channel's adapter against the simulated channel: what it sends and uploads, and how it reports each failure. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import sharp from "sharp"
import { type CloudApi, start } from "../../../simulators/channel/CloudApi.ts"
import { ChannelAccounts, ChannelSetup } from "../../../src/domain/messaging/channel/ChannelConnection.ts"
import { ChannelMedia } from "../../../src/domain/messaging/channel/ChannelMedia.ts"
import { ChannelConnections } from "../../../src/domain/messaging/channel/ConnectionStatus.ts"
import { failureOf, knownCodes } from "../../../src/domain/messaging/channel/cloudapi/Failures.ts"
import { MessagingChannel, type OutgoingMessage } from "../../../src/domain/messaging/channel/MessagingChannel.ts"
import { MediaFiles } from "../../../src/domain/messaging/media/Media.ts"
import { errorOf } from "../../../src/integrations/channel/CloudApiClient.ts"
import * as CloudApiLayers from "../../../src/integrations/channel/CloudApiLayers.ts"
import * as ConvertedMedia from "../../../src/integrations/media/ConvertedMedia.ts"
import { newOrganization, testStores } from "../../support/tenants.ts"

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)
const webp = await sharp(png).webp().toBuffer()

interface GivenFile {
  readonly mimeType: string
  readonly bytes: Buffer
  /** The recorded size, when it differs from the bytes. */
  readonly sizeBytes?: number
}

/** Reads the files, and counts how many bytes are held at once. */
class Reading {
  tookMs = 0
  times = 0
  underWay = 0
  mostUnderWay = 0

  of({ bytes, sizeBytes = bytes.length }: GivenFile) {
    const begin = Effect.sync(() => {
      this.times++
      this.underWay += sizeBytes
      this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay)
    })
    const end = Effect.sync(() => {
      this.underWay -= sizeBytes
    })
    return Stream.fromEffect(
      Effect.acquireUseRelease(
        begin,
        () => Effect.delay(Effect.succeed(new Uint8Array(bytes)), this.tookMs),
        () => end
      )
    )
  }
}

/** Files of messages that need no storage. */
const files = (given: Readonly<Record<string, GivenFile>>, reading: Reading) =>
  Layer.mock(MediaFiles, {
    find: (organizationId, id) =>
      Effect.succeed(
        given[id] === undefined
          ? undefined
          : {
              ...{ id, organizationId, kind: "image", mimeType: given[id].mimeType },
              sizeBytes: given[id].sizeBytes ?? given[id].bytes.length,
              ...{ sha256: "", filename: null, createdAt: "2026-01-01T00:00:00.000Z" }
            }
      ),
    open: (_organizationId, id) => reading.of(given[id])
  })

const simulator = Effect.acquireRelease(
  Effect.promise(() => start()),
  (api) => Effect.promise(() => api.close())
)

const given = {
  med_png: { mimeType: "image/png", bytes: png },
  med_webp: { mimeType: "image/webp", bytes: webp },
  med_svg: { mimeType: "image/svg+xml", bytes: Buffer.from("<svg/>") },
  med_big: { mimeType: "image/jpeg", bytes: Buffer.alloc(5 * 1024 * 1024 + 1) },
  med_manual: { mimeType: "application/pdf", bytes: Buffer.from("%PDF-1.4"), sizeBytes: 60 * 1024 * 1024 },
  med_prices: { mimeType: "application/pdf", bytes: Buffer.from("%PDF-1.4"), sizeBytes: 60 * 1024 * 1024 }
}

const speaking = (api: CloudApi, reading: Reading, timeoutMs = 2_000) =>
  CloudApiLayers.layer({ baseUrl: api.url, version: "v23.0", timeoutMs, circuit: { failures: 100 } }).pipe(
    Layer.provide(ConvertedMedia.layer),
    Layer.provide(files(given, reading))
  )

/** An organization with a connection to a number of its own at a channel of its own. */
const office = Effect.fnUntraced(function* (timeoutMs?: number) {
  const api = yield* simulator
  const number = api.accounts.addNumber()
  const { id: organizationId } = yield* newOrganization()
  const { phoneNumberId, accountId: businessAccountId, accessToken, appSecret } = number
  const credentials = { phoneNumberId, businessAccountId, accessToken, appSecret, verifyToken: "verify-me" }
  yield* (yield* ChannelAccounts).save(organizationId, { ...credentials, phoneNumber: null, businessName: null })
  const reading = new Reading()
  const services = yield* Layer.build(speaking(api, reading, timeoutMs))
  const channel = yield* MessagingChannel.pipe(Effect.provide(services))
  const media = yield* ChannelMedia.pipe(Effect.provide(services))
  const setup = yield* ChannelSetup.pipe(Effect.provide(services))
  const message = (more: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
    ...{ organizationId, messageId: "msg_1", to: { phone: "+919812345678" }, type: "text" },
    content: { text: "Hello" },
    ...more
  })
  const failure = (sent: OutgoingMessage = message()) => Effect.flip(channel.send(sent))
  return { api, number, organizationId, credentials, reading, channel, media, setup, message, failure }
})

layer(testStores, { timeout: "2 minutes", excludeTestServices: true })("the adapter of the Cloud API", (it) => {
  it.effect("notes that the channel refuses the token, and that it takes it again", () =>
    Effect.gen(function* () {
      const { api, number, channel, message, failure, organizationId } = yield* office()
      const connections = yield* ChannelConnections
      const status = connections.status(organizationId)
      assert.deepInclude(yield* status, { connected: true, problem: null, problemAt: null })
      const token = number.accessToken
      api.accounts.numbers.set(number.phoneNumberId, { ...number, accessToken: "EAAanother" })
      yield* failure()
      const refused = yield* status
      assert.strictEqual(refused.connected, false)
      assert.match(String(refused.problem), /connect the channel again/)
      assert.isNotNull(refused.problemAt)
      // It is known since the first refusal.
      yield* failure()
      assert.deepStrictEqual(yield* status, refused)
      assert.isTrue(yield* connections.exists(organizationId))
      api.accounts.numbers.set(number.phoneNumberId, { ...number, accessToken: token })
      yield* channel.send(message())
      assert.deepInclude(yield* status, { connected: true, problem: null, problemAt: null })
    })
  )

  it.effect("sends a message with our id and returns the channel's id", () =>
    Effect.gen(function* () {
      const { api, channel, message } = yield* office()
      const { channelMessageId } = yield* channel.send(message({ replyTo: "wamid.X" }))
      assert.strictEqual(channelMessageId, api.sent[0].id)
      assert.deepInclude(api.sent[0], { callbackData: "msg_1", to: "919812345678", kind: "text" })
      assert.deepStrictEqual(api.sent[0].body.context, { message_id: "wamid.X" })
      yield* channel.send(message({ to: { userId: "IN.13491208655302741918" } }))
      assert.deepInclude(api.sent[1], { byUserId: true, dropped: false })
    })
  )

  it.effect("uploads a file once for many messages, and again when the channel's id for it has expired", () =>
    Effect.gen(function* () {
      const { api, channel, message } = yield* office()
      const picture = message({ type: "image", content: { mediaId: "med_png", caption: "Look" } })
      yield* channel.send(picture)
      yield* channel.send(picture)
      assert.strictEqual(api.stats.uploads, 1)
      const [file] = [...api.media.files.values()]
      assert.deepStrictEqual([file.bytes, file.mimeType], [png, "image/png"])
      assert.deepStrictEqual(api.sent[1].body.image, { id: file.id, caption: "Look" })
      api.faults.nextSends.push({ kind: "error", code: 131053, details: "The media id is not valid" })
      yield* Effect.flip(channel.send(picture))
      yield* channel.send(picture)
      assert.strictEqual(api.stats.uploads, 2)
    })
  )

  it.effect("reads and uploads a file once for messages that are sent at the same moment", () =>
    Effect.gen(function* () {
      const { api, reading, channel, message } = yield* office()
      reading.tookMs = 50
      const picture = (messageId: string) => message({ messageId, type: "image", content: { mediaId: "med_png" } })
      const ids = Array.from({ length: 30 }, (_, i) => `msg_${i}`)
      yield* Effect.forEach(ids, (id) => channel.send(picture(id)), { concurrency: "unbounded" })
      assert.deepStrictEqual([reading.times, api.stats.uploads, api.sent.length], [1, 1, 30])
    })
  )

  it.effect("lets a long upload go on without waiting for it: the message fails, and its next attempt succeeds", () =>
    Effect.gen(function* () {
      const { api, reading, channel, message, failure } = yield* office(300)
      reading.tookMs = 500
      const picture = message({ type: "image", content: { mediaId: "med_png" } })
      for (let i = 0; i < 2; i++) {
        const error = yield* failure(picture)
        assert.strictEqual(error._tag, "ChannelUnavailable")
        assert.match(error.reason, /still on its way/)
      }
      yield* Effect.sleep("500 millis")
      yield* channel.send(picture)
      assert.deepStrictEqual([reading.times, api.stats.uploads, api.sent.length], [1, 1, 1])
    })
  )

  it.effect("never holds more bytes of all files in memory than the largest file has", () =>
    Effect.gen(function* () {
      const { reading, channel, message } = yield* office()
      reading.tookMs = 100
      const documents = ["med_manual", "med_png", "med_prices"].map((mediaId) =>
        message({ type: "document", content: { mediaId } })
      )
      yield* Effect.forEach(documents, (document) => channel.send(document), { concurrency: "unbounded" })
      assert.isAtMost(reading.mostUnderWay, 100 * 1024 * 1024)
      assert.strictEqual(reading.times, 3)
    })
  )

  it.effect("converts a picture of a format the channel does not take into one that it takes", () =>
    Effect.gen(function* () {
      const { api, channel, message } = yield* office()
      yield* channel.send(message({ type: "image", content: { mediaId: "med_webp" } }))
      const [file] = [...api.media.files.values()]
      assert.match(file.mimeType, /^image\/(jpeg|png)$/)
      assert.deepStrictEqual(api.sent[0].body.image, { id: file.id })
    })
  )

  it.effect("refuses a file by itself when the channel would refuse it", () =>
    Effect.gen(function* () {
      const { api, failure, message } = yield* office()
      for (const [mediaId, reason] of [
        ["med_gone", /not there any more/],
        ["med_svg", /image\/svg/],
        ["med_big", /damaged|larger|too/]
      ] as const) {
        const error = yield* failure(message({ type: "image", content: { mediaId } }))
        assert.strictEqual(error._tag, "ChannelRefused")
        assert.match(error.reason, reason)
      }
      assert.deepStrictEqual([api.stats.uploads, api.sent.length], [0, 0])
    })
  )

  it.effect("says in a sentence why the channel refused a message, and whether a later attempt may succeed", () =>
    Effect.gen(function* () {
      const { api, failure } = yield* office()
      const expected: ReadonlyArray<readonly [number, "ChannelRefused" | "ChannelUnavailable", RegExp]> = [
        [131047, "ChannelRefused", /24 hours ago.*template/],
        [131026, "ChannelRefused", /cannot be delivered/],
        [190, "ChannelRefused", /connect the channel again/],
        [132001, "ChannelRefused", /no approved template/],
        [131053, "ChannelRefused", /did not take the file/],
        [131056, "ChannelUnavailable", /Too many messages/],
        [130429, "ChannelUnavailable", /fewer messages/],
        [131016, "ChannelUnavailable", /busy/],
        [999999, "ChannelRefused", /An unknown error has occurred/]
      ]
      for (const [code, tag, reason] of expected) {
        api.faults.nextSends.push({ kind: "error", code })
        const error = yield* failure()
        assert.strictEqual(error._tag, tag, String(code))
        assert.match(error.reason, reason)
        if (error._tag === "ChannelRefused") assert.strictEqual(error.code, String(code))
      }
      api.faults.nextSends.push({ kind: "error", code: 130429, retryAfter: 7 })
      assert.deepInclude(yield* failure(), { _tag: "ChannelUnavailable", retryAfterMs: 7_000 })
      assert.lengthOf(api.sent, 0)
    })
  )

  it.effect("tells a lost answer apart from a message that the channel did not take", () =>
    Effect.gen(function* () {
      const { api, failure } = yield* office(300)
      for (const fault of [
        { kind: "hang", accepted: true },
        { kind: "cut", accepted: true },
        { kind: "cut", accepted: false },
        { kind: "status", status: 502 },
        { kind: "status", status: 500 }
      ] as const) {
        api.faults.nextSends.push(fault)
        assert.strictEqual((yield* failure())._tag, "ChannelUnclear", JSON.stringify(fault))
      }
      assert.strictEqual(api.timesSent("msg_1"), 2)
      api.faults.nextSends.push({ kind: "status", status: 503, retryAfter: 3 })
      assert.deepInclude(yield* failure(), { _tag: "ChannelUnavailable", retryAfterMs: 3_000 })
      yield* Effect.promise(() => api.close())
      assert.strictEqual((yield* failure())._tag, "ChannelUnavailable")
    })
  )

  it.effect("sends nothing without a connection, and says in a sentence what to do", () =>
    Effect.gen(function* () {
      const { channel, message } = yield* office()
      const { id: other } = yield* newOrganization()
      const error = yield* Effect.flip(channel.send(message({ organizationId: other })))
      assert.deepInclude(error, { _tag: "ChannelRefused" })
      assert.match(error.reason, /OWNER or ADMIN/)
    })
  )

  it.effect("lists the templates of all pages", () =>
    Effect.gen(function* () {
      const { api, number, channel, organizationId } = yield* office()
      for (let i = 0; i < 230; i++) api.accounts.addTemplate(number.accountId, { name: `t${i}` })
      api.accounts.addTemplate(number.accountId, {
        name: "no",
        status: "REJECTED",
        rejected_reason: "TAG_CONTENT_MISMATCH"
      })
      const templates = yield* channel.templates(organizationId)
      assert.strictEqual(templates.length, 231)
      assert.strictEqual(new Set(templates.map(({ name }) => name)).size, 231)
      assert.deepInclude(templates.at(-1), {
        status: "REJECTED",
        rejectedReason: "TAG_CONTENT_MISMATCH",
        language: "en_US"
      })
    })
  )

  it.effect("fetches a file that a contact sent, and says when the channel no longer has it", () =>
    Effect.gen(function* () {
      const { api, number, media, organizationId } = yield* office()
      const { id } = api.media.add(number.phoneNumberId, "image/png", png, { days: 7 })
      const bytes = yield* Effect.scoped(
        Effect.flatMap(media.fetch(organizationId, id), (file) => Stream.runCollect(file.bytes))
      )
      assert.deepStrictEqual(Buffer.concat(bytes), png)
      api.clock.offsetMs = 8 * 86_400_000
      const error = yield* Effect.flip(Effect.scoped(media.fetch(organizationId, id)))
      assert.strictEqual(error._tag, "ChannelRefused")
    })
  )

  it.effect("says which of the credentials is wrong, and subscribes to the webhooks", () =>
    Effect.gen(function* () {
      const { api, setup, credentials } = yield* office()
      assert.deepStrictEqual(yield* setup.check(credentials), {
        phoneNumber: "+1 555-078-3881",
        businessName: "Maple Books"
      })
      for (const [wrong, named] of [
        [{ accessToken: "EAAnobody" }, /accessToken/],
        [{ appSecret: "another secret" }, /appSecret/],
        [{ phoneNumberId: "19999999" }, /phoneNumberId/],
        [{ businessAccountId: "19999999" }, /businessAccountId/]
      ] as const) {
        const error = yield* Effect.flip(setup.check({ ...credentials, ...wrong }))
        assert.strictEqual(error._tag, "CredentialsRefused")
        assert.match(error.message, named)
      }
      const sibling = api.accounts.addNumber({ accessToken: credentials.accessToken })
      const elsewhere = yield* Effect.flip(setup.check({ ...credentials, businessAccountId: sibling.accountId }))
      assert.match(elsewhere.message, /does not belong/)
      yield* setup.subscribe(credentials)
      assert.isTrue(api.accounts.subscribed.has(credentials.businessAccountId))
      yield* Effect.promise(() => api.close())
      assert.strictEqual((yield* Effect.flip(setup.check(credentials)))._tag, "ChannelUnreachable")
    })
  )
})

describe("the meaning of an answer", () => {
  it("is a sentence of its own for every known error code", () => {
    for (const code of knownCodes) assert.match(failureOf(code, "").reason, /^[A-Z].{20,}[.]$/, String(code))
    assert.strictEqual(failureOf(424242, "Bad moon").reason, "The channel refused the message: Bad moon.")
  })

  it("is unclear for an answer of unknown shape only when a message was being sent", () => {
    const answer = { status: 502, text: "<html></html>" }
    assert.strictEqual(errorOf(answer, true, 0)._tag, "ChannelUnclear")
    assert.strictEqual(errorOf(answer, false, 0)._tag, "ChannelUnavailable")
  })
})
