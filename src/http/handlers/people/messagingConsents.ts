import { Effect } from "effect"
import { callerId } from "../../../domain/people/access/Access.ts"
import { Audit } from "../../../domain/people/access/Audit.ts"
import { Contacts } from "../../../domain/people/contacts/Contact.ts"
import { MessagingConsents } from "../../../domain/people/contacts/MessagingConsent.ts"
import type { ConsentEntry } from "../../../domain/people/contacts/VoiceConsent.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { NotFound } from "../../wire/Errors.ts"
import { timeSaid } from "../../wire/RequestTime.ts"

const notFound = () => new NotFound({ error: "There is no such contact." })

/** Needs Contacts, MessagingConsents and Audit. */
export const layer = group(
  AppApi,
  "messagingConsents",
  Effect.fn(function* (handlers) {
    const contacts = yield* Contacts
    const consents = yield* MessagingConsents
    const audit = yield* Audit

    const record = Effect.fnUntraced(function* (
      contactId: string,
      action: ConsentEntry["action"],
      evidence: { readonly source?: string; readonly text?: string; readonly at?: string }
    ) {
      const caller = yield* requireScope("contacts:write")
      const { organizationId } = caller
      const at = yield* timeSaid("at", evidence.at)
      const { source = "API", text = "" } = evidence
      if ((yield* contacts.find(organizationId, contactId)) === undefined) return yield* notFound()
      const recorded = consents.record(organizationId, contactId, {
        action,
        at,
        source,
        text,
        recordedBy: callerId(caller)
      })
      const result = yield* audit.recorded(organizationId, recorded, () => ({
        action: action === "granted" ? "contact.opted_in" : "contact.opted_out",
        subjectId: contactId,
        after: { source, at }
      }))
      return result?.contact ?? (yield* notFound())
    })

    return handlers.handleAll({
      get: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("contacts:read")
        const contact = yield* contacts.find(organizationId, params.id)
        if (contact === undefined) return yield* notFound()
        const history = yield* consents.history(organizationId, contact)
        return { contactId: contact.id, optedIn: contact.optedIn, history }
      }),
      optIn: ({ params, payload }) => record(params.id, "granted", payload),
      optOut: ({ params, payload }) => record(params.id, "withdrawn", payload)
    })
  })
)
