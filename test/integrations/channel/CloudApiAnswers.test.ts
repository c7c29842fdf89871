/** What the adapters make of Cloud API answers that do not have the documented shape. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { listen, readBody, sendJson } from "../../../simulators/support/Loopback.ts"
import { ChannelAccounts, ChannelSetup } from "../../../src/domain/messaging/channel/ChannelConnection.ts"
import { ChannelMedia, UploadedMedia } from "../../../src/domain/messaging/channel/ChannelMedia.ts"
import { MessagingChannel } from "../../../src/domain/messaging/channel/MessagingChannel.ts"
import { MediaFiles } from "../../../src/domain/messaging/media/Media.ts"
import { MediaConversion } from "../../../src/domain/messaging/media/MediaConversion.ts"
import { errorOf } from "../../../src/integrations/channel/CloudApiClient.ts"
import * as CloudApiLayers from "../../../src/integrations/channel/CloudApiLayers.ts"

const credentials = {
  ...{ phoneNumberId: "1", businessAccountId: "2", accessToken: "EAA", appSecret: "secret", verifyToken: "verify-me" }
}
const at = "2026-01-01T00:00:00.000Z"
const connection = {
  ...{ id: "con_1", organizationId: "org_1", createdAt: at, updatedAt: at },
  ...credentials,
  ...{ phoneNumber: null, businessName: null, problem: null, problemAt: null }
}

const others = Layer.mergeAll(
  Layer.mock(ChannelAccounts, { find: () => Effect.succeed(connection) }),
  Layer.mock(UploadedMedia, {}),
  Layer.mock(MediaFiles, {}),
  Layer.mock(MediaConversion, {})
)

/** The adapters, connected to a channel that answers every request with the document. */
const answering = Effect.fnUntraced(function* (document: unknown) {
  const server = yield* Effect.acquireRelease(
    Effect.promise(() =>
      listen(async (request, response) => {
        await readBody(request)
        sendJson(response, 200, document)
      })
    ),
    ({ close }) => Effect.promise(close)
  )
  const services = yield* Layer.build(
    CloudApiLayers.layer({ baseUrl: server.url, version: "v23.0" }).pipe(Layer.provide(others))
  )
  const channel = yield* MessagingChannel.pipe(Effect.provide(services))
  const media = yield* ChannelMedia.pipe(Effect.provide(services))
  const setup = yield* ChannelSetup.pipe(Effect.provide(services))
  const sent = channel.send({
    ...{ organizationId: "org_1", messageId: "msg_1", to: { phone: "+919812345678" }, type: "text" },
    content: { text: "Hello" }
  })
  return { sent, templates: channel.templates("org_1"), fetched: media.fetch("org_1", "9"), setup }
})

const template = { id: "1", name: "hello", language: "en_US", status: "APPROVED", category: "UTILITY" }

describe("an answer of the Cloud API", () => {
  it.live("that does not name the message leaves open whether it was sent", () =>
    Effect.gen(function* () {
      for (const document of [{}, [], { messages: [] }, { messages: [{ id: "" }] }, { messages: [{ id: 7 }] }]) {
        const { sent } = yield* answering(document)
        assert.deepInclude(
          yield* Effect.flip(sent),
          { _tag: "ChannelUnclear", reason: "The channel's answer does not name the message." },
          JSON.stringify(document)
        )
      }
      const { sent } = yield* answering({ messages: [{ id: "wamid.1", message_status: "accepted" }] })
      assert.deepStrictEqual(yield* sent, { channelMessageId: "wamid.1" })
    })
  )

  it.live("may list a template without components and reason; a list of another shape counts as unavailable", () =>
    Effect.gen(function* () {
      const { templates } = yield* answering({ data: [{ ...template, rejected_reason: "NONE", extra: true }] })
      const { id, ...rest } = template
      assert.deepStrictEqual(yield* templates, [
        { channelTemplateId: id, ...rest, components: [], rejectedReason: null }
      ])
      for (const document of [{}, { data: [{ ...template, name: null }] }, { data: [template], paging: { next: 1 } }]) {
        const wrong = yield* answering(document)
        assert.deepInclude(
          yield* Effect.flip(wrong.templates),
          { _tag: "ChannelUnavailable", reason: "The channel's answer is not the document it should be." },
          JSON.stringify(document)
        )
      }
    })
  )

  it.live("that gives no valid address for a file counts as unavailable", () =>
    Effect.gen(function* () {
      for (const url of [7, "", "not an address", undefined]) {
        const { fetched } = yield* answering({ url, mime_type: "image/png", file_size: "12" })
        assert.strictEqual((yield* Effect.flip(Effect.scoped(fetched)))._tag, "ChannelUnavailable", String(url))
      }
    })
  )

  it.live("of another shape does not confirm credentials", () =>
    Effect.gen(function* () {
      const { setup } = yield* answering({ id: 7 })
      assert.deepInclude(yield* Effect.flip(setup.check(credentials)), {
        _tag: "ChannelUnreachable",
        message: "The channel's answer is not the document it should be."
      })
    })
  )

  it("may hold an error without a message and with null for details", () => {
    const error = (body: unknown) => errorOf({ status: 400, text: JSON.stringify({ error: body }) }, true, 0)
    assert.deepInclude(error({ code: 424242, error_data: null }), { _tag: "ChannelRefused", code: "424242" })
    assert.match(error({ code: 424242, message: "(#424242) Bad moon" }).reason, /: Bad moon\.$/)
    assert.match(error({ code: 424242, message: "m", error_data: { details: "Worse moon" } }).reason, /: Worse moon\.$/)
    assert.deepInclude(error({ code: "424242" }), { code: "400", reason: "The channel answered with status 400." })
  })
})
