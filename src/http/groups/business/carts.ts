/** `/api/carts`: carts of stores, and what abandoned ones have brought back. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Cart, CartState, CartSummary } from "../../../domain/business/carts/Cart.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Forbidden } from "../../wire/Errors.ts"
import { listOf, listQuery } from "../../wire/Listing.ts"

const error = [BadRequest, Forbidden] as const

export class CartsGroup extends HttpApiGroup.make("carts")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...listQuery, state: Schema.optionalKey(CartState) },
      success: listOf(Cart),
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the carts of stores, newest first",
        description:
          "`state`: `open`, `abandoned` (unchanged for the minutes of the connection, 60 by default, and no order), `ordered`, or `recovered` (an order after it was abandoned). Scope `modules:read`."
      })
    ),
    HttpApiEndpoint.get("summary", "/summary", { success: CartSummary, error }).annotateMerge(
      OpenApi.annotations({
        summary: "Abandoned and recovered carts of the last 30 days, with their value",
        description: "By currency. The value of a recovered cart is the total of its order. Scope `modules:read`."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/carts") {}
