/** `/api/companies`: the firms, schools and clubs that contacts belong to. */
import { HttpApiGroup } from "effect/http-api"
import { Company, CompanyChanges, NewCompany } from "../../../domain/business/companies/Company.ts"
import { companyFile } from "../../../domain/business/files/PartnerFile.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { columnsOfFile, filterField, moduleEndpoints } from "./moduleEndpoints.ts"

export class CompaniesGroup extends HttpApiGroup.make("companies")
  .add(
    ...moduleEndpoints(Company, NewCompany, CompanyChanges, { contactId: filterField }, columnsOfFile(companyFile), {
      one: "a company",
      many: "companies",
      searched: "name, domain, phone and e-mail",
      list: "`contactId` finds those that a contact belongs to. ",
      create: "A name that another company has is 409, that company's id in the header `X-Existing-Id`.",
      file: {
        csv: "name,domain,email\nHill School,hill.example.com,office@hill.example.com\n",
        json: { name: "Hill School", domain: "hill.example.com" }
      }
    })
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/companies") {}
