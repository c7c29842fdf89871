/** People of an organization on the real stores. The pool has 5 connections. */
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { makeManagePeople } from "../../../../src/domain/people/access/ManagePeople.ts"
import { Organizations } from "../../../../src/domain/people/organizations/Organization.ts"
import { newOrganization, testStores } from "../../../support/tenants.ts"

layer(testStores, { excludeTestServices: true })("people of an organization", (it) => {
  it.effect("leave the database free for others while many passwords are hashed", () =>
    Effect.gen(function* () {
      const { id: organizationId } = yield* newOrganization()
      const people = yield* makeManagePeople
      const admin = { organizationId, keyId: "key_admin", scopes: ["admin"] } as const
      let made = 0
      const create = (n: number) =>
        Effect.tap(
          people.create(admin, {
            email: `${n}.${organizationId.toLowerCase()}@example.com`,
            name: "Mia",
            role: "AGENT",
            password: "a long enough password"
          }),
          () => Effect.sync(() => made++)
        )
      const creating = yield* Effect.forkChild(
        Effect.forEach(
          Array.from({ length: 20 }, (_, n) => n),
          create,
          { concurrency: "unbounded" }
        )
      )
      yield* Effect.sleep("50 millis")
      yield* Effect.flatMap(Organizations, ({ find }) => find(organizationId))
      assert.isBelow(made, 10)
      yield* Fiber.join(creating)
      assert.strictEqual(made, 20)
    })
  )
})
