/** One operation of the interface, as the executor needs it. */
export interface Operation {
  readonly method: string
  /** The path with its parameters: `/api/messaging-api/contacts/{id}`. */
  readonly path: string
  /** The kind of its body: JSON, a form with a file, or the bytes of a file. None: it takes no body. */
  readonly body?: "json" | "form" | "raw"
  readonly takesQuery?: true
  /** It takes an `Idempotency-Key`. */
  readonly takesKey?: true
  /** It may be sent again without a key. So may `GET`, `PUT` and `DELETE`. */
  readonly repeatable?: true
  /** What it answers, if not a record in JSON. */
  readonly answer?: "list" | "file" | "text" | "events"
}
