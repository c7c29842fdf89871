/** Fields of what stores say: ids may be larger than a number is exact, and amounts are decimals, as texts or numbers; most fields may be absent or null. */
import { Schema } from "effect"

export const StoreId = Schema.Union([Schema.String, Schema.Number])
export const StoreDecimal = Schema.Union([Schema.String, Schema.Number])
export const storeText = Schema.optionalKey(Schema.NullOr(Schema.String))
export const storeDecimal = Schema.optionalKey(Schema.NullOr(StoreDecimal))
