/** Chooses one file: with a button, or by dropping it into the field. */
import { FileUp } from "lucide-react"
import { type ReactNode, useRef, useState } from "react"
import { size } from "../lib/format.ts"
import { t } from "../lib/i18n.ts"
import { Button } from "./Button.tsx"
import { Problem } from "./States.tsx"

const megabyte = 1024 * 1024

export const FileField = ({
  file,
  accept,
  mostMegabytes,
  disabled = false,
  children,
  onChoose
}: {
  readonly file: File | undefined
  readonly accept: string
  readonly mostMegabytes: number
  readonly disabled?: boolean
  /** What can be chosen, in words. */
  readonly children: ReactNode
  /** Undefined: the chosen file is too large. */
  readonly onChoose: (file: File | undefined) => void
}) => {
  const [problem, setProblem] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const choose = (chosen: File | undefined) => {
    if (chosen === undefined || disabled) return
    const tooLarge = chosen.size > mostMegabytes * megabyte
    setProblem(
      tooLarge ? t("{name} is larger than {megabytes} MB.", { name: chosen.name, megabytes: mostMegabytes }) : undefined
    )
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
      <p className="text-ink-2">{children}</p>
      <input
        ref={input}
        type="file"
        accept={accept}
        className="hidden"
        tabIndex={-1}
        aria-hidden="true"
        onChange={(event) => {
          choose(event.target.files?.[0])
          event.target.value = ""
        }}
      />
      <div className="flex flex-wrap items-center gap-2 rounded-card border border-dashed border-line-strong p-3">
        <Button icon={FileUp} disabled={disabled} onClick={() => input.current?.click()}>
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
