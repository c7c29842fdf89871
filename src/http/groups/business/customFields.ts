/** `/api/custom-fields`: the organization's own fields of companies, products, orders and suppliers. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CustomFields, NewCustomFields } from "../../../domain/business/records/CustomFields.ts"
import { Module } from "../../../domain/business/records/Module.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { needsFeature } from "../../wire/caller/CallerNeeds.ts"
import { BadRequest, Forbidden } from "../../wire/Errors.ts"

const error = [BadRequest, Forbidden] as const

export class CustomFieldsGroup extends HttpApiGroup.make("customFields")
  .add(
    HttpApiEndpoint.get("get", "/", { query: { module: Module }, success: CustomFields, error }).annotateMerge(
      OpenApi.annotations({ summary: "The custom fields of a module", description: "Scope `modules:read`." })
    ),
    HttpApiEndpoint.put("define", "/", {
      payload: NewCustomFields,
      success: CustomFields,
      error
    })
      .annotateMerge(needsFeature("modules"))
      .annotateMerge(
        OpenApi.annotations({
          summary: "Define the custom fields of a module",
          description:
            "Replaces all of them. Values of fields that are not defined any more stay stored and are not shown. A field that gets another type " +
            "keeps its values until they are changed. OWNER or ADMIN (for a key: scope `admin`)."
        })
      )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/custom-fields") {}
