import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Users } from "../../../../src/domain/people/access/User.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { makeAccessWorld, password } from "../../../support/access.ts"
import { eventsOf, newConversation } from "../../../support/conversations.ts"

const another = "another good password"

describe("at /api/users", () => {
  it.live("an OWNER adds, changes and deactivates people, and the audit log has the values before and after", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const owner = yield* world.as("OWNER")
      const made = yield* owner.ask("POST", "/api/users", {
        body: { email: "asha@example.com", name: "Asha", role: "AGENT", password: another }
      })
      assert.strictEqual(made.status, 201)
      const { id } = made.body
      assert.deepInclude(made.body, { email: "asha@example.com", role: "AGENT", status: "active", invitation: null })
      const asha = yield* world.signIn("asha@example.com", another)
      assert.strictEqual((yield* asha.ask("GET", `/api/users/${id}`)).status, 200)
      assert.strictEqual((yield* asha.ask("GET", "/api/users")).status, 403)
      assert.strictEqual((yield* asha.ask("PATCH", `/api/users/${id}`, { body: { name: "Asha R." } })).status, 200)
      assert.strictEqual((yield* asha.ask("PATCH", `/api/users/${id}`, { body: { role: "OWNER" } })).status, 403)

      // A change of role ends the sessions, because a session's rights are fixed when it begins.
      const promoted = yield* owner.ask("PATCH", `/api/users/${id}`, { body: { role: "ADMIN" } })
      assert.strictEqual(promoted.body.role, "ADMIN")
      assert.strictEqual((yield* asha.ask("GET", "/api/session")).status, 401)
      const admin = yield* world.signIn("asha@example.com", another)
      assert.strictEqual((yield* admin.ask("GET", "/api/users")).body.total, 2)

      const gone = yield* owner.ask("DELETE", `/api/users/${id}`)
      assert.strictEqual(gone.body.status, "deactivated")
      assert.strictEqual((yield* admin.ask("GET", "/api/session")).status, 401)
      assert.strictEqual((yield* world.signIn("asha@example.com", another)).answer.status, 401)
      const back = yield* owner.ask("PATCH", `/api/users/${id}`, { body: { active: true } })
      assert.strictEqual(back.body.status, "active")
      assert.strictEqual((yield* world.signIn("asha@example.com", another)).answer.status, 201)

      const log = (yield* world.audited()).filter(({ subjectId }) => subjectId === id)
      assert.deepStrictEqual(
        log.map(({ action, before, after }) => [action, before, after]),
        [
          ["user.reactivated", { status: "deactivated" }, { status: "active" }],
          ["user.deactivated", { status: "active" }, { status: "deactivated" }],
          ["user.updated", { role: "AGENT" }, { role: "ADMIN" }],
          ["user.updated", { name: "Asha" }, { name: "Asha R." }],
          ["user.created", null, { email: "asha@example.com", name: "Asha", role: "AGENT", status: "active" }]
        ]
      )
      assert.strictEqual(log[0].actor.id, owner.id)
      assert.isString(log[0].ip)
      assert.notInclude(JSON.stringify(log), another)
    })
  )

  it.live("an invited person chooses a password once, and the token is stored hashed", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const { ask } = yield* world.as("ADMIN")
      const invited = yield* ask("POST", "/api/users", { body: { email: "b@example.com", name: "B", role: "AGENT" } })
      assert.strictEqual(invited.body.status, "invited")
      assert.strictEqual((yield* world.signIn("b@example.com", "")).answer.status, 401)
      const { token } = invited.body.invitation
      const accept = (secret: string) =>
        world.send("POST", "/api/users/accept-invitation", { body: { token: secret, password: another } })
      // A newer invitation replaces the one before.
      const renewed = yield* ask("POST", `/api/users/${invited.body.id}/invitation`)
      assert.strictEqual((yield* accept(token)).status, 401)
      const both = yield* Effect.all([accept(renewed.body.token), accept(renewed.body.token)], { concurrency: 2 })
      assert.sameMembers(
        both.map(({ status }) => status),
        [200, 401]
      )
      assert.strictEqual((yield* accept(renewed.body.token)).status, 401)
      assert.strictEqual((yield* world.signIn("b@example.com", another)).answer.status, 201)
      const actions = (yield* world.audited()).map(({ action }) => action)
      assert.includeMembers([...actions], ["user.invited", "user.invitation_accepted"])
    })
  )

  it.live(
    "an invitation ends when its person's role changes or the person is deactivated, so that a kept invitation makes nobody OWNER",
    () =>
      Effect.gen(function* () {
        const world = yield* makeAccessWorld()
        const [owner, admin] = [yield* world.as("OWNER"), yield* world.as("ADMIN")]
        const person = yield* world.personOf("AGENT")
        const path = `/api/users/${person.id}`
        const invite = Effect.map(admin.ask("POST", `${path}/invitation`), ({ body }): string => body.token)
        const accept = (token: string) =>
          world.send("POST", "/api/users/accept-invitation", { body: { token, password: another } })

        const kept = yield* invite
        yield* owner.ask("PATCH", path, { body: { name: "Ada L." } })
        yield* owner.ask("DELETE", path)
        yield* owner.ask("PATCH", path, { body: { active: true } })
        assert.strictEqual((yield* accept(kept)).status, 401)

        const token = yield* invite
        yield* owner.ask("PATCH", path, { body: { role: "OWNER" } })
        assert.strictEqual((yield* accept(token)).status, 401)
        assert.strictEqual((yield* world.signIn(person.email, another)).answer.status, 401)
        assert.strictEqual((yield* world.signIn(person.email)).answer.status, 201)

        // A change of name does not end it. A person judged not to be an OWNER is not invited once they are one.
        const other = yield* world.personOf("AGENT")
        const again = yield* admin.ask("POST", `/api/users/${other.id}/invitation`)
        yield* owner.ask("PATCH", `/api/users/${other.id}`, { body: { name: "Bo" } })
        assert.strictEqual((yield* accept(again.body.token)).status, 200)
        const { organizationId } = world
        yield* owner.ask("PATCH", `/api/users/${other.id}`, { body: { role: "OWNER" } })
        const late = Effect.flatMap(Users, (users) =>
          users.invite(organizationId, { id: other.id, role: "AGENT" }, Date.now() + 60_000)
        )
        assert.isUndefined(yield* world.provide(late))
      })
  )

  it.live("an ADMIN can neither make nor change an OWNER, and the last OWNER stays, also when two leave at once", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const [owner, second, admin] = [yield* world.as("OWNER"), yield* world.as("OWNER"), yield* world.as("ADMIN")]
      const { secret } = yield* world.keyOf(["admin"])
      for (const ask of [admin.ask, world.withKey(secret)]) {
        const body = { email: "c@example.com", name: "C", role: "OWNER" }
        assert.strictEqual((yield* ask("POST", "/api/users", { body })).status, 403)
        assert.strictEqual((yield* ask("PATCH", `/api/users/${admin.id}`, { body: { role: "OWNER" } })).status, 403)
        assert.strictEqual((yield* ask("PATCH", `/api/users/${owner.id}`, { body: { role: "AGENT" } })).status, 403)
        assert.strictEqual((yield* ask("DELETE", `/api/users/${owner.id}`)).status, 403)
        assert.strictEqual(
          (yield* ask("PUT", `/api/users/${owner.id}/password`, { body: { password: another } })).status,
          403
        )
        assert.strictEqual((yield* ask("POST", `/api/users/${owner.id}/invitation`)).status, 403)
      }
      // An OWNER who has not chosen a password yet cannot sign in, and does not count.
      yield* owner.ask("POST", "/api/users", { body: { email: "d@example.com", name: "D", role: "OWNER" } })
      const both = yield* Effect.all(
        [owner.ask("DELETE", `/api/users/${second.id}`), second.ask("DELETE", `/api/users/${owner.id}`)],
        { concurrency: 2 }
      )
      const statuses = both.map(({ status }) => status)
      // The other request may have been refused because its session had ended by then.
      assert.lengthOf(
        statuses.filter((status) => status === 200),
        1
      )
      const left = statuses[0] === 200 ? owner : second
      const last = yield* left.ask("DELETE", `/api/users/${left.id}`)
      assert.deepStrictEqual(
        [last.status, last.body],
        [409, { error: "This is the last OWNER; make somebody else an OWNER first." }]
      )
      assert.strictEqual((yield* left.ask("PATCH", `/api/users/${left.id}`, { body: { role: "AGENT" } })).status, 409)
    })
  )

  it.live("an AGENT sees the names of colleagues by name, and nothing else of them", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const [owner, agent, gone] = [yield* world.as("OWNER"), yield* world.as("AGENT"), yield* world.as("ADMIN")]
      yield* owner.ask("DELETE", `/api/users/${gone.id}`)
      yield* owner.ask("PATCH", `/api/users/${owner.id}`, { body: { name: "asha" } })
      yield* owner.ask("PATCH", `/api/users/${agent.id}`, { body: { name: "Ben" } })
      const { status, body } = yield* agent.ask("GET", "/api/users/colleagues")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body.data, [
        { id: owner.id, name: "asha" },
        { id: agent.id, name: "Ben" }
      ])
      assert.strictEqual((yield* agent.ask("GET", "/api/users")).status, 403)
    })
  )

  it.live("a deactivated person's conversations are unassigned at once, with events and audit entries", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const [owner, agent] = [yield* world.as("OWNER"), yield* world.as("AGENT")]
      const chats: Array<string> = []
      for (let i = 0; i < 3; i++)
        chats.push((yield* world.provide(newConversation(world.organizationId))).conversationId)
      const ask = (method: string, id: string, body?: object) =>
        owner.ask(method, `/api/messaging-api/chats/${id}`, body === undefined ? {} : { body })
      const [kept, one, two] = chats
      for (const id of [one, two]) yield* ask("PATCH", id, { assignee: agent.id })
      yield* ask("PATCH", kept, { assignee: owner.id })
      yield* owner.ask("DELETE", `/api/users/${agent.id}`)
      for (const id of [one, two]) assert.deepInclude((yield* ask("GET", id)).body, { status: "OPEN", assignee: null })
      assert.deepInclude((yield* ask("GET", kept)).body, { status: "ASSIGNED", assignee: owner.id })
      const changes = (yield* world.audited()).filter(({ subjectId }) => subjectId === one)
      assert.deepStrictEqual(
        [changes[0].action, changes[0].actor, changes[0].before, changes[0].after],
        [
          "conversation.changed",
          { type: "user", id: owner.id },
          { status: "ASSIGNED", assignee: agent.id },
          { status: "OPEN", assignee: null }
        ]
      )
      const told = yield* world.provide(eventsOf(world.organizationId, "conversation.assigned"))
      assert.lengthOf(told, 5)
      assert.strictEqual((yield* ask("PATCH", one, { assignee: agent.id })).status, 404)
    })
  )

  it.live(
    "changing one's own password needs the old one and ends every session, and guesses of the old one are limited",
    () =>
      Effect.gen(function* () {
        const world = yield* makeAccessWorld()
        const [me, owner] = [yield* world.as("AGENT"), yield* world.as("OWNER")]
        const path = `/api/users/${me.id}/password`
        const set = (body: object) => me.ask("PUT", path, { body })
        assert.strictEqual((yield* set({ password: another })).status, 400)
        assert.strictEqual((yield* set({ password: another, oldPassword: "wrong" })).status, 403)
        const changed = yield* set({ password: another, oldPassword: password })
        assert.deepStrictEqual(changed.body, { id: me.id, sessionsEnded: 1 })
        assert.strictEqual((yield* me.ask("GET", "/api/session")).status, 401)
        const { ask } = yield* world.signIn(me.email, another)
        assert.strictEqual((yield* owner.ask("PUT", path, { body: { password: "given by the owner" } })).status, 200)
        assert.strictEqual((yield* ask("GET", "/api/session")).status, 401)
        const again = yield* world.signIn(me.email, "given by the owner")
        let last = 0
        for (let i = 0; i < 12 && last !== 429; i++)
          last = (yield* again.ask("PUT", path, { body: { password: another, oldPassword: "guess" } })).status
        assert.strictEqual(last, 429)
      })
  )

  it.live("another organization's people are not found", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const owner = yield* world.as("OWNER")
      const stranger = yield* world.personOf("AGENT", yield* world.otherOrganization)
      const path = `/api/users/${stranger.id}`
      for (const [method, url, body] of [
        ["GET", path],
        ["PATCH", path, { name: "x" }],
        ["DELETE", path],
        ["PUT", `${path}/password`, { password: another }],
        ["POST", `${path}/invitation`]
      ] as const)
        assert.strictEqual((yield* owner.ask(method, url, body === undefined ? {} : { body })).status, 404, url)
      assert.strictEqual((yield* owner.ask("GET", "/api/users")).body.total, 1)
    })
  )

  it.live(
    "an address that another organization has is added like an unknown one, and each person keeps their sign-in",
    () =>
      Effect.gen(function* () {
        const world = yield* makeAccessWorld()
        const owner = yield* world.as("OWNER")
        const elsewhere = yield* world.otherOrganization
        const stranger = yield* world.personOf("ADMIN", elsewhere)
        yield* world.hashedAsServed(stranger)
        const add = (email: string, body: object = {}) =>
          owner.ask("POST", "/api/users", { body: { email, name: "x", role: "AGENT", ...body } })
        const [known, unknown] = [yield* add(stranger.email.toUpperCase()), yield* add("unknown@example.com")]
        const shape = ({ status, body }: typeof known) => ({
          status,
          ...body,
          id: 0,
          email: 0,
          invitation: 0,
          createdAt: 0,
          updatedAt: 0
        })
        assert.deepStrictEqual(shape(known), shape(unknown))
        assert.strictEqual(known.status, 201)
        const again = yield* add(stranger.email)
        assert.deepStrictEqual(
          [again.status, again.body.error],
          [409, `Your organization has a person with the address ${stranger.email} already.`]
        )

        // Whoever has the address in both organizations comes to the one whose password is given.
        const { token } = known.body.invitation
        yield* world.send("POST", "/api/users/accept-invitation", { body: { token, password: another } })
        const here = yield* world.signIn(stranger.email, another)
        const there = yield* world.signIn(stranger.email)
        assert.deepStrictEqual(
          [here.answer.body.organizationId, there.answer.body.organizationId],
          [world.organizationId, elsewhere]
        )
        assert.strictEqual((yield* world.signIn(stranger.email, "another wrong one")).answer.status, 401)
        // One's own old password is that of the organization one is in.
        const path = `/api/users/${known.body.id}/password`
        const change = (oldPassword: string) =>
          here.ask("PUT", path, { body: { password: "quite different words", oldPassword } })
        assert.strictEqual((yield* change(password)).status, 403)
        assert.strictEqual((yield* change(another)).status, 200)
        assert.strictEqual((yield* there.ask("GET", "/api/session")).status, 200)

        // Signing in derives one hash for an address of two organizations as for an unknown one, so that its time tells nothing.
        const sql = yield* world.provide(PgClient.PgClient)
        const saltOf = (organizationId: string, email: string) =>
          Effect.map(
            tenant(organizationId)(
              sql<{ passwordHash: string }>`SELECT password_hash FROM users WHERE lower(email) = ${email}`
            ).pipe(world.provide),
            ([{ passwordHash }]) => passwordHash.split("$")[4]
          )
        const shared = yield* saltOf(elsewhere, stranger.email)
        assert.strictEqual(yield* saltOf(world.organizationId, stranger.email), shared)

        // Somebody who is deactivated in one organization may be activated again.
        yield* tenant(elsewhere)(
          sql`UPDATE users SET deactivated_at = now() WHERE lower(email) = ${stranger.email}`
        ).pipe(world.provide)
        assert.strictEqual(
          (yield* owner.ask("PUT", path, { body: { password: "other words than before" } })).status,
          200
        )
        assert.strictEqual(yield* saltOf(world.organizationId, stranger.email), shared)

        // Nobody else has the owner's address: a new password has a new salt.
        const before = yield* saltOf(world.organizationId, owner.email)
        const ownPath = `/api/users/${owner.id}/password`
        yield* owner.ask("PUT", ownPath, { body: { password: another, oldPassword: password } })
        assert.notStrictEqual(yield* saltOf(world.organizationId, owner.email), before)
      })
  )

  it.live("a person who may not change a password cannot use up the limit of the one whose password it is", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const [me, other] = [yield* world.as("OWNER"), yield* world.as("AGENT")]
      const path = `/api/users/${me.id}/password`
      for (let i = 0; i < 12; i++) {
        const { status } = yield* other.ask("PUT", path, { body: { password: another, oldPassword: "guess" } })
        assert.strictEqual(status, 403)
      }
      assert.strictEqual(
        (yield* me.ask("PUT", path, { body: { password: another, oldPassword: password } })).status,
        200
      )
    })
  )

  it.live("passwords that are guessed first are refused when a person is added, invited and changes the password", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const owner = yield* world.as("OWNER")
      const person = { email: "margarethe.holt@example.com", name: "Margarethe Holt", role: "AGENT" }
      const add = (secret: string) => owner.ask("POST", "/api/users", { body: { ...person, password: secret } })
      for (const secret of ["Password1234", "qwertyuiop", "Password2026!", "1111111111", "121212121212"]) {
        const { status, body } = yield* add(secret)
        assert.strictEqual(status, 400, secret)
        assert.match(body.error, /^password is invalid: it .*Choose/, secret)
      }
      for (const secret of ["Margarethe.Holt", "margarethe.holt@example.com", "margarethe2026", "holtmargarethe1"])
        assert.match((yield* add(secret)).body.error, /made of the e-mail address, or of the name/, secret)
      const invited = yield* owner.ask("POST", "/api/users", { body: person })
      const accept = (secret: string) =>
        world.send("POST", "/api/users/accept-invitation", {
          body: { token: invited.body.invitation.token, password: secret }
        })
      assert.strictEqual((yield* accept("margarethe2026")).status, 400)
      assert.strictEqual((yield* accept(another)).status, 200)
      const set = (secret: string) =>
        owner.ask("PUT", `/api/users/${invited.body.id}/password`, { body: { password: secret } })
      assert.strictEqual((yield* set("password1234")).status, 400)
      assert.strictEqual((yield* set("margarethe likes long walks")).status, 200)
    })
  )

  it.live("more passwords at once than can be checked are refused with 429, and a sign-in succeeds afterwards", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld({ trustedProxies: ["127.0.0.1"] })
      const { email } = yield* world.personOf("OWNER")
      const attempts = Array.from({ length: 120 }, (_, n) =>
        world.send("POST", "/api/session", {
          body: { email: `nobody${n}@example.com`, password: "guess" },
          headers: { "x-forwarded-for": `198.51.100.${n}` }
        })
      )
      const answers = yield* Effect.all(attempts, { concurrency: "unbounded" })
      const refused = answers.filter(({ status }) => status === 429)
      assert.isAbove(refused.length, 0)
      assert.strictEqual(refused.length + answers.filter(({ status }) => status === 401).length, attempts.length)
      assert.deepInclude(refused[0], {
        body: { error: "Too many passwords are being checked at this moment. Try again in a second." }
      })
      assert.strictEqual(refused[0].headers.get("retry-after"), "1")
      assert.strictEqual((yield* world.signIn(email)).answer.status, 201)
    })
  )

  it.live("invalid input is refused with a sentence that names the field, and nothing changes", () =>
    Effect.gen(function* () {
      const world = yield* makeAccessWorld()
      const owner = yield* world.as("OWNER")
      const good = { email: "e@example.com", name: "E", role: "AGENT", password: another }
      const wrong: ReadonlyArray<readonly [field: string, values: ReadonlyArray<unknown>]> = [
        ["email", ["", "x", "a@b", "a b@c.de", "a\u0000@b.cd", `${"a".repeat(250)}@b.cd`, 1, null, {}, []]],
        ["name", ["", "  ", "a\nb", "\ud800", "x".repeat(201), 1, null, {}]],
        ["role", ["", "owner", "ROOT", 1, null, [], {}]],
        ["password", ["", "short", "x".repeat(1_001), 1, null, []]]
      ]
      for (const [field, values] of wrong)
        for (const value of values) {
          const made = yield* owner.ask("POST", "/api/users", { body: { ...good, [field]: value } })
          assert.strictEqual(made.status, 400, `${field} ${JSON.stringify(value)}`)
          assert.match(made.body.error, new RegExp(`^${field} is invalid: .*[.!?]$`))
          if (field === "email" || field === "password") continue
          const changed = yield* owner.ask("PATCH", `/api/users/${owner.id}`, { body: { [field]: value } })
          assert.strictEqual(changed.status, 400, `${field} ${JSON.stringify(value)}`)
        }
      for (const field of ["email", "name", "role"])
        assert.strictEqual(
          (yield* owner.ask("POST", "/api/users", { body: { ...good, [field]: undefined } })).status,
          400
        )
      for (const active of ["true", 1, null])
        assert.strictEqual((yield* owner.ask("PATCH", `/api/users/${owner.id}`, { body: { active } })).status, 400)
      for (const query of ["page=0", "page=9e99", "limit=-1", "limit=101", "limit=x"])
        assert.strictEqual((yield* owner.ask("GET", `/api/users?${query}`)).status, 400, query)
      for (const body of ["{", "[]", "1", '"x"'])
        assert.strictEqual((yield* owner.ask("POST", "/api/users", { body })).status, 400, body)
      for (const id of ["'; DROP TABLE users; --", "<script>", "usr_0"])
        assert.strictEqual((yield* owner.ask("GET", `/api/users/${encodeURIComponent(id)}`)).status, 404, id)
      assert.strictEqual((yield* world.send("GET", "/api/users")).status, 401)
      const { secret } = yield* world.keyOf()
      assert.strictEqual((yield* world.withKey(secret)("GET", "/api/users")).status, 403)
      assert.strictEqual((yield* world.withKey(secret)("POST", "/api/users", { body: good })).status, 403)
      assert.strictEqual((yield* owner.ask("GET", "/api/users")).body.total, 1)
    })
  )
})
