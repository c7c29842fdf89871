/** Contacts and resolved conversations in a simulated Zoho CRM that is as strict as the real one. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { authorize, redirectUri } from "../../support/authorize.ts"
import { crmStories } from "../../support/crmStories.ts"
import { comesAbout } from "../../support/eventually.ts"
import { startZoho, type WithZoho } from "../../support/zohoCrm.ts"

type Tenant = Awaited<ReturnType<WithZoho["tenant"]>>
type Told = WithZoho & ReturnType<typeof crmStories> & { readonly us: Tenant }

const story = (name: string, tell: (told: Told) => Promise<void>, settings?: object | "unconnected") =>
  it.live(name, () =>
    Effect.gen(function* () {
      const world = yield* startZoho
      const us = yield* Effect.promise(() => world.tenant())
      if (settings !== "unconnected") yield* Effect.promise(() => world.connectZoho(us, settings))
      yield* world.worker
      yield* Effect.promise(() => tell({ ...world, ...crmStories(world, "zoho_crm"), us }))
    }).pipe((told: Effect.Effect<void, unknown, Scope.Scope>) => Effect.scoped(Effect.orDie(told)))
  )

const contactsOf = ({ zoho }: Told) => zoho.records.all("Contacts").map(({ fields }) => fields)

describe("a contact in Zoho CRM", () => {
  story(
    "is found by its number in any notation or by its address, else created, and once only",
    async (told) => {
      const { us, create, idle, rename, zoho } = told
      const { records } = zoho
      records.add("Contacts", { Last_Name: "Old", Phone: "(415) 555-0101" })
      records.add("Contacts", { Last_Name: "Known", Email: "Asha@maplebooks.example" })
      // The same digits in another country.
      records.add("Contacts", { Last_Name: "Other", Phone: "+49 415 555 0102" })
      const first = await create(us, "+14155550101")
      await create(us, "+14155550102")
      await create(us, "+14155550103", "asha@maplebooks.example")
      await create(us, "+14155550104", undefined, "Madonna")
      await idle(us)
      await rename(us, first.id, "Asha R Lind")
      await idle(us)
      assert.sameDeepMembers(
        contactsOf(told).map(({ Mobile, First_Name, Last_Name, Parley_Tags }) => [
          Mobile,
          First_Name,
          Last_Name,
          Parley_Tags
        ]),
        [
          ["+14155550101", "Asha", "R Lind", "vip"],
          [undefined, undefined, "Other", undefined],
          ["+14155550102", "Asha", "Rao", "vip"],
          ["+14155550103", "Asha", "Rao", "vip"],
          ["+14155550104", null, "Madonna", "vip"]
        ]
      )
    },
    { mapping: { tags: "Parley_Tags", optedIn: "Opted_In" } }
  )

  story(
    "is found by our id, where the mapping has a field for it",
    async (told) => {
      const { us, create, idle, rename, rows, zoho } = told
      const { id } = await create(us, "+14155550111")
      await idle(us)
      await rows(us, "DELETE FROM app_links")
      const [record] = zoho.records.all("Contacts")
      record.fields.Mobile = "+14155559999"
      await rename(us, id, "Ben Ortiz")
      await idle(us)
      assert.lengthOf(contactsOf(told), 1)
      assert.strictEqual(record.fields.Last_Name, "Ortiz")
    },
    { mapping: { id: "Parley_Id" } }
  )

  story("whose address somebody has while the search lags is that one, changed", async (told) => {
    const { us, create, idle, rename, rows, zoho } = told
    zoho.records.lagMs = 60_000
    const { id } = await create(us, "+14155550121", "ben@maplebooks.example")
    await idle(us)
    await rows(us, "DELETE FROM app_links")
    await rename(us, id, "Ben Ortiz")
    await idle(us)
    assert.lengthOf(contactsOf(told), 1)
    assert.strictEqual(contactsOf(told)[0].Last_Name, "Ortiz")
  })

  story("that was deleted there is created again", async (told) => {
    const { us, create, idle, rename, zoho } = told
    const { id } = await create(us, "+14155550131")
    await idle(us)
    zoho.records.records.clear()
    await rename(us, id, "Asha Lind")
    await idle(us)
    assert.strictEqual(contactsOf(told)[0].Last_Name, "Lind")
  })
})

describe("a conversation in Zoho CRM", () => {
  story("is a note of the contact, and the same note when it is resolved again", async (told) => {
    const { us, create, idle, resolve, zoho } = told
    const { id } = await create(us, "+14155550141")
    const conversation = await resolve(us, id, "Is The Overstory in stock?")
    await idle(us)
    const notes = () => zoho.records.all("Notes").map(({ fields }) => fields)
    assert.lengthOf(notes(), 1)
    assert.include(String(notes()[0].Note_Content), "Contact: Is The Overstory in stock?")
    assert.include(String(notes()[0].Note_Content), `/go/${conversation}`)
    await resolve(us, id, "And on paper?", conversation)
    await comesAbout("it was noted again", () => String(notes()[0].Note_Content).includes("And on paper?"))
    await idle(us)
    assert.lengthOf(notes(), 1)
  })
})

describe("the connection to Zoho CRM", () => {
  story("is made in the data centre of the person, and goes on there when its access ends", async (told) => {
    const { us, create, idle, zoho, america, connection } = told
    zoho.tokens.expireAll()
    await create(us, "+14155550151")
    await idle(us)
    assert.strictEqual(zoho.tokens.refreshed, 1)
    assert.isEmpty(america.received)
    assert.deepInclude(await connection(us, "zoho_crm"), {
      ...{ state: "connected", account: { id: "5545974000000000001", name: "Maple Books" } },
      secrets: ["accountsServer", "apiDomain", "accessToken", "refreshToken", "expiresAt"]
    })
  })

  story(
    "is refused with a code of another data centre, and tells its secret to nobody but Zoho",
    async (told) => {
      const { us, zoho, america, receiver } = told
      const wrong = await authorize(told, us, "zoho_crm", () => ({ code: zoho.tokens.agree(redirectUri) }), "ann")
      assert.strictEqual(wrong.status, 400)
      assert.match(wrong.text, /Zoho does not take our authorization/)
      const lured = () => ({ code: "c", "accounts-server": receiver.url })
      const stranger = await authorize(told, us, "zoho_crm", lured, "ben")
      assert.strictEqual(stranger.status, 400)
      assert.include(stranger.text, "This is not an accounts server of Zoho.")
      assert.isEmpty(america.received)
      assert.isEmpty(receiver.received)
    },
    "unconnected"
  )

  story("waits when its tokens are refreshed too often, and loses nothing", async (told) => {
    const { us, create, zoho, connection } = told
    for (let n = 0; n < 10; n++) {
      const form = { client_id: "x", client_secret: "x", grant_type: "refresh_token", refresh_token: "none" }
      await fetch(`${zoho.url}/oauth/v2/token`, { method: "POST", body: new URLSearchParams(form) })
    }
    zoho.tokens.expireAll()
    await create(us, "+14155550161")
    await comesAbout("it waits", async () => (await connection(us, "zoho_crm")).waitsUntil !== null)
    assert.deepInclude(await connection(us, "zoho_crm"), { state: "connected", waiting: 1, problems: 0 })
    assert.isEmpty(contactsOf(told))
  })

  story(
    "waits while the credits of the day are used up, and goes on after a moment of too many requests",
    async (told) => {
      const { us, create, idle, zoho, connection, rows } = told
      zoho.limits.busy = 1
      await create(us, "+14155550171")
      await comesAbout("it waits", async () => (await connection(us, "zoho_crm")).waitsUntil !== null)
      await rows(us, "UPDATE app_connections SET resume_at = NULL")
      await idle(us)
      zoho.limits.credits = 0
      await create(us, "+14155550172")
      await comesAbout("it waits again", async () => (await connection(us, "zoho_crm")).waitsUntil !== null)
      const { waitsUntil } = await connection(us, "zoho_crm")
      assert.isAbove(Date.parse(String(waitsUntil)) - Date.now(), 10 * 60_000)
    }
  )

  story("needs a person when the authorization was revoked", async (told) => {
    const { us, create, zoho, connection } = told
    zoho.tokens.revokeAll()
    await create(us, "+14155550181")
    await comesAbout("it needs a person", async () => (await connection(us, "zoho_crm")).state === "reconnect")
  })

  story("ends at Zoho when it is removed", async ({ us, zoho, call }) => {
    assert.strictEqual((await call(us, "DELETE", "/zoho_crm")).status, 200)
    await comesAbout("it was revoked there", () => !zoho.tokens.isAlive())
  })
})
