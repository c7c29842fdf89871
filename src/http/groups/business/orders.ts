/** `/api/orders`: what contacts and companies have bought. */
import { Schema } from "effect"
import { HttpApiGroup } from "effect/http-api"
import { orderFile } from "../../../domain/business/files/OrderFile.ts"
import { NewOrder, Order, OrderChanges, OrderStatus } from "../../../domain/business/orders/Order.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { columnsOfFile, filterField, moduleEndpoints } from "./moduleEndpoints.ts"

export class OrdersGroup extends HttpApiGroup.make("orders")
  .add(
    ...moduleEndpoints(
      Order,
      NewOrder,
      OrderChanges,
      {
        status: Schema.optionalKey(OrderStatus),
        number: filterField,
        contactId: filterField,
        companyId: filterField,
        conversationId: filterField
      },
      columnsOfFile(orderFile),
      {
        one: "an order",
        many: "orders",
        searched: "number, products and SKUs",
        list: "`number` is one whole number. ",
        create:
          "A number that another order has is 409, that order's id in the header `X-Existing-Id`. Amounts are in the smallest unit of `currency`. A line with `productId` may leave out name, SKU and price. `subtotal`, `tax` and `total` are computed. The events are `order.created`, `order.updated` and, with the first payment, `order.paid`.",
        file: {
          csv: "number,currency,product,quantity,unitPrice,contactPhone\n427,USD,Atlas of Rivers,2,24.99,+14155550123\n",
          json: { number: "427", currency: "USD", product: "Atlas of Rivers", quantity: 2, unitPrice: "24.99" }
        }
      }
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/orders") {}
