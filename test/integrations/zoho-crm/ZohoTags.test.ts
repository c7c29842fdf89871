/** Tags of a contact here and in a simulated Zoho CRM: what is tagged on either side is tagged on both, and nothing goes in circles. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { Contacts } from "../../../src/domain/people/contacts/Contact.ts"
import { crmStories } from "../../support/crmStories.ts"
import { comesAbout } from "../../support/eventually.ts"
import { startZoho } from "../../support/zohoCrm.ts"

const world = Effect.gen(function* () {
  const zoho = yield* startZoho
  const us = yield* Effect.promise(() => zoho.tenant())
  yield* Effect.promise(() => zoho.connectZoho(us, { mapping: { tags: "Tag" } }))
  yield* zoho.worker
  const stories = crmStories(zoho, "zoho_crm")
  const ours = async () =>
    (await zoho.rows(us, "SELECT tags FROM contacts ORDER BY id")).map(({ tags }) =>
      [...(tags as Array<string>)].sort()
    )
  const theirs = () =>
    zoho.zoho.records
      .all("Contacts")
      .map(({ fields }) =>
        ((fields.Tag ?? []) as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name).sort()
      )
  const tag = (id: string, tags: ReadonlyArray<string>) =>
    zoho.run(Effect.flatMap(Contacts, (contacts) => contacts.update(us.organizationId, id, { tags }, "key")))
  const sync = async () => assert.strictEqual((await zoho.call(us, "POST", "/zoho_crm/sync")).status, 200)
  return { ...zoho, ...stories, us, ours, theirs, tag, sync }
})
type Told = Effect.Success<typeof world>

const story = (name: string, tell: (told: Told) => Promise<void>) =>
  it.live(name, () =>
    Effect.flatMap(world, (told) => Effect.promise(() => tell(told))).pipe(
      (told: Effect.Effect<void, unknown, Scope.Scope>) => Effect.scoped(Effect.orDie(told))
    )
  )

describe("the tags of a contact in Zoho CRM", () => {
  story("are those of ours, what people tag there comes back, and neither side loses the other's", async (told) => {
    const { us, create, idle, ours, theirs, tag, sync, zoho } = told
    const { id } = await create(us, "+14155550101")
    await idle(us)
    assert.deepEqual(theirs(), [["vip"]])
    const [record] = zoho.records.all("Contacts")
    zoho.records.tag("add_tags", record.id, { tags: [{ name: "golf" }] })
    await tag(id, ["vip", "late"])
    await idle(us)
    // We have added ours, and theirs is still there.
    assert.deepEqual(theirs(), [["golf", "late", "vip"]])
    await sync()
    await comesAbout("theirs came", async () => JSON.stringify(await ours()) === '[["golf","late","vip"]]')
    await idle(us)
    const asked = zoho.received.filter(({ path }) => path.includes("/actions/")).length
    zoho.records.tag("remove_tags", record.id, { tags: [{ name: "vip" }] })
    await sync()
    await comesAbout("it is gone here", async () => JSON.stringify(await ours()) === '[["golf","late"]]')
    await idle(us)
    await sync()
    await idle(us)
    assert.strictEqual(zoho.received.filter(({ path }) => path.includes("/actions/")).length, asked)
    await tag(id, [])
    await idle(us)
    assert.deepEqual(theirs(), [[]])
  })

  story("of people whom we do not know make no contacts", async ({ us, zoho, sync, ours, idle, rows }) => {
    const stranger = zoho.records.add("Contacts", { Last_Name: "Stranger", Mobile: "+14155550109" })
    zoho.records.tag("add_tags", stranger.id, { tags: [{ name: "golf" }] })
    await sync()
    await comesAbout("it was read", async () => {
      const [pull] = await rows(us, "SELECT state, records FROM app_pulls")
      return pull.state === "done" && pull.records === 1
    })
    await idle(us)
    assert.deepEqual(await ours(), [])
    assert.deepEqual(await rows(us, "SELECT 1 FROM app_log WHERE method = 'NOTE'"), [])
  })
})
