/** The frame of the pages that are seen before signing in. */
import { AudioWaveform } from "lucide-react"
import type { ReactNode } from "react"
import { Icon } from "../../components/Icon.tsx"
import { useTitle } from "../../components/Page.tsx"
import { LanguageChoice } from "./LanguageChoice.tsx"

export const EntryPage = ({
  title,
  lead,
  children,
  under
}: {
  readonly title: string
  /** What the page is for, in a sentence or two. */
  readonly lead?: string
  readonly children: ReactNode
  /** What stands below the card, e.g. the way to another page. */
  readonly under?: ReactNode
}) => {
  useTitle(title)
  return (
    <main className="grid min-h-full place-items-center p-4">
      <div className="w-full max-w-[380px]">
        <div className="mb-3 flex items-center gap-3">
          <span className="grid size-9 shrink-0 place-items-center rounded-[10px] bg-accent text-on-accent">
            <Icon of={AudioWaveform} size={20} />
          </span>
          <h1 className="text-figure font-semibold tracking-tight">{title}</h1>
        </div>
        {lead !== undefined && <p className="mb-4 text-ink-2">{lead}</p>}
        <div className="rounded-card border border-line bg-surface p-5 shadow-low">{children}</div>
        {under !== undefined && <div className="mt-3 text-center">{under}</div>}
        <div className="mt-4 flex justify-center">
          <LanguageChoice />
        </div>
      </div>
    </main>
  )
}

/** A link below the card, or within it. */
export const entryLink = "font-medium text-accent underline underline-offset-2"
