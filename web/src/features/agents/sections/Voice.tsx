/** How the agent sounds: its language, its voice, and what makes it sound natural. */
import type { VoiceCatalogue, VoiceCatalogueVoice } from "@parley/client"
import { Lock, Pause, Play } from "lucide-react"
import { useState } from "react"
import { Button } from "../../../components/Button.tsx"
import { Card } from "../../../components/Card.tsx"
import { ChangedMark, Select } from "../../../components/Field.tsx"
import { Icon } from "../../../components/Icon.tsx"
import { ErrorBlock, Skeleton } from "../../../components/States.tsx"
import { Switch } from "../../../components/Switch.tsx"
import { cx } from "../../../lib/classes.ts"
import { message, t } from "../../../lib/i18n.ts"
import { type Feature, without } from "../draft.ts"
import { useForm, useSetting } from "../form.ts"
import { lockOf, useCatalogue, voiceOf, voicesFor } from "../useAgents.ts"
import { usePreview } from "../usePreview.ts"

/** Voices that are shown before somebody asks for all. */
const shownFirst = 6

const accents: Readonly<Record<string, string>> = {
  American: message("American"),
  British: message("British"),
  Australian: message("Australian"),
  Filipino: message("Filipino")
}

const about = ({ gender, accent, family }: VoiceCatalogueVoice): string =>
  [
    gender === "female" ? t("female") : t("male"),
    accent === null ? undefined : t(accents[accent] ?? accent),
    family === "premium" ? t("premium voice") : undefined
  ]
    .filter((part) => part !== undefined)
    .join(" · ")

const Voices = ({ catalogue, only }: { readonly catalogue: VoiceCatalogue; readonly only: Feature | undefined }) => {
  const { draft, set, changed, problemOf } = useForm()
  const [all, setAll] = useState(false)
  const preview = usePreview()
  const speaking = voicesFor(catalogue, draft.primaryLanguage).filter(
    ({ features }) => only === undefined || features.includes(only)
  )
  const isChosen = ({ family, id }: VoiceCatalogueVoice) => family === draft.voiceFamily && id === draft.voiceId
  const first = speaking.filter((voice, index) => all || only !== undefined || index < shownFirst || isChosen(voice))
  const problem = problemOf("voiceId") ?? problemOf("voiceFamily")
  return (
    <fieldset className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-2">
        <legend className="float-start text-small font-medium text-ink-2">{t("Voice")}</legend>
        {(changed.has("voiceId") || changed.has("voiceFamily")) && <ChangedMark />}
      </div>
      <div className="grid gap-2 md:grid-cols-2 lg:grid-cols-3">
        {first.map((voice) => {
          const lock = lockOf(catalogue, voice)
          const chosen = isChosen(voice)
          const plays = preview.playing === voice.id
          return (
            <div
              key={`${voice.family} ${voice.id}`}
              className={cx(
                "flex min-w-0 items-center gap-2 rounded-control border p-2 has-focus-visible:outline-2 has-focus-visible:outline-accent",
                chosen ? "border-accent bg-selected" : "border-line",
                lock !== undefined && "bg-sunken"
              )}
            >
              <Button
                small
                icon={plays ? Pause : Play}
                label={plays ? t("Stop {name}", { name: voice.name }) : t("Hear {name}", { name: voice.name })}
                className="!rounded-full"
                disabled={lock !== undefined}
                onClick={() =>
                  void preview.toggle({
                    voiceFamily: voice.family,
                    voiceId: voice.id,
                    primaryLanguage: draft.primaryLanguage,
                    text: draft.welcomeMessage
                  })
                }
              />
              <label className="min-w-0 flex-1 cursor-pointer" title={lock}>
                <input
                  type="radio"
                  name="voice"
                  className="sr-only"
                  checked={chosen}
                  disabled={lock !== undefined}
                  onChange={() => set({ voiceFamily: voice.family, voiceId: voice.id })}
                />
                <span className="flex items-center gap-1 font-medium">
                  <span className="truncate">{voice.name}</span>
                  {lock !== undefined && <Icon of={Lock} size={12} />}
                </span>
                <span className="block truncate text-small text-ink-3">{about(voice)}</span>
                {lock !== undefined && <span className="sr-only">{lock}</span>}
              </label>
            </div>
          )
        })}
      </div>
      {problem !== undefined && <p className="text-small text-danger">{problem}</p>}
      <div className="flex flex-wrap items-center gap-2 text-small text-ink-3">
        <span>{t("You hear your own welcome message.")}</span>
        {first.length < speaking.length && (
          <Button small tone="quiet" onClick={() => setAll(true)}>
            {t("Show all {n} voices", { n: speaking.length })}
          </Button>
        )}
      </div>
    </fieldset>
  )
}

