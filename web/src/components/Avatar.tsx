/** Who somebody is: a round sign with initials for people, amber for contacts and green for ours; a violet square for AI agents. */
import { Sparkles } from "lucide-react"
import { cx } from "../lib/classes.ts"
import { initials } from "../lib/format.ts"
import { Icon } from "./Icon.tsx"

export type Who = "contact" | "human" | "ai"

const sizes = { s: "size-5 text-[0.5625rem]", m: "size-7 text-label", l: "size-10 text-[0.875rem]" } as const
const looks: Readonly<Record<Who, string>> = {
  contact: "rounded-full bg-contact-soft text-contact",
  human: "rounded-full bg-accent-soft text-accent",
  ai: "rounded-[28%] bg-ai-soft text-ai"
}

/** `title` names whoever it is where no text beside it does. */
export const Avatar = ({
  name,
  who = "contact",
  size = "m",
  title
}: {
  readonly name: string
  readonly who?: Who
  readonly size?: keyof typeof sizes
  readonly title?: string
}) => (
  <span
    {...(title === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": title, title })}
    className={cx(
      "grid shrink-0 place-items-center overflow-hidden font-semibold select-none",
      sizes[size],
      looks[who]
    )}
  >
    {who === "ai" ? <Icon of={Sparkles} size={size === "s" ? 12 : 16} /> : initials(name)}
  </span>
)
