/** What columns are read as, and what a row of contacts means. */
import { assert, describe, it } from "@effect/vitest"
import { mapColumns } from "../../../src/domain/imports/Columns.ts"
import { contactFields, readContactRow } from "../../../src/domain/imports/ContactRow.ts"
import { ImportRefused } from "../../../src/domain/imports/Import.ts"

const mapped = (columns: ReadonlyArray<string>, given: Readonly<Record<string, string>> = {}) => {
  const map = mapColumns(contactFields, columns, given, true)
  if (map instanceof ImportRefused) return map.message
  return Object.fromEntries([...map].map(([field, at]) => [field, columns[at]]))
}

describe("columns", () => {
  it("are known by the names that spreadsheets, address books, shops and CRMs give them", () => {
    const files: ReadonlyArray<readonly [ReadonlyArray<string>, Readonly<Record<string, string>>]> = [
      [["Name", "PHONE"], { name: "Name", phone: "PHONE" }],
      [["full_name", "mobile-number"], { name: "full_name", phone: "mobile-number" }],
      [
        ["First Name", "Last Name", "E-mail 1 - Value", "Phone 1 - Value"],
        { firstName: "First Name", lastName: "Last Name", email: "E-mail 1 - Value", phone: "Phone 1 - Value" }
      ],
      [["Téléphone", "Prénom"], { phone: "Téléphone" }],
      [["optedIn", "tags", "phone"], { optedIn: "optedIn", tags: "tags", phone: "phone" }]
    ]
    for (const [columns, expected] of files) assert.deepStrictEqual(mapped(columns), expected)
  })

  it("that the sender names are read as nothing else", () => {
    assert.deepStrictEqual(mapped(["Phone", "Mobile", "Name"], { phone: "mobile", name: "Phone" }), {
      phone: "Mobile",
      name: "Phone"
    })
    assert.match(String(mapped(["Phone"], { email: "Mail" })), /no column "Mail".*"Phone".*emailColumn/)
  })
})

describe("a row of contacts", () => {
  const columns = ["phone", "name", "first name", "last name", "email", "tags", "opted in"]
  const map = mapColumns(contactFields, columns, {}, true)
  const read = (values: ReadonlyArray<string>, tags: ReadonlyArray<string> = []) => {
    assert.notInstanceOf(map, ImportRefused)
    return map instanceof ImportRefused ? undefined : readContactRow(map, values, { tags })
  }

  it("is a contact with the fields that it says", () => {
    assert.deepStrictEqual(
      read([" +1 (415) 555-0123 ", "", "Asha", "Rao", " a@b.co ", "b; a,b|c", "Yes"], ["fair", "a"]),
      {
        _tag: "Read",
        input: {
          phone: "+14155550123",
          name: "Asha Rao",
          email: "a@b.co",
          tags: ["b", "a", "c", "fair"],
          optedIn: true
        },
        subject: { phone: "+14155550123", email: "a@b.co" }
      }
    )
    assert.deepStrictEqual(read(["+55 11 8765-4321"]), {
      _tag: "Read",
      input: { phone: "+5511987654321" },
      subject: { phone: "+5511987654321", email: null }
    })
  })

  it("says which field is wrong, and whom it is about", () => {
    const problem = (...values: ReadonlyArray<string>) => {
      const found = read(values)
      return found?._tag === "Refused" ? `${found.field}: ${found.problem}` : found
    }
    assert.strictEqual(problem(""), "phone: phone is missing.")
    assert.strictEqual(
      problem("9876543210"),
      "phone: phone must be a phone number with its country code, like +14155550123."
    )
    assert.match(String(problem("1".repeat(300))), /^phone: phone must be a phone number/)
    assert.match(String(problem("+14155550123", "x".repeat(201))), /^name: name must have at most 200 characters/)
    assert.match(String(problem("+14155550123", "a\nb")), /^name: name must not contain control characters/)
    assert.match(String(problem("+14155550123", "", "", "", "asha")), /^email: email must be an e-mail address/)
    assert.match(String(problem("+14155550123", "", "", "", "", "x".repeat(65))), /^tags: tags must have at most 64/)
    const many = Array.from({ length: 51 }, (_, i) => `t${i}`).join(",")
    assert.match(String(problem("+14155550123", "", "", "", "", many)), /^tags: tags must be at most 50/)
    assert.match(
      String(problem("+14155550123", "", "", "", "", "", "perhaps")),
      /^optedIn: optedIn must be true or false/
    )
    const refused = read(["+14155550123", "", "", "", "ASHA@example.com", "", "perhaps"])
    assert.deepStrictEqual(refused?.subject, { phone: "+14155550123", email: "asha@example.com" })
  })
})
