/** `/api/suppliers`: who the organization buys its products from. */
import { HttpApiGroup } from "effect/http-api"
import { supplierFile } from "../../../domain/business/files/PartnerFile.ts"
import { NewSupplier, Supplier, SupplierChanges } from "../../../domain/business/suppliers/Supplier.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { columnsOfFile, moduleEndpoints } from "./moduleEndpoints.ts"

export class SuppliersGroup extends HttpApiGroup.make("suppliers")
  .add(
    ...moduleEndpoints(Supplier, NewSupplier, SupplierChanges, {}, columnsOfFile(supplierFile), {
      one: "a supplier",
      many: "suppliers",
      searched: "name, phone and e-mail",

      create: "A name that another supplier has is 409, that supplier's id in the header `X-Existing-Id`.",
      file: {
        csv: "name,email\nPaper Mill Press,orders@mill.example.com\n",
        json: { name: "Paper Mill Press", email: "orders@mill.example.com" }
      }
    })
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/suppliers") {}
