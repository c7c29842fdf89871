/** Tags of a contact here and in a property of a simulated HubSpot. */
import { describe } from "@effect/vitest"
import { Effect } from "effect"
import { startHubSpot } from "../../support/hubspot.ts"
import { tagStories } from "../../support/tagStories.ts"

const tagsOf = ({ properties }: { readonly properties: Record<string, string> }) =>
  (properties.parley_tags ?? "").split(";").filter((tag) => tag !== "")

describe("the tags of a contact in HubSpot", () =>
  tagStories(
    Effect.map(startHubSpot, (apps) => {
      const { records, received } = apps.hubspot
      return {
        ...{ provider: "hubspot", apps },
        connect: (us) => apps.connectHubSpot(us, { mapping: { tags: "parley_tags" } }),
        theirs: () => [...records.contacts.values()].map((record) => tagsOf(record).sort()),
        tagThere: (what, tag) => {
          const [record] = records.contacts.values()
          const others = tagsOf(record).filter((one) => one !== tag)
          const parley_tags = [...others, ...(what === "add" ? [tag] : [])].join(";")
          records.change(record.id, null, { properties: { parley_tags } })
        },
        stranger: (tag) => {
          records.create({ properties: { phone: "+14155550109", parley_tags: tag } })
        },
        writes: () => received.filter(({ method }) => method === "PATCH").length
      }
    })
  ))
