/** `/api/session`: a person signs in to the dashboard, sees who they are, and signs out. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { exampleIds, exampleOf } from "../../../domain/basics/Examples.ts"
import { JsonRecord } from "../../../domain/basics/Json.ts"
import { Role, Scope } from "../../../domain/people/access/Access.ts"
import { NewDevice } from "../../../domain/people/access/Device.ts"
import { PersonalChanges } from "../../../domain/people/access/PersonalSettings.ts"
import { longestPassword } from "../../../domain/people/access/User.ts"
import { ListedSession } from "../../../domain/people/access/UserSession.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { bodyLimit } from "../../wire/BodyLimit.ts"
import { BadRequest, Conflict, Forbidden, NotFound, TooMany, Unauthorized } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"

export const Session = Schema.Struct({
  user: Schema.Struct({ id: Schema.String, email: Schema.String, name: Schema.String, role: Role }),
  organizationId: Schema.String,
  scopes: Schema.Array(Scope),
  /** Clients send it in the header `X-CSRF-Token` with every change. */
  csrfToken: Schema.String,
  expiresAt: Schema.String,
  /** The organization's, an IANA name. */
  timeZone: Schema.String,
  /** The language that the person chose; null: that of the browser. */
  locale: Schema.NullOr(Schema.String),
  /** What the person's browser keeps here (`PATCH`). */
  preferences: JsonRecord
}).annotate({
  title: "Session",
  examples: [
    {
      user: { id: exampleIds.owner, email: "mia@maplebooks.example", name: "Mia Chen", role: "OWNER" },
      organizationId: exampleIds.organization,
      scopes: ["contacts:read", "contacts:write", "messages:send", "admin"],
      csrfToken: "2vQ8xYb1nK4mZ7tR0wE3uI6oP9aS5dF2gH8jL1kC4vB",
      expiresAt: "2026-11-28T08:00:00.000Z",
      timeZone: "America/New_York",
      locale: "en",
      preferences: { theme: "dark" }
    }
  ]
})

export class SessionGroup extends HttpApiGroup.make("session")
  .add(
    HttpApiEndpoint.post("start", "/", {
      payload: Schema.Struct({
        /** The check is looser than that for a new person, so that a user who was created as `root@localhost` at the command line can sign in. */
        email: Schema.String.check(Schema.isMaxLength(254), Schema.isPattern(/^[^\s\p{Cc}@]+@[^\s\p{Cc}@]+$/u)),
        password: Schema.String.check(Schema.isMaxLength(longestPassword)),
        /** The same as for `PUT /api/devices`. */
        device: Schema.optionalKey(NewDevice)
      }).annotate({ examples: [{ email: "mia@maplebooks.example", password: "seven maple leaves" }] }),
      success: Session.pipe(HttpApiSchema.status(201)),
      error: [Unauthorized, TooMany]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Sign in",
          description:
            "Sets the cookie `parley_session` (HttpOnly, SameSite=Lax, Secure in production). Changes made with the cookie need the `csrfToken` " +
            "in the header `X-CSRF-Token`. With `device` the device is told what happens, until it signs out (`PUT /api/devices`)."
        })
      )
      .annotateMerge(bodyLimit(8 * 1024)),
    HttpApiEndpoint.get("get", "/", { success: Session, error: Forbidden })
      .annotateMerge(OpenApi.annotations({ summary: "Get who is signed in", description: "Needs a session." }))
      .middleware(Decoding)
      .middleware(Authorization),
    HttpApiEndpoint.patch("change", "/", { payload: PersonalChanges, success: Session, error: [BadRequest, Forbidden] })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Keep what the person has chosen",
          description:
            "`preferences` replace those of the same name, and null removes one; all together have at most 16 KB as JSON. They mean nothing to the " +
            "service. Needs a session."
        })
      )
      .middleware(Decoding)
      .middleware(Authorization),
    HttpApiEndpoint.delete("end", "/", {
      success: Schema.Struct({ ended: Schema.Literal(true) }),
      error: Forbidden
    })
      .annotateMerge(OpenApi.annotations({ summary: "Sign out", description: "Needs a session." }))
      .middleware(Decoding)
      .middleware(Authorization)
  )
  .middleware(Decoding)
  .prefix("/api/session") {}

const OwnSession = Schema.Struct({ ...ListedSession.fields, current: Schema.Boolean }).annotate({
  title: "OwnSession",
  examples: [{ ...exampleOf(ListedSession), current: true }]
})

export class SessionsGroup extends HttpApiGroup.make("sessions")
  .add(
    HttpApiEndpoint.get("list", "/", {
      success: Schema.Struct({ data: Schema.Array(OwnSession) }),
      error: Forbidden
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List one's own sessions",
        description: "The latest used first; `current` is the one that asks. Needs a session."
      })
    ),
    HttpApiEndpoint.delete("end", "/:id", {
      params: { id: Id },
      success: Schema.Struct({ id: Schema.String, ended: Schema.Literal(true) }).annotate({
        examples: [{ id: exampleOf(ListedSession).id, ended: true }]
      }),
      error: [BadRequest, Forbidden, NotFound, Conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "End one of one's own sessions",
        description:
          "At once; its device is told nothing any more. The one that asks is 409: see `DELETE /api/session`. Needs a session."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/sessions") {}
