/** The service of one process that takes the channel's webhooks and processes its inbox. `reached` runs at each step between two writes. */
import { createServer } from "node:http"
import { join } from "node:path"
import { Effect, Layer, Stream } from "effect"
import { readBody } from "../../simulators/support/Loopback.ts"
import * as InboxWorker from "../../src/actors/messaging/inbox/InboxWorker.ts"
import { ChannelInbox } from "../../src/domain/messaging/channel/ChannelInbox.ts"
import { ChannelMedia } from "../../src/domain/messaging/channel/ChannelMedia.ts"
import { makeTakeChannelWebhook } from "../../src/domain/messaging/channel/cloudapi/TakeChannelWebhook.ts"
import { InboxWakeUp } from "../../src/domain/messaging/channel/InboxWakeUp.ts"
import { Conversations } from "../../src/domain/messaging/conversations/Conversation.ts"
import { ConversationCommands } from "../../src/domain/messaging/conversations/ConversationCommand.ts"
import { MediaFiles } from "../../src/domain/messaging/media/Media.ts"
import { MediaConversion } from "../../src/domain/messaging/media/MediaConversion.ts"
import { Contacts } from "../../src/domain/people/contacts/Contact.ts"
import { MessagingConsents } from "../../src/domain/people/contacts/MessagingConsent.ts"
import * as CloudApiLayers from "../../src/integrations/channel/CloudApiLayers.ts"
import * as StoredMedia from "../../src/integrations/media/StoredMedia.ts"
import * as LocalObjectStorage from "../../src/integrations/storage/LocalObjectStorage.ts"
import { directCommands } from "./directCommands.ts"
import { type StoresEnvironment, storesOf } from "./stores.ts"
import { voiceNotesAt } from "./voiceNotes.ts"

/** The steps in the order of an inbox item. `fetched` and `filed` are steps of a file, `unwished` and `confirmed` of a STOP. */
export const steps = [
  "verified",
  "stored",
  "claimed",
  "identified",
  "threaded",
  "written",
  "unwished",
  "confirmed",
  "settled",
  "fetched",
  "filed"
] as const
export type Step = (typeof steps)[number]

export interface InboxEnvironment extends StoresEnvironment {
  readonly channelUrl: string
  readonly folder: string
  /** The port on which webhooks are taken. */
  readonly port: number
}

type Reached = (step: Step) => Effect.Effect<void>

/** The stores, which run `reached` before or after their writes. */
const watched = (reached: Reached) => {
  const behind =
    (step: Step) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.tap(effect, () => reached(step))
  return Layer.mergeAll(
    Layer.effect(
      ChannelInbox,
      Effect.map(ChannelInbox, (inbox) => ({
        ...inbox,
        store: (organizationId, items, now) =>
          reached("verified").pipe(
            Effect.andThen(inbox.store(organizationId, items, now)),
            Effect.tap(() => reached("stored"))
          ),
        claim: (now, leaseMs, most) =>
          Effect.tap(inbox.claim(now, leaseMs, most), (due) => (due.length > 0 ? reached("claimed") : Effect.void)),
        settle: (item, work, now) => behind("settled")(inbox.settle(item, work, now))
      }))
    ),
    Layer.effect(
      Contacts,
      Effect.map(Contacts, (contacts) => ({
        ...contacts,
        identify: (organizationId, channel, person) =>
          behind("identified")(contacts.identify(organizationId, channel, person))
      }))
    ),
    Layer.effect(
      Conversations,
      Effect.map(Conversations, (conversations) => ({
        ...conversations,
        answering: (organizationId, contactId, channel) =>
          behind("threaded")(conversations.answering(organizationId, contactId, channel))
      }))
    ),
    Layer.effect(
      MessagingConsents,
      Effect.map(MessagingConsents, (consents) => ({
        ...consents,
        record: (organizationId, contactId, entry) =>
          behind("unwished")(consents.record(organizationId, contactId, entry))
      }))
    ),
    Layer.effect(
      ConversationCommands,
      Effect.map(ConversationCommands, (commands) => ({
        ...commands,
        receive: (message, now) => behind("written")(commands.receive(message, now)),
        send: (message, now) => behind("confirmed")(commands.send(message, now))
      }))
    ).pipe(Layer.provide(directCommands))
  )
}

const watchedFiles = (reached: Reached) =>
  Layer.mergeAll(
    Layer.effect(
      ChannelMedia,
      Effect.map(ChannelMedia, (media) => ({
        fetch: (organizationId, id) => Effect.tap(media.fetch(organizationId, id), () => reached("fetched"))
      }))
    ),
    Layer.effect(
      MediaFiles,
      Effect.map(MediaFiles, (files) => ({
        ...files,
        store: (organizationId, file) => Effect.tap(files.store(organizationId, file), () => reached("filed"))
      }))
    )
  )

/** The address of the channel's webhook: `GET` answers the challenge, `POST` takes webhooks. */
const intake = (port: number) =>
  Effect.gen(function* () {
    const take = yield* makeTakeChannelWebhook
    const run = Effect.runPromiseWith(yield* Effect.context<never>())
    const server = createServer((request, response) => {
      const { searchParams } = new URL(request.url ?? "/", "http://localhost")
      if (request.method === "GET") return void response.end(searchParams.get("hub.challenge"))
      const answered = readBody(request).then(async (text) => {
        const signature = request.headers["x-hub-signature-256"]
        const body = Stream.make(Buffer.from(text))
        await run(take({ body, signature: typeof signature === "string" ? signature : undefined }))
        response.end("{}")
      })
      answered.catch(() => response.destroy())
    })
    yield* Effect.acquireRelease(
      Effect.promise(() => new Promise<void>((done) => server.listen(port, "127.0.0.1", done))),
      () =>
        Effect.promise(() => {
          server.closeAllConnections()
          return new Promise((done) => server.close(done))
        })
    )
  })

/** Lives as long as the scope. */
export const startInbox = (environment: InboxEnvironment, reached: Reached = () => Effect.void) => {
  const { channelUrl, folder, port } = environment
  const stores = storesOf(environment)
  const files = StoredMedia.layer({ folder: join(folder, "uploads") }).pipe(
    Layer.provide(LocalObjectStorage.layer({ folder: join(folder, "objects") }))
  )
  const channel = CloudApiLayers.layer({ baseUrl: channelUrl, version: "v23.0", timeoutMs: 5_000 }).pipe(
    Layer.provide(Layer.mock(MediaConversion, {}))
  )
  return Layer.build(
    Layer.mergeAll(InboxWorker.layer({ firstRetryMs: 100, leaseMs: 1_500 }), Layer.effectDiscard(intake(port))).pipe(
      Layer.provide(watchedFiles(reached)),
      Layer.provide(channel),
      Layer.provide(files),
      Layer.provide([InboxWakeUp.layer, voiceNotesAt(undefined)]),
      Layer.provide(watched(reached)),
      Layer.provide(stores)
    )
  )
}
