/** A field of a provider's JSON that the provider may leave out or set to null. */
import { Schema } from "effect"

/** Readers test the value with `== null` or `??`. */
export const maybe = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))
