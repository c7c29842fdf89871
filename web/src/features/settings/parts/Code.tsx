/** Text of a program, with a button that copies it. */
import { CopyButton } from "../../../components/CopyButton.tsx"

/** JSON with line breaks; anything else as it is. */
export const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // An answer may be anything, and may be cut off.
    return text
  }
}

export const Code = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <section aria-label={label} className="overflow-hidden rounded-lg border border-line">
    <div className="flex min-h-8 items-center gap-2 border-b border-line ps-2.5 pe-1">
      <h3 className="flex-1 text-small font-medium text-ink-2">{label}</h3>
      <CopyButton small tone="quiet" text={text} />
    </div>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
    <pre tabIndex={0} dir="ltr" className="scroll-thin max-h-80 overflow-auto bg-sunken p-2.5 font-mono text-small">
      {text}
    </pre>
  </section>
)
