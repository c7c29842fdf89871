/** The sections of an agent's form, with a mark at those that have changes. */
import type { VoiceAgent } from "@parley/client"
import { Link } from "@tanstack/react-router"
import { ChangedDot, SectionNav, sectionLinkClass } from "../../components/SectionNav.tsx"
import type { SettingName } from "./draft.ts"
import { type Section, sectionName, sectionOf, sections } from "./words.ts"

export const SectionLinks = ({
  id,
  tools,
  changed
}: {
  readonly id: string
  readonly tools: VoiceAgent["tools"]
  /** The settings that are not saved. */
  readonly changed: ReadonlyArray<SettingName>
}) => {
  const changedHere = (one: Section) => changed.some((name) => sectionOf(name) === one)
  return (
    <SectionNav>
      {sections.map((one) => (
        <Link key={one} to="/agents/$id/$section" params={{ id, section: one }} replace className={sectionLinkClass}>
          <span className="flex-1">{sectionName(one)}</span>
          {one === "tools" && tools.length > 0 && <span className="num text-small text-ink-3">{tools.length}</span>}
          {changedHere(one) && <ChangedDot />}
        </Link>
      ))}
    </SectionNav>
  )
}
