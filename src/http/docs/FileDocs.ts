/** What `/openapi.json` says of addresses that answer files: their types, and the answers to `Range` and `If-None-Match`. */

const text = (description: string) => ({ description, schema: { type: "string" } })

const headers = {
  ETag: text("The version of the file, for `If-None-Match` and `If-Range`."),
  "Content-Disposition": text("The name of the file.")
}

/** Transforms an operation that answers files of these types (`FileResponse.ts`). */
export const fileAnswers =
  (types: ReadonlyArray<string>) =>
  (operation: Readonly<Record<string, unknown>>): Record<string, unknown> => {
    const content = Object.fromEntries(types.map((type) => [type, { schema: { type: "string", format: "binary" } }]))
    const ranged = { ...headers, "Content-Range": text("Which bytes these are: `bytes 0-1023/184320`.") }
    return {
      ...operation,
      responses: {
        ...(operation.responses as object),
        200: { description: "The file", headers, content },
        206: { description: "The part of the file that `Range` asked for", headers: ranged, content },
        304: { description: "`If-None-Match` has this version of the file" },
        416: {
          description: "The range begins after the end of the file",
          content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } }
        }
      }
    }
  }
