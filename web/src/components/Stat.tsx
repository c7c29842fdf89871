/** A figure with its name, and how it differs from the one before. */
import type { ReactNode } from "react"

export const Stat = ({
  name,
  value,
  children
}: {
  readonly name: string
  readonly value: string
  readonly children?: ReactNode
}) => (
  <div className="flex flex-col rounded-card border border-line bg-surface px-4 py-3">
    <dt className="text-small text-ink-3">{name}</dt>
    <dd>
      <span className="num block text-[1.375rem] leading-[1.875rem] font-semibold">{value}</span>
      {children !== undefined && <span className="num block text-small text-ink-2">{children}</span>}
    </dd>
  </div>
)
