/** A contact is erased while an inbox item about it is processed: nothing that comes afterwards is kept. Real stores and files. */
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { makeTakeFile } from "../../../../src/actors/messaging/inbox/TakeFile.ts"
import { makeTakeMessage } from "../../../../src/actors/messaging/inbox/TakeMessage.ts"
import { ObjectStorage } from "../../../../src/domain/basics/ObjectStorage.ts"
import { ChannelInbox, type NewInboxItem } from "../../../../src/domain/messaging/channel/ChannelInbox.ts"
import { ChannelMedia } from "../../../../src/domain/messaging/channel/ChannelMedia.ts"
import { ChannelMessages } from "../../../../src/domain/messaging/channel/ChannelMessages.ts"
import { ConversationCommands } from "../../../../src/domain/messaging/conversations/ConversationCommand.ts"
import { type Message, Messages } from "../../../../src/domain/messaging/conversations/Message.ts"
import { MediaFiles } from "../../../../src/domain/messaging/media/Media.ts"
import { ContactErasure } from "../../../../src/domain/privacy/ContactErasure.ts"
import { makeEraseContact } from "../../../../src/domain/privacy/EraseContact.ts"
import * as StoredMedia from "../../../../src/integrations/media/StoredMedia.ts"
import { directCommands } from "../../../support/directCommands.ts"
import { eventually } from "../../../support/eventually.ts"
import * as samples from "../../../support/mediaSamples.ts"
import { type Messaging, startMessaging } from "../../../support/messaging.ts"
import { rowsOf } from "../../../support/privacy.ts"
import { voiceNotesAt } from "../../../support/voiceNotes.ts"

const story = (name: string, tell: (messaging: Messaging) => Promise<void>) =>
  it.live(name, () => Effect.flatMap(startMessaging, (messaging) => Effect.promise(() => tell(messaging))))

const filesOf = ({ objects }: Messaging) =>
  Layer.mergeAll(
    StoredMedia.layer({ folder: join(tmpdir(), "parley-no-uploads") }),
    directCommands,
    voiceNotesAt(undefined)
  ).pipe(Layer.provideMerge(Layer.succeed(ObjectStorage, objects)))

/** Stores the item and claims it. It is the only one of its organization. */
const claimed = Effect.fnUntraced(function* (organizationId: string, item: NewInboxItem) {
  const inbox = yield* ChannelInbox
  const now = Date.now()
  yield* inbox.store(organizationId, [item], now)
  const all = { free: 1_000, perOrganization: 1_000, underWay: [] }
  const items = yield* inbox.claim(now, 180_000, { items: all, files: all })
  const mine = items.find((one) => one.organizationId === organizationId)
  return mine ?? (yield* Effect.die(new Error("the item was not given out")))
})

const somebodyWaits = Effect.map(
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  ),
  (waiting) => waiting.length > 0
)

describe("a contact that is erased while an item about it is processed", () => {
  story("leaves no file that was being fetched", async (messaging) => {
    const { run, organizationId, conversation } = messaging
    const { contactId, conversationId } = await conversation("+14155559876", "hi")
    const png = await samples.png(3)
    await run(
      Effect.gen(function* () {
        const image = { organizationId, conversationId, type: "image", content: {}, direction: "inbound" } as const
        const { id: messageId } = yield* (yield* Messages).add(image, Date.now())
        const erase = yield* makeEraseContact
        const file = { bytes: Stream.make(new Uint8Array(png)), mimeType: "image/png", sizeBytes: png.length }
        // The contact is erased while the file is being fetched.
        const channel = Layer.mock(ChannelMedia, {
          fetch: () => Effect.as(Effect.orDie(erase(organizationId, contactId)), file)
        })
        const { take } = yield* Effect.provide(makeTakeFile, channel)
        const payload = { messageId, channelMediaId: "77" }
        const item = { kind: "media", partition: messageId, deduplicationKey: `media:${messageId}`, payload } as const
        yield* take(yield* claimed(organizationId, item), Date.now())
      }).pipe(Effect.provide(filesOf(messaging)), Effect.orDie)
    )
    assert.deepStrictEqual(await rowsOf(messaging, "SELECT id, state FROM media"), [])
  })

  story("leaves no file that is attached at the same moment", async (messaging) => {
    const { run, organizationId, conversation } = messaging
    const { contactId, conversationId } = await conversation("+14155559876", "hi")
    const png = await samples.png(4)
    const attached = await run(
      Effect.gen(function* () {
        const image = { organizationId, conversationId, type: "image", content: {}, direction: "inbound" } as const
        const { id: messageId } = yield* (yield* Messages).add(image, Date.now())
        const [files, messages, inbox] = [yield* MediaFiles, yield* ChannelMessages, yield* ChannelInbox]
        const file = { bytes: Stream.make(new Uint8Array(png)), source: "channel" } as const
        const { id: mediaId } = yield* files.store(organizationId, file)
        const payload = { messageId, channelMediaId: "77" }
        const item = { kind: "media", partition: messageId, deduplicationKey: `media:${messageId}`, payload } as const
        const taken = yield* claimed(organizationId, item)
        const [here, goOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        // The attachment is written and not yet committed when the contact is erased.
        const attach = messages
          .attach(organizationId, messageId, mediaId, Date.now())
          .pipe(Effect.tap(Effect.andThen(Deferred.succeed(here, undefined), Deferred.await(goOn))))
        const settling = yield* Effect.forkChild(inbox.settle(taken, attach, Date.now()))
        yield* Deferred.await(here)
        const erase = yield* makeEraseContact
        const erasing = yield* Effect.forkChild(erase(organizationId, contactId))
        yield* eventually("erasing waits for it", somebodyWaits)
        yield* Deferred.succeed(goOn, undefined)
        yield* Fiber.join(erasing)
        return yield* Fiber.join(settling)
      }).pipe(Effect.provide(filesOf(messaging)), Effect.orDie)
    )
    assert.isTrue(attached)
    assert.deepStrictEqual(await rowsOf(messaging, "SELECT id, state FROM media"), [])
  })

  story("leaves no item for a file that is still to be fetched", async (messaging) => {
    const { run, organizationId } = messaging
    const received: Array<Message> = []
    await run(
      Effect.gen(function* () {
        const erasure = yield* ContactErasure
        const commands = yield* ConversationCommands
        // The contact is erased after the message is stored and before the item is acknowledged.
        const meanwhile = Layer.succeed(ConversationCommands, {
          ...commands,
          receive: (message, now) =>
            Effect.tap(commands.receive(message, now), (stored) => {
              received.push(stored)
              return Effect.orDie(erasure.erase(organizationId, stored.contactId))
            })
        })
        const take = yield* Effect.provide(makeTakeMessage, meanwhile)
        const from = { from: "14155559876", from_user_id: "US.1349120" }
        const message = { ...from, id: "wamid.1", timestamp: "1767225600", type: "image", image: { id: "77" } }
        const contact = { wa_id: from.from, user_id: from.from_user_id, profile: { name: "Asha Rao" } }
        const item = {
          kind: "message",
          partition: "x",
          deduplicationKey: "message:wamid.1",
          payload: { message, contact }
        } as const
        yield* take(yield* claimed(organizationId, item), Date.now())
      }).pipe(Effect.provide(directCommands), Effect.orDie)
    )
    assert.lengthOf(received, 1)
    assert.deepStrictEqual(await rowsOf(messaging, "SELECT kind, state FROM channel_inbox"), [])
  })
})
