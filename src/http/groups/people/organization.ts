/** `/api/organization`: the organization of the caller, and what its plan allows. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { TimeZone } from "../../../domain/basics/Calendar.ts"
import { plainText } from "../../../domain/basics/PlainText.ts"
import { DirectoryEntry } from "../../../domain/people/access/Directory.ts"
import { OrganizationView } from "../../../domain/people/organizations/OrganizationView.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Forbidden } from "../../wire/Errors.ts"
import { pageOf, pageQuery, whole } from "../../wire/Paging.ts"

export const OrganizationChanges = Schema.Struct({
  name: Schema.optionalKey(plainText(200)),
  timeZone: Schema.optionalKey(TimeZone)
}).annotate({ title: "OrganizationChanges", examples: [{ name: "Maple Books", timeZone: "America/New_York" }] })

export class OrganizationGroup extends HttpApiGroup.make("organization")
  .add(
    HttpApiEndpoint.get("get", "/organization", { success: OrganizationView, error: Forbidden }).annotateMerge(
      OpenApi.annotations({
        summary: "Get the organization, and what its plan allows",
        description:
          "`features` says of each whether it is available, and why not; `limits` are those of the plan, or the organization's own. Scope " +
          "`status:read`, which every role has."
      })
    ),
    HttpApiEndpoint.patch("update", "/organization", {
      payload: OrganizationChanges,
      success: OrganizationView,
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change name or time zone",
        description:
          "The time zone is that of business hours, due times and analytics. Plan and flags are changed by the operator. Scope `admin`."
      })
    ),
    HttpApiEndpoint.get("people", "/people", {
      query: { page: pageQuery.page, limit: whole(1, 1_000, 1_000) },
      success: pageOf(DirectoryEntry),
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the names of people and agents",
        description:
          "By name, with those who have left (`active: false`): what the ids in `assignee`, `sentBy` and `author` are called. Up to 1,000 at " +
          "once. Scope `conversations:read`, which every role has."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api") {}
