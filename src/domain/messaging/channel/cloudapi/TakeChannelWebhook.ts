/**
 * Use case: a webhook of the messaging channel. It is verified over its bytes with the secret of the connection whose number it names (or,
 * when it names only a business account, of those connected to that), and stored before it is answered. Nothing unverified is stored, nor
 * read further than to whom it names: anybody can send one.
 */
import { Clock, Effect, Schema } from "effect"
import { traced } from "../../../basics/Traced.ts"
import { ChannelAccounts, type WebhookReceiver } from "../ChannelConnection.ts"
import { ChannelInbox } from "../ChannelInbox.ts"
import { InboxWakeUp } from "../InboxWakeUp.ts"
import { webhookSignatureIsValid } from "./Signature.ts"
import { type Named, namedBy, readWebhook, type Told } from "./Webhook.ts"

/** 403: it is not known to be the channel's, or is for nobody here. */
export class ChannelWebhookRefused extends Schema.TaggedError<ChannelWebhookRefused>()("ChannelWebhookRefused", {}) {}

/** Somebody nobody knows is checked like anybody else, so that the two cannot be told apart by time. */
const dummySecret = "00000000000000000000000000000000"

/** Whom one part of a webhook is for. */
const receiversOf = (told: Told, receivers: ReadonlyArray<WebhookReceiver>) =>
  receivers.filter(({ phoneNumberId, businessAccountId }) =>
    told.phoneNumberId === undefined
      ? businessAccountId === told.businessAccountId
      : phoneNumberId === told.phoneNumberId
  )

/** Needs ChannelAccounts, ChannelInbox and InboxWakeUp once; the function it gives needs nothing. `document` is what `body` says. */
export const makeTakeChannelWebhook = Effect.gen(function* () {
  const accounts = yield* ChannelAccounts
  const inbox = yield* ChannelInbox
  const wakeUp = yield* InboxWakeUp

  /** Those whose secret it was signed with: there is one signature, so there is one secret. */
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
    for (const organizationId of new Set(receivers.map((receiver) => receiver.organizationId))) {
      const own = receivers.filter((receiver) => receiver.organizationId === organizationId)
      const items = parts.filter((part) => receiversOf(part, own).length > 0).flatMap((part) => part.items)
      stored += yield* inbox.store(organizationId, items, now)
    }
    if (stored > 0) yield* wakeUp.wake
    return stored
  })
})
