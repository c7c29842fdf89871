/** `/api/contacts/{id}/voice-consent`: the evidence that a contact may be called. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Instant } from "../../../domain/basics/Calendar.ts"
import { exampleIds, exampleOf } from "../../../domain/basics/Examples.ts"
import { anyText, plainText } from "../../../domain/basics/PlainText.ts"
import { ConsentEntry } from "../../../domain/people/contacts/VoiceConsent.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Forbidden, NotFound } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"

const params = { id: Id }
const error = [BadRequest, Forbidden, NotFound] as const

/** `consent` is the consent in force, or null; `history` holds the ledger entries about voice calls, newest first. */
export const VoiceConsent = Schema.Struct({
  contactId: Schema.String,
  consent: Schema.NullOr(Schema.Struct({ grantedAt: Schema.String, source: Schema.String, text: Schema.String })),
  history: Schema.Array(ConsentEntry)
}).annotate({
  title: "VoiceConsent",
  examples: [
    {
      contactId: exampleIds.contact,
      consent: {
        grantedAt: "2026-11-21T09:30:00.000Z",
        source: "web form",
        text: "Maple Books may call me about my orders."
      },
      history: [exampleOf(ConsentEntry)]
    }
  ]
})

export const NewVoiceConsent = Schema.Struct({
  /** When the contact gave it; now by default. */
  grantedAt: Schema.optionalKey(Instant),
  /** Where the contact gave it. */
  source: plainText(200),
  /** The text that the contact agreed to. */
  text: anyText(5_000).check(Schema.isMinLength(1))
}).annotate({
  title: "NewVoiceConsent",
  examples: [
    { grantedAt: "2026-11-21T09:30:00.000Z", source: "web form", text: "Maple Books may call me about my orders." }
  ]
})

export class VoiceConsentsGroup extends HttpApiGroup.make("voiceConsents")
  .add(
    HttpApiEndpoint.get("get", "/:id/voice-consent", { params, success: VoiceConsent, error }).annotateMerge(
      OpenApi.annotations({
        summary: "Get the consent to be called, with its evidence",
        description: "Scope `contacts:read`."
      })
    ),
    HttpApiEndpoint.put("grant", "/:id/voice-consent", {
      params,
      payload: NewVoiceConsent,
      success: VoiceConsent,
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Record a contact's consent to voice calls",
        description:
          "Adds to a ledger that is never changed and that survives the contact. The same again adds nothing. Scope `contacts:write`."
      })
    ),
    HttpApiEndpoint.delete("withdraw", "/:id/voice-consent", {
      params,
      success: VoiceConsent,
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Record that a contact withdrew the consent; the evidence of both is kept",
        description: "Scope `contacts:write`."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/contacts") {}
