/** `/api/messaging-api/contacts/{id}/opt-in`, `/opt-out` and `/consent`: whether a contact wants messages, with the evidence. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Instant } from "../../../domain/basics/Calendar.ts"
import { exampleIds, exampleOf } from "../../../domain/basics/Examples.ts"
import { anyText, plainText } from "../../../domain/basics/PlainText.ts"
import { Contact } from "../../../domain/people/contacts/Contact.ts"
import { ConsentEntry } from "../../../domain/people/contacts/VoiceConsent.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Forbidden, NotFound } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { optionalBody } from "../../wire/OptionalBody.ts"

const params = { id: Id }
const error = [BadRequest, Forbidden, NotFound] as const

const Words = anyText(5_000).check(Schema.isMinLength(1))

/** The evidence of a consent. `source` is `API` by default and `text` is empty. */
const Evidence = Schema.Struct({
  source: Schema.optionalKey(plainText(200)),
  text: Schema.optionalKey(Words),
  /** When the contact said it; now by default. */
  at: Schema.optionalKey(Instant)
}).annotate({
  title: "ConsentEvidence",
  examples: [{ source: "counter", text: "Send me news of the book club.", at: "2026-11-21T09:30:00.000Z" }]
})

/** `history` holds the ledger entries about messages, newest first. The first one is in force. */
const MessagingConsent = Schema.Struct({
  contactId: Schema.String,
  optedIn: Schema.Boolean,
  history: Schema.Array(ConsentEntry)
}).annotate({
  title: "MessagingConsent",
  examples: [
    {
      contactId: exampleIds.contact,
      optedIn: true,
      history: [{ ...exampleOf(ConsentEntry), source: "counter", text: "Send me news of the book club." }]
    }
  ]
})

export class MessagingConsentsGroup extends HttpApiGroup.make("messagingConsents")
  .add(
    HttpApiEndpoint.get("get", "/:id/consent", { params, success: MessagingConsent, error }).annotateMerge(
      OpenApi.annotations({
        summary: "Whether a contact wants messages, with the evidence",
        description:
          "Kept by the number, so it also shows what was recorded under an earlier contact with it. Scope `contacts:read`."
      })
    ),
    HttpApiEndpoint.post("optIn", "/:id/opt-in", { params, payload: Evidence, success: Contact, error })
      .annotateMerge(optionalBody)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Record that a contact wants messages",
          description:
            "Sets `optedIn` and adds to a ledger that is never changed and that survives the contact: say where (`source`), in which words (`text`) " +
            "and when (`at`) it was said. What stands already is not added again. Scope `contacts:write`."
        })
      ),
    HttpApiEndpoint.post("optOut", "/:id/opt-out", {
      params,
      payload: Evidence,
      success: Contact,
      error
    })
      .annotateMerge(optionalBody)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Record that a contact wants no more messages",
          description:
            "As when the contact writes STOP: from now on it gets no templates and no broadcasts. Answers to what it writes still go. Scope " +
            "`contacts:write`."
        })
      )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/messaging-api/contacts") {}
