/** Contacts and resolved conversations in a simulated Salesforce that is as strict as the real one. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { personOf } from "../../support/authorize.ts"
import { crmStories } from "../../support/crmStories.ts"
import { comesAbout } from "../../support/eventually.ts"
import { startSalesforce, type WithSalesforce } from "../../support/salesforce.ts"

type Tenant = Awaited<ReturnType<WithSalesforce["tenant"]>>
type Told = WithSalesforce & ReturnType<typeof crmStories> & { readonly us: Tenant }

const story = (name: string, tell: (told: Told) => Promise<void>, settings?: object) =>
  it.live(name, () =>
    Effect.gen(function* () {
      const world = yield* startSalesforce
      const us = yield* Effect.promise(() => world.tenant())
      yield* Effect.promise(() => world.connectSalesforce(us, settings))
      yield* world.worker
      yield* Effect.promise(() => tell({ ...world, ...crmStories(world, "salesforce"), us }))
    }).pipe((told: Effect.Effect<void, unknown, Scope.Scope>) => Effect.scoped(Effect.orDie(told)))
  )

const contactsOf = ({ salesforce }: Told) => salesforce.records.all("Contact").map(({ fields }) => fields)

describe("a contact in Salesforce", () => {
  story(
    "is found by its number in any notation or by its address, else created, and once only",
    async (told) => {
      const { us, create, idle, rename, salesforce } = told
      const { records } = salesforce
      records.add("Contact", { LastName: "Old", Phone: "(415) 555-0101" })
      // A notation that no list has: only the search knows it.
      records.add("Contact", { LastName: "Odd", MobilePhone: "+1.415.555.01 02" })
      records.add("Contact", { LastName: "Known", Email: "Asha@maplebooks.example" })
      const first = await create(us, "+14155550101")
      await create(us, "+14155550102")
      await create(us, "+14155550103", "asha@maplebooks.example")
      await create(us, "+14155550104", undefined, "Madonna")
      await idle(us)
      assert.lengthOf(contactsOf(told), 4)
      await rename(us, first.id, "Asha R O'Lind")
      await idle(us)
      assert.sameDeepMembers(
        contactsOf(told).map(({ MobilePhone, FirstName, LastName, Tags__c }) => [
          MobilePhone,
          FirstName,
          LastName,
          Tags__c
        ]),
        [
          ["+14155550101", "Asha", "R O'Lind", "vip"],
          ["+14155550102", "Asha", "Rao", "vip"],
          ["+14155550103", "Asha", "Rao", "vip"],
          ["+14155550104", null, "Madonna", "vip"]
        ]
      )
    },
    { mapping: { tags: "Tags__c", optedIn: "Opted_In__c" } }
  )

  story(
    "is found by our id first, also when two records have it",
    async (told) => {
      const { us, create, idle, rename, rows, salesforce } = told
      const { id } = await create(us, "+14155550111")
      await idle(us)
      assert.strictEqual(contactsOf(told)[0].Parley_Id__c, id)
      // What we know of it is lost, as after a restore; its number is another one there, and somebody has copied the record.
      await rows(us, "DELETE FROM app_links")
      const [record] = salesforce.records.all("Contact")
      record.fields.MobilePhone = "+14155559999"
      salesforce.records.add("Contact", { LastName: "Copy", Parley_Id__c: id })
      await rename(us, id, "Ben Ortiz")
      await comesAbout("the name came", () => record.fields.LastName === "Ortiz")
      await idle(us)
      assert.lengthOf(contactsOf(told), 2)
    },
    { externalIdField: "Parley_Id__c" }
  )

  story("that a rule against duplicates finds is changed, not made again", async (told) => {
    const { us, create, idle, salesforce } = told
    const { records } = salesforce
    const known = records.add("Contact", { LastName: "Known", Email: "asha@maplebooks.example" })
    records.duplicateRule = "block"
    // Somebody has made the record just after our query.
    const query = records.query.bind(records)
    records.query = (soql) => (soql.includes("FROM Contact") ? { totalSize: 0, done: true, records: [] } : query(soql))
    await create(us, "+14155550121", "asha@maplebooks.example")
    await idle(us)
    assert.lengthOf(contactsOf(told), 1)
    assert.deepInclude(known.fields, { LastName: "Rao", MobilePhone: "+14155550121" })
  })

  story("is changed although a rule warns that another one has its address", async (told) => {
    const { us, create, idle, rename, salesforce } = told
    const { records } = salesforce
    const { id } = await create(us, "+14155550131", "asha@maplebooks.example")
    await idle(us)
    records.add("Contact", { LastName: "Twin", Email: "asha@maplebooks.example" })
    records.duplicateRule = "warn"
    await rename(us, id, "Asha Lind")
    await idle(us)
    assert.includeMembers(
      contactsOf(told).map(({ LastName }) => LastName),
      ["Lind", "Twin"]
    )
  })

  story("that is locked for a moment is changed later", async (told) => {
    const { us, create, idle, rename, rows, salesforce, connection } = told
    const { id } = await create(us, "+14155550141")
    await idle(us)
    salesforce.records.locked = 1
    await rename(us, id, "Asha Lind")
    await comesAbout("it was tried", async () => salesforce.records.locked === 0)
    await comesAbout("it is to be tried again", async () => {
      const [{ failures }] = await rows(us, "SELECT max(failures) AS failures FROM app_tasks")
      return failures === 1
    })
    assert.strictEqual((await connection(us, "salesforce")).state, "connected")
    await rows(us, "UPDATE app_tasks SET due_at = now() WHERE due_at IS NOT NULL")
    await idle(us)
    assert.strictEqual(contactsOf(told)[0].LastName, "Lind")
  })
})

describe("a conversation in Salesforce", () => {
  story("is a completed task of the contact, and the same task when it is resolved again", async (told) => {
    const { us, create, idle, resolve, salesforce } = told
    const { id } = await create(us, "+14155550151")
    const conversation = await resolve(us, id, "Is 'The Overstory' in stock?")
    const tasks = () => salesforce.records.all("Task")
    await comesAbout("it was noted", () => tasks().length === 1)
    await idle(us)
    const [{ fields }] = tasks()
    assert.deepInclude(fields, {
      Status: "Completed",
      TaskSubtype: "Task",
      WhoId: salesforce.records.all("Contact")[0].id
    })
    assert.include(String(fields.Description), "Contact: Is 'The Overstory' in stock?")
    assert.include(String(fields.Description), `/go/${conversation}`)
    await resolve(us, id, "And on paper?", conversation)
    await comesAbout("it was noted again", () => String(fields.Description).includes("And on paper?"))
    await idle(us)
    assert.lengthOf(tasks(), 1)
  })
})

describe("the connection to Salesforce", () => {
  story("goes on by itself when its access ends early", async (told) => {
    const { us, create, idle, salesforce, call, connection, rows } = told
    salesforce.tokens.expireAll()
    await create(us, "+14155550161")
    await idle(us)
    assert.strictEqual(salesforce.tokens.refreshed, 1)
    salesforce.tokens.expireAll()
    const { body } = await call(us, "POST", "/salesforce/test")
    assert.deepEqual(body, { ok: true, problem: null })
    salesforce.tokens.expireAll()
    const settings = { mapping: { tags: "Tags__c" } }
    assert.strictEqual((await call(us, "PUT", "/salesforce", { settings })).status, 200)
    assert.deepInclude(await connection(us, "salesforce"), { settings, state: "connected" })
    const [{ log }] = await rows(us, "SELECT count(*)::int AS log FROM app_log")
    assert.isAbove(Number(log), 0)
  })

  story("needs a person when the authorization was revoked, and nothing is lost", async (told) => {
    const { us, create, salesforce, connection } = told
    salesforce.tokens.revokeAll()
    await create(us, "+14155550171")
    await comesAbout("it needs a person", async () => (await connection(us, "salesforce")).state === "reconnect")
    const { waiting, problem } = await connection(us, "salesforce")
    assert.strictEqual(waiting, 1)
    assert.match(String(problem), /Salesforce does not take our authorization any more\. Connect Salesforce again/)
  })

  story("waits while the day's limit is used up, and spreads what is left of it", async (told) => {
    const { us, create, idle, salesforce, connection, rows } = told
    salesforce.limits.used = 14_000
    await create(us, "+14155550181")
    await idle(us)
    const { waitsUntil } = await connection(us, "salesforce")
    const pause = Date.parse(String(waitsUntil)) - Date.now()
    assert.isAbove(pause, 30_000)
    assert.isBelow(pause, 2 * 60_000)
    await rows(us, "UPDATE app_connections SET resume_at = NULL")
    salesforce.limits.used = 15_000
    await create(us, "+14155550182")
    await comesAbout("it waits", async () => (await connection(us, "salesforce")).waitsUntil !== null)
    const waiting = await connection(us, "salesforce")
    assert.deepInclude(waiting, { state: "connected", waiting: 1, problems: 0 })
    assert.isAbove(Date.parse(String(waiting.waitsUntil)) - Date.now(), 10 * 60_000)
  })

  story("sends again what Salesforce could not take for a moment", async (told) => {
    const { us, create, idle, salesforce, rows } = told
    salesforce.faults.failNext = 1
    await create(us, "+14155550191")
    await comesAbout("it failed once", async () => {
      const [row] = await rows(us, "SELECT failures FROM app_tasks")
      return row?.failures === 1
    })
    await rows(us, "UPDATE app_tasks SET due_at = now() WHERE due_at IS NOT NULL")
    await idle(us)
    assert.lengthOf(contactsOf(told), 1)
  })

  story(
    "is refused with the way out when the app is not installed, and ended there when it is removed",
    async (told) => {
      const { us, salesforce, call } = told
      const person = await personOf(told, us, "eve")
      const state = String((await person.begin("salesforce")).get("state"))
      const error_description = "The user is not allowed to approve uninstalled connected apps"
      const { status, text } = await person.comeBack({
        state,
        error: "OAUTH_APPROVAL_ERROR_GENERIC",
        error_description
      })
      assert.strictEqual(status, 400)
      assert.match(text, /An administrator has to install it/)
      const byHand = await call(us, "PUT", "/salesforce", { credentials: { accessToken: "00D" } })
      assert.strictEqual(byHand.status, 400)
      assert.strictEqual((await call(us, "DELETE", "/salesforce")).status, 200)
      await comesAbout("it was revoked there", () => !salesforce.tokens.isAlive())
    }
  )
})
