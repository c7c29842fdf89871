/** Who the agent is, and what it is told. */
import { Card } from "../../../components/Card.tsx"
import { Input, TextArea } from "../../../components/Field.tsx"
import { number } from "../../../lib/format.ts"
import { t } from "../../../lib/i18n.ts"
import { useForm, useSetting } from "../form.ts"

const longestPrompt = 20_000

export const Basics = () => {
  const { agent } = useForm()
  const name = useSetting("name")
  const description = useSetting("description")
  const welcome = useSetting("welcomeMessage")
  const prompt = useSetting("systemPrompt")
  return (
    <>
      <Card title={t("Who it is")}>
        <Input
          label={t("Name")}
          maxLength={120}
          dir="auto"
          value={name.value}
          onChange={(event) => name.set(event.target.value)}
          changed={name.changed}
          problem={name.problem}
        />
        <Input
          label={t("Description")}
          hint={t("For your colleagues. Callers do not hear it.")}
          maxLength={2_000}
          dir="auto"
          value={description.value}
          onChange={(event) => description.set(event.target.value)}
          changed={description.changed}
          problem={description.problem}
        />
      </Card>
      <Card title={t("What it does")}>
        <TextArea
          label={t("Welcome message")}
          hint={t("Comes after the disclosure: “{text}”", { text: agent.disclosureText })}
          rows={2}
          maxLength={1_000}
          dir="auto"
          value={welcome.value}
          onChange={(event) => welcome.set(event.target.value)}
          changed={welcome.changed}
          problem={welcome.problem}
        />
        <TextArea
          label={t("Prompt")}
          hint={t("{n} of {most} characters", {
            n: number(prompt.value.length),
            most: number(longestPrompt)
          })}
          rows={16}
          maxLength={longestPrompt}
          dir="auto"
          value={prompt.value}
          onChange={(event) => prompt.set(event.target.value)}
          changed={prompt.changed}
          problem={prompt.problem}
        />
      </Card>
    </>
  )
}
