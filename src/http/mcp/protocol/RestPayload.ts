/** Checks what a tool hands to a use case with the schema of the REST interface, so that both refuse it with the same sentence. */
import { Effect, Schema } from "effect"
import { BadRequest } from "../../wire/Errors.ts"
import { sentenceOf } from "../../wire/SchemaSentences.ts"

export const payloadOf = <S extends Schema.Codec<unknown, unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownEffect(schema)
  return (value: unknown): Effect.Effect<S["Type"], BadRequest> =>
    decode(value).pipe(Effect.mapError((cause) => new BadRequest({ error: sentenceOf({ kind: "Payload", cause }) })))
}
