import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Audit } from "../../../../src/domain/people/access/Audit.ts"
import { Organizations } from "../../../../src/domain/people/organizations/Organization.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { makeAccessWorld } from "../../../support/access.ts"

const agent = {
  name: "Reception",
  welcomeMessage: "Welcome.",
  voiceFamily: "english",
  voiceId: "aura-2-thalia-en",
  systemPrompt: "You are a receptionist.",
  tools: [
    {
      name: "order_status",
      description: "",
      parameters: { type: "object", properties: {} },
      handler: {
        type: "http",
        url: "https://shop.example.com",
        method: "GET",
        headers: { authorization: "Bearer sk-live-51H8" }
      }
    }
  ]
}

describe("the audit log", () => {
  it.live("shows who changed what, from where, by which request, and the value before", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const key = yield* world.keyOf(["voice:write", "voice:read", "admin"])
      const ask = world.withKey(key.secret)
      const made = yield* ask("POST", "/api/voice-agents", { body: agent, headers: { "x-request-id": "abc-1" } })
      yield* ask("PUT", `/api/voice-agents/${made.body.id}`, { body: { recording: true } })
      yield* ask("DELETE", `/api/voice-agents/${made.body.id}`)
      yield* ask("PUT", "/api/organization/business-hours", { body: { timeZone: "UTC", businessHours: null } })
      const { body } = yield* ask("GET", "/api/audit-log")
      assert.strictEqual(body.total, 4)
      const [hours, deleted, updated, created] = body.data
      assert.deepInclude(hours, {
        action: "organization.business_hours_changed",
        subjectId: world.organizationId,
        before: { timeZone: "Asia/Kolkata" },
        after: { timeZone: "UTC" }
      })
      assert.deepInclude(created, {
        action: "voice_agent.created",
        subjectId: made.body.id,
        actor: { type: "key", id: key.id },
        before: null,
        ip: "127.0.0.1",
        requestId: "abc-1"
      })
      assert.strictEqual(created.after.tools[0].handler.headers.authorization, "********51H8")
      assert.deepInclude(updated.before, { recording: false })
      assert.deepInclude(updated.after, { recording: true })
      assert.sameMembers(Object.keys(updated.after), ["recording", "updatedAt"])
      assert.deepInclude(deleted.before, { name: "Reception", recording: true })
      assert.isNull(deleted.after)
      assert.notInclude(JSON.stringify(body), "sk-live")
    })
  )

  it.live("is filtered by action, actor, subject and time, and listed in pages, newest first", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const key = yield* world.keyOf(["admin", "voice:read"])
      const ask = world.withKey(key.secret)
      const ids: Array<string> = []
      for (const name of ["a", "b", "c"]) ids.push((yield* ask("POST", "/api/api-keys", { body: { name } })).body.id)
      yield* ask("DELETE", `/api/api-keys/${ids[0]}`)
      const actions = (query: string) =>
        Effect.map(ask("GET", `/api/audit-log?${query}`), ({ body }) =>
          (body.data as ReadonlyArray<{ action: string; subjectId: string }>).map(({ subjectId }) => subjectId)
        )
      assert.deepStrictEqual(yield* actions("action=api_key.created"), [ids[2], ids[1], ids[0]])
      assert.deepStrictEqual(yield* actions("action=api_key.created&limit=1&page=2"), [ids[1]])
      assert.deepStrictEqual(yield* actions("action=*.created"), [ids[2], ids[1], ids[0]])
      assert.lengthOf(yield* actions("action=api_key.*"), 4)
      assert.deepStrictEqual(yield* actions("action=contact.*, api_key.revoked"), [ids[0]])
      assert.isEmpty(yield* actions("action=created,*.api_key,*"))
      assert.deepStrictEqual(yield* actions(`subjectId=${ids[0]}`), [ids[0], ids[0]])
      assert.lengthOf(yield* actions(`actorId=${key.id}`), 4)
      assert.isEmpty(yield* actions("actorId=usr_nobody"))
      assert.isEmpty(yield* actions("to=2026-01-01T00:00:00Z"))
      assert.lengthOf(yield* actions("from=2026-01-01T00:00:00Z"), 4)
      for (const wrong of ["from=yesterday", "limit=0", "page=x", "action=%00"])
        assert.strictEqual((yield* ask("GET", `/api/audit-log?${wrong}`)).status, 400, wrong)
    })
  )

  it.live("is shown only to administrators of its own organization", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      yield* world.withKey((yield* world.keyOf(["admin"])).secret)("POST", "/api/api-keys", {
        body: { name: "mine", scopes: ["admin"] }
      })
      const theirs = world.withKey((yield* world.keyOf(["admin"], yield* world.otherOrganization)).secret)
      assert.deepStrictEqual((yield* theirs("GET", "/api/audit-log")).body.data, [])
      const plain = yield* world.withKey((yield* world.keyOf()).secret)("GET", "/api/audit-log")
      assert.deepStrictEqual([plain.status, plain.body], [403, { error: "This API key lacks the scope admin." }])
    })
  )

  it.live("has an entry for a change if and only if the change was made", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const { organizationId, provide } = world
      const [audit, organizations] = [yield* provide(Audit), yield* provide(Organizations)]
      const entry = () => ({ action: "test.changed", subjectId: "x" })
      const rename = organizations.setDisclosureText(organizationId, "Changed.")
      const refused = yield* Effect.flip(
        audit.recorded(organizationId, Effect.andThen(rename, Effect.fail("refused")), entry)
      )
      assert.strictEqual(refused, "refused")
      const unrecorded = audit.recorded(organizationId, rename, () => ({ ...entry(), subjectId: "\u0000" }))
      assert.strictEqual((yield* Effect.exit(unrecorded))._tag, "Failure")
      assert.notStrictEqual((yield* organizations.find(organizationId))?.disclosureText, "Changed.")
      assert.isEmpty(yield* world.audited())
      yield* audit.recorded(organizationId, rename, entry)
      assert.deepInclude((yield* world.audited())[0], { action: "test.changed", actor: { type: "system", id: null } })
    })
  )

  it.live("has every change of a contact and its consents, without personal data", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const key = yield* world.keyOf()
      const ask = world.withKey(key.secret)
      const asha = { phone: "+14155550142", name: "Asha Rao", email: "asha@example.com", tags: ["vip"] }
      const { id } = (yield* ask("POST", "/api/messaging-api/contacts", { body: asha })).body
      const contact = `/api/messaging-api/contacts/${id}`
      yield* ask("PATCH", contact, { body: { name: "Asha R.", optedIn: true } })
      yield* ask("POST", "/api/messaging-api/contacts?upsert=true", { body: { phone: asha.phone, optedIn: false } })
      yield* ask("POST", `${contact}/archive`)
      yield* ask("POST", `${contact}/restore`)
      const consent = `/api/contacts/${id}/voice-consent`
      yield* ask("PUT", consent, { body: { source: "web form", text: "Call me." } })
      yield* ask("DELETE", consent)
      yield* ask("DELETE", consent)
      yield* ask("PATCH", "/api/messaging-api/contacts/cnt_nobody", { body: { name: "x" } })
      const other = (yield* ask("POST", "/api/messaging-api/contacts", { body: { phone: "+14155550143" } })).body
      const merge = { contactId: other.id, take: ["phone"] }
      assert.strictEqual((yield* ask("POST", `${contact}/merge`, { body: merge })).body.phone, "+14155550143")
      assert.strictEqual((yield* ask("POST", `${contact}/merge`, { body: merge })).status, 200)
      assert.strictEqual((yield* ask("GET", `/api/messaging-api/contacts/${other.id}`)).body.id, id)
      const intoMerged = yield* ask("POST", `/api/messaging-api/contacts/${other.id}/merge`, {
        body: { contactId: id }
      })
      assert.deepStrictEqual([intoMerged.status, intoMerged.body.error.includes(id)], [409, true])
      yield* ask("DELETE", contact)
      const log = [...(yield* world.audited())].reverse().filter(({ subjectId }) => subjectId !== other.id)
      assert.deepStrictEqual(
        log.map(({ action }) => action),
        [
          "contact.created",
          "contact.updated",
          "contact.updated",
          "contact.archived",
          "contact.restored",
          "voice_consent.granted",
          "voice_consent.withdrawn",
          "contact.merged",
          "contact.erased"
        ]
      )
      for (const { subjectId, actor, ip } of log)
        assert.deepStrictEqual([subjectId, actor.id, ip], [id, key.id, "127.0.0.1"])
      assert.deepInclude(log[1], {
        before: { name: "(personal)", optedIn: false },
        after: { name: "(personal)", optedIn: true }
      })
      assert.deepStrictEqual([log[2].before, log[2].after], [{ optedIn: true }, { optedIn: false }])
      assert.notMatch(JSON.stringify(log), /Asha|example|555014|vip|Call me/)
    })
  )

  it.live("does not let the service change or remove entries, or remove their organization", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const { organizationId, provide } = world
      const audit = yield* provide(Audit)
      yield* audit.recorded(organizationId, Effect.void, () => ({ action: "test.done", subjectId: "x" }))
      const run = (statement: string) =>
        provide(Effect.flatMap(SqlClient.SqlClient, (sql) => tenant(organizationId)(sql.unsafe(statement))))
      for (const statement of ["UPDATE audit_log SET action = 'x'", "DELETE FROM audit_log", "TRUNCATE audit_log"])
        assert.match(String((yield* Effect.flip(run(statement))).reason.cause), /permission denied/, statement)
      const removal = run(`DELETE FROM organizations WHERE id = '${organizationId}'`)
      assert.match(String((yield* Effect.flip(removal)).reason.cause), /foreign key/)
      assert.lengthOf(yield* world.audited(), 1)
    })
  )
})
