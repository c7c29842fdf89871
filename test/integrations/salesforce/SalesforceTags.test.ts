/** Tags of a contact here and in a multi-select picklist of a simulated Salesforce. */
import { describe } from "@effect/vitest"
import { Effect } from "effect"
import type { SalesforceRecord } from "../../../simulators/crm/SalesforceRecords.ts"
import { startSalesforce } from "../../support/salesforce.ts"
import { tagStories } from "../../support/tagStories.ts"

const tagsOf = ({ fields }: SalesforceRecord) =>
  String(fields.Tags__c ?? "")
    .split(";")
    .filter((tag) => tag !== "")

describe("the tags of a contact in Salesforce", () =>
  tagStories(
    Effect.map(startSalesforce, (apps) => {
      const { records, received } = apps.salesforce
      return {
        ...{ provider: "salesforce", apps },
        connect: (us) => apps.connectSalesforce(us, { mapping: { tags: "Tags__c" } }),
        theirs: () => records.all("Contact").map((record) => tagsOf(record).sort()),
        tagThere: (what, tag) => {
          const [record] = records.all("Contact")
          const others = tagsOf(record).filter((one) => one !== tag)
          const Tags__c = [...others, ...(what === "add" ? [tag] : [])].join(";")
          records.change("Contact", record.id, { Tags__c }, false)
        },
        stranger: (tag) => {
          records.add("Contact", { LastName: "Stranger", MobilePhone: "+14155550109", Tags__c: tag })
        },
        writes: () => received.filter(({ method }) => method === "PATCH").length
      }
    })
  ))
