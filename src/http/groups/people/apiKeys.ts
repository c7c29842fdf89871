/** `/api/api-keys`: an organization's keys. Only the answer that creates a key shows the whole key. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Instant } from "../../../domain/basics/Calendar.ts"
import { exampleIds, exampleOf } from "../../../domain/basics/Examples.ts"
import { maxCharacters } from "../../../domain/basics/PlainText.ts"
import { Scope } from "../../../domain/people/access/Access.ts"
import { ApiKey } from "../../../domain/people/access/ApiKey.ts"
import { defaultOverlapSeconds, longestOverlapSeconds } from "../../../domain/people/access/ManageApiKeys.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Conflict, Forbidden, NotFound } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { optionalBody } from "../../wire/OptionalBody.ts"
import { pageOf, pageQuery } from "../../wire/Paging.ts"
import { ShownOnce } from "../../wire/ShownOnce.ts"

const params = { id: Id }
const expiresAt = Schema.optionalKey(Schema.NullOr(Instant))
const Name = Schema.String.check(
  maxCharacters(120),
  Schema.makeFilter(
    (name: string) => /^[^\p{Cc}]*\S[^\p{Cc}]*$/u.test(name) || "must not be blank, nor have control characters."
  )
)
const CreatedApiKey = Schema.Struct({ ...ApiKey.fields, key: Schema.String }).annotate({
  title: "CreatedApiKey",
  examples: [{ ...exampleOf(ApiKey), lastUsedAt: null, key: "mk_7Qm2xR4t_h5Vb8nM3cX6zL9pK2jH4gF7dS1aQ9fKd" }]
})
const created = CreatedApiKey.pipe(HttpApiSchema.status(201))
/** The new key. `replaced` is the old key, with the time when it ends. */
const RotatedApiKey = Schema.Struct({ ...CreatedApiKey.fields, replaced: ApiKey })
  .annotate({
    title: "RotatedApiKey",
    examples: [
      {
        ...exampleOf(CreatedApiKey),
        id: exampleIds.newKey,
        createdAt: "2026-11-24T08:00:00.000Z",
        replaced: { ...exampleOf(ApiKey), expiresAt: "2026-11-24T09:00:00.000Z", rotatedTo: exampleIds.newKey }
      }
    ]
  })
  .pipe(HttpApiSchema.status(201))

export class ApiKeysGroup extends HttpApiGroup.make("apiKeys")
  .add(
    HttpApiEndpoint.get("list", "/", { query: pageQuery, success: pageOf(ApiKey), error: Forbidden }).annotateMerge(
      OpenApi.annotations({ summary: "List API keys", description: "Scope `admin`." })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: Schema.Struct({
        name: Name,
        scopes: Schema.optionalKey(Schema.NonEmptyArray(Scope)),
        expiresAt
      }).annotate({
        examples: [{ name: "Web shop", scopes: ["contacts:read", "contacts:write", "messages:send"], expiresAt: null }]
      }),
      success: created,
      error: [BadRequest, Forbidden]
    })
      .annotate(ShownOnce, ["key"])
      .annotateMerge(
        OpenApi.annotations({
          summary: "Make an API key",
          description:
            "`key` is shown this once. Without `scopes` the key gets all but `admin`, as far as its maker has them; more than its maker has: 403. " +
            "The key ends when its maker (`makerId`) is deactivated, and loses the scopes that a lower role of the maker does not have. Scope `admin`."
        })
      ),
    HttpApiEndpoint.get("get", "/:id", { params, success: ApiKey, error: [Forbidden, NotFound] }).annotateMerge(
      OpenApi.annotations({ summary: "Get an API key", description: "Without the key itself. Scope `admin`." })
    ),
    HttpApiEndpoint.patch("update", "/:id", {
      params,
      payload: Schema.Struct({ name: Schema.optionalKey(Name), expiresAt }).annotate({
        title: "ApiKeyChanges",
        examples: [{ name: "Web shop, till the new one is live", expiresAt: "2027-01-31T00:00:00.000Z" }]
      }),
      success: ApiKey,
      error: [BadRequest, Forbidden, NotFound, Conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Rename an API key, or change when it ends",
        description:
          "`expiresAt: null` lets it live on. Scopes cannot be changed: make another key. A key that was revoked or has expired is 409. Scope `admin`."
      })
    ),
    HttpApiEndpoint.post("rotate", "/:id/rotate", {
      params,
      payload: Schema.Struct({
        overlapSeconds: Schema.optionalKey(
          Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: longestOverlapSeconds }))
        ),
        expiresAt
      }).annotate({ examples: [{ overlapSeconds: 3_600 }] }),
      success: RotatedApiKey,
      error: [BadRequest, Forbidden, NotFound, Conflict]
    })
      .annotate(ShownOnce, ["key"])
      .annotateMerge(optionalBody)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Replace an API key",
          description: `A new key with the same name, scopes and end (unless \`expiresAt\` is sent); its maker is who rotates it. The old one is good for \`overlapSeconds\` more (${defaultOverlapSeconds} by default). Scope \`admin\`.`
        })
      ),
    HttpApiEndpoint.delete("revoke", "/:id", {
      params,
      success: Schema.Struct({ id: Schema.String, revoked: Schema.Literal(true) }).annotate({
        examples: [{ id: exampleIds.key, revoked: true }]
      }),
      error: [Forbidden, NotFound]
    }).annotateMerge(OpenApi.annotations({ summary: "Revoke an API key", description: "Scope `admin`." }))
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/api-keys") {}
