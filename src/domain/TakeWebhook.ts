/**
 * Use case: a webhook of the messaging channel. It is verified over its bytes with the secret of the connection whose number it names (or,
 * when it names only a business account, of those connected to that), and stored before it is answered. Nothing unverified is stored.
 */
import { Clock, Effect, Schema } from "effect"
import { ChannelAccounts, type WebhookReceiver } from "./ChannelConnection.ts"
import { ChannelInbox } from "./ChannelInbox.ts"
import { webhookSignatureIsValid } from "./cloudapi/Signature.ts"
import { readWebhook, type Told } from "./cloudapi/Webhook.ts"
import { InboxBell } from "./InboxBell.ts"

/** 403: it is not known to be the channel's, or is for nobody here. */
export class WebhookRefused extends Schema.TaggedError<WebhookRefused>()("WebhookRefused", {}) {}

/** Somebody nobody knows is checked like anybody else, so that the two cannot be told apart by time. */
const dummySecret = "00000000000000000000000000000000"

const unique = (ids: ReadonlyArray<string | undefined>): ReadonlyArray<string> => [
  ...new Set(ids.filter((id): id is string => id !== undefined && id.length <= 64))
]

/** Whom one part of a webhook is for. */
const receiversOf = (told: Told, receivers: ReadonlyArray<WebhookReceiver>) =>
  receivers.filter(({ phoneNumberId, businessAccountId }) =>
    told.phoneNumberId === undefined
      ? businessAccountId === told.businessAccountId
      : phoneNumberId === told.phoneNumberId
  )

/** Needs ChannelAccounts, ChannelInbox and InboxBell once; the function it gives needs nothing. `document` is what `body` says. */
export const makeTakeWebhook = Effect.gen(function* () {
  const accounts = yield* ChannelAccounts
  const inbox = yield* ChannelInbox
  const bell = yield* InboxBell

  const verifiedReceivers = Effect.fnUntraced(function* (
    parts: ReadonlyArray<Told>,
    body: Uint8Array,
    signature: string | undefined
  ) {
    const receivers = yield* accounts.receivers({
      phoneNumberIds: unique(parts.map(({ phoneNumberId }) => phoneNumberId)),
      businessAccountIds: unique(
        parts
          .filter(({ phoneNumberId }) => phoneNumberId === undefined)
          .map(({ businessAccountId }) => businessAccountId)
      )
    })
    const secrets = new Set(receivers.map(({ appSecret }) => appSecret))
    const good = new Set([...secrets].filter((secret) => webhookSignatureIsValid(secret, signature, body)))
    if (secrets.size === 0) webhookSignatureIsValid(dummySecret, signature, body)
    return receivers.filter(({ appSecret }) => good.has(appSecret))
  })

  return Effect.fn("TakeWebhook")(function* (document: unknown, body: Uint8Array, signature: string | undefined) {
    const parts = readWebhook(document)
    const receivers = yield* verifiedReceivers(parts, body, signature)
    if (receivers.length === 0) return yield* new WebhookRefused()
    const now = yield* Clock.currentTimeMillis
    let stored = 0
    for (const organizationId of new Set(receivers.map((receiver) => receiver.organizationId))) {
      const own = receivers.filter((receiver) => receiver.organizationId === organizationId)
      const letters = parts.filter((part) => receiversOf(part, own).length > 0).flatMap((part) => part.letters)
      stored += yield* inbox.store(organizationId, letters, now)
    }
    if (stored > 0) yield* bell.ring
    return stored
  })
})
