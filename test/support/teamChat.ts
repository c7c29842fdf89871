/** An organization whose workspace is a simulated Slack, over real stores: its events are taken, conversations have their owners, answers go out. */
import { assert } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { RateLimiter } from "effect/persistence"
import { type SlackSimulator, start } from "../../simulators/team-chat/Slack.ts"
import * as ChatPostWorker from "../../src/actors/apps/ChatPostWorker.ts"
import * as SyncWorker from "../../src/actors/apps/SyncWorker.ts"
import * as EventHub from "../../src/actors/events/EventHub.ts"
import * as DeliveryWorker from "../../src/actors/messaging/delivery/DeliveryWorker.ts"
import * as OpsAgent from "../../src/domain/apps/chat/OpsAgent.ts"
import * as ShowAtWork from "../../src/domain/apps/chat/ShowAtWork.ts"
import * as TeamChatChannel from "../../src/domain/apps/chat/TeamChatChannel.ts"
import type { MessagingChannel } from "../../src/domain/messaging/channel/MessagingChannel.ts"
import { MediaFiles } from "../../src/domain/messaging/media/Media.ts"
import type { DeliveryRules } from "../../src/domain/messaging/sending/DeliveryRules.ts"
import * as OutboxQueue from "../../src/integrations/postgres/messaging/conversations/OutboxQueue.ts"
import * as RateLimitMemory from "../../src/integrations/resilience/RateLimitMemory.ts"
import { absorbers } from "../../src/wiring/Apps.ts"
import * as OpsTools from "../../src/wiring/OpsTools.ts"
import { publicBaseUrl } from "../http/world.ts"
import { startAppsWith } from "./apps.ts"
import { personOf } from "./authorize.ts"
import { directCommands } from "./directCommands.ts"
import { comesAbout } from "./eventually.ts"
import { storedMedia } from "./mediaOverStores.ts"
import { testApps } from "./testApps.ts"
import { answering, type Models } from "./textAgents.ts"
import { noChannel } from "./unconnected.ts"

/** Lives as long as the scope. */
export const startSlack = Effect.acquireRelease(
  Effect.promise(() => start()),
  ({ close }) => Effect.promise(close)
)

const limits = () => RateLimiter.layer.pipe(Layer.provide(RateLimitMemory.layer))

export interface TeamChatOptions {
  /** With them text agents answer. */
  readonly models?: Models
  readonly rules?: Partial<DeliveryRules>
  /** Where the other conversations go. Default: nowhere. */
  readonly channel?: Layer.Layer<MessagingChannel>
}

export const startTeamChat = Effect.fnUntraced(function* ({
  models,
  rules = {},
  channel = noChannel
}: TeamChatOptions = {}) {
  const slack = yield* startSlack
  const apps = yield* startAppsWith({ slack: slack.url })
  const stores = Layer.succeedContext(apps.stores)
  const neighbours = Layer.mergeAll(testApps({ slack: slack.url }), limits(), EventHub.layer())
  const media = yield* Layer.build(storedMedia.pipe(Layer.provide(stores)))
  const files = Layer.succeedContext(media)
  const owners =
    models === undefined
      ? directCommands
      : answering(models).pipe(
          Layer.provide(ShowAtWork.layer.pipe(Layer.provide(neighbours))),
          Layer.provide(OpsAgent.layer.pipe(Layer.provide(OpsTools.layer)))
        )
  yield* Layer.build(
    Layer.mergeAll(
      SyncWorker.layer({ publicBaseUrl, lookEveryMs: 50, leaseMs: 5_000 }).pipe(
        Layer.provide(absorbers),
        Layer.provide(files)
      ),
      ChatPostWorker.layer({ publicBaseUrl, lookEveryMs: 50, leaseMs: 5_000 }).pipe(Layer.provide(files)),
      DeliveryWorker.layer({ firstRetryMs: 20, longestRetryMs: 200, ...rules }).pipe(
        Layer.provide(OutboxQueue.layer({ lookEvery: "50 millis", leaseMs: 5_000 })),
        Layer.provide(TeamChatChannel.layer.pipe(Layer.provide([channel, files])))
      )
    ).pipe(Layer.provide(owners), Layer.provide(neighbours), Layer.provide(stores))
  )
  slack.delivery.retryMs = [0, 200, 1_000]
  slack.delivery.requestUrl = `${apps.world.base}/api/integrations/slack/events`
  slack.delivery.interactionUrl = `${apps.world.base}/api/integrations/slack/interactions`

  type Tenant = Awaited<ReturnType<typeof apps.tenant>>
  let people = 0
  /** A person of the organization connects the workspace in the pop-up; gives the page that it ends with. */
  const connect = async (as: Tenant, simulator: SlackSimulator = slack) => {
    const person = await personOf(apps, as, `ann${people++}`)
    const asked = await person.browse("/slack/connect")
    assert.strictEqual(asked.status, 302, asked.text)
    const agreed = await fetch(asked.location, { redirect: "manual" })
    const back = new URL(agreed.headers.get("location") ?? "")
    assert.strictEqual(back.origin + back.pathname, `${publicBaseUrl}/api/integrations/slack/callback`)
    assert.isTrue(asked.location.startsWith(simulator.url))
    return person.browse(`/slack/callback${back.search}`)
  }
  const map = (
    as: Tenant,
    mappings: ReadonlyArray<{
      readonly channel: string
      readonly target: object
      readonly alerts?: ReadonlyArray<string>
      readonly dailySummaryAt?: string
    }>
  ) => apps.call(as, "PUT", "/slack/mappings", { mappings })

  /** All that Slack has told was read. */
  const heard = (as: Tenant) =>
    comesAbout("all was read", async () => {
      const [{ waiting }] = await apps.rows(
        as,
        "SELECT count(*)::int AS waiting FROM app_arrivals WHERE due_at IS NOT NULL"
      )
      return waiting === 0
    })
  const messagesOf = (as: Tenant) =>
    apps.rows(
      as,
      `SELECT m.conversation_id, m.direction, m.type, m.content, m.status, m.channel_message_id, m.failure_reason FROM messages m
        ORDER BY m.created_at, m.id`
    )
  const conversationsOf = (as: Tenant) =>
    apps.rows(
      as,
      `SELECT v.id, v.channel, v.status, v.assigned_bot_id, c.name, c.email, t.channel_id, t.thread_id FROM conversations v
        JOIN contacts c ON c.id = v.contact_id JOIN chat_threads t ON t.conversation_id = v.id ORDER BY v.created_at, v.id`
    )
  /** The content of a stored file. */
  const bytesOf = ({ organizationId }: Tenant, mediaId: string) =>
    Effect.runPromise(
      Effect.gen(function* () {
        return Buffer.concat(yield* Stream.runCollect((yield* MediaFiles).open(organizationId, mediaId)))
      }).pipe(Effect.provide(media))
    )
  /** Starts something beside it, for the life of the scope. */
  const over = <E>(layer: Layer.Layer<never, E, Layer.Success<typeof stores> | Layer.Success<typeof neighbours>>) =>
    Layer.build(layer.pipe(Layer.provide(neighbours), Layer.provide(stores)))
  return { ...apps, slack, connectSlack: connect, map, heard, messagesOf, conversationsOf, bytesOf, over }
})
export type TeamChat = Effect.Success<ReturnType<typeof startTeamChat>>
