/** Placeholders in texts, and the values that replace them. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  filled,
  placeholderNames,
  placeholderProblem,
  placeholdersIn
} from "../../../../src/domain/messaging/templates/Placeholders.ts"

const asha = { name: "Asha Rao", phone: "+14155550101", email: "asha@example.com" }
const nobody = { name: null, phone: null, email: null }

describe("placeholders", () => {
  it.each([
    ["Hello {{name}}.", "Hello Asha Rao."],
    ["Hello {{ firstName }}, {{firstName}}!", "Hello Asha, Asha!"],
    ["{{phone}} {{email}}", "+14155550101 asha@example.com"],
    ["Hello {{firstName|there}}", "Hello Asha"],
    ["No gap, {one}, {{{}}}", "No gap, {one}, {{{}}}"]
  ])("%s is filled", (text, result) => {
    assert.deepStrictEqual(filled(text, asha), { text: result })
  })

  it("take their replacement, or say what is missing", () => {
    assert.deepStrictEqual(filled("Hello {{firstName|there}}", nobody), { text: "Hello there" })
    assert.deepStrictEqual(filled("Hello {{name}} {{email}}", nobody), { missing: "name" })
    assert.deepStrictEqual(filled("Hello {{name|}}", nobody), { missing: "name" })
    assert.deepStrictEqual(filled("Hello {{name}}", { ...nobody, name: "  " }), { missing: "name" })
  })

  it("are named when they are unknown", () => {
    assert.match(placeholderProblem("Hello {{1}}") ?? "", /must not contain \{\{1\}\}: known are \{\{name\}\}/)
    assert.match(placeholderProblem("{{Name}}") ?? "", /\{\{Name\}\}/)
    assert.isUndefined(placeholderProblem("{{name}} {{ email | x }}"))
    assert.deepStrictEqual(placeholdersIn("{{email}} {{name}} {{email|x}} {{1}}"), ["email", "name"])
  })

  it("inside a contact's own fields are left as they are", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.constantFrom(...placeholderNames), (tail, inner) => {
        const name = `x{{${inner}}}${tail}`
        const result = filled("<{{name}}>", { ...asha, name })
        assert.deepStrictEqual(result, { text: `<${name.trim()}>` })
      })
    )
  })

  it("leave a text as it is when it has none", () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes("{{")),
        (text) => {
          assert.deepStrictEqual(filled(text, nobody), { text })
          assert.isUndefined(placeholderProblem(text))
        }
      )
    )
  })
})
