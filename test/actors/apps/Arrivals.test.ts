/** What integrations tell, on real stores: each event once, whatever comes twice or in another order, and nothing lost while something does not work. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import {
  type EventedContact,
  type EventedWebhook,
  pageSize,
  signed,
  start
} from "../../../simulators/crm/EventedCrm.ts"
import { mostWaiting } from "../../../src/domain/apps/ArrivalQueue.ts"
import { startAppsWith } from "../../support/apps.ts"
import { eventedApp } from "../../support/eventedApp.ts"
import { eventually } from "../../support/eventually.ts"
import { playsInRealTime } from "../../support/Slowness.ts"

playsInRealTime()

const startCrm = Effect.fnUntraced(function* (options: Parameters<typeof eventedApp>[1] = {}) {
  const crm = yield* Effect.acquireRelease(
    Effect.promise(() => start()),
    ({ close }) => Effect.promise(close)
  )
  const apps = yield* startAppsWith({ crm: eventedApp(crm.url, options) })
  type Tenant = Awaited<ReturnType<typeof apps.tenant>>
  /** Connects the CRM; gives the path of its webhooks. */
  const connectCrm = async (as: Tenant) => {
    const { status, body } = await apps.call(as, "PUT", "/hubspot", {})
    assert.strictEqual(status, 200, JSON.stringify(body))
    return new URL(String((body.connection as Record<string, unknown>).webhookUrl)).pathname
  }
  const shown = (as: Tenant) => apps.connection(as, "hubspot")
  const send = async (path: string, { body, headers }: EventedWebhook) => {
    const response = await fetch(apps.world.base + path, { method: "POST", body, headers })
    return { status: response.status, body: await response.json() }
  }
  const contactsOf = (as: Tenant) => apps.rows(as, "SELECT id, phone, name, email FROM contacts ORDER BY phone")
  return { ...apps, crm, connectCrm, shown, send, contactsOf }
})
type Stage = Effect.Success<ReturnType<typeof startCrm>>

const story = <E>(
  name: string,
  tell: (stage: Stage) => Effect.Effect<void, E, Scope.Scope>,
  options: Parameters<typeof eventedApp>[1] = {}
) => it.live(name, () => Effect.scoped(Effect.flatMap(startCrm(options), tell)))

const person = (index: number, name: string, changedAt: number): EventedContact => ({
  ...{ id: `crm-${String(index).padStart(4, "0")}`, name, changedAt },
  phone: `+1 (415) 556-${String(index).padStart(4, "0")}`,
  email: null
})

