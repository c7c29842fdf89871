/** `/api/webhooks/messaging`: the webhooks of the messaging channel. One address serves all organizations; the channel signs its requests. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Decoding } from "../../middleware/Decoding.ts"
import { bodyLimit } from "../../wire/BodyLimit.ts"
import { BadRequest, Forbidden, TooMany } from "../../wire/Errors.ts"

/** The path to configure in the channel's app, after the public base URL. */
export const webhookPath = "/api/webhooks/messaging"

/** In bytes. The channel sends at most 3 MB. */
export const longestWebhook = 3 * 1024 * 1024

export class MessagingWebhooksGroup extends HttpApiGroup.make("messagingWebhooks")
  .add(
    HttpApiEndpoint.get("verify", "/", {
      query: {
        "hub.mode": Schema.optionalKey(Schema.String),
        "hub.verify_token": Schema.optionalKey(Schema.String),
        "hub.challenge": Schema.optionalKey(Schema.String)
      },
      success: Schema.String.annotate({ examples: ["1158201444"] }).pipe(
        HttpApiSchema.asText({ contentType: "text/plain" })
      ),
      error: Forbidden
    }).annotateMerge(
      OpenApi.annotations({
        summary: "The channel checks this address",
        description: "Answers `hub.challenge` when `hub.verify_token` is that of a connection; 403 otherwise."
      })
    ),
    HttpApiEndpoint.post("receive", "/", {
      payload: Schema.Record(Schema.String, Schema.Json).annotate({
        examples: [
          {
            object: "whatsapp_business_account",
            entry: [
              {
                id: "102290129340398",
                changes: [
                  {
                    field: "messages",
                    value: {
                      messaging_product: "whatsapp",
                      metadata: { display_phone_number: "15550783881", phone_number_id: "106540352242922" },
                      contacts: [{ profile: { name: "Asha Rao" }, wa_id: "14155550123" }],
                      messages: [
                        {
                          from: "14155550123",
                          id: "wamid.HBgLMTQxNTU1NTAxMjMVAgASGBQzQTdDNTk4Nw==",
                          timestamp: "1795253400",
                          type: "text",
                          text: { body: "Do you have The Overstory?" }
                        }
                      ]
                    }
                  }
                ]
              }
            ]
          }
        ]
      }),
      success: Schema.Struct({ received: Schema.Literal(true) }),
      error: [BadRequest, Forbidden, TooMany]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Messages of contacts, and what became of ours",
          description:
            "Signed by the channel (`X-Hub-Signature-256`) with the app secret of the connection whose number it names; 403 otherwise. Stored " +
            "before it is answered, worked on afterwards; told twice, it changes nothing. 429 with `Retry-After`: the organization has too much that " +
            "is not worked on yet; nothing of it is stored, and the channel sends it again."
        })
      )
      .annotateMerge(bodyLimit(longestWebhook))
  )
  .middleware(Decoding)
  .prefix(webhookPath) {}
