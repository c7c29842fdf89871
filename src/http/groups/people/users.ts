/** `/api/users`: the people who can sign in to an organization. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { exampleIds, exampleOf } from "../../../domain/basics/Examples.ts"
import { plainText } from "../../../domain/basics/PlainText.ts"
import { Role } from "../../../domain/people/access/Access.ts"
import { Colleague, Email, longestPassword, Password, Person } from "../../../domain/people/access/User.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { bodyLimit } from "../../wire/BodyLimit.ts"
import { BadRequest, Conflict, Forbidden, NotFound, TooMany, Unauthorized } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { pageOf, pageQuery } from "../../wire/Paging.ts"
import { ShownOnce } from "../../wire/ShownOnce.ts"

const params = { id: Id }
const error = [BadRequest, Forbidden, NotFound] as const

const Name = plainText(200)

const Invitation = Schema.Struct({
  /** No later answer shows it. The person uses it to choose a password. */
  token: Schema.String,
  expiresAt: Schema.String
}).annotate({
  title: "Invitation",
  examples: [{ token: "inv_Zx8Kq2cT0uVn5bJ3mR7wLp4sYd6fGh1j", expiresAt: "2026-11-27T08:05:00.000Z" }]
})
const CreatedPerson = Schema.Struct({ ...Person.fields, invitation: Schema.NullOr(Invitation) }).annotate({
  title: "CreatedUser",
  examples: [{ ...exampleOf(Person), status: "invited", invitation: exampleOf(Invitation) }]
})

export class UsersGroup extends HttpApiGroup.make("users")
  .add(
    HttpApiEndpoint.get("list", "/", { query: pageQuery, success: pageOf(Person), error: Forbidden })
      .annotateMerge(
        OpenApi.annotations({
          summary: "List the people, newest first",
          description: "Deactivated ones too. OWNER or ADMIN (for a key: scope `admin`)."
        })
      )
      .middleware(Decoding)
      .middleware(Authorization),
    HttpApiEndpoint.get("colleagues", "/colleagues", {
      query: pageQuery,
      success: pageOf(Colleague),
      error: [BadRequest, Forbidden]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "List the names of colleagues",
          description:
            "Ids and names of all active people, by name: whom a conversation can be assigned to. Scope `conversations:read`, which AGENTs have."
        })
      )
      .middleware(Decoding)
      .middleware(Authorization),
    HttpApiEndpoint.post("create", "/", {
      payload: Schema.Struct({ email: Email, name: Name, role: Role, password: Schema.optionalKey(Password) }).annotate(
        { examples: [{ email: "ben@maplebooks.example", name: "Ben Ortiz", role: "AGENT" }] }
      ),
      success: CreatedPerson.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, Forbidden, Conflict, TooMany]
    })
      .annotate(ShownOnce, ["invitation.token"])
      .annotateMerge(
        OpenApi.annotations({
          summary: "Add a person",
          description:
            "With `password` the person can sign in at once. Without, `invitation` holds a token, shown this once and good for 7 days, with " +
            "which the person chooses one. Only an OWNER makes OWNERs; an address that the organization has already is 409. A password that is " +
            "guessed first (a common one, or made of the person's or organization's name) is 400. Scope `admin`."
        })
      )
      .middleware(Decoding)
      .middleware(Authorization),
    HttpApiEndpoint.post("acceptInvitation", "/accept-invitation", {
      payload: Schema.Struct({ token: Schema.String.check(Schema.isMaxLength(200)), password: Password }).annotate({
        examples: [{ token: exampleOf(Invitation).token, password: "quiet shelves at dawn" }]
      }),
      success: Schema.Struct({ id: Schema.String, email: Schema.String, name: Schema.String, role: Role }).annotate({
        examples: [{ id: exampleIds.colleague, email: "ben@maplebooks.example", name: "Ben Ortiz", role: "AGENT" }]
      }),
      error: [BadRequest, Unauthorized, TooMany]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Accept an invitation",
          description:
            "No key and no session needed: the token proves who it is, once. Afterwards the person signs in with the new password."
        })
      )
      .annotateMerge(bodyLimit(8 * 1024)),
    HttpApiEndpoint.get("get", "/:id", { params, success: Person, error })
      .annotateMerge(
        OpenApi.annotations({ summary: "Get a person", description: "OWNER or ADMIN; everybody may get themselves." })
      )
      .middleware(Decoding)
      .middleware(Authorization),
    HttpApiEndpoint.patch("update", "/:id", {
      params,
      payload: Schema.Struct({
        name: Schema.optionalKey(Name),
        role: Schema.optionalKey(Role),
        active: Schema.optionalKey(Schema.Boolean)
      }).annotate({ examples: [{ role: "ADMIN" }] }),
      success: Person,
      error: [...error, Conflict]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a person",
          description:
            "Another role, or `active: false`, ends the person's sessions and invitation at once. A lower role takes from the API keys that they made " +
            "the scopes it does not have; `active: false` ends those keys for good. OWNERs are changed only by OWNERs, and the last one stays " +
            "(409). Everybody may change their own name."
        })
      )
      .middleware(Decoding)
      .middleware(Authorization),
    HttpApiEndpoint.delete("deactivate", "/:id", { params, success: Person, error: [...error, Conflict] })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Deactivate a person",
          description:
            "As `active: false`: they cannot sign in, their sessions are over, their devices are told nothing, and the API keys that they made end for " +
            "good. The record stays, as messages and the audit log name it. Scope `admin`."
        })
      )
      .middleware(Decoding)
      .middleware(Authorization),
    HttpApiEndpoint.put("setPassword", "/:id/password", {
      params,
      payload: Schema.Struct({
        password: Password,
        oldPassword: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(longestPassword)))
      }).annotate({ examples: [{ password: "nine maple leaves", oldPassword: "seven maple leaves" }] }),
      success: Schema.Struct({ id: Schema.String, sessionsEnded: Schema.Int }).annotate({
        examples: [{ id: exampleIds.owner, sessionsEnded: 1 }]
      }),
      error: [...error, TooMany]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Set a password",
          description: "One's own needs `oldPassword`. Ends every session of the person, this one too."
        })
      )
      .middleware(Decoding)
      .middleware(Authorization),
    HttpApiEndpoint.post("invite", "/:id/invitation", {
      params,
      success: Invitation.pipe(HttpApiSchema.status(201)),
      error: [...error, Conflict]
    })
      .annotate(ShownOnce, ["token"])
      .annotateMerge(
        OpenApi.annotations({
          summary: "Invite a person again",
          description:
            "For somebody who lost the invitation, or the password. The token before is no longer good. Scope `admin`."
        })
      )
      .middleware(Decoding)
      .middleware(Authorization)
  )
  .middleware(Decoding)
  .prefix("/api/users") {}
