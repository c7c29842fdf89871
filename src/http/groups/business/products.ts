/** `/api/products`: what the organization sells. */
import { HttpApiGroup } from "effect/http-api"
import { productFile } from "../../../domain/business/files/ProductFile.ts"
import { NewProduct, Product, ProductChanges } from "../../../domain/business/products/Product.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { columnsOfFile, filterField, moduleEndpoints } from "./moduleEndpoints.ts"

export class ProductsGroup extends HttpApiGroup.make("products")
  .add(
    ...moduleEndpoints(
      Product,
      NewProduct,
      ProductChanges,
      { sku: filterField, supplierId: filterField },
      columnsOfFile(productFile),
      {
        one: "a product",
        many: "products",
        searched: "name and SKU",
        list: "`sku` is one whole SKU. ",
        create:
          "A SKU that another product has is 409, that product's id in the header `X-Existing-Id`. `price.amount` is in the smallest unit of the currency.",
        file: {
          csv: "name,sku,price,currency,stock\nAtlas of Rivers,BK-427,24.99,USD,12\n",
          json: { name: "Atlas of Rivers", sku: "BK-427", price: "24.99", currency: "USD", stock: 12 }
        }
      }
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/products") {}
