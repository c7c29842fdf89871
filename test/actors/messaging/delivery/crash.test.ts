/** The delivery is killed between any two of its steps: no message is lost, and the channel takes none twice. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { type CloudApi, start } from "../../../../simulators/channel/CloudApi.ts"
import { ChannelAccounts } from "../../../../src/domain/messaging/channel/ChannelConnection.ts"
import { Messages } from "../../../../src/domain/messaging/conversations/Message.ts"
import { delivered, newThread, queueText } from "../../../support/delivery.ts"
import type { Step } from "../../../support/deliveryProcess.ts"
import { eventually } from "../../../support/eventually.ts"
import { killable, startWithin } from "../../../support/killed.ts"
import { playsInRealTime } from "../../../support/Slowness.ts"
import { newStores, storesOf, variablesOf } from "../../../support/stores.ts"
import { newOrganization } from "../../../support/tenants.ts"

playsInRealTime()

const deliveryProcess = (env: Readonly<Record<string, string>>) => killable("deliveryProcess.ts", env)

const office = Effect.gen(function* () {
  const environment = yield* newStores
  const stores = yield* Layer.build(storesOf(environment))
  const api = yield* Effect.acquireRelease(
    Effect.promise(() => start()),
    (channel) => Effect.promise(() => channel.close())
  )
  const env = { ...variablesOf(environment), CHANNEL_URL: api.url }
  const { organizationId, ids } = yield* Effect.gen(function* () {
    const { id: organizationId } = yield* newOrganization()
    const { phoneNumberId, accountId: businessAccountId, accessToken, appSecret } = api.accounts.addNumber()
    const credentials = { phoneNumberId, businessAccountId, accessToken, appSecret, verifyToken: "verify-me" }
    yield* (yield* ChannelAccounts).save(organizationId, { ...credentials, phoneNumber: null, businessName: null })
    const thread = yield* newThread(organizationId)
    const ids: Array<string> = []
    for (const text of ["first", "second"]) ids.push((yield* queueText(organizationId, thread, text)).id)
    return { organizationId, ids }
  }).pipe(Effect.provide(stores))

  /** Stores what the channel's webhooks report of all messages that it has taken. */
  const told = Effect.gen(function* () {
    const messages = yield* Messages
    for (const { id: channelMessageId, callbackData } of api.sent)
      yield* messages.report(
        organizationId,
        { channelMessageId, ...(callbackData === undefined ? {} : { messageId: callbackData }) },
        { status: "delivered", at: new Date().toISOString() }
      )
  })
  /** A process that is not killed delivers every message once and in order. The channel reports the first when that one waits for a report. */
  const recovered = Effect.gen(function* () {
    const taken = api.sent.length
    // A channel that has the message reports it. Until then nothing is sent again, however slowly the process starts.
    const next = yield* deliveryProcess({ ...env, PATIENCE_MS: taken === 0 ? "1500" : "120000" })
    yield* eventually("the next process runs", async () => (next.said("running") ? true : undefined), startWithin)
    yield* Effect.sleep("2 seconds")
    if (taken > 0) yield* told
    yield* delivered(organizationId)
    yield* told
    const messages = yield* Messages
    for (const id of ids) {
      assert.strictEqual((yield* messages.find(organizationId, id))?.status, "delivered")
      assert.strictEqual(api.timesSent(id), 1, `${id} was sent ${api.timesSent(id)} times`)
    }
    assert.deepStrictEqual(
      api.sent.map(({ callbackData }) => callbackData),
      ids
    )
  })
  return { api, env, stores, recovered }
})

const died = (
  what: string,
  env: Readonly<Record<string, string>>,
  look: (api: CloudApi, frozen: boolean) => boolean,
  before?: (api: CloudApi) => void
) =>
  it.live(
    what,
    () =>
      Effect.gen(function* () {
        const { api, env: common, stores, recovered } = yield* office
        before?.(api)
        const child = yield* deliveryProcess({ ...common, ...env })
        yield* eventually(
          "the step is reached",
          async () => (look(api, child.said("frozen")) ? true : undefined),
          startWithin
        )
        yield* Effect.promise(child.kill)
        yield* Effect.provide(recovered, stores)
      }),
    240_000
  )

const frozenAt = (step: Step, what: string) => died(what, { FREEZE_AT: step }, (_, frozen) => frozen)

describe("a delivery that is killed", () => {
  frozenAt("claimed", "between claiming a message and noting that it is handed over")
  frozenAt("begun", "between the note and the request")
  died(
    "while the channel reads the request, which it never takes",
    {},
    (api) => api.faults.nextSends.length === 0,
    (api) => api.faults.nextSends.push({ kind: "hang", accepted: false })
  )
  died(
    "when the channel has taken the message and not answered",
    {},
    (api) => api.sent.length === 1,
    (api) => api.faults.nextSends.push({ kind: "hang", accepted: true })
  )
  frozenAt("answered", "between the channel's answer and storing it")
  frozenAt("stored", "after the answer was stored")
})
