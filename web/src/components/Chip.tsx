import type { LucideIcon } from "lucide-react"
import type { ReactNode } from "react"
import { cx } from "../lib/classes.ts"
import { Icon } from "./Icon.tsx"

export type ChipTone = "plain" | "good" | "warn" | "danger" | "ai" | "contact" | "accent"

const tones: Readonly<Record<ChipTone, string>> = {
  plain: "bg-sunken text-ink-2",
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  danger: "bg-danger-soft text-danger",
  ai: "bg-ai-soft text-ai",
  contact: "bg-contact-soft text-contact",
  accent: "bg-accent-soft text-accent"
}

/** A fact of a record in one or two words. */
export const Chip = ({
  tone = "plain",
  icon,
  children,
  title
}: {
  readonly tone?: ChipTone
  readonly icon?: LucideIcon
  readonly children: ReactNode
  readonly title?: string
}) => (
  <span
    title={title}
    className={cx(
      "inline-flex min-h-5 max-w-full items-center gap-1 rounded-[10px] px-[7px] text-[0.71875rem] leading-5 font-medium",
      tones[tone]
    )}
  >
    {icon && <Icon of={icon} size={12} />}
    <span className="truncate">{children}</span>
  </span>
)
