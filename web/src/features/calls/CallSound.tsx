/** The recording of a call: how it is played, and its two sides with the waits between them. */
import type { CallPeaks, Utterance } from "@parley/client"
import { Pause, Play } from "lucide-react"
import { Button } from "../../components/Button.tsx"
import { Segmented } from "../../components/Segmented.tsx"
import { cx } from "../../lib/classes.ts"
import { length } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import type { Wait } from "./turns.ts"
import type { Player } from "./usePlayer.ts"
import { Waveform } from "./Waveform.tsx"

const rates = ["1", "1.5", "2"] as const

export const CallSound = ({
  peaks,
  busy,
  duration,
  utterances,
  waits,
  names,
  player
}: {
  readonly peaks: CallPeaks | undefined
  /** The recording is being measured. */
  readonly busy: boolean
  readonly duration: number
  readonly utterances: ReadonlyArray<Utterance>
  readonly waits: ReadonlyArray<Wait>
  readonly names: { readonly caller: string; readonly agent: string }
  readonly player: Player
}) => (
  <section
    aria-label={t("Recording of the call")}
    aria-busy={busy}
    className="border-b border-line bg-surface px-4 pt-2.5 pb-3 md:px-5"
  >
    <div className="mb-6 flex flex-wrap items-center gap-x-3.5 gap-y-2">
      <Button
        tone="primary"
        icon={player.playing ? Pause : Play}
        label={player.playing ? t("Pause") : t("Play")}
        className="!rounded-full"
        onClick={player.toggle}
      />
      <span className="num font-medium">
        {length(player.at)} <span className="text-ink-3">/ {length(duration)}</span>
      </span>
      <Segmented
        label={t("Speed")}
        value={rates.find((rate) => Number(rate) === player.rate) ?? "1"}
        options={rates.map((value) => ({ value, label: `${value}×` }))}
        onChange={(rate) => player.setRate(Number(rate))}
      />
      <span className="flex-1" />
      <ul className="flex flex-wrap gap-3 text-small text-ink-2">
        {(
          [
            ["bg-contact", t("Caller")],
            ["bg-ai", names.agent],
            ["bg-line", t("Waiting for the answer")]
          ] as const
        ).map(([fill, label]) => (
          <li key={fill} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={cx("size-[9px] rounded-[3px]", fill)} />
            {label}
          </li>
        ))}
      </ul>
    </div>
    <Waveform peaks={peaks} duration={duration} utterances={utterances} waits={waits} names={names} player={player} />
  </section>
)
