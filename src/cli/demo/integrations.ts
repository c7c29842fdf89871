/**
 * `parley demo --integrations`: a caller phones an agent. When the call is over, the caller and a note of the call are in the (simulated) HubSpot and in a
 * database of the (simulated) Notion. Then a person corrects the name in Notion: it comes back, and goes on to HubSpot.
 */
import { randomUUID } from "node:crypto"
import { Console, Effect, Schema } from "effect"
import { type HubSpotSimulator, start as startHubSpot } from "../../../simulators/crm/HubSpot.ts"
import type { Script } from "../../../simulators/language-model/Script.ts"
import { type NotionSimulator, start as startNotion } from "../../../simulators/notes/Notion.ts"
import { personId } from "../../../simulators/notes/NotionRecords.ts"
import type { Settings } from "../../config/Environment.ts"
import { AppConnection } from "../../domain/apps/AppConnection.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { ApiKeys } from "../../domain/people/access/ApiKey.ts"
import { aboutCalls, converse, type DemoOptions, type Expectation, keepRunning, speaks } from "./converse.ts"
import { complaintsOf, unlessHeard } from "./report.ts"
import { setStage } from "./stage.ts"
import { type Access, ask, DemoFailed } from "./support/rest.ts"
import { until } from "./support/until.ts"

const lines = {
  atlas: "Do you have the atlas of rivers?",
  thanks: "Thank you, that is very helpful."
} as const

const caller = "+14155550142"
const callerName = "Asha Lind"
const answer = "Yes, two copies are on the shelf."

const script: Script = [
  { when: /atlas/i, reply: answer },
  { when: /thank you/i, reply: "You are welcome. Goodbye." }
]

const expected: Expectation = {
  complaints: (report) => complaintsOf(report, [unlessHeard(report, Object.values(lines))]),
  ending: "The call is over."
}

/** Others each time: organizations of earlier demos in the same data folder would go on telling what happened there. */
const hubSpotToken = `pat-na1-${randomUUID()}`
const notionSecret = `ntn_${randomUUID()}`

const scoped = <A extends { readonly close: () => Promise<unknown> }>(start: () => Promise<A>) =>
  Effect.acquireRelease(Effect.promise(start), ({ close }) => Effect.promise(close))

const Connected = Schema.Struct({ connection: AppConnection })

/** Connects a service as an administrator does. Gives the connection. */
const connect = Effect.fnUntraced(function* (access: Access, provider: string, given: object) {
  const answered = yield* ask(access, "PUT", `/api/integrations/${provider}`, given)
  return (yield* Effect.orDie(Schema.decodeUnknownEffect(Connected)(answered))).connection
})

/** Connects both. Notion's webhook is verified by the token that it sends and shows, as a person does it there. */
const connectBoth = Effect.fnUntraced(function* (access: Access, notion: NotionSimulator) {
  yield* connect(access, "hubspot", { credentials: { accessToken: hubSpotToken }, settings: {} })
  const { webhookUrl } = yield* connect(access, "notion", {
    credentials: { accessToken: notionSecret },
    settings: { database: notion.records.databaseId }
  })
  if (webhookUrl === null) return yield* new DemoFailed({ message: "The connection to Notion has no webhook address." })
  notion.webhook.url = webhookUrl
  yield* Effect.promise(notion.handshake)
  const { token } = yield* ask(access, "GET", "/api/integrations/notion/verification")
  if (token !== notion.webhook.token)
    return yield* new DemoFailed({ message: "The verification token of Notion is not shown." })
})

const textOf = (value: unknown) => JSON.stringify(value)

/** The caller at HubSpot, once there is a logged call with what was said. */
const atHubSpot = ({ records }: HubSpotSimulator) =>
  Effect.sync(() => {
    const [person] = [...records.contacts.values()].filter(({ properties }) => properties.phone === caller)
    const [call] = [...records.activities.values()].filter(({ contactId }) => contactId === person?.id)
    const body = call?.properties.hs_call_body ?? ""
    return call?.kind === "calls" && body.includes(answer) ? { person, call, body } : undefined
  })

/** The caller's page in Notion, once it has the note. */
const inNotion = ({ records }: NotionSimulator) =>
  Effect.sync(() => {
    const page = [...records.pages.values()].find(({ properties }) => properties.Phone === caller)
    const note = [...records.blocks.values()].find(({ parentId }) => parentId === page?.id)
    return page !== undefined && textOf(note?.content).includes(answer)
      ? { page, note: textOf(note?.content) }
      : undefined
  })

