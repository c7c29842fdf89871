/**
 * Use case: take a webhook of the messaging channel. Its signature is checked with the secret of the connection whose number it names or, when it
 * names only a business account, with the secrets of the connections to that account. It is stored before it is answered. Anybody can send a
 * webhook, so of an unverified one we read only whom it names, and store nothing.
 *
 * A webhook for several organizations is stored for those that have room. If one has none, the whole webhook is refused after that, so that the
 * channel sends it again; for the others the repetition changes nothing.
 */
import { Clock, Effect, Schema } from "effect"
import { traced } from "../../../basics/Traced.ts"
import { ChannelAccounts, type WebhookReceiver } from "../ChannelConnection.ts"
import { ChannelInbox, type InboxFull } from "../ChannelInbox.ts"
import { InboxWakeUp } from "../InboxWakeUp.ts"
import { webhookSignatureIsValid } from "./Signature.ts"
import { type Named, namedBy, readWebhook, type Told } from "./Webhook.ts"

/** 403: the webhook is not known to come from the channel, or names no connection here. */
export class ChannelWebhookRefused extends Schema.TaggedError<ChannelWebhookRefused>()("ChannelWebhookRefused", {}) {}

/** A webhook that names no connection is checked with this secret, so that the time of the answer does not tell which connections exist. */
const dummySecret = "00000000000000000000000000000000"

/** The connections that one part of a webhook is for. */
const receiversOf = (told: Told, receivers: ReadonlyArray<WebhookReceiver>) =>
  receivers.filter(({ phoneNumberId, businessAccountId }) =>
    told.phoneNumberId === undefined
      ? businessAccountId === told.businessAccountId
      : phoneNumberId === told.phoneNumberId
  )

/**
 * Needs ChannelAccounts, ChannelInbox and InboxWakeUp once; the function it gives needs nothing. It takes the parsed `document` and the bytes `body`
 * of the same webhook, and gives the number of stored items. Fails with ChannelWebhookRefused, or with InboxFull.
 */
export const makeTakeChannelWebhook = Effect.gen(function* () {
  const accounts = yield* ChannelAccounts
  const inbox = yield* ChannelInbox
  const wakeUp = yield* InboxWakeUp

  /** The named connections whose secret signed the webhook. One signature means one secret. */
  const verifiedReceivers = Effect.fnUntraced(function* (
    named: Named,
    body: Uint8Array,
    signature: string | undefined
  ) {
    const receivers = yield* accounts.receivers(named)
    const secrets = new Set(receivers.map(({ appSecret }) => appSecret))
    if (secrets.size === 0) secrets.add(dummySecret)
    const good = [...secrets].find((secret) => webhookSignatureIsValid(secret, signature, body))
    return receivers.filter(({ appSecret }) => appSecret === good)
  })

  return traced("TakeChannelWebhook")(function* (document: unknown, body: Uint8Array, signature: string | undefined) {
    const named = namedBy(document)
    if (named === undefined) return yield* new ChannelWebhookRefused()
    const receivers = yield* verifiedReceivers(named, body, signature)
    if (receivers.length === 0) return yield* new ChannelWebhookRefused()
    const parts = readWebhook(document)
    const now = yield* Clock.currentTimeMillis
    let stored = 0
    let full: InboxFull | undefined
    for (const organizationId of new Set(receivers.map((receiver) => receiver.organizationId))) {
      const own = receivers.filter((receiver) => receiver.organizationId === organizationId)
      const items = parts.filter((part) => receiversOf(part, own).length > 0).flatMap((part) => part.items)
      stored += yield* Effect.catch(inbox.store(organizationId, items, now), (error) => {
        full = error
        return Effect.succeed(0)
      })
    }
    if (stored > 0) yield* wakeUp.wake
    if (full !== undefined) return yield* full
    return stored
  })
})
