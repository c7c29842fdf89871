/** The sections of an agent's form, with a mark at those that have changes. */
import type { VoiceAgent } from "@parley/client"
import { Link } from "@tanstack/react-router"
import { t } from "../../lib/i18n.ts"
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
  const changedHere = (one: Section) => changed.filter((name) => sectionOf(name) === one).length
  return (
    <nav
      aria-label={t("Sections")}
      className="scroll-thin flex shrink-0 gap-0.5 overflow-x-auto border-line p-2 max-md:border-b max-md:bg-surface md:w-44 md:flex-col md:overflow-y-auto md:p-4"
    >
      {sections.map((one) => (
        <Link
          key={one}
          to="/agents/$id/$section"
          params={{ id, section: one }}
          replace
          className="flex min-h-7 items-center gap-2 rounded-md px-2 whitespace-nowrap text-ink-2 hover:bg-hover aria-[current=page]:bg-selected aria-[current=page]:text-ink pointer-coarse:min-h-11"
        >
          <span className="flex-1">{sectionName(one)}</span>
          {one === "tools" && tools.length > 0 && <span className="num text-small text-ink-3">{tools.length}</span>}
          {changedHere(one) > 0 && (
            <span className="size-1.5 rounded-full bg-warn">
              <span className="sr-only">{t("Changed")}</span>
            </span>
          )}
        </Link>
      ))}
    </nav>
  )
}
