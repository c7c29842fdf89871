/** Pictures of contacts are shown to a model that takes them, after the content filter has judged them; otherwise the model is told why not. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import sharp from "sharp"
import { ConversationCommands } from "../../../../src/domain/messaging/conversations/ConversationCommand.ts"
import { MediaFiles } from "../../../../src/domain/messaging/media/Media.ts"
import * as PictureViewsOfMedia from "../../../../src/integrations/media/PictureViewsOfMedia.ts"
import * as StoredMedia from "../../../../src/integrations/media/StoredMedia.ts"
import * as LocalObjectStorage from "../../../../src/integrations/storage/LocalObjectStorage.ts"
import { newConversation, shownConversation } from "../../../support/conversations.ts"
import { eventually } from "../../../support/eventually.ts"
import { temporaryFolder } from "../../../support/folder.ts"
import { connectChannel } from "../../../support/messaging.ts"
import { newOrganization, testStores } from "../../../support/tenants.ts"
import { answering, type ModelOptions, newTextAgent, startModels } from "../../../support/textAgents.ts"

const script: ModelOptions["script"] = [
  {
    when: /a (blue|green) picture/,
    compose: ({ messages }) => `I see ${/<(.*)>/.exec(String(messages.at(-1)?.content))?.[1]}.`
  },
  { when: /which you cannot see/, reply: "I cannot see it." }
]

const painted = (colour: string, width = 3_000, height = 2_000) =>
  Effect.promise(() =>
    sharp({ create: { width, height, channels: 3, background: colour } })
      .png()
      .toBuffer()
  )

/** A contact with an agent that sees pictures. */
const stage = (options: ModelOptions = {}) =>
  Effect.gen(function* () {
    const stores = Layer.succeedContext(yield* Effect.context<Layer.Success<typeof testStores>>())
    const models = yield* startModels({ script, ...options })
    const folder = yield* temporaryFolder("pictures")
    const files = yield* Layer.build(
      StoredMedia.layer({ folder: `${folder}/uploads` }).pipe(
        Layer.provideMerge(LocalObjectStorage.layer({ folder: `${folder}/objects` })),
        Layer.provide(stores)
      )
    )
    const media = Layer.succeedContext(files)
    const views = PictureViewsOfMedia.layer({ baseUrl: models.filterUrl, apiKey: "key" }).pipe(Layer.provide(media))
    const actors = yield* Layer.build(answering(models, undefined, views).pipe(Layer.provide(stores)))
    const commands = yield* Effect.provide(ConversationCommands, actors)
    const { id: organizationId } = yield* newOrganization({ plan: "PRO" })
    yield* connectChannel(organizationId)
    yield* newTextAgent(organizationId)
    const place = yield* newConversation(organizationId)
    let sent = 0
    const send = Effect.fnUntraced(function* (bytes: Uint8Array, more: Record<string, string> = {}) {
      const { id: mediaId } = yield* (yield* MediaFiles).store(organizationId, {
        bytes: Stream.make(bytes),
        source: "channel"
      })
      const { conversationId } = place
      const channelMessageId = `wamid.${conversationId}.${++sent}`
      const content = { mediaId, ...more }
      yield* commands.receive({ organizationId, conversationId, type: "image", content, channelMessageId }, Date.now())
      return mediaId
    }, Effect.provide(media))
    const said = Effect.map(shownConversation(place), ({ messages }) =>
      messages
        .filter(({ direction }) => direction === "outbound")
        .map(({ content }) => String(content.text))
        .toReversed()
    )
    const answers = (count: number) =>
      eventually(
        `${count} answers`,
        Effect.map(said, (all) => (all.length >= count ? all : undefined))
      )
    return { models, send, answers, place }
  })

layer(testStores, { excludeTestServices: true })("a picture", (it) => {
  it.effect("is shown to the model that takes pictures, small, beside its words", () =>
    Effect.gen(function* () {
      const { send, answers, models } = yield* stage()
      yield* send(yield* painted("#2846d2"), { caption: "Do you have this one?" })
      const [answer] = yield* answers(1)
      assert.match(answer, /I see a blue picture of 1024 x 683\.$/)
      const [request] = models.model.requests
      assert.strictEqual(request.model, "seeing-model")
      assert.match(String(request.messages.at(-1)?.content), /^\[Sent this picture\.\] Do you have this one\?\n<a blue/)
      assert.include(models.filter.texts, "a blue picture")
    }).pipe(Effect.scoped)
  )

  it.effect("that the filter flags is shown to no model, and a colleague goes on", () =>
    Effect.gen(function* () {
      const { send, answers, models, place } = yield* stage({ flagWords: ["red picture"] })
      yield* send(yield* painted("#dc2828"))
      yield* answers(1)
      assert.lengthOf(models.model.requests, 0)
      assert.deepInclude(yield* shownConversation(place), { status: "OPEN", assignee: null, flagged: true })
    }).pipe(Effect.scoped)
  )

  it.effect("is not shown where the filter judges no pictures, and the model is told so", () =>
    Effect.gen(function* () {
      const { send, answers, models } = yield* stage({ textsOnly: true })
      yield* send(yield* painted("#2846d2"))
      assert.match((yield* answers(1))[0], /I cannot see it/)
      const [request] = models.model.requests
      assert.strictEqual(request.model, "test-model")
      assert.match(
        String(request.messages.at(-1)?.content),
        /which you cannot see.*The content filter does not judge pictures/
      )
    }).pipe(Effect.scoped)
  )

  it.effect("that is damaged or not stored any more is named, and the four newest are shown", () =>
    Effect.gen(function* () {
      const { send, answers, models } = yield* stage()
      yield* send(Buffer.from("this is no picture"))
      assert.match((yield* answers(1))[0], /I cannot see it/)
      assert.match(String(models.model.requests[0].messages.at(-1)?.content), /damaged, or of a kind that is not known/)
      for (let at = 0; at < 5; at++) yield* send(yield* painted("#2846d2", 100 + at, 100))
      yield* eventually(
        "a request that has the fifth",
        Effect.sync(() => {
          const last = models.model.requests.at(-1)?.messages.map(({ content }) => String(content)) ?? []
          const shown = last.filter((text) => text.includes("<a blue picture"))
          return shown.length === 4 && shown.at(-1)?.includes("104 x 100") ? shown : undefined
        })
      )
    }).pipe(Effect.scoped)
  )
})
