/** A group of settings with a title. */
import type { ReactNode } from "react"

export const Card = ({
  title,
  beside,
  children
}: {
  readonly title: string
  readonly beside?: ReactNode
  readonly children: ReactNode
}) => (
  <section aria-label={title} className="rounded-card border border-line bg-surface p-4 md:px-5">
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <h2 className="flex-auto font-semibold">{title}</h2>
      {beside}
    </div>
    <div className="flex flex-col gap-3.5">{children}</div>
  </section>
)
