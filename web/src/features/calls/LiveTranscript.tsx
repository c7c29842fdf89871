/** The words of a running call, the newest at the bottom and in sight. Only what was said to its end is announced. */
import { useEffect, useRef } from "react"
import { cx } from "../../lib/classes.ts"
import { length, seconds } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import type { Line } from "./useLiveWords.ts"

export const LiveTranscript = ({
  lines,
  spoken,
  names
}: {
  readonly lines: ReadonlyArray<Line>
  readonly spoken: string
  readonly names: { readonly caller: string; readonly agent: string }
}) => {
  const end = useRef<HTMLDivElement>(null)
  const near = useRef(true)
  const newest = `${lines.length} ${spoken}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows what is newest.
  useEffect(() => {
    if (near.current) end.current?.scrollIntoView({ block: "end" })
  }, [newest])
  return (
    <div
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls it.
      tabIndex={0}
      role="log"
      aria-label={t("What is said")}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        near.current = scrollHeight - scrollTop - clientHeight < 80
      }}
      className="scroll-thin min-h-0 flex-1 overflow-y-auto px-4 py-3 outline-offset-[-2px]"
    >
      <ol className="flex flex-col gap-2.5">
        {lines.map((line, index) =>
          line.kind === "turn" ? (
            <li key={`turn ${index}`} className="num text-end text-label text-ink-3">
              {t("answered in {time}", { time: seconds(line.answeredMs) })}
            </li>
          ) : (
            <li key={`${line.role} ${line.startMs}`} className={cx(line.role === "agent" && "ps-8", "max-w-full")}>
              <b
                className={cx(
                  "text-small font-semibold",
                  line.role === "caller" ? "text-contact" : line.by === "person" ? "text-accent" : "text-ai"
                )}
              >
                <bdi>{line.by === "person" ? t("Colleague") : names[line.role]}</bdi>
              </b>{" "}
              <span className="num text-label text-ink-3">{length(line.startMs / 1000)}</span>
              <p
                dir="auto"
                className={cx(
                  "rounded-card px-3 py-1.5",
                  line.role === "caller" ? "rounded-ss-[3px] bg-contact-soft" : "rounded-se-[3px] bg-ai-soft"
                )}
              >
                {line.text}
              </p>
            </li>
          )
        )}
        {spoken !== "" && (
          <li aria-hidden="true" className="ps-8">
            <b className="text-small font-semibold text-ai">
              <bdi>{names.agent}</bdi>
            </b>
            <p dir="auto" className="rounded-card rounded-se-[3px] bg-ai-soft px-3 py-1.5 text-ink-2">
              {spoken} …
            </p>
          </li>
        )}
      </ol>
      <div ref={end} />
    </div>
  )
}
