/** The links to the sections of a form: beside it, or above it on a telephone. A dot marks a section with changes. */
import type { ReactNode } from "react"
import { t } from "../lib/i18n.ts"

export const SectionNav = ({ children }: { readonly children: ReactNode }) => (
  <nav
    aria-label={t("Sections")}
    className="scroll-thin flex shrink-0 gap-0.5 overflow-x-auto border-line p-2 max-md:border-b max-md:bg-surface md:w-44 md:flex-col md:overflow-y-auto md:p-4"
  >
    {children}
  </nav>
)

export const sectionLinkClass =
  "flex min-h-7 items-center gap-2 rounded-md px-2 whitespace-nowrap text-ink-2 hover:bg-hover aria-[current=page]:bg-selected aria-[current=page]:text-ink pointer-coarse:min-h-11"

export const ChangedDot = () => (
  <span className="size-1.5 rounded-full bg-warn">
    <span className="sr-only">{t("Changed")}</span>
  </span>
)
