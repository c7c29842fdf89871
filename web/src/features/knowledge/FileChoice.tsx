/** A file of what agents shall know: chosen, or dropped here. */
import { FileUp } from "lucide-react"
import { useRef, useState } from "react"
import { Button } from "../../components/Button.tsx"
import { Problem } from "../../components/States.tsx"
import { size } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"

/** The most that the service takes. */
const mostBytes = 16 * 1024 * 1024

export const FileChoice = ({
  file,
  onChoose
}: {
  readonly file: File | undefined
  readonly onChoose: (file: File | undefined) => void
}) => {
  const [problem, setProblem] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const choose = (chosen: File | undefined) => {
    if (chosen === undefined) return
    const tooLarge = chosen.size > mostBytes
    setProblem(tooLarge ? t("{name} is larger than 16 MB.", { name: chosen.name }) : undefined)
    onChoose(tooLarge ? undefined : chosen)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one more way to choose a file; the button is the other.
    <div
      className="flex flex-col gap-2"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        choose(event.dataTransfer.files[0])
      }}
    >
      <p className="text-ink-2">{t("PDF, Word, Markdown, text, HTML or CSV, at most 16 MB.")}</p>
      <input
        ref={input}
        type="file"
        accept=".pdf,.docx,.md,.markdown,.txt,.html,.htm,.csv"
        className="hidden"
        tabIndex={-1}
        aria-hidden="true"
        onChange={(event) => {
          choose(event.target.files?.[0])
          event.target.value = ""
        }}
      />
      <div className="flex flex-wrap items-center gap-2 rounded-card border border-dashed border-line-strong p-3">
        <Button icon={FileUp} onClick={() => input.current?.click()}>
          {file === undefined ? t("Choose a file") : t("Choose another file")}
        </Button>
        {file !== undefined && (
          <span className="min-w-0 truncate">
            <bdi>{file.name}</bdi> <span className="num text-ink-3">{size(file.size)}</span>
          </span>
        )}
      </div>
      <Problem>{problem}</Problem>
    </div>
  )
}
