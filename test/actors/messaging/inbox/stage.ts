/** A service that receives the webhooks of a simulated channel over HTTP and processes its inbox, on real stores. */
import { join } from "node:path"
import { Effect, Layer } from "effect"
import { type CloudApiOptions, start } from "../../../../simulators/channel/CloudApi.ts"
import * as InboxWorker from "../../../../src/actors/messaging/inbox/InboxWorker.ts"
import { InboxWakeUp } from "../../../../src/domain/messaging/channel/InboxWakeUp.ts"
import type { ConversationCommands } from "../../../../src/domain/messaging/conversations/ConversationCommand.ts"
import type { Message } from "../../../../src/domain/messaging/conversations/Message.ts"
import * as CloudApiLayers from "../../../../src/integrations/channel/CloudApiLayers.ts"
import * as ConvertedMedia from "../../../../src/integrations/media/ConvertedMedia.ts"
import * as StoredMedia from "../../../../src/integrations/media/StoredMedia.ts"
import * as LocalObjectStorage from "../../../../src/integrations/storage/LocalObjectStorage.ts"
import { directCommands } from "../../../support/directCommands.ts"
import { comesAbout } from "../../../support/eventually.ts"
import { temporaryFolder } from "../../../support/folder.ts"
import { startMessagingWith } from "../../../support/messaging.ts"
import type { testStores } from "../../../support/tenants.ts"
import { voiceNotesAt } from "../../../support/voiceNotes.ts"

export const person = { waId: "919812345678", userId: "IN.13491208655302741918", name: "Asha Rao" }

/** What the worker works with, beside the channel. */
export interface InboxCompany {
  /** The owners of conversations; without them messages are stored directly. */
  readonly commands?: Layer.Layer<ConversationCommands, never, Layer.Success<typeof testStores>>
  /** Speech-to-text; without it no voice message is transcribed. */
  readonly speechUrl?: string
}

/** Lives as long as the scope. */
export const inboxStage = Effect.fnUntraced(function* (
  options: CloudApiOptions = {},
  workers = 1,
  timeoutMs = 2_000,
  workerOptions: InboxWorker.InboxWorkerOptions = {},
  { commands = directCommands, speechUrl }: InboxCompany = {}
) {
  const api = yield* Effect.acquireRelease(
    Effect.promise(() => start({ webhookRetryMs: 20, ...options })),
    (simulator) => Effect.promise(() => simulator.close())
  )
  const folder = yield* temporaryFolder("inbox")
  const messaging = yield* startMessagingWith({ messagingUrl: api.url })
  const number = api.accounts.addNumber()
  const { secret: admin } = yield* Effect.promise(() =>
    messaging.run(messaging.keyOf(messaging.organizationId, ["admin", "status:read"]))
  )
  const webhook = `${messaging.base}/api/webhooks/messaging`
  const connect = async (given = number, key = admin) => {
    const { phoneNumberId, accountId: businessAccountId, accessToken, appSecret } = given
    const credentials = { phoneNumberId, businessAccountId, accessToken, appSecret, verifyToken: "verify-me-1234" }
    const answer = await messaging.raw("PUT", "/api/messaging-connection", credentials, key)
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    await api.webhooks.configure(appSecret, { url: webhook, verifyToken: "verify-me-1234" })
  }
  yield* Effect.promise(() => connect())
  const stores = Layer.succeedContext(messaging.stores)
  const media = StoredMedia.layer({ folder: join(folder, "uploads") }).pipe(
    Layer.provide([stores, LocalObjectStorage.layer({ folder: join(folder, "objects") })])
  )
  const channel = CloudApiLayers.layer({ baseUrl: api.url, version: "v23.0", timeoutMs }).pipe(
    Layer.provide(ConvertedMedia.layer),
    Layer.provide([stores, media])
  )
  const worker = () =>
    InboxWorker.layer({ firstRetryMs: 50, attempts: 4, atOnce: 3, ...workerOptions }).pipe(
      Layer.provide([commands, InboxWakeUp.layer, voiceNotesAt(speechUrl)]),
      Layer.provide([channel, media]),
      Layer.provide(stores)
    )
  /** Another process with the same database. */
  const startWorker = Effect.suspend(() => Layer.build(Layer.fresh(worker())))
  for (let i = 0; i < workers; i++) yield* startWorker

  const messages = async () =>
    ((await messaging.call("GET", "/messages?limit=100")).body.data as ReadonlyArray<Message>).toReversed()
  /** Waits until contacts have written at least this many messages; gives them, oldest first. */
  const received = (count: number) =>
    comesAbout(`${count} messages of contacts`, async () => {
      const inbound = (await messages()).filter(({ direction }) => direction === "inbound")
      return inbound.length >= count && inbound
    })
  return { ...messaging, api, number, admin, webhook, connect, messages, received, startWorker }
})
export type InboxStage = Effect.Success<ReturnType<typeof inboxStage>>