/** Nothing may be there twice, and nothing may have been given up. */
const unlessOnce = Effect.fnUntraced(function* (access: Access, hubspot: HubSpotSimulator, notion: NotionSimulator) {
  const { contacts, activities } = hubspot.records
  const { pages, blocks } = notion.records
  const counts = { contacts: contacts.size, calls: activities.size, pages: pages.size, notes: blocks.size }
  const many = Object.entries(counts).filter(([, count]) => count !== 1)
  if (many.length > 0)
    return yield* new DemoFailed({
      message: `There should be one of each: ${many.map(([what, count]) => `${count} ${what}`).join(", ")}.`
    })
  for (const provider of ["hubspot", "notion"]) {
    const { problems, arrivalProblems, state } = yield* Effect.flatMap(
      ask(access, "GET", `/api/integrations/${provider}`),
      (shown) => Effect.map(Effect.orDie(Schema.decodeUnknownEffect(Connected)(shown)), ({ connection }) => connection)
    )
    if (problems + arrivalProblems > 0 || state !== "connected")
      return yield* new DemoFailed({ message: `${provider} is ${state}, with ${problems + arrivalProblems} problems.` })
  }
})

export const integrations = traced("Demo.integrations")(function* (settings: Settings, options: DemoOptions) {
  const say = options.json ? () => Effect.void : Console.log
  yield* say("Starting PostgreSQL, the service, and the world around it with a HubSpot and a Notion …")
  const hubspot = yield* scoped(startHubSpot)
  const notion = yield* scoped(startNotion)
  hubspot.tokens.privateApps.add(hubSpotToken)
  notion.tokens.privateApps.add(notionSecret)
  const stage = yield* setStage(
    {
      ...settings,
      hubspot: { ...settings.hubspot, baseUrl: hubspot.url },
      notion: { ...settings.notion, baseUrl: notion.url }
    },
    lines,
    {},
    script
  )
  const { organizationId, agentId, calledNumber, key } = stage.tenant
  yield* Effect.gen(function* () {
    const { secret } = yield* (yield* ApiKeys).create({
      organizationId,
      name: "set-up",
      scopes: ["admin", "contacts:read"]
    })
    const access = { baseUrl: stage.baseUrl, key: secret }
    yield* connectBoth(access, notion)
    yield* say(`HubSpot and Notion are connected. Somebody phones ${calledNumber}.\n`)
    const call = stage.call(speaks(stage, ["atlas", "thanks"]), caller)
    yield* converse(stage, { ...options, keep: false }, call, expected)

    const { person, body } = yield* until("The call did not come to HubSpot", 30, atHubSpot(hubspot))
    yield* say(`\nIn HubSpot: contact ${person.id}, ${caller}, with a call:\n  ${body.replaceAll("<br>", "\n  ")}`)
    const { page } = yield* until("The call did not come to Notion", 30, inNotion(notion))
    yield* say(`\nIn Notion: page ${page.id}, with the same note.`)

    yield* say(`\nA person writes the caller's name into Notion: ${callerName}.`)
    // Edit times are rounded to minutes there, so an edit in the minute of our own would look as old as ours.
    notion.records.now = () => Date.now() + 60_000
    notion.events.splice(0)
    notion.records.change(page.id, { properties: { Name: { title: [{ text: { content: callerName } }] } } }, personId)
    yield* Effect.promise(notion.flush)
    const named = yield* until(
      "The name did not come back",
      30,
      Effect.map(ask(access, "GET", `/api/messaging-api/contacts?search=${encodeURIComponent(caller)}`), ({ data }) => {
        const [contact] = data as ReadonlyArray<{ readonly id: string; readonly name: string | null }>
        return contact?.name === callerName ? contact : undefined
      })
    )
    yield* say(`Here, contact ${named.id} is ${named.name}.`)
    const { properties } = yield* until(
      "The name did not go on to HubSpot",
      30,
      Effect.sync(() => {
        const record = hubspot.records.contacts.get(person.id)
        return record?.properties.lastname === "Lind" ? record : undefined
      })
    )
    yield* say(`In HubSpot, contact ${person.id} is ${properties.firstname} ${properties.lastname}.`)
    yield* unlessOnce(access, hubspot, notion)
    yield* say("\nEach is there once. All is well.")
    if (options.keep) yield* keepRunning({ baseUrl: stage.baseUrl, key }, aboutCalls(agentId))
  }).pipe(Effect.provide(stage.services))
})
