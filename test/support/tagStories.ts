/** Stories of tags in both directions: what is tagged on either side is tagged on both, and nothing goes in circles. */
import { assert, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { Contacts } from "../../src/domain/people/contacts/Contact.ts"
import type { Apps } from "./apps.ts"
import { crmStories } from "./crmStories.ts"
import { comesAbout } from "./eventually.ts"

type Tenant = Awaited<ReturnType<Apps["tenant"]>>

/** A CRM as a person uses it. */
export interface TaggedCrm {
  readonly provider: string
  readonly apps: Pick<Apps, "tenant" | "worker" | "rows" | "run" | "call" | "connection">
  /** Connects it with tags mapped. */
  readonly connect: (as: Tenant) => Promise<void>
  /** The sorted tags of each contact there. */
  readonly theirs: () => ReadonlyArray<ReadonlyArray<string>>
  /** Adds or removes a tag of the first contact there. */
  readonly tagThere: (what: "add" | "remove", tag: string) => void
  /** Makes a contact there that has this tag. */
  readonly stranger: (tag: string) => void
  /** How often we have written tags. */
  readonly writes: () => number
}

const worldOf = Effect.fnUntraced(function* <R>(crm: Effect.Effect<TaggedCrm, unknown, R>) {
  const { apps, connect, provider, ...there } = yield* crm
  const us = yield* Effect.promise(() => apps.tenant())
  yield* Effect.promise(() => connect(us))
  yield* apps.worker
  const ours = async () =>
    (await apps.rows(us, "SELECT tags FROM contacts ORDER BY id")).map(({ tags }) =>
      [...(tags as Array<string>)].sort()
    )
  const tag = (id: string, tags: ReadonlyArray<string>) =>
    apps.run(Effect.flatMap(Contacts, (contacts) => contacts.update(us.organizationId, id, { tags }, "key")))
  const sync = async () => assert.strictEqual((await apps.call(us, "POST", `/${provider}/sync`)).status, 200)
  return { ...apps, ...crmStories(apps, provider), ...there, us, ours, tag, sync }
})
type World = Effect.Success<ReturnType<typeof worldOf>>

/** Tells the stories of a CRM. */
export const tagStories = (crm: Effect.Effect<TaggedCrm, unknown, Scope.Scope>) => {
  const story = (name: string, tell: (world: World) => Promise<void>) =>
    it.live(name, () =>
      Effect.scoped(Effect.orDie(Effect.flatMap(worldOf(crm), (world) => Effect.promise(() => tell(world)))))
    )

  story("are those of ours, what people tag there comes back, and neither side loses the other's", async (world) => {
    const { us, create, idle, ours, theirs, tag, tagThere, sync, writes } = world
    const { id } = await create(us, "+14155550101")
    await idle(us)
    assert.deepEqual(theirs(), [["vip"]])
    tagThere("add", "golf")
    await tag(id, ["vip", "late"])
    await idle(us)
    // We have added ours, and theirs is still there.
    assert.deepEqual(theirs(), [["golf", "late", "vip"]])
    await sync()
    await comesAbout("theirs came", async () => JSON.stringify(await ours()) === '[["golf","late","vip"]]')
    await idle(us)
    const written = writes()
    tagThere("remove", "vip")
    await sync()
    await comesAbout("it is gone here", async () => JSON.stringify(await ours()) === '[["golf","late"]]')
    await idle(us)
    await sync()
    await idle(us)
    assert.strictEqual(writes(), written)
    await tag(id, [])
    await idle(us)
    assert.deepEqual(theirs(), [[]])
  })

  story("of people whom we do not know make no contacts", async ({ us, stranger, sync, ours, idle, rows }) => {
    stranger("golf")
    await sync()
    await comesAbout("it was read", async () => {
      const [pull] = await rows(us, "SELECT state, records FROM app_pulls")
      return pull.state === "done" && pull.records === 1
    })
    await idle(us)
    assert.deepEqual(await ours(), [])
    assert.deepEqual(await rows(us, "SELECT 1 FROM app_log WHERE method = 'NOTE'"), [])
  })
}
