/** A line of a settings card: what it is, and at the end what can be done about it. */
import type { ReactNode } from "react"

export const Row = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-2 border-t border-line py-2 first:border-0">
    <span className="min-w-32 text-ink-2">{label}</span>
    <div className="ms-auto">{children}</div>
  </div>
)

export const cardClass = "rounded-card border border-line bg-surface px-4"
