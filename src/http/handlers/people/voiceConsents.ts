import { Effect } from "effect"
import { callerId } from "../../../domain/people/access/Access.ts"
import { Audit } from "../../../domain/people/access/Audit.ts"
import { Contacts } from "../../../domain/people/contacts/Contact.ts"
import {
  byInterface,
  type Consenting,
  consentInForce,
  type NewConsentEntry,
  VoiceConsents
} from "../../../domain/people/contacts/VoiceConsent.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, NotFound } from "../../wire/Errors.ts"
import { timeSaid } from "../../wire/RequestTime.ts"

const missing = new NotFound({ error: "There is no such contact." })

/** Needs Contacts, VoiceConsents and Audit. */
export const layer = group(
  AppApi,
  "voiceConsents",
  Effect.fn(function* (handlers) {
    const contacts = yield* Contacts
    const consents = yield* VoiceConsents
    const audit = yield* Audit

    const find = Effect.fnUntraced(function* (organizationId: string, contactId: string) {
      const contact = yield* contacts.find(organizationId, contactId)
      if (contact === undefined) return yield* missing
      const { id, phone } = contact
      if (phone === null)
        return yield* new BadRequest({ error: "This contact has no phone number that could be called." })
      return { organizationId, id, phone }
    })

    const record = Effect.fnUntraced(function* (contact: Consenting, entry: NewConsentEntry) {
      return (yield* consents.record(contact, entry)) ?? (yield* missing)
    })

    const view = Effect.fnUntraced(function* ({ organizationId, id, phone }: Consenting) {
      const history = yield* consents.history(organizationId, phone)
      const stands = consentInForce(history)
      const consent = stands === undefined ? null : { grantedAt: stands.at, source: stands.source, text: stands.text }
      return { contactId: id, consent, history }
    })

    return handlers.handleAll({
      get: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("contacts:read")
        return yield* view(yield* find(organizationId, params.id))
      }),
      grant: Effect.fnUntraced(function* ({ params, payload }) {
        const caller = yield* requireScope("contacts:write")
        const [organizationId, recordedBy] = [caller.organizationId, callerId(caller)]
        const contact = yield* find(organizationId, params.id)
        const { source, text } = payload
        const at = yield* timeSaid("grantedAt", payload.grantedAt)
        const recorded = record(contact, { action: "granted", at, source, text, recordedBy })
        yield* audit.recorded(organizationId, recorded, ({ id }) => ({
          action: "voice_consent.granted",
          subjectId: contact.id,
          after: { consentId: id, grantedAt: at, source }
        }))
        return yield* view(contact)
      }),
      withdraw: Effect.fnUntraced(function* ({ params }) {
        const caller = yield* requireScope("contacts:write")
        const [organizationId, recordedBy] = [caller.organizationId, callerId(caller)]
        const contact = yield* find(organizationId, params.id)
        const withdrawn = { action: "withdrawn", ...byInterface(recordedBy) } as const
        // A second withdrawal would only lengthen the ledger. The first counts even without a consent: numbers that need none are not called then.
        if ((yield* consents.history(organizationId, contact.phone))[0]?.action !== "withdrawn")
          yield* audit.recorded(
            organizationId,
            record(contact, { ...withdrawn, at: yield* timeSaid("at", undefined) }),
            ({ id }) => ({ action: "voice_consent.withdrawn", subjectId: contact.id, after: { consentId: id } })
          )
        return yield* view(contact)
      })
    })
  })
)
