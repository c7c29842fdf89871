import { assert, describe, it } from "@effect/vitest"
import { mergedFields } from "../../../../src/domain/people/contacts/MergeContacts.ts"

const asha = {
  phone: "+14155550123" as string | null,
  name: "Asha Rao" as string | null,
  email: null as string | null,
  tags: ["vip", "poetry"],
  optedIn: true
}
const other = {
  phone: "+919812345678",
  name: "A. Rao",
  email: "asha@example.com",
  tags: ["poetry", "books"],
  optedIn: false
}

describe("the fields of two contacts that become one", () => {
  it("are those of the contact that stays; what it lacks comes from the other one, and tags from both", () => {
    assert.deepStrictEqual(mergedFields(asha, other, [], false), {
      ...asha,
      email: "asha@example.com",
      tags: ["vip", "poetry", "books"]
    })
  })

  it("are taken from the other one where that is asked for, unless it has none", () => {
    const taken = mergedFields(asha, { ...other, name: null }, ["name", "phone"], false)
    assert.deepStrictEqual([taken.name, taken.phone], ["Asha Rao", "+919812345678"])
  })

  it("say that messages are wanted only if the number that stays agreed, and nobody withdrew", () => {
    const wanted = (take: ReadonlyArray<"phone">, withdrew: boolean) =>
      mergedFields(asha, other, take, withdrew).optedIn
    assert.isTrue(wanted([], false))
    assert.isFalse(wanted([], true))
    // Nobody asked the person at the other number.
    assert.isFalse(wanted(["phone"], false))
    // A contact without a number gets the number of the other one, and with it what was said there.
    assert.isFalse(mergedFields({ ...asha, phone: null }, other, [], false).optedIn)
  })
})
