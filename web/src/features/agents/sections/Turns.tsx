/** When the agent answers, when it lets itself be interrupted, and what it does in silence. */
import { Card } from "../../../components/Card.tsx"
import { Input } from "../../../components/Field.tsx"
import { NumberField } from "../../../components/NumberField.tsx"
import { Switch } from "../../../components/Switch.tsx"
import { t } from "../../../lib/i18n.ts"
import { useSetting } from "../form.ts"

const pair = "grid gap-3.5 md:grid-cols-2"

export const Turns = () => {
  const endpointing = useSetting("endpointing")
  const interruption = useSetting("interruption")
  const silence = useSetting("silence")
  const ends = (changes: Partial<typeof endpointing.value>) => endpointing.set({ ...endpointing.value, ...changes })
  const stops = (changes: Partial<typeof interruption.value>) => interruption.set({ ...interruption.value, ...changes })
  const quiet = (changes: Partial<typeof silence.value>) => silence.set({ ...silence.value, ...changes })
  return (
    <>
      <Card title={t("When the caller stops speaking")}>
        <div className={pair}>
          <NumberField
            label={t("Quickest answer, ms")}
            hint={t("When the sentence is surely over.")}
            min={100}
            max={5_000}
            step={50}
            value={endpointing.value.minSilenceMs}
            onChange={(minSilenceMs) => ends({ minSilenceMs })}
            changed={endpointing.changed}
            problem={endpointing.problem}
          />
          <NumberField
            label={t("Longest patience, ms")}
            hint={t("When the sentence sounds unfinished.")}
            min={200}
            max={10_000}
            step={100}
            value={endpointing.value.maxSilenceMs}
            onChange={(maxSilenceMs) => ends({ maxSilenceMs })}
            changed={endpointing.changed}
          />
        </div>
        <Switch
          label={t("The model judges too")}
          detail={t("whether the caller has finished")}
          checked={endpointing.value.semantic === "auto"}
          changed={endpointing.changed}
          onChange={(on) => ends({ semantic: on ? "auto" : "off" })}
        />
      </Card>
      <Card title={t("Interruptions")}>
        <Switch
          label={t("The caller may interrupt")}
          checked={interruption.value.enabled}
          changed={interruption.changed}
          onChange={(enabled) => stops({ enabled })}
        />
        {interruption.value.enabled && (
          <div className={pair}>
            <NumberField
              label={t("After so much voice, ms")}
              min={40}
              max={2_000}
              step={20}
              value={interruption.value.minSpeechMs}
              onChange={(minSpeechMs) => stops({ minSpeechMs })}
              changed={interruption.changed}
              problem={interruption.problem}
            />
            <NumberField
              label={t("And at least so many words")}
              hint={t("“Stop”, “wait” and the like always count.")}
              min={0}
              max={10}
              value={interruption.value.minWords}
              onChange={(minWords) => stops({ minWords })}
              changed={interruption.changed}
            />
          </div>
        )}
      </Card>
      <Card title={t("When nobody speaks")}>
        <div className={pair}>
          <NumberField
            label={t("Asks after, seconds")}
            min={1}
            max={120}
            value={silence.value.promptAfterSeconds}
            onChange={(promptAfterSeconds) => quiet({ promptAfterSeconds })}
            changed={silence.changed}
            problem={silence.problem}
          />
          <NumberField
            label={t("Asks so many times")}
            min={0}
            max={10}
            value={silence.value.maxPrompts}
            onChange={(maxPrompts) => quiet({ maxPrompts })}
            changed={silence.changed}
          />
        </div>
        <Input
          label={t("What it asks")}
          maxLength={500}
          dir="auto"
          value={silence.value.promptText}
          onChange={(event) => quiet({ promptText: event.target.value })}
          changed={silence.changed}
        />
        <Input
          label={t("What it says before it hangs up")}
          maxLength={500}
          dir="auto"
          value={silence.value.goodbyeText}
          onChange={(event) => quiet({ goodbyeText: event.target.value })}
          changed={silence.changed}
        />
      </Card>
    </>
  )
}
