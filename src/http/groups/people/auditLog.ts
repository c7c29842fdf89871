/** `/api/audit-log`: who changed what. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Instant } from "../../../domain/basics/Calendar.ts"
import { AuditRecord } from "../../../domain/people/access/Audit.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { Forbidden } from "../../wire/Errors.ts"
import { pageOf, pageQuery } from "../../wire/Paging.ts"

export class AuditLogGroup extends HttpApiGroup.make("auditLog")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...pageQuery,
        action: Schema.optionalKey(Schema.String),
        actorId: Schema.optionalKey(Schema.String),
        subjectId: Schema.optionalKey(Schema.String),
        from: Schema.optionalKey(Instant),
        to: Schema.optionalKey(Instant)
      },
      success: pageOf(AuditRecord),
      error: Forbidden
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Who changed what",
        description:
          "Newest first; `from` is included, `to` is not. `action` is one, or several separated by commas: `contact.erased`, `contact.*`, " +
          "`*.erased`. Entries cannot be changed, and secrets in them are masked. Scope `admin`."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/audit-log") {}
