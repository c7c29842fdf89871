/** `/api/messaging-connection`: the organization's account at the messaging channel. For administrators only. No answer shows a whole secret. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ShownConnection } from "../../../domain/messaging/channel/ChannelConnection.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Conflict, Forbidden, NotFound, ServerError } from "../../wire/Errors.ts"

const ChannelId = Schema.String.check(
  Schema.makeFilter((text: string) => /^\d{5,32}$/.test(text) || "must be an id of the channel: digits only.")
)

/** A secret: printable characters without blanks, so that no part of a copied line comes along. A masked secret is refused. */
const Secret = (shortest: number, longest: number) =>
  Schema.String.check(
    Schema.isMinLength(shortest),
    Schema.isMaxLength(longest),
    Schema.makeFilter(
      (text: string) => /^[\x21-\x7e]+$/.test(text) || "must have printable characters only, and no blanks."
    ),
    Schema.makeFilter(
      (text: string) => !text.startsWith("********") || "is masked: send the secret itself, or leave it out."
    )
  )

export const GivenConnection = Schema.Struct({
  phoneNumberId: ChannelId,
  businessAccountId: ChannelId,
  accessToken: Schema.optionalKey(Secret(10, 4_096)),
  appSecret: Schema.optionalKey(Secret(8, 256)),
  verifyToken: Schema.optionalKey(Secret(8, 256))
}).annotate({
  title: "MessagingConnectionCredentials",
  examples: [
    {
      phoneNumberId: "106540352242922",
      businessAccountId: "102290129340398",
      accessToken: "EAAJB7q2ZCkY0BO3sXc0Zd",
      appSecret: "5f2b0c7d3a8e4f169e41",
      verifyToken: "under-the-oaks"
    }
  ]
})

export class MessagingConnectionGroup extends HttpApiGroup.make("messagingConnection")
  .add(
    HttpApiEndpoint.get("get", "/", { success: ShownConnection, error: [Forbidden, NotFound] }).annotateMerge(
      OpenApi.annotations({
        summary: "The connection to the messaging channel",
        description: "Of secrets the last four characters are shown. 404 without a connection. Scope `admin`."
      })
    ),
    HttpApiEndpoint.put("set", "/", {
      payload: GivenConnection,
      success: ShownConnection,
      error: [BadRequest, Forbidden, Conflict, ServerError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Connect the messaging channel",
        description:
          "The credentials are tried at the channel first: 400 says which is wrong. A number that another organization has is 409. Of a " +
          "connection to the same number, secrets that are left out keep their value. The channel's webhooks are subscribed to. Scope `admin`."
      })
    ),
    HttpApiEndpoint.delete("remove", "/", {
      success: Schema.Struct({ disconnected: Schema.Literal(true) }),
      error: [Forbidden, NotFound]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Disconnect the messaging channel",
        description: "What was sent and received stays. What waits to be sent fails. Scope `admin`."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/messaging-connection") {}
