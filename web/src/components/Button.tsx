/** A button. Its words say what happens; `label` names one that shows only an icon. */
import type { LucideIcon } from "lucide-react"
import type { ComponentProps, ReactNode } from "react"
import { cx } from "../lib/classes.ts"
import { Icon } from "./Icon.tsx"
import { Kbd } from "./Kbd.tsx"

type Tone = "plain" | "primary" | "quiet" | "danger" | "ai"

const tones: Readonly<Record<Tone, string>> = {
  plain: "border-line bg-raised shadow-low hover:bg-hover",
  primary: "border-accent bg-accent text-on-accent hover:bg-accent-hover hover:border-accent-hover",
  quiet: "border-transparent text-ink-2 hover:bg-hover hover:text-ink",
  danger: "border-line bg-raised shadow-low text-danger hover:bg-danger-soft",
  ai: "border-transparent text-ai hover:bg-ai-soft"
}

/** How a control looks; links that act like one use it too. */
export const buttonClass = ({
  tone = "plain",
  small = false,
  square = false
}: {
  tone?: Tone
  small?: boolean
  square?: boolean
}) =>
  cx(
    "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-control border font-medium whitespace-nowrap select-none",
    "disabled:opacity-50 aria-pressed:bg-selected aria-pressed:text-ink",
    small ? "h-[26px] text-small pointer-coarse:h-11" : "h-8 pointer-coarse:h-11",
    square ? (small ? "w-[26px] pointer-coarse:w-11" : "w-8 pointer-coarse:w-11") : small ? "px-2.5" : "px-3",
    tones[tone]
  )

export interface ButtonProps extends Omit<ComponentProps<"button">, "aria-label"> {
  readonly tone?: Tone
  readonly small?: boolean
  readonly icon?: LucideIcon
  /** The name of a button that shows only an icon. */
  readonly label?: string
  readonly keys?: string
  readonly children?: ReactNode
}

export const Button = ({
  tone = "plain",
  small = false,
  icon,
  label,
  keys,
  children,
  className,
  type = "button",
  ...rest
}: ButtonProps) => (
  <button
    {...rest}
    type={type}
    aria-label={label}
    title={label}
    className={cx(buttonClass({ tone, small, square: children === undefined }), className)}
  >
    {icon && <Icon of={icon} size={small ? 14 : 16} />}
    {children}
    {keys && <Kbd quiet={tone === "primary"}>{keys}</Kbd>}
  </button>
)