const naturals: ReadonlyArray<readonly [Feature, string, string]> = [
  ["backchanneling", message("Listening sounds"), message("“mm-hm” while the caller speaks long")],
  ["use_fillers", message("Fillers"), message("“let me see” when an answer takes more than 1.2 s")],
  ["ambient_noise", message("Quiet office"), message("a soft room under speech and silence")]
]

export const Voice = () => {
  const { draft, set, changed } = useForm()
  const language = useSetting("primaryLanguage")
  const catalogue = useCatalogue()
  const [only, setOnly] = useState<Feature>()
  if (catalogue.error !== null && catalogue.data === undefined)
    return <ErrorBlock error={catalogue.error} again={() => void catalogue.refetch()} />
  if (catalogue.data === undefined) return <Skeleton className="h-40" />
  const voices = catalogue.data
  const voice = voiceOf(voices, draft)
  const setLanguage = (tag: (typeof draft)["primaryLanguage"]) => {
    // A voice that does not speak the language would be refused: the first one that does takes its place.
    if (voice?.languages.includes(tag)) return language.set(tag)
    const next = voicesFor(voices, tag).find((one) => lockOf(voices, one) === undefined)
    set({ primaryLanguage: tag, ...(next === undefined ? {} : { voiceFamily: next.family, voiceId: next.id }) })
  }
  return (
    <>
      <Card title={t("Voice")}>
        <Select
          label={t("Language")}
          value={language.value}
          onChange={(event) => {
            const next = voices.languages.find(({ tag }) => tag === event.target.value)
            if (next !== undefined) setLanguage(next.tag)
          }}
          options={voices.languages.map(({ tag, name }) => [tag, name])}
          changed={language.changed}
          problem={language.problem}
        />
        {only !== undefined && (
          <p className="flex flex-wrap items-center gap-2 text-small text-ink-2">
            {t("Only voices that can: {feature}.", {
              feature: t(naturals.find(([feature]) => feature === only)?.[1] ?? "")
            })}
            <Button small tone="quiet" onClick={() => setOnly(undefined)}>
              {t("Show all")}
            </Button>
          </p>
        )}
        <Voices catalogue={voices} only={only} />
      </Card>
      <Card title={t("Sounds natural")}>
        <div>
          {naturals.map(([feature, label, detail]) => {
            const reason = without(voice, feature)
            return (
              <Switch
                key={feature}
                label={t(label)}
                detail={t(detail)}
                checked={draft[feature]}
                changed={changed.has(feature)}
                onChange={(on) => set({ [feature]: on })}
                without={
                  reason === undefined ? undefined : (
                    <>
                      {reason} {t("It comes back by itself with a voice that can.")}{" "}
                      {voicesFor(voices, draft.primaryLanguage).some(({ features }) => features.includes(feature)) && (
                        <button type="button" className="font-semibold underline" onClick={() => setOnly(feature)}>
                          {t("Show voices that can")}
                        </button>
                      )}
                    </>
                  )
                }
              />
            )
          })}
        </div>
      </Card>
    </>
  )
}
