import { X } from "lucide-react"
import { t } from "../lib/i18n.ts"
import { act, dismiss, hold, release, useToasts } from "../lib/toasts.ts"
import { Button } from "./Button.tsx"

export const Toasts = () => {
  const toasts = useToasts()
  return (
    <div className="pointer-events-none fixed inset-x-3 bottom-16 z-50 flex flex-col items-start gap-2 md:start-4 md:end-auto md:bottom-4">
      <div role="status" aria-live="polite" className="contents">
        {toasts.map(({ id, text, tone, action }) => (
          <fieldset
            key={id}
            aria-label={text}
            onPointerEnter={() => hold(id)}
            onPointerLeave={() => release(id)}
            onFocus={() => hold(id)}
            onBlur={() => release(id)}
            className="appears pointer-events-auto flex max-w-md items-center gap-2 rounded-card border border-line bg-raised py-1.5 ps-3 pe-1.5 shadow-high"
          >
            <span className={tone === "bad" ? "text-danger" : ""}>{text}</span>
            {action && (
              <Button small tone="quiet" onClick={() => act(id)}>
                {action.label}
              </Button>
            )}
            <Button small tone="quiet" icon={X} label={t("Dismiss")} onClick={() => dismiss(id)} />
          </fieldset>
        ))}
      </div>
    </div>
  )
}
