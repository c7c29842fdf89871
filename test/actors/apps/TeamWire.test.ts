/** How a simulated Slack and this service speak: over sockets, with files in both directions, and while the database has no time. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { appToken } from "../../../simulators/team-chat/Slack.ts"
import { botUserId } from "../../../simulators/team-chat/SlackWorkspace.ts"
import { ConversationCommands } from "../../../src/domain/messaging/conversations/ConversationCommand.ts"
import { tenant as asTenant } from "../../../src/integrations/postgres/tenancy/Tenant.ts"
import * as SlackSocket from "../../../src/integrations/slack/SlackSocket.ts"
import { directCommands } from "../../support/directCommands.ts"
import { comesAbout } from "../../support/eventually.ts"
import { png } from "../../support/mediaSamples.ts"
import { playsInRealTime } from "../../support/Slowness.ts"
import { startTeamChat, type TeamChat } from "../../support/teamChat.ts"

playsInRealTime()

const furnished = async (chat: TeamChat) => {
  const us = await chat.tenant()
  await chat.connectSlack(us)
  const channel = chat.slack.workspace.channel("support")
  const mapped = await chat.map(us, [{ channel: channel.id, target: { type: "people" } }])
  assert.strictEqual(mapped.status, 200, JSON.stringify(mapped.body))
  return { us, channel, asha: chat.slack.workspace.person("Asha") }
}
const texts = (rows: ReadonlyArray<Record<string, unknown>>) =>
  rows.map(({ content }) => (content as { readonly text?: string }).text)

describe("Slack and this service", () => {
  it.live(
    "speak over a socket that Slack replaces: each message is there once, and what was not taken comes again",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const chat = yield* startTeamChat()
          const { us, channel, asha } = yield* Effect.promise(() => furnished(chat))
          yield* chat.over(SlackSocket.layer({ baseUrl: chat.slack.url, appToken: Redacted.make(appToken) }))
          yield* Effect.promise(async () => {
            const { delivery, workspace } = chat.slack
            // Nothing comes over HTTP any more.
            delivery.requestUrl = undefined
            const open = () => comesAbout("a socket is open", () => delivery.sockets.size === 1)
            await open()
            const root = workspace.say(asha.id, channel.id, "Over a socket")
            const [first] = delivery.waiting
            await delivery.flush()
            assert.isTrue(await delivery.once(first), "told twice, it is taken twice, and changes nothing")
            delivery.refresh()
            await open()
            workspace.say(asha.id, channel.id, "And over the next one", { threadTs: root.ts })
            await delivery.flush()
            for (const socket of delivery.sockets) socket.terminate()
            await comesAbout("the lost one is gone", () => delivery.sockets.size === 0)
            await open()
            workspace.say(asha.id, channel.id, "And after it broke", { threadTs: root.ts })
            await delivery.flush()
            await chat.heard(us)
            const said = ["Over a socket", "And over the next one", "And after it broke"]
            assert.deepStrictEqual(texts(await chat.messagesOf(us)), said)
          })
        })
      )
  )

  it.live("exchange files: those of people are fetched within bounds and stored, ours arrive byte by byte", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const chat = yield* startTeamChat()
        const { us, channel, asha } = yield* Effect.promise(() => furnished(chat))
        const bytes = new Uint8Array(yield* Effect.promise(() => png(7)))
        const { delivery, workspace } = chat.slack
        const big = { id: "F2", name: "film.mp4", mimetype: "video/mp4", bytes: new Uint8Array(17 * 1024 * 1024) }
        const picture = { id: "F1", name: "plan.png", mimetype: "image/png", bytes }
        const root = workspace.say(asha.id, channel.id, "Look", { files: [picture, big] })
        yield* Effect.promise(() => delivery.flush())
        yield* Effect.promise(() => chat.heard(us))
        const rows = yield* Effect.promise(() => chat.messagesOf(us))
        assert.deepStrictEqual(
          rows.map(({ type }) => type),
          ["text", "image"]
        )
        const { mediaId } = rows[1].content as { readonly mediaId: string }
        const stored = yield* Effect.promise(() => chat.bytesOf(us, mediaId))
        assert.deepStrictEqual(new Uint8Array(stored), bytes)

        const conversationId = String(rows[0].conversationId)
        yield* Effect.promise(() =>
          chat.run(
            Effect.gen(function* () {
              const { organizationId } = us
              const content = { mediaId, filename: "plan.png", caption: "Yours" }
              const message = { organizationId, conversationId, type: "image", content, sentBy: "usr_ann" } as const
              yield* (yield* ConversationCommands).send(message, Date.now())
            }).pipe(Effect.provide(directCommands), Effect.orDie)
          )
        )
        const ours = yield* Effect.promise(() =>
          comesAbout("the picture is in the thread", () =>
            workspace.messages.find(
              ({ user, threadTs, files }) => user === botUserId && threadTs === root.ts && files.length === 1
            )
          )
        )
        assert.strictEqual(ours.text, "Yours")
        assert.deepStrictEqual(new Uint8Array(ours.files[0].bytes), bytes)

        // A deleted message takes its files along.
        workspace.remove(root)
        yield* Effect.promise(() => delivery.flush())
        yield* Effect.promise(() => chat.heard(us))
        const after = yield* Effect.promise(() => chat.messagesOf(us))
        for (const { content } of after.slice(0, 2)) assert.deepInclude(content, { deleted: true })
      })
    )
  )

  it.live(
    "go on while the database has no time for what is read: Slack has its answers within a second, and nothing is lost",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const chat = yield* startTeamChat()
          const { us, channel, asha } = yield* Effect.promise(() => furnished(chat))
          const { delivery, workspace } = chat.slack
          const said = Array.from({ length: 8 }, (_, n) => `Question ${n}`)
          /** Whoever wants to store a message waits until all were told. */
          const held = Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            yield* asTenant(us.organizationId)(
              Effect.andThen(
                sql`LOCK TABLE conversations IN ACCESS EXCLUSIVE MODE`,
                Effect.promise(async () => {
                  delivery.answeredMs.length = 0
                  for (const text of said) workspace.say(asha.id, channel.id, text)
                  await delivery.flush()
                })
              )
            )
          })
          yield* Effect.promise(() => chat.run(Effect.orDie(held)))
          assert.lengthOf(delivery.answeredMs, said.length)
          // Slack waits for three seconds. A busy machine may take long for one of them.
          const inOrder = delivery.answeredMs.toSorted((a, b) => a - b)
          assert.isBelow(inOrder[said.length / 2], 1_000)
          assert.isBelow(inOrder[said.length - 1], 3_000)
          yield* Effect.promise(() => chat.heard(us))
          assert.sameMembers(texts(yield* Effect.promise(() => chat.messagesOf(us))), said)
        })
      )
  )
})
