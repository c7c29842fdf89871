/** The head of a page, 52 px, and what is under it. */
import type { ReactNode } from "react"
import { useEffect } from "react"

/** Sets the title of the tab. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = title === "" ? "Parley" : `${title} · Parley`
  }, [title])
}

export const PageHead = ({
  title,
  beside,
  children
}: {
  readonly title: string
  readonly beside?: ReactNode
  readonly children?: ReactNode
}) => {
  useTitle(title)
  return (
    <header className="flex min-h-[52px] shrink-0 flex-wrap items-center gap-2 border-b border-line bg-surface px-4 py-1.5 md:px-5">
      <h1 className="text-title font-semibold tracking-tight">{title}</h1>
      {beside}
      <span className="flex-1" />
      {children}
    </header>
  )
}

/** What is under the head of a page of forms and cards: 720 px wide, more for lists. */
export const PageBody = ({ wide = false, children }: { readonly wide?: boolean; readonly children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls it.
  <div tabIndex={0} className="scroll-thin min-h-0 flex-1 overflow-y-auto p-4 outline-offset-[-2px] md:p-6">
    <div className={`mx-auto flex flex-col gap-3 ${wide ? "max-w-[960px]" : "max-w-[720px]"}`}>{children}</div>
  </div>
)
