import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { OpenApi } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { newId } from "../../src/domain/basics/Ids.ts"
import { Contacts } from "../../src/domain/people/contacts/Contact.ts"
import { AppApi } from "../../src/http/groups/Api.ts"
import { tenant } from "../../src/integrations/postgres/tenancy/Tenant.ts"
import { newOrganization, testStores } from "../support/tenants.ts"
import { judgeEvents } from "./Events.ts"
import { contractOf } from "./OpenApi.ts"

layer(testStores)("the check of stored events", (it) => {
  it.effect("passes the events that the service writes, and fails on one that differs from the description", () =>
    Effect.gen(function* () {
      const judged = judgeEvents(contractOf(JSON.parse(JSON.stringify(OpenApi.fromApi(AppApi)))))
      const { id } = yield* newOrganization()
      yield* (yield* Contacts).create(id, { phone: "+14155550101" }, "key_test")
      yield* judged
      const sql = yield* SqlClient.SqlClient
      yield* tenant(id)(
        sql`INSERT INTO events (organization_id, id, type, data, created_at)
          VALUES (${id}, ${newId("evt")}, 'contact.created', '{"contact":{"id":"cnt_1"}}', now())`
      )
      const exit = yield* Effect.exit(judged)
      assert.match(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "", /must have required property 'phone'/)
    })
  )
})
