/** Tags of a contact here and in a simulated Zoho CRM. */
import { describe } from "@effect/vitest"
import { Effect } from "effect"
import { tagStories } from "../../support/tagStories.ts"
import { startZoho } from "../../support/zohoCrm.ts"

describe("the tags of a contact in Zoho CRM", () =>
  tagStories(
    Effect.map(startZoho, (apps) => {
      const { records } = apps.zoho
      const change = (what: "add" | "remove", id: string, tag: string) =>
        records.tag(`${what}_tags`, id, { tags: [{ name: tag }] })
      return {
        ...{ provider: "zoho_crm", apps },
        connect: (us) => apps.connectZoho(us, { mapping: { tags: "Tag" } }),
        theirs: () =>
          records
            .all("Contacts")
            .map(({ fields }) =>
              ((fields.Tag ?? []) as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name).sort()
            ),
        tagThere: (what, tag) => change(what, records.all("Contacts")[0].id, tag),
        stranger: (tag) =>
          change("add", records.add("Contacts", { Last_Name: "Stranger", Mobile: "+14155550109" }).id, tag),
        writes: () => apps.zoho.received.filter(({ path }) => path.includes("/actions/")).length
      }
    })
  ))
