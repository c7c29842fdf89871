/** The process that tells integrations what happens is killed between any two of its steps: HubSpot has each contact and each note once. */
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { start } from "../../../simulators/crm/HubSpot.ts"
import { AppConnections } from "../../../src/domain/apps/AppConnection.ts"
import { Conversations } from "../../../src/domain/messaging/conversations/Conversation.ts"
import { Contacts } from "../../../src/domain/people/contacts/Contact.ts"
import { type Step, startTelling, steps } from "../../support/appsService.ts"
import { eventually } from "../../support/eventually.ts"
import { killedAtSteps } from "../../support/killedAtSteps.ts"
import { newStores, storesOf, variablesOf } from "../../support/stores.ts"
import { newOrganization } from "../../support/tenants.ts"

const token = "pat-na1-the-token-of-a-private-app"
const people = 6
const phones = Array.from({ length: people }, (_, n) => `+1415555020${n}`)

/** A connected organization, in which everything has happened before anybody tells it. */
const office = Effect.gen(function* () {
  const hubspot = yield* Effect.acquireRelease(
    Effect.promise(() => start()),
    ({ close }) => Effect.promise(close)
  )
  hubspot.tokens.privateApps.add(token)
  const environment = yield* newStores
  const happened = yield* Effect.gen(function* () {
    const { id: organizationId } = yield* newOrganization()
    const given = { credentials: { accessToken: token }, settings: {}, webhookToken: null }
    const connections = yield* AppConnections
    yield* connections.save(organizationId, "hubspot", { ...given, account: { id: "1", name: "1" } }, Date.now())
    const conversations = yield* Conversations
    for (const phone of phones) {
      const { id } = yield* (yield* Contacts).create(organizationId, { phone, name: "Guest" }, "key_test")
      const conversationId = yield* conversations.open(organizationId, id, "messaging")
      yield* conversations.change(organizationId, conversationId, { status: "RESOLVED" }, Date.now())
    }
    return { organizationId, waiting: connections.list(organizationId) }
  }).pipe(Effect.provide(storesOf(environment)))
  const { organizationId } = happened
  const waiting = Effect.flatMap(AppConnections, (connections) => connections.list(organizationId)).pipe(
    Effect.map((all) => all.get("hubspot") ?? assert.fail("it is connected")),
    Effect.provide(storesOf(environment)),
    Effect.scoped
  )
  const variables = { ...variablesOf(environment), HUBSPOT_URL: hubspot.url }
  return { hubspot, environment, waiting, variables }
})

type Office = Effect.Success<typeof office>

const what: Readonly<Record<Step, string>> = {
  made: "tells each once when it is killed after it has taken the events",
  claimed: "tells each once when it is killed before it has asked HubSpot",
  told: "tells each once when it is killed with the answer of HubSpot not stored",
  settled: "tells each once when it is killed after it has stored an answer"
}

describe("the worker of integrations", () =>
  killedAtSteps<Step, Office, Office>(steps, {
    ...{ program: "appsProcess.ts", what, make: () => office, variables: ({ variables }) => variables },
    begin: Effect.succeed,
    tell: Effect.fnUntraced(function* ({ hubspot, environment, waiting }, step) {
      const { contacts, activities } = hubspot.records
      // What is under way when the process dies is there, and not known to be there.
      if (step === "told") assert.isAtLeast(contacts.size, 1)
      if (step === "made" || step === "claimed") assert.strictEqual(contacts.size, 0)
      yield* startTelling(environment, hubspot.url)
      yield* eventually(
        "everything is told",
        Effect.map(waiting, (connection) => activities.size >= people && connection.waiting === 0),
        60
      )
      const told = [...contacts.values()].map(({ properties }) => properties.phone ?? "")
      assert.deepStrictEqual(told.toSorted(), phones)
      assert.deepStrictEqual(
        [...activities.values()].map(({ contactId }) => contactId).toSorted(),
        [...contacts.keys()].toSorted()
      )
      assert.deepInclude(yield* waiting, { problems: 0, state: "connected" })
    })
  }))
