/** `/api/voice-phone-numbers`: the organization's numbers. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { exampleIds } from "../../../domain/basics/Examples.ts"
import { oneLine } from "../../../domain/basics/PlainText.ts"
import { voiceRefusal } from "../../../domain/people/organizations/Organization.ts"
import { NumberOrigin, PhoneNumber } from "../../../domain/voice/telephony/PhoneNumber.ts"
import { AvailableNumber, NumberType } from "../../../domain/voice/telephony/Provisioning.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { isOnly, needsPlan } from "../../wire/caller/CallerNeeds.ts"
import { BadRequest, Conflict, Forbidden, NotFound, ServerError } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { pageOf, pageQuery, whole } from "../../wire/Paging.ts"

const params = { id: Id }
const change = [BadRequest, Forbidden, NotFound, Conflict, ServerError] as const

export class PhoneNumbersGroup extends HttpApiGroup.make("phoneNumbers")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: pageQuery,
      success: pageOf(PhoneNumber),
      error: Forbidden
    }).annotateMerge(OpenApi.annotations({ summary: "List phone numbers", description: "Scope `voice:read`." })),
    HttpApiEndpoint.get("available", "/available", {
      query: {
        country: Schema.String.check(Schema.isPattern(/^[A-Z]{2}$/)),
        type: Schema.optionalKey(NumberType),
        areaCode: whole(100, 999),
        contains: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^\+?[\d*]{2,15}$/))),
        /** `sms`, `mms`, or both separated by a comma. Every number supports voice. */
        capabilities: Schema.optionalKey(Schema.Literals(["sms", "mms", "sms,mms"])),
        limit: whole(1, 100)
      },
      success: Schema.Struct({ data: Schema.Array(AvailableNumber) }),
      error: change
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Numbers for sale",
        description:
          "`areaCode` is known in the US and Canada; `contains` may have `*` for any digit. Scope `voice:read`."
      })
    ),
    HttpApiEndpoint.post("add", "/", {
      payload: Schema.Struct({
        phoneNumber: Schema.String,
        origin: Schema.optionalKey(NumberOrigin),
        agentId: Schema.optionalKey(Schema.NullOr(oneLine(64)))
      }).annotate({ examples: [{ phoneNumber: "+16175550142", agentId: exampleIds.agent }] }),
      success: PhoneNumber.pipe(HttpApiSchema.status(201)),
      error: change
    })
      .annotateMerge(needsPlan(voiceRefusal))
      .annotateMerge(
        OpenApi.annotations({
          summary: "Buys a number, or takes one over",
          description:
            "`purchased` (the default) buys it, `connected` takes one that is in the organization's account at the provider, `sip` routes one " +
            "that the organization's own carrier sends to its SIP domain. Scope `voice:write`."
        })
      ),
    HttpApiEndpoint.get("get", "/:id", { params, success: PhoneNumber, error: [Forbidden, NotFound] }).annotateMerge(
      OpenApi.annotations({ summary: "Get a phone number", description: "Scope `voice:read`." })
    ),
    HttpApiEndpoint.put("assign", "/:id", {
      params,
      payload: Schema.Struct({ agentId: Schema.NullOr(oneLine(64)) }).annotate({
        examples: [{ agentId: exampleIds.agent }]
      }),
      success: PhoneNumber,
      error: change
    })
      .annotateMerge(needsPlan(voiceRefusal, isOnly("agentId", null)))
      .annotateMerge(
        OpenApi.annotations({
          summary: "Assign a phone number to an agent",
          description: "`agentId: null` takes it from its agent, on every plan. Scope `voice:write`."
        })
      ),
    HttpApiEndpoint.delete("release", "/:id", {
      params,
      success: Schema.Struct({ id: Schema.String, released: Schema.Literal(true) }).annotate({
        examples: [{ id: exampleIds.number, released: true }]
      }),
      error: change
    }).annotateMerge(OpenApi.annotations({ summary: "Release a phone number", description: "Scope `voice:write`." }))
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/voice-phone-numbers") {}
