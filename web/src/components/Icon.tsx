/** An icon of Lucide at 16 px with a stroke of 1.75. It says nothing to a screen reader: the control beside it has the name. */
import type { LucideIcon } from "lucide-react"

export interface IconProps {
  readonly of: LucideIcon
  readonly size?: number
  readonly className?: string
}

export const Icon = ({ of: Drawn, size = 16, className = "" }: IconProps) => (
  <Drawn size={size} strokeWidth={1.75} aria-hidden="true" className={`shrink-0 ${className}`} />
)
