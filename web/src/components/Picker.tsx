/** A list to choose from by typing: the palette, and every choice of one among many (whom to assign, until when, which template). */
import type { LucideIcon } from "lucide-react"
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from "react"
import { cx } from "../lib/classes.ts"
import { t } from "../lib/i18n.ts"
import { plain } from "../lib/plain.ts"
import { Dialog } from "./Dialog.tsx"
import { Icon } from "./Icon.tsx"
import { Kbd } from "./Kbd.tsx"

export interface Choice {
  readonly id: string
  readonly label: string
  /** Said beside the label. */
  readonly detail?: string | undefined
  readonly icon?: LucideIcon | undefined
  readonly sign?: ReactNode
  readonly keys?: string | undefined
  /** Further words that find it. */
  readonly words?: string | undefined
  readonly group?: string | undefined
  readonly run: () => void
}

export interface PickerProps {
  readonly title: string
  readonly placeholder: string
  readonly choices: ReadonlyArray<Choice>
  /** Told of the choice that was made; without one it was left. */
  readonly onClose: (chosen?: Choice) => void
  /** Told what is typed, for choices that are asked from the service. They are shown as they come. */
  readonly onType?: (text: string) => void
  /** What to offer for a text that is no choice, e.g. a new tag. */
  readonly fallback?: ((text: string) => Choice | undefined) | undefined
  readonly busy?: boolean
}

/** Whether every typed word begins a word of the choice, or is part of its label. */
const matches = (choice: Choice, typed: string): boolean => {
  const text = plain(`${choice.label} ${choice.detail ?? ""} ${choice.words ?? ""}`)
  return plain(typed)
    .split(/\s+/)
    .every((word) => text.includes(word))
}

export const Picker = ({ title, placeholder, choices, onClose, onType, fallback, busy = false }: PickerProps) => {
  const [typed, setTyped] = useState("")
  const [active, setActive] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const shown = useMemo(() => {
    const found = choices.filter((choice) => matches(choice, typed))
    const extra = typed.trim() === "" ? undefined : fallback?.(typed.trim())
    return extra === undefined ? found : [...found, extra]
  }, [choices, typed, fallback])
  const at = Math.min(active, shown.length - 1)
  useEffect(() => {
    list.current?.querySelectorAll('[role="option"]')[at]?.scrollIntoView({ block: "nearest" })
  }, [at])

  const choose = (choice: Choice | undefined) => {
    if (choice === undefined) return
    onClose(choice)
    choice.run()
  }
  const keyed = (event: React.KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (move !== undefined) setActive((at + move + shown.length) % Math.max(1, shown.length))
    else if (event.key === "Home" && event.ctrlKey) setActive(0)
    else if (event.key === "Enter") choose(shown[at])
    else return
    event.preventDefault()
  }

  return (
    <Dialog title={title} onClose={() => onClose()} bare>
      <div className="flex flex-col">
        <input
          autoFocus
          role="combobox"
          aria-expanded
          aria-controls={id}
          aria-activedescendant={shown[at] === undefined ? undefined : `${id}-${at}`}
          aria-label={title}
          placeholder={placeholder}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setActive(0)
            onType?.(event.target.value)
          }}
          onKeyDown={keyed}
          className="sticky top-0 z-10 h-12 w-full border-b border-line bg-raised px-4 text-title outline-none"
        />
        <div ref={list} id={id} role="listbox" aria-label={title} className="p-1.5">
          {shown.map((choice, index) => {
            const begins = choice.group !== undefined && choice.group !== shown[index - 1]?.group
            return (
              <div key={choice.id} role="presentation">
                {begins && (
                  <div role="presentation" className="px-2.5 pt-2 pb-1 text-label font-medium text-ink-3">
                    {choice.group}
                  </div>
                )}
                {/* biome-ignore lint/a11y/useFocusableInteractive: as above. */}
                {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys are taken by the field. */}
                <div
                  id={`${id}-${index}`}
                  role="option"
                  aria-selected={index === at}
                  onPointerMove={() => setActive(index)}
                  onClick={() => choose(choice)}
                  className={cx(
                    "flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1 pointer-coarse:min-h-11",
                    index === at && "bg-selected"
                  )}
                >
                  {choice.sign ?? (choice.icon && <Icon of={choice.icon} className="text-ink-3" />)}
                  <span className="min-w-0 flex-1">
                    <span className="block truncate">{choice.label}</span>
                    {choice.detail && <span className="block truncate text-small text-ink-3">{choice.detail}</span>}
                  </span>
                  {choice.keys && <Kbd>{choice.keys}</Kbd>}
                </div>
              </div>
            )
          })}
        </div>
        {shown.length === 0 && (
          <p role="status" className="px-4 py-6 text-center text-ink-3">
            {busy ? t("Searching…") : t("Nothing found.")}
          </p>
        )}
      </div>
    </Dialog>
  )
}
