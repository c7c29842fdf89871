/** What is known of a record: label and value, below each other on a telephone. */
import type { ReactNode } from "react"

export const Facts = ({ of }: { readonly of: ReadonlyArray<readonly [label: string, value: ReactNode]> }) => (
  <dl className="grid gap-x-4 gap-y-1.5 md:grid-cols-[minmax(120px,auto)_minmax(0,1fr)]">
    {of.map(([label, value]) => (
      <div key={label} className="contents">
        <dt className="text-ink-3">{label}</dt>
        <dd className="min-w-0 [overflow-wrap:anywhere] max-md:mb-1">{value}</dd>
      </div>
    ))}
  </dl>
)
