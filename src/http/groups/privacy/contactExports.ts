/** `/api/messaging-api/contacts/{id}/export`: all stored data about a contact, as one file. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { exampleIds, exampleOf } from "../../../domain/basics/Examples.ts"
import { ContactExport } from "../../../domain/privacy/ContactExport.ts"
import { fileAnswers } from "../../docs/FileDocs.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Conflict, Forbidden, NotFound, ServerError } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"

const params = { id: Id }
const error = [BadRequest, Forbidden, NotFound] as const

/** An export. `file` is the path of the file, or null while there is none. */
const Shown = Schema.Struct({ ...ContactExport.fields, file: Schema.NullOr(Schema.String) }).annotate({
  title: "ContactExport",
  examples: [{ ...exampleOf(ContactExport), file: `/api/messaging-api/contacts/${exampleIds.contact}/export/file` }]
})

export class ContactExportsGroup extends HttpApiGroup.make("contactExports")
  .add(
    HttpApiEndpoint.post("request", "/:id/export", {
      params,
      success: Shown.pipe(HttpApiSchema.status(201)),
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Ask for everything that is known of a contact",
        description:
          "Made in the background: ask for its state with GET. While one is being made it is given again. The file is kept for 7 days. OWNER or ADMIN " +
          "(for a key: scope `admin`)."
      })
    ),
    HttpApiEndpoint.get("get", "/:id/export", { params, success: Shown, error }).annotateMerge(
      OpenApi.annotations({
        summary: "How the contact's newest export stands",
        description:
          "`queued`, `completed` or `failed`; 404 when there is none that has not expired. OWNER or ADMIN (for a key: scope `admin`)."
      })
    ),
    HttpApiEndpoint.get("file", "/:id/export/file", {
      params,
      success: HttpApiSchema.StreamUint8Array({ contentType: "application/zip" }),
      error: [...error, Conflict, ServerError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "The file of the newest export",
        description:
          "A ZIP of `manifest.json`, `contact.json`, `consents.json`, `conversations.json`, `agents.json`, `purchases.json`, `links.json`, `notes.json`, `imports.json`, `messages.json`, `calls.json` (with transcripts and tool " +
          "calls), `media/` and `recordings/`. Ranges are answered. 409 while it is being made. OWNER or ADMIN (for a key: scope `admin`); each download " +
          "is in the audit log.",
        transform: fileAnswers(["application/zip"])
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/messaging-api/contacts") {}
