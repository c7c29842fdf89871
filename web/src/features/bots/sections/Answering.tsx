/** Which conversations the agent takes, and how long it waits and thinks. */
import { Card } from "../../../components/Card.tsx"
import { ChangedMark, Select } from "../../../components/Field.tsx"
import { NumberField } from "../../../components/NumberField.tsx"
import { t } from "../../../lib/i18n.ts"
import { useBotSetting } from "../form.ts"
import { answersChoices, botSettingName } from "../words.ts"

export const Answering = () => {
  const answers = useBotSetting("answers")
  const limits = useBotSetting("limits")
  const set = (changes: Partial<typeof limits.value>) => limits.set({ ...limits.value, ...changes })
  return (
    <>
      <Card title={t("Answering")}>
        <Select
          label={botSettingName("answers")}
          hint={t(
            "It is silent in a conversation in which a person has written, until the conversation is given back to it."
          )}
          value={answers.value}
          changed={answers.changed}
          problem={answers.problem}
          options={answersChoices()}
          onChange={(event) => {
            const chosen = answersChoices().find(([value]) => value === event.target.value)
            if (chosen !== undefined) answers.set(chosen[0])
          }}
        />
        <p className="text-small text-ink-3">{t("It answers in WhatsApp.")}</p>
      </Card>
      <Card title={t("Limits")} beside={limits.changed && <ChangedMark />}>
        <NumberField
          label={t("Wait for more after a message, milliseconds")}
          hint={t("People often write in several messages. A question is answered sooner.")}
          min={0}
          max={8_000}
          value={limits.value.waitMs}
          onChange={(waitMs) => set({ waitMs })}
          problem={limits.problem}
        />
        <NumberField
          label={t("How much of the conversation it reads, tokens")}
          hint={t("What is older is summed up.")}
          min={500}
          max={16_000}
          value={limits.value.historyTokens}
          onChange={(historyTokens) => set({ historyTokens })}
        />
        <NumberField
          label={t("Requests to the model for one answer")}
          min={1}
          max={8}
          value={limits.value.modelCallsPerTurn}
          onChange={(modelCallsPerTurn) => set({ modelCallsPerTurn })}
        />
        <NumberField
          label={t("Longest time for one answer, seconds")}
          min={5}
          max={30}
          value={limits.value.secondsPerTurn}
          onChange={(secondsPerTurn) => set({ secondsPerTurn })}
        />
      </Card>
    </>
  )
}
