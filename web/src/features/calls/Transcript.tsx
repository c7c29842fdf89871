/** What was said in a call. It follows the sound, word by word. */
import type { CallDetail, CallPeaks, Utterance } from "@parley/client"
import { memo, useMemo } from "react"
import { Chip } from "../../components/Chip.tsx"
import { cx } from "../../lib/classes.ts"
import { length } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { wordAt, wordsOf } from "./spokenWords.ts"

/** The words of the utterance that is heard, of which one is marked. A press on a word goes there. */
const FollowedWords = ({
  utterance,
  peaks,
  ms,
  onSeek
}: {
  readonly utterance: Utterance
  readonly peaks: CallPeaks | undefined
  readonly ms: number
  readonly onSeek: (seconds: number) => void
}) => {
  const words = useMemo(() => wordsOf(utterance, peaks), [utterance, peaks])
  const now = wordAt(words, ms)
  return words.map((word, index) => (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard goes by utterances and by seconds; a word is for the pointer.
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above.
    <span key={index} onClick={() => onSeek(word.startMs / 1000)} className="cursor-pointer">
      {word.gap}
      <span
        data-heard={word === now || undefined}
        className={cx(word === now && "rounded-sm bg-accent text-on-accent")}
      >
        {word.text}
      </span>
    </span>
  ))
}

const Line = memo(function Line({
  utterance,
  name,
  peaks,
  ms,
  onSeek
}: {
  readonly utterance: Utterance
  readonly name: string
  readonly peaks: CallPeaks | undefined
  /** Where the sound is, in the utterance that is heard. */
  readonly ms: number | undefined
  readonly onSeek: (seconds: number) => void
}) {
  const { id, role, text, startMs, interrupted } = utterance
  return (
    <li
      id={id}
      className={cx(
        "grid grid-cols-[42px_minmax(0,1fr)] gap-2 rounded-lg px-2 py-1.5 -mx-2",
        ms !== undefined && "bg-selected"
      )}
    >
      <button
        type="button"
        aria-label={t("Hear it from {time}", { time: length(startMs / 1000) })}
        onClick={() => onSeek(startMs / 1000)}
        className="num min-h-6 self-start text-start text-label text-ink-3 hover:text-ink pointer-coarse:min-h-11"
      >
        {length(startMs / 1000)}
      </button>
      <div>
        <p className="flex flex-wrap items-center gap-1.5">
          <b className={cx("text-small font-semibold", role === "caller" ? "text-contact" : "text-ai")}>
            <bdi>{name}</bdi>
          </b>
          {interrupted && <Chip tone="danger">{t("interrupted")}</Chip>}
        </p>
        <p dir="auto">
          {ms === undefined ? text : <FollowedWords utterance={utterance} peaks={peaks} ms={ms} onSeek={onSeek} />}
        </p>
      </div>
    </li>
  )
})

export const Transcript = ({
  call: { summary, utterances, recording },
  names,
  peaks,
  heard,
  ms,
  onSeek
}: {
  readonly call: CallDetail
  readonly names: { readonly caller: string; readonly agent: string }
  readonly peaks: CallPeaks | undefined
  /** The utterance that is heard now. */
  readonly heard: Utterance | undefined
  readonly ms: number
  readonly onSeek: (seconds: number) => void
}) => (
  <section
    aria-label={t("Transcript")}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls it.
    tabIndex={0}
    className="scroll-thin min-h-0 bg-surface px-4 py-3 outline-offset-[-2px] md:px-5 lg:overflow-y-auto"
  >
    <div className="mb-2 flex items-center gap-2">
      <h2 className="font-semibold">{t("Transcript")}</h2>
      {recording !== null && <Chip tone="accent">{t("follows the sound")}</Chip>}
    </div>
    {summary?.text && (
      <p className="mb-3 rounded-s-[4px] rounded-e-lg border-s-[3px] border-ai bg-ai-soft px-3 py-2" dir="auto">
        <b className="block text-small font-semibold">{t("Summary")}</b>
        {summary.text}
      </p>
    )}
    {utterances.length === 0 && <p className="text-ink-3">{t("Nothing was said in this call.")}</p>}
    <ol className="flex flex-col">
      {utterances.map((utterance) => (
        <Line
          key={utterance.id}
          utterance={utterance}
          name={utterance.by === "person" ? t("Colleague") : names[utterance.role]}
          peaks={peaks}
          ms={heard?.id === utterance.id ? ms : undefined}
          onSeek={onSeek}
        />
      ))}
    </ol>
  </section>
)
