/**
 * Use case: take a webhook of the messaging channel. Its signature is checked with the secret of the connection whose number it names or, when it
 * names only a business account, with the secrets of the connections to that account. It is stored before it is answered.
 *
 * Anybody can send a webhook, so nothing is parsed before its signature is known to be good. Its first bytes are searched for whom it names, and the
 * signature is computed while the rest arrives. A webhook that names nobody here is not kept in memory meanwhile.
 *
 * A webhook for several organizations is stored for those that have room. If one has none, the whole webhook is refused after that, so that the
 * channel sends it again; for the others the repetition changes nothing.
 */
import { Clock, Effect, Schema, Stream } from "effect"
import { traced } from "../../../basics/Traced.ts"
import { ChannelAccounts, type WebhookReceiver } from "../ChannelConnection.ts"
import { ChannelInbox, type InboxFull } from "../ChannelInbox.ts"
import { InboxWakeUp } from "../InboxWakeUp.ts"
import { signedDigest, WebhookCheck } from "./Signature.ts"
import { parsedInSlices } from "./SlicedJson.ts"
import { headBytes, type Named, namedBy, namedIn, partsOf, readWebhook, type Told } from "./Webhook.ts"

/** 403: the webhook is not known to come from the channel, or names no connection here. */
export class ChannelWebhookRefused extends Schema.TaggedError<ChannelWebhookRefused>()("ChannelWebhookRefused", {}) {}

export interface SignedWebhook<E> {
  /** As it arrives. */
  readonly body: Stream.Stream<Uint8Array, E>
  /** The header `X-Hub-Signature-256`. */
  readonly signature: string | undefined
  /** Which numbers and accounts may be searched for; all by default. */
  readonly searches?: (id: string) => boolean
}

/** What was made of a webhook. */
export interface TakenWebhook {
  /** How many new items were stored. */
  readonly stored: number
  /** The numbers and business accounts of the connections that it was for. */
  readonly receivers: ReadonlyArray<string>
}

/** A webhook that names no connection is checked with this secret, so that the time of the answer does not tell which connections exist. */
const dummySecret = "00000000000000000000000000000000"

/** The most secrets that one webhook is checked with. One app signs a webhook, so several are rare. */
const mostSecrets = 10

/** The connections that one part of a webhook is for. */
const receiversOf = (told: Told, receivers: ReadonlyArray<WebhookReceiver>) =>
  receivers.filter(({ phoneNumberId, businessAccountId }) =>
    told.phoneNumberId === undefined
      ? businessAccountId === told.businessAccountId
      : phoneNumberId === told.phoneNumberId
  )

/** Whether all that the webhook names was already searched for. */
const wereSearched = (named: Named, searched: Named): boolean =>
  named.phoneNumberIds.every((id) => searched.phoneNumberIds.includes(id)) &&
  named.businessAccountIds.every((id) => searched.businessAccountIds.includes(id))

/**
 * Needs ChannelAccounts, ChannelInbox and InboxWakeUp once; the function it gives needs nothing. Fails with ChannelWebhookRefused, JsonInvalid or
 * InboxFull.
 */
export const makeTakeChannelWebhook = Effect.gen(function* () {
  const accounts = yield* ChannelAccounts
  const inbox = yield* ChannelInbox
  const wakeUp = yield* InboxWakeUp

  const found = ({ phoneNumberIds, businessAccountIds }: Named) =>
    phoneNumberIds.length + businessAccountIds.length === 0
      ? Effect.succeed([])
      : accounts.receivers({ phoneNumberIds, businessAccountIds })

  /** The bytes of a webhook with a good signature, its secret, and the connections that were found for the search of its first bytes. */
  const verified = Effect.fnUntraced(function* <E>({ body, signature, searches = () => true }: SignedWebhook<E>) {
    const digest = signedDigest(signature)
    if (digest === undefined) return yield* new ChannelWebhookRefused()
    let chunks: Array<Uint8Array> = []
    let size = 0
    let searched: Named = { phoneNumberIds: [], businessAccountIds: [] }
    let receivers: ReadonlyArray<WebhookReceiver> = []
    /** Set by `begin`. */
    let checks: ReadonlyArray<WebhookCheck> | undefined

    const begin = Effect.suspend(() => {
      const named = namedIn(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
      searched = {
        phoneNumberIds: named.phoneNumberIds.filter(searches),
        businessAccountIds: named.businessAccountIds.filter(searches)
      }
      return Effect.map(found(searched), (connections) => {
        receivers = connections
        const secrets = [...new Set(receivers.map(({ appSecret }) => appSecret))].slice(0, mostSecrets)
        checks = (secrets.length === 0 ? [dummySecret] : secrets).map((secret) => new WebhookCheck(secret))
        for (const check of checks) for (const chunk of chunks) check.update(chunk)
        if (receivers.length === 0) chunks = []
      })
    })
    const take = (arrived: ReadonlyArray<Uint8Array>) =>
      Effect.suspend(() => {
        for (const chunk of arrived) {
          size += chunk.byteLength
          if (checks === undefined || receivers.length > 0) chunks.push(chunk)
          for (const check of checks ?? []) check.update(chunk)
        }
        return checks === undefined && size >= headBytes ? begin : Effect.void
      })
    yield* Stream.runForEachArray(body, take)
    if (checks === undefined) yield* begin
    const good = checks?.filter((check) => check.fits(digest)).map(({ appSecret }) => appSecret) ?? []
    if (good.length === 0 || receivers.length === 0) return yield* new ChannelWebhookRefused()
    return { chunks, searched, receivers: receivers.filter(({ appSecret }) => good.includes(appSecret)), good }
  })

  return traced("TakeChannelWebhook")(function* <E>(webhook: SignedWebhook<E>) {
    const { chunks, searched, receivers: near, good } = yield* verified(webhook)
    const document = yield* parsedInSlices(chunks)
    const named = namedBy(document)
    if (named === undefined) return yield* new ChannelWebhookRefused()
    const all = wereSearched(named, searched) ? near : yield* found(named)
    const receivers = all.filter(
      ({ appSecret, phoneNumberId, businessAccountId }) =>
        good.includes(appSecret) &&
        (named.phoneNumberIds.includes(phoneNumberId) || named.businessAccountIds.includes(businessAccountId))
    )
    if (receivers.length === 0) return yield* new ChannelWebhookRefused()
    const now = yield* Clock.currentTimeMillis
    let stored = 0
    let full: InboxFull | undefined
    for (const part of partsOf(document)) {
      const told = readWebhook(part)
      for (const organizationId of new Set(receivers.map((receiver) => receiver.organizationId))) {
        const own = receivers.filter((receiver) => receiver.organizationId === organizationId)
        const items = told.filter((one) => receiversOf(one, own).length > 0).flatMap((one) => one.items)
        if (items.length === 0) continue
        stored += yield* Effect.catch(inbox.store(organizationId, items, now), (error) => {
          full = error
          return Effect.succeed(0)
        })
      }
    }
    if (stored > 0) yield* wakeUp.wake
    if (full !== undefined) return yield* full
    const taken: TakenWebhook = {
      stored,
      receivers: receivers.flatMap(({ phoneNumberId, businessAccountId }) => [phoneNumberId, businessAccountId])
    }
    return taken
  })
})
