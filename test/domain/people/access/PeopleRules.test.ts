import { assert, describe, it } from "@effect/vitest"
import type { Principal, Role } from "../../../../src/domain/people/access/Access.ts"
import {
  changeRefusal,
  createRefusal,
  passwordRefusal,
  rankOf,
  seeRefusal
} from "../../../../src/domain/people/access/PeopleRules.ts"

const person = (role: Role, userId = "usr_me"): Principal => ({
  organizationId: "org_1",
  userId,
  sessionId: "ses_1",
  role,
  scopes: []
})
const key = (...scopes: ReadonlyArray<"admin" | "mcp">): Principal => ({
  organizationId: "org_1",
  keyId: "key_1",
  scopes
})
const allowed = (refusal: string | undefined) => refusal === undefined

describe("who may change whom", () => {
  it("a key ranks as an ADMIN with the admin scope, and as an AGENT without it", () => {
    assert.deepStrictEqual([rankOf(key("admin", "mcp")), rankOf(key("mcp"))], ["ADMIN", "AGENT"])
  })

  it("everybody except an AGENT creates people of their own rank and below", () => {
    const table: ReadonlyArray<readonly [Principal, ReadonlyArray<boolean>]> = [
      [person("OWNER"), [true, true, true]],
      [person("ADMIN"), [false, true, true]],
      [key("admin"), [false, true, true]],
      [person("AGENT"), [false, false, false]],
      [key(), [false, false, false]]
    ]
    for (const [caller, expected] of table)
      assert.deepStrictEqual(
        (["OWNER", "ADMIN", "AGENT"] as const).map((role) => allowed(createRefusal(caller, role))),
        expected
      )
  })

  it("an ADMIN neither changes nor creates an OWNER, and people change only their name in their own account", () => {
    const other = (role: Role) => ({ id: "usr_other", role })
    assert.isTrue(allowed(changeRefusal(person("OWNER"), other("OWNER"), { role: "AGENT" })))
    assert.isTrue(allowed(changeRefusal(person("ADMIN"), other("AGENT"), { role: "ADMIN", active: false })))
    assert.isFalse(allowed(changeRefusal(person("ADMIN"), other("AGENT"), { role: "OWNER" })))
    assert.isFalse(allowed(changeRefusal(person("ADMIN"), other("OWNER"), { active: false })))
    assert.isFalse(allowed(changeRefusal(person("ADMIN"), other("OWNER"), {})))
    const me = { id: "usr_me", role: "AGENT" } as const
    assert.isTrue(allowed(changeRefusal(person("AGENT"), me, {})))
    for (const changes of [{ role: "AGENT" as const }, { active: true }, { active: false }])
      assert.isFalse(allowed(changeRefusal(person("AGENT"), me, changes)))
    assert.isFalse(allowed(changeRefusal(person("AGENT"), other("AGENT"), {})))
  })

  it("people see themselves, administrators see everybody, and only an OWNER sets an OWNER's password", () => {
    assert.isTrue(allowed(seeRefusal(person("AGENT"), "usr_me")))
    assert.isFalse(allowed(seeRefusal(person("AGENT"), "usr_other")))
    assert.isTrue(allowed(seeRefusal(key("admin"), "usr_other")))
    assert.isFalse(allowed(passwordRefusal(person("ADMIN"), { role: "OWNER" })))
    assert.isTrue(allowed(passwordRefusal(person("OWNER"), { role: "OWNER" })))
  })
})
