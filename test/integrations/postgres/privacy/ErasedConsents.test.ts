/** What an erased contact permitted: nobody calls or writes to it any more. */
import { assert, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Contact, Contacts } from "../../../../src/domain/people/contacts/Contact.ts"
import { MessagingConsents } from "../../../../src/domain/people/contacts/MessagingConsent.ts"
import { type NewConsentEntry, VoiceConsents } from "../../../../src/domain/people/contacts/VoiceConsent.ts"
import { ContactErasure } from "../../../../src/domain/privacy/ContactErasure.ts"
import { Placements } from "../../../../src/domain/voice/calls/outbound/Placement.ts"
import { Calls } from "../../../../src/domain/voice/calls/records/CallRecord.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { savedContact } from "../../../support/contacts.ts"
import { caller, dialer, FakeProviderCalls, requests } from "../../../support/outbound.ts"
import { testStores } from "../../../support/tenants.ts"

const by = "key_1"
const granted: NewConsentEntry = {
  action: "granted",
  at: "2026-05-01T10:00:00.000Z",
  source: "web form",
  text: "Yes.",
  recordedBy: by
}

const consented = (contact: Contact) =>
  Effect.gen(function* () {
    const { organizationId, id, phone } = contact
    if (phone !== null) yield* (yield* VoiceConsents).record({ organizationId, id, phone }, granted)
    yield* (yield* MessagingConsents).record(organizationId, id, granted)
  })

const erased = ({ organizationId, id }: Contact) =>
  Effect.flatMap(ContactErasure, (erasure) => erasure.erase(organizationId, id))

const voiceWords = (organizationId: string, phone: string) =>
  Effect.map(
    Effect.flatMap(VoiceConsents, (consents) => consents.history(organizationId, phone)),
    (history) => history.map(({ action, source, text }) => [action, source, text])
  )

/** Whether the number counts as opted out, for a message that needs consent. */
const optedOut = Effect.fnUntraced(function* (organizationId: string, phone: string) {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* tenant(organizationId)(
    sql<{
      optedOut: boolean
    }>`SELECT opted_out FROM find_recipients(${organizationId}, ${JSON.stringify([{ phone }])}::jsonb)`
  )
  return found.optedOut
})

const american = "+14155550199"

layer(testStores)("an erased contact", (it) => {
  it.effect("is not called any more, also as a new contact, until it consents again; the evidence stays", () =>
    Effect.gen(function* () {
      const { organizationId, agent } = yield* caller()
      const request = yield* requests()
      const call = () => request(organizationId, agent.id, { to: american })
      const first = yield* savedContact(organizationId, { phone: american })
      yield* consented(first)
      yield* erased(first)

      assert.match((yield* Effect.flip(call())).message, /was erased.*new consent.*PUT/)
      const again = yield* savedContact(organizationId, { phone: american })
      assert.match((yield* Effect.flip(call())).message, /was erased/)
      assert.deepStrictEqual(yield* voiceWords(organizationId, american), [
        ["withdrawn", "erasure", ""],
        ["granted", "web form", "Yes."]
      ])
      assert.isTrue(yield* optedOut(organizationId, american))
      yield* consented(again)
      assert.strictEqual((yield* call()).status, "queued")
      assert.isFalse(yield* optedOut(organizationId, american))
    })
  )

  it.effect("gets no consent from a request that was under way during the erasure", () =>
    Effect.gen(function* () {
      const { organizationId } = yield* caller()
      const { id } = yield* savedContact(organizationId, { phone: american })
      yield* (yield* ContactErasure).erase(organizationId, id)
      const late = yield* (yield* VoiceConsents).record({ organizationId, id, phone: american }, granted)
      assert.isUndefined(late)
      assert.deepStrictEqual(yield* voiceWords(organizationId, american), [["withdrawn", "erasure", ""]])
    })
  )

  it.effect("is not called any more where calls need no consent", () =>
    Effect.gen(function* () {
      const { organizationId, agent, contact } = yield* caller()
      const request = yield* requests()
      yield* erased(contact)
      const refused = yield* Effect.flip(request(organizationId, agent.id, { to: contact.phone ?? "" }))
      assert.match(refused.message, /was erased/)
      assert.isTrue(yield* optedOut(organizationId, contact.phone ?? ""))
    })
  )

  it.effect("takes back what it permitted for its earlier number, unless that is another contact's word now", () =>
    Effect.gen(function* () {
      const { organizationId } = yield* caller()
      const contacts = yield* Contacts
      const [left, taken, latest] = ["+14155550171", "+14155550172", "+14155550173"]
      const contact = yield* savedContact(organizationId, { phone: left })
      yield* consented(contact)
      const moved = yield* Effect.fromNullishOr(
        yield* contacts.update(organizationId, contact.id, { phone: taken }, by)
      )
      yield* consented(moved)
      yield* contacts.update(organizationId, contact.id, { phone: latest }, by)
      const other = yield* savedContact(organizationId, { phone: taken })
      yield* consented(other)
      yield* (yield* VoiceConsents).record(
        { organizationId, id: other.id, phone: taken },
        { ...granted, at: "2026-05-02T10:00:00.000Z" }
      )
      yield* erased(contact)
      const newest = Effect.fnUntraced(function* (phone: string) {
        return (yield* voiceWords(organizationId, phone)).at(0)?.[0]
      })
      assert.deepStrictEqual(yield* Effect.forEach([left, taken, latest], newest), [
        "withdrawn",
        "granted",
        "withdrawn"
      ])
    })
  )

  it.effect("does not get the call that waits in the queue, and one that is being placed delays the erasure", () =>
    Effect.gen(function* () {
      const { organizationId, agent, contact } = yield* caller()
      const request = yield* requests()
      const placements = yield* Placements
      const calls = yield* Calls
      const provider = new FakeProviderCalls()
      const { drain } = yield* dialer(provider)
      const first = yield* request(organizationId, agent.id, { to: contact.phone ?? "" })
      yield* placements.next(organizationId, yield* Clock.currentTimeMillis, 0)
      assert.strictEqual((yield* Effect.flip(erased(contact)))._tag, "ContactBusy")
      yield* placements.waitAgain(organizationId, first.id)

      yield* erased(contact)
      assert.deepInclude(yield* calls.find(organizationId, first.id), {
        status: "canceled",
        contactId: null,
        to: "erased",
        failureReason: "The contact was erased before the call was placed."
      })
      yield* drain(organizationId)
      assert.isEmpty(provider.orders)
      const sql = yield* SqlClient.SqlClient
      const events = yield* tenant(organizationId)(
        sql`SELECT 1 FROM events WHERE type = 'call.ended' AND NOT withdrawn AND data -> 'call' ->> 'id' = ${first.id}`
      )
      assert.lengthOf(events, 1)
    })
  )
})
