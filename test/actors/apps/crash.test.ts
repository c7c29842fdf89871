/** The process that tells integrations what happens is killed between any two of its steps: HubSpot has each contact and each note once. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { start } from "../../../simulators/crm/HubSpot.ts"
import { AppConnections } from "../../../src/domain/apps/AppConnection.ts"
import { Conversations } from "../../../src/domain/messaging/conversations/Conversation.ts"
import { Contacts } from "../../../src/domain/people/contacts/Contact.ts"
import { type Step, startTelling, steps } from "../../support/appsService.ts"
import { eventually } from "../../support/eventually.ts"
import { killable, startWithin } from "../../support/killed.ts"
import { newStores, storesOf, variablesOf, variablesOfAll } from "../../support/stores.ts"
import { newOrganization } from "../../support/tenants.ts"

const token = "pat-na1-the-token-of-a-private-app"
const people = 6
const phones = Array.from({ length: people }, (_, n) => `+1415555020${n}`)

/** A connected organization, in which everything has happened before anybody tells it. */
const office = (step: Step) =>
  Effect.gen(function* () {
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
    const variables = { ...variablesOf(environment), HUBSPOT_URL: hubspot.url, FREEZE_AT: step }
    return { step, hubspot, environment, waiting, variables }
  })

const what: Readonly<Record<Step, string>> = {
  made: "tells each once when it is killed after it has taken the events",
  claimed: "tells each once when it is killed before it has asked HubSpot",
  told: "tells each once when it is killed with the answer of HubSpot not stored",
  settled: "tells each once when it is killed after it has stored an answer"
}

/** One process with an organization for each step. It is killed when each is at its step. */
const killed = Effect.gen(function* () {
  const offices = yield* Effect.forEach(steps, office, { concurrency: 2 })
  const child = yield* killable("appsProcess.ts", variablesOfAll(offices.map(({ variables }) => variables)))
  for (const { step } of offices)
    yield* eventually(`it is at ${step}`, async () => child.said(`frozen at ${step}.`) || undefined, startWithin)
  // Those that are told at the same time have their answers, too.
  yield* Effect.sleep("300 millis")
  yield* Effect.promise(child.kill)
  return new Map(offices.map((one) => [one.step, one]))
})

describe("the worker of integrations", () => {
  const scope = Scope.makeUnsafe()
  let left: Effect.Success<typeof killed>
  beforeAll(async () => {
    left = await Effect.runPromise(Scope.provide(killed, scope))
  }, 240_000)
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  for (const step of steps)
    it.live(
      what[step],
      () =>
        Effect.gen(function* () {
          const { hubspot, environment, waiting } = left.get(step) ?? assert.fail(step)
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
        }).pipe(Effect.scoped),
      120_000
    )
})
