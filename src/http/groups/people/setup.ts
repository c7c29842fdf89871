/** `/api/setup`: the first organization of an installation, and its OWNER. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { TimeZone } from "../../../domain/basics/Calendar.ts"
import { plainText } from "../../../domain/basics/PlainText.ts"
import { Email, Password } from "../../../domain/people/access/User.ts"
import { Plan } from "../../../domain/people/organizations/Organization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { bodyLimit } from "../../wire/BodyLimit.ts"
import { BadRequest, Conflict, TooMany, Unauthorized } from "../../wire/Errors.ts"
import { Session } from "./session.ts"

export const FirstOrganization = Schema.Struct({
  /** What the server printed when it started. */
  token: Schema.String.check(Schema.isMaxLength(200)),
  organization: Schema.Struct({ name: plainText(200), timeZone: TimeZone, plan: Schema.optionalKey(Plan) }),
  person: Schema.Struct({ name: plainText(200), email: Email, password: Password })
}).annotate({
  title: "FirstOrganization",
  examples: [
    {
      token: "set_Zx8Kq2cT0uVn5bJ3mR7wLp4sYd6fGh1jZx8Kq2cT0uV",
      organization: { name: "Maple Books", timeZone: "America/New_York" },
      person: { name: "Mia Chen", email: "mia@maplebooks.example", password: "quiet shelves at dawn" }
    }
  ]
})

export class SetUpGroup extends HttpApiGroup.make("setup")
  .add(
    HttpApiEndpoint.get("state", "/", {
      success: Schema.Struct({ open: Schema.Boolean }).annotate({ examples: [{ open: false }] })
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Ask whether there is an organization",
        description: "`open` is true until the first one is made. No key and no session needed."
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: FirstOrganization,
      success: Session.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, Unauthorized, Conflict, TooMany]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Make the first organization, and sign its OWNER in",
          description:
            "Only while there is no organization (409 afterwards), and only with the token that the server printed when it started (401). `plan` is " +
            "PREMIUM when it is not sent: whoever has the token runs the service. Sets the cookie as signing in does. No key and no session needed."
        })
      )
      .annotateMerge(bodyLimit(8 * 1024))
  )
  .middleware(Decoding)
  .prefix("/api/setup") {}
