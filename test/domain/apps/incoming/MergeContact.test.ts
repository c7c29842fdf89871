/** A contact and its counterpart elsewhere are merged field by field: the newer change wins, the other one is named, and nothing goes in circles. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type ContactFields, sharedFields } from "../../../../src/domain/apps/ContactFields.ts"
import { mergeContact } from "../../../../src/domain/apps/incoming/MergeContact.ts"

type Field = (typeof sharedFields)[number]

const text = fc.option(fc.constantFrom("", "Asha", "Ben", "Mia"), { nil: null })
const values = {
  phone: fc.option(fc.constantFrom("+14155550101", "+14155550102"), { nil: null }),
  name: text,
  email: fc.option(fc.constantFrom("", "a@maple.example", "b@maple.example"), { nil: null }),
  tags: fc.uniqueArray(fc.constantFrom("vip", "new", "late"))
} satisfies Record<Field, fc.Arbitrary<ContactFields[Field]>>
const contact: fc.Arbitrary<ContactFields> = fc.record(values)
const told = fc.record(values, { requiredKeys: [] })
const time = fc.integer({ min: 1, max: 5 })
const sides = fc.record({
  ours: contact,
  theirs: told,
  base: fc.option(told, { nil: null }),
  ourTime: time,
  theirTime: time
})

/** As `mergeContact` compares: absent and empty are the same, and the order of tags means nothing. */
const plain = (value: ContactFields[Field] | undefined): string =>
  Array.isArray(value) ? [...value].sort().join() : value == null ? "" : String(value)

const hasChanged = (base: Partial<ContactFields> | null, field: Field, now: ContactFields[Field] | undefined) =>
  base !== null && Object.hasOwn(base, field) ? plain(now) !== plain(base[field]) : plain(now) !== ""

describe("merging a contact with its counterpart", () => {
  it("takes what only they have changed, and keeps what only we have changed", () => {
    fc.assert(
      fc.property(sides, (given) => {
        const { changes, lost } = mergeContact(given)
        for (const field of sharedFields) {
          const { ours, theirs, base } = given
          if (!Object.hasOwn(theirs, field)) {
            assert.notProperty(changes, field)
            continue
          }
          const [weChanged, theyChanged] = [
            hasChanged(base, field, ours[field]),
            hasChanged(base, field, theirs[field])
          ]
          if (weChanged && theyChanged) continue
          const after = Object.hasOwn(changes, field) ? changes[field] : ours[field]
          assert.strictEqual(plain(after), plain(theyChanged ? theirs[field] : ours[field]))
          assert.isFalse(lost.some((one) => one.field === field))
        }
      })
    )
  })

  it("takes the newer of two changes, ours at the same time, and names whose was not taken", () => {
    fc.assert(
      fc.property(sides, (given) => {
        const { changes, lost } = mergeContact(given)
        for (const field of sharedFields) {
          const { ours, theirs, base, ourTime, theirTime } = given
          const isTold = Object.hasOwn(theirs, field)
          const differ = isTold && plain(ours[field]) !== plain(theirs[field])
          const both = differ && hasChanged(base, field, ours[field]) && hasChanged(base, field, theirs[field])
          assert.deepStrictEqual(
            lost.filter((one) => one.field === field),
            both ? [{ field, by: theirTime > ourTime ? "us" : "them" }] : []
          )
          if (both) assert.strictEqual(Object.hasOwn(changes, field), theirTime > ourTime)
        }
      })
    )
  })

  it("changes nothing when the same is told again, and names nobody again", () => {
    fc.assert(
      fc.property(sides, (given) => {
        const first = mergeContact(given)
        const ours = { ...given.ours, ...first.changes }
        const again = mergeContact({ ...given, ours, base: first.base })
        assert.deepStrictEqual(again, { changes: {}, base: first.base, lost: [] })
      })
    )
  })

  it("makes both sides the same after any changes of both, and then nobody is told anything any more", () => {
    const edit = fc.oneof(
      ...sharedFields.flatMap((field) =>
        (["us", "them"] as const).map((by) =>
          fc.record({ by: fc.constant(by), change: fc.record({ [field]: values[field] }) })
        )
      )
    )
    const step = fc.oneof(edit, fc.constant("meet" as const))
    fc.assert(
      fc.property(contact, fc.array(step, { maxLength: 20 }), (start, steps) => {
        let [ours, theirs, base]: [ContactFields, ContactFields, Partial<ContactFields>] = [start, start, start]
        let [now, ourTime, theirTime, writes] = [0, 0, 0, 0]
        /** They tell us, and what of ours differs then is sent there. */
        const meet = () => {
          const merged = mergeContact({ ours, theirs, base, ourTime, theirTime })
          if (Object.keys(merged.changes).length > 0) {
            ours = { ...ours, ...merged.changes }
            ourTime = ++now
            writes++
          }
          const differs = sharedFields.some((field) => plain(ours[field]) !== plain(merged.base[field]))
          if (differs) {
            theirs = ours
            theirTime = ++now
            writes++
          }
          base = { ...merged.base, ...theirs }
        }
        for (const one of steps) {
          if (one === "meet") meet()
          else if (one.by === "us") [ours, ourTime] = [{ ...ours, ...one.change }, ++now]
          else [theirs, theirTime] = [{ ...theirs, ...one.change }, ++now]
        }
        meet()
        for (const field of sharedFields) assert.strictEqual(plain(ours[field]), plain(theirs[field]))
        const before = writes
        meet()
        meet()
        assert.strictEqual(writes, before)
      })
    )
  })
})
