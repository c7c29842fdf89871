/** When the agent hands a conversation over to the team, and what it says then. */
import { Card } from "../../../components/Card.tsx"
import { TextArea } from "../../../components/Field.tsx"
import { TagInput } from "../../../components/TagInput.tsx"
import { t } from "../../../lib/i18n.ts"
import { useBotSetting } from "../form.ts"
import { botSettingName } from "../words.ts"

const Line = ({ name, hint }: { readonly name: "handOverLine" | "fallbackLine"; readonly hint: string }) => {
  const { value, set, changed, problem } = useBotSetting(name)
  return (
    <TextArea
      label={botSettingName(name)}
      hint={hint}
      rows={2}
      maxLength={500}
      dir="auto"
      value={value}
      changed={changed}
      problem={problem}
      onChange={(event) => set(event.target.value)}
    />
  )
}

export const BotHandOver = () => {
  const phrases = useBotSetting("escalationPhrases")
  const outside = useBotSetting("outsideHoursLine")
  return (
    <Card title={t("Handing over")}>
      <p className="text-ink-2">
        {t(
          "The conversation becomes open for your team, with a note of what the contact wants. The agent is silent then."
        )}
      </p>
      <TagInput
        label={botSettingName("escalationPhrases")}
        hint={t("Besides “human”, “agent”, “representative” and the like. Enter adds one.")}
        values={phrases.value}
        onChange={phrases.set}
        most={50}
        maxLength={100}
        changed={phrases.changed}
        problem={phrases.problem}
      />
      <Line name="handOverLine" hint={t("Said when the contact wants a human.")} />
      <Line name="fallbackLine" hint={t("Said when the agent cannot answer.")} />
      <TextArea
        label={botSettingName("outsideHoursLine")}
        hint={t("Said instead of both outside business hours. Empty: the same sentences.")}
        rows={2}
        maxLength={500}
        dir="auto"
        value={outside.value ?? ""}
        changed={outside.changed}
        problem={outside.problem}
        onChange={(event) => outside.set(event.target.value === "" ? null : event.target.value)}
      />
    </Card>
  )
}
