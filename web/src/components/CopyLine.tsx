/** A line of text that is copied elsewhere, e.g. an address. */
import { CopyButton } from "./CopyButton.tsx"

export const CopyLine = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <div>
    <p className="text-small font-medium text-ink-2">{label}</p>
    <p className="flex items-center gap-2">
      <span
        dir="ltr"
        className="min-w-0 flex-1 rounded-lg bg-sunken px-2.5 py-1.5 font-mono text-small break-all select-all"
      >
        {text}
      </span>
      <CopyButton small text={text} name={label} />
    </p>
  </div>
)
