/** Who the agent is, and what it is told. */
import { useVoiceAgents } from "../../../api/people.ts"
import { Card } from "../../../components/Card.tsx"
import { Input, Select, TextArea } from "../../../components/Field.tsx"
import { number } from "../../../lib/format.ts"
import { t } from "../../../lib/i18n.ts"
import { useBotSetting } from "../form.ts"
import { languageChoices } from "../languages.ts"
import { botSettingName } from "../words.ts"

const longestPrompt = 20_000

export const BotBasics = () => {
  const voiceAgents = useVoiceAgents()
  const name = useBotSetting("name")
  const description = useBotSetting("description")
  const voice = useBotSetting("voiceAgentId")
  const prompt = useBotSetting("systemPrompt")
  const language = useBotSetting("language")
  const disclosure = useBotSetting("disclosureText")
  const known = voiceAgents.some(({ id }) => id === voice.value)
  return (
    <>
      <Card title={t("Who it is")}>
        <Input
          label={botSettingName("name")}
          maxLength={120}
          dir="auto"
          value={name.value}
          changed={name.changed}
          problem={name.problem}
          onChange={(event) => name.set(event.target.value)}
        />
        <Input
          label={botSettingName("description")}
          hint={t("For your colleagues.")}
          maxLength={2_000}
          dir="auto"
          value={description.value}
          changed={description.changed}
          problem={description.problem}
          onChange={(event) => description.set(event.target.value)}
        />
        <Select
          label={botSettingName("language")}
          hint={t("It answers in the contact’s language. This one counts when that is not clear.")}
          value={language.value}
          changed={language.changed}
          problem={language.problem}
          options={languageChoices(language.value)}
          onChange={(event) => language.set(event.target.value)}
        />
        <TextArea
          label={botSettingName("disclosureText")}
          hint={t("Its first message in a conversation begins with this. It cannot be empty.")}
          rows={2}
          maxLength={500}
          dir="auto"
          value={disclosure.value}
          changed={disclosure.changed}
          problem={disclosure.problem}
          onChange={(event) => disclosure.set(event.target.value)}
        />
      </Card>
      <Card title={t("What it does")}>
        <Select
          label={botSettingName("voiceAgentId")}
          hint={t("It then has the prompt and the tools of that voice agent, as they are at the time.")}
          value={voice.value ?? ""}
          changed={voice.changed}
          problem={voice.problem}
          options={[
            ["", t("None: it has its own")],
            ...voiceAgents.map(({ id, name: of }) => [id, of] as const),
            ...(voice.value === null || known ? [] : [[voice.value, t("A voice agent that is gone")] as const])
          ]}
          onChange={(event) => voice.set(event.target.value === "" ? null : event.target.value)}
        />
        {voice.value === null && (
          <TextArea
            label={botSettingName("systemPrompt")}
            hint={t("{n} of {most} characters", { n: number(prompt.value.length), most: number(longestPrompt) })}
            rows={16}
            maxLength={longestPrompt}
            dir="auto"
            value={prompt.value}
            changed={prompt.changed}
            problem={prompt.problem}
            onChange={(event) => prompt.set(event.target.value)}
          />
        )}
      </Card>
    </>
  )
}
