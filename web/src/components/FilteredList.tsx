/** A list under filters, over the whole page. When nothing matches them, they can be cleared. */
import type { ReactNode } from "react"
import { t } from "../lib/i18n.ts"
import { Button } from "./Button.tsx"
import { type List, Listed } from "./Listed.tsx"
import { Empty } from "./States.tsx"

export const FilteredList = <A extends { readonly id: string }>({
  label,
  list,
  filtered,
  noneMatches,
  none,
  onClear,
  children
}: {
  readonly label: string
  readonly list: List<A>
  readonly filtered: boolean
  /** That nothing matches the filters, and that there is nothing at all. */
  readonly noneMatches: string
  readonly none: string
  readonly onClear: () => void
  /** A row. */
  readonly children: (one: A) => ReactNode
}) => (
  <div className="scroll-thin min-h-0 flex-1 overflow-y-auto bg-surface">
    <Listed
      list={list}
      empty={
        <Empty
          title={filtered ? noneMatches : none}
          action={filtered && <Button onClick={onClear}>{t("Clear the filter")}</Button>}
        />
      }
    >
      {(all) => <ul aria-label={label}>{all.map(children)}</ul>}
    </Listed>
  </div>
)
