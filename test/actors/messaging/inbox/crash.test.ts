/** The process that takes and processes the channel's webhooks is killed between any two of its steps: nothing is lost or done twice. */
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { start } from "../../../../simulators/channel/CloudApi.ts"
import { ChannelAccounts } from "../../../../src/domain/messaging/channel/ChannelConnection.ts"
import { makeSql } from "../../../../src/integrations/postgres/tenancy/Sql.ts"
import { freePort } from "../../../../src/integrations/web/FreePort.ts"
import { eventsOf } from "../../../support/conversations.ts"
import { eventually } from "../../../support/eventually.ts"
import { temporaryFolder } from "../../../support/folder.ts"
import { type Step, startInbox, steps } from "../../../support/inboxService.ts"
import { startWithin } from "../../../support/killed.ts"
import { killedAtSteps } from "../../../support/killedAtSteps.ts"
import { newStores, storesOf, variablesOf } from "../../../support/stores.ts"
import { newOrganization } from "../../../support/tenants.ts"
import { person } from "./stage.ts"

const verifyToken = "verify-me-1234"
const pdf = Buffer.from("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n")

const office = Effect.gen(function* () {
  // Repeats webhooks for minutes until they are taken.
  const api = yield* Effect.acquireRelease(
    Effect.promise(() => start({ webhookRetryMs: 1_000 })),
    (channel) => Effect.promise(() => channel.close())
  )
  const environment = {
    ...(yield* newStores),
    channelUrl: api.url,
    folder: yield* temporaryFolder("inbox"),
    port: yield* Effect.promise(freePort)
  }
  const number = api.accounts.addNumber()
  api.accounts.subscribed.add(number.accountId)
  const { id: organizationId } = yield* newOrganization().pipe(
    Effect.tap(({ id }) =>
      Effect.flatMap(ChannelAccounts, (accounts) => {
        const { phoneNumberId, accountId: businessAccountId, accessToken, appSecret } = number
        const credentials = { phoneNumberId, businessAccountId, accessToken, appSecret, verifyToken }
        return accounts.save(id, { ...credentials, phoneNumber: null, businessName: null })
      })
    ),
    Effect.provide(storesOf(environment))
  )
  const variables = {
    ...variablesOf(environment),
    CHANNEL_URL: environment.channelUrl,
    DATA_DIR: environment.folder,
    PORT: String(environment.port)
  }
  const subscribe = Effect.promise(() =>
    api.webhooks.configure(number.appSecret, { url: `http://127.0.0.1:${environment.port}/`, verifyToken })
  )
  /** Sends a greeting, a file and a STOP; gives the channel's ids of the three messages. */
  const write = () => {
    const { phoneNumberId } = number
    const [hello] = api.write(phoneNumberId, person, { type: "text", text: { body: "Hello" } })
    const { id: file } = api.writeFile(phoneNumberId, person, "document", { mimeType: "application/pdf", bytes: pdf })
    const [stop] = api.write(phoneNumberId, person, { type: "text", text: { body: "STOP" } })
    return [hello, file, stop]
  }
  return { api, environment, organizationId, variables, subscribe, write }
})

type Office = Effect.Success<typeof office>
type Left = Omit<Office, "subscribe" | "write"> & { readonly written: ReadonlyArray<string> }

interface MessageRow {
  readonly channelMessageId: string | null
  readonly direction: string
  readonly content: Readonly<Record<string, unknown>>
}

/** Asserts what must be stored at the end, wherever the process was killed. */
const whole = Effect.fnUntraced(function* (organizationId: string, written: ReadonlyArray<string>) {
  const { sql, asTenant } = yield* makeSql
  const rows = <Row extends object>(statement: string) => asTenant(organizationId)(sql.unsafe<Row>(statement))
  const counted = (statement: string) =>
    Effect.map(rows<{ count: number }>(`SELECT count(*)::int AS count FROM ${statement}`), ([{ count }]) => count)
  const messages = yield* rows<MessageRow>("SELECT channel_message_id, direction, content FROM messages")
  const inbound = messages.filter(({ direction }) => direction === "inbound")
  assert.sameMembers(
    inbound.map(({ channelMessageId }) => channelMessageId),
    [...written]
  )
  const file = inbound.find(({ channelMessageId }) => channelMessageId === written[1])
  assert.match(String(file?.content.mediaId), /^med_/)
  assert.strictEqual(yield* counted("media WHERE state = 'stored'"), 1)
  // The STOP is confirmed once.
  assert.lengthOf(messages, 4)
  assert.strictEqual(yield* counted("consents WHERE action = 'withdrawn'"), 1)
  assert.strictEqual(yield* counted("contacts"), 1)
  assert.deepStrictEqual(yield* rows("SELECT unread_count FROM conversations"), [{ unreadCount: 3 }])
  assert.strictEqual(yield* counted("channel_inbox WHERE state <> 'done'"), 0)
  const told = (yield* eventsOf(organizationId, "")).map(({ type }) => type)
  const times = (type: string) => told.filter((one) => one === type).length
  for (const [type, expected] of [
    ["contact.created", 1],
    ["conversation.created", 1],
    ["message.received", 3],
    ["message.updated", 1],
    ["contact.opted_out", 1],
    ["message.queued", 1]
  ] as const)
    assert.strictEqual(times(type), expected, type)
})

/** Waits until no item waits and none can follow: a file is an inbox item of its own, which the item of its message creates. */
const workedOn = Effect.fnUntraced(function* (organizationId: string) {
  const { sql, asTenant } = yield* makeSql
  const left = asTenant(organizationId)(sql`SELECT 1 FROM channel_inbox WHERE state = 'waiting'`)
  yield* eventually(
    "everything is worked on",
    Effect.map(left, (rows) => rows.length === 0),
    60
  )
})

const what: Readonly<Record<Step, string>> = {
  verified: "between verifying a webhook and storing it",
  stored: "when a webhook is stored and not answered",
  claimed: "between claiming an inbox item and reading it",
  identified: "between making the contact and the conversation",
  threaded: "between making the conversation and storing the message",
  written: "between storing a message and what it wishes",
  unwished: "between recording an opt-out and confirming it",
  confirmed: "between confirming an opt-out and acknowledging the item",
  settled: "when an inbox item is acknowledged",
  fetched: "between asking for a file and storing it",
  filed: "between storing a file and saying so in its message"
}

describe.concurrent("an inbox that is killed", () =>
  killedAtSteps<Step, Office, Left>(steps, {
    ...{ program: "inboxProcess.ts", what, make: () => office, variables: ({ variables }) => variables },
    begin: Effect.fnUntraced(function* ({ subscribe, write, ...rest }, child) {
      yield* eventually("the process runs", async () => child.said("running") || undefined, startWithin)
      yield* subscribe
      return { ...rest, written: write() }
    }),
    tell: Effect.fnUntraced(function* ({ api, environment, organizationId, written }) {
      yield* startInbox(environment)
      yield* Effect.promise(() => api.webhooks.settled())
      yield* Effect.andThen(workedOn(organizationId), whole(organizationId, written)).pipe(
        Effect.provide(storesOf(environment))
      )
    })
  }))
