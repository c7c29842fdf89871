/** The changelog of the interface, `docs/changelog.md`: a breaking change has an entry in its newest section. */
import type { BreakingChange } from "./SchemaChanges.ts"

/** The lines about breaking changes in the newest section. */
const breakingEntries = (changelog: string): ReadonlyArray<string> => {
  const [, newest = ""] = changelog.split(/^## /m)
  return newest.split(/^- /m).filter((entry) => entry.startsWith("**Breaking.**"))
}

const lastField = (field: string): string => field.replaceAll("[]", "").split(".").at(-1) ?? ""

/** The changes that the newest section does not name: an entry names the place and the field, each between backticks. */
export const unnamedChanges = (
  changelog: string,
  changes: ReadonlyArray<BreakingChange>
): ReadonlyArray<BreakingChange> => {
  const entries = breakingEntries(changelog)
  return changes.filter(({ place, field }) => {
    const named = [place, lastField(field)].filter((word) => word !== "" && word !== "*")
    return !entries.some((entry) => named.every((word) => entry.includes(`\`${word}\``)))
  })
}

/** An entry for a change, to be completed. */
export const entryOf = ({ place, field, change }: BreakingChange): string =>
  field === ""
    ? `- **Breaking.** \`${place}\` ${change}.`
    : `- **Breaking.** \`${place}\`: \`${lastField(field)}\` ${change}.`