/** The same shuffle each time. */
const shuffled = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> =>
  items
    .map((item, index) => ({ item, place: (index * 7_919 + 13) % 1_009 }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)

describe("what an integration tells by webhooks", () => {
  story("is refused with 429 while too much of the connection waits, and of no other connection", (stage) =>
    Effect.gen(function* () {
      const { tenant, connectCrm, send, rows, shown } = stage
      const [us, them] = yield* Effect.promise(() => Promise.all([tenant(), tenant()]))
      const [path, theirs] = yield* Effect.promise(() => Promise.all([connectCrm(us), connectCrm(them)]))
      const { id } = yield* Effect.promise(() => shown(us))
      yield* Effect.promise(() =>
        rows(
          us,
          `INSERT INTO app_arrivals (organization_id, id, connection_id, once, topic, lane, payload, status, due_at, created_at)
            SELECT '${us.organizationId}', 'arr_' || n, '${id}', 'evt-' || n, 'contact.changed', 'lane-' || n, '{}', 'pending', now(), now()
            FROM generate_series(1, ${mostWaiting.arrivals}) n RETURNING id`
        )
      )
      const told = () => stage.crm.tell("evt-new", person(1, "Asha", 1_000))
      assert.strictEqual((yield* Effect.promise(() => send(path, told()))).status, 429)
      assert.strictEqual((yield* Effect.promise(() => send(theirs, told()))).status, 200)
      yield* Effect.promise(() => rows(us, "DELETE FROM app_arrivals WHERE id = 'arr_1' RETURNING id"))
      assert.strictEqual((yield* Effect.promise(() => send(path, told()))).status, 200)
    })
  )

  story("is taken once and in the newest state, with doubled and shuffled events and two nodes at work", (stage) =>
    Effect.gen(function* () {
      const { tenant, connectCrm, crm, send, shown, contactsOf, worker } = stage
      const us = yield* Effect.promise(() => tenant())
      const path = yield* Effect.promise(() => connectCrm(us))
      yield* worker
      yield* worker
      const events = Array.from({ length: 20 }, (_, who) =>
        Array.from({ length: 5 }, (_, turn) =>
          crm.tell(`event-${who}-${turn}`, person(who, `Name ${turn}`, 1_790_000_000_000 + turn * 1_000))
        )
      ).flat()
      const answers = yield* Effect.promise(() =>
        Promise.all(shuffled([...events, ...events]).map((one) => send(path, one)))
      )
      assert.isTrue(answers.every(({ status }) => status === 200))
      yield* eventually("all were read", async () => (await shown(us)).arriving === 0)
      const found = yield* Effect.promise(() => contactsOf(us))
      assert.deepStrictEqual(
        found.map(({ phone, name }) => [phone, name]),
        Array.from({ length: 20 }, (_, who) => [`+1415556${String(who).padStart(4, "0")}`, "Name 4"])
      )
      const connection = yield* Effect.promise(() => shown(us))
      assert.deepInclude(connection, { arrivalProblems: 0, state: "connected" })
      assert.strictEqual((connection.webhooks as ReadonlyArray<Record<string, unknown>>)[0].topic, "contact.changed")
      const { body } = yield* Effect.promise(() => stage.call(us, "GET", "/hubspot/arrivals?limit=100"))
      assert.strictEqual((body.data as ReadonlyArray<unknown>).length, 100)
    })
  )

  story("is refused without its signature, at another address, and when it is too long", (stage) =>
    Effect.gen(function* () {
      const { tenant, connectCrm, crm, send, call } = stage
      const us = yield* Effect.promise(() => tenant())
      const path = yield* Effect.promise(() => connectCrm(us))
      const good = crm.tell("event", person(1, "Asha", 1))
      const status = (where: string, what: EventedWebhook) =>
        Effect.promise(async () => (await send(where, what)).status)
      assert.strictEqual(yield* status(path, good), 200)
      assert.strictEqual(yield* status(path, { ...good, body: `${good.body} ` }), 401)
      assert.strictEqual(yield* status(path, signed(good.body, Date.now(), "another secret")), 401)
      assert.strictEqual(yield* status(path, crm.tell("old", person(1, "Asha", 1), Date.now() - 600_000)), 401)
      assert.strictEqual(yield* status(path, signed('{"event":1}', Date.now())), 400)
      assert.strictEqual(yield* status(`${path.slice(0, -1)}_`, good), 404)
      assert.strictEqual(yield* status(path.replace("hubspot", "webhook"), good), 404)
      assert.strictEqual(yield* status(path.replace("hubspot", "nobody"), good), 404)
      const long = person(2, "x".repeat(1024 * 1024 - 300), 1)
      assert.strictEqual(yield* status(path, crm.tell("long", long)), 200)
      const longer = yield* Effect.promise(() =>
        send(path, crm.tell("longer", person(3, "x".repeat(1024 * 1024), 1))).then(
          (one) => one.status,
          () => 413
        )
      )
      assert.isAtLeast(longer, 400)
      const { body } = yield* Effect.promise(() => call(us, "GET", "/hubspot/arrivals"))
      assert.deepStrictEqual(
        (body.data as ReadonlyArray<Record<string, unknown>>).map(({ eventId }) => eventId).toSorted(),
        ["event", "long"]
      )
    })
  )

  story("is answered and dropped while the connection is switched off, and gone with it", (stage) =>
    Effect.gen(function* () {
      const { tenant, connectCrm, crm, send, call, shown } = stage
      const us = yield* Effect.promise(() => tenant())
      const path = yield* Effect.promise(() => connectCrm(us))
      yield* Effect.promise(() => call(us, "POST", "/hubspot/disable"))
      const event = crm.tell("event", person(1, "Asha", 1))
      assert.strictEqual((yield* Effect.promise(() => send(path, event))).status, 200)
      assert.deepInclude(yield* Effect.promise(() => shown(us)), { arriving: 0, webhooks: [] })
      yield* Effect.promise(() => call(us, "DELETE", "/hubspot"))
      assert.strictEqual((yield* Effect.promise(() => send(path, event))).status, 404)
    })
  )

  story(
    "waits while the provider is dead, delays nobody else, and is a problem when it refuses",
    (stage) =>
      Effect.gen(function* () {
        const { tenant, connectCrm, crm, send, shown, call, contactsOf, worker } = stage
        const us = yield* Effect.promise(() => tenant())
        const path = yield* Effect.promise(() => connectCrm(us))
        yield* worker
        crm.behave(403)
        const asha = person(1, "Asha", 1)
        crm.contacts.set(asha.id, asha)
        yield* Effect.promise(() => send(path, crm.tell("event", asha)))
        yield* eventually("it was given up", async () => (await shown(us)).arrivalProblems === 1)
        const { body } = yield* Effect.promise(() => call(us, "GET", "/hubspot/arrivals?problems=true"))
        const [problem] = body.data as ReadonlyArray<Record<string, unknown>>
        assert.deepInclude(problem, { eventId: "event", state: "problem", error: "The CRM answered 403." })
        crm.behave(200)
        const again = yield* Effect.promise(() => call(us, "POST", `/hubspot/arrivals/${problem.id}/replay`))
        assert.deepStrictEqual(again.body, { queued: 1 })
        yield* eventually("it was read", async () => (await contactsOf(us)).length === 1)
        const log = yield* Effect.promise(() => call(us, "GET", "/hubspot/log"))
        assert.notInclude(JSON.stringify(log.body), "Asha")
      }),
    { asks: true }
  )
})

describe("what is pulled from an integration", () => {
  story("comes by pages, goes on after a stop, and later is only what changed", (stage) =>
    Effect.gen(function* () {
      const { tenant, connectCrm, crm, shown, call, contactsOf, worker } = stage
      const us = yield* Effect.promise(() => tenant())
      yield* Effect.promise(() => connectCrm(us))
      for (let index = 0; index < 3 * pageSize - 1; index++) {
        const one = person(index, "Guest", 1_790_000_000_000)
        crm.contacts.set(one.id, one)
      }
      const pull = async () => ((await shown(us)).pulls as ReadonlyArray<Record<string, unknown>>)[0]
      const started = yield* Effect.promise(() => call(us, "POST", "/hubspot/backfill/start"))
      assert.strictEqual(started.status, 200)
      yield* Effect.promise(() => call(us, "POST", "/hubspot/backfill/stop"))
      assert.deepInclude(yield* Effect.promise(pull), { kind: "contact", state: "stopped", records: 0 })
      yield* worker
      yield* Effect.sleep("200 millis")
      assert.deepStrictEqual(yield* Effect.promise(() => contactsOf(us)), [])
      yield* Effect.promise(() => call(us, "POST", "/hubspot/backfill/start"))
      yield* eventually("all came", async () => (await pull()).state === "done")
      assert.deepInclude(yield* Effect.promise(pull), { records: 3 * pageSize - 1, problem: null })
      assert.strictEqual((yield* Effect.promise(() => contactsOf(us))).length, 3 * pageSize - 1)
      const renamed = person(7, "Asha", Date.now() + 1_000)
      crm.contacts.set(renamed.id, renamed)
      yield* Effect.promise(() => call(us, "POST", "/hubspot/sync"))
      yield* eventually("the change came", async () => {
        const { state, records } = await pull()
        return state === "done" && records === 1
      })
      const found = yield* Effect.promise(() => contactsOf(us))
      assert.deepStrictEqual(
        found.filter(({ name }) => name === "Asha").map(({ phone }) => phone),
        ["+14155560007"]
      )
      const target = yield* Effect.promise(() => call(us, "POST", "/webhook/sync"))
      assert.strictEqual(target.status, 404)
    })
  )

  story(
    "is asked for from time to time where the provider sends no webhooks",
    (stage) =>
      Effect.gen(function* () {
        const { tenant, connectCrm, crm, contactsOf, worker } = stage
        const us = yield* Effect.promise(() => tenant())
        const before = person(1, "From before", Date.now() - 60_000)
        crm.contacts.set(before.id, before)
        yield* Effect.promise(() => connectCrm(us))
        yield* worker
        const later = person(2, "Later", Date.now() + 500)
        crm.contacts.set(later.id, later)
        yield* eventually("the new one came", async () => (await contactsOf(us)).length > 0)
        assert.deepStrictEqual(
          (yield* Effect.promise(() => contactsOf(us))).map(({ name }) => name),
          ["Later"]
        )
      }),
    { everyMs: 300 }
  )
})
