/** To whom the agent hands a caller, and which words ask for it. */
import { useQuery } from "@tanstack/react-query"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { Card } from "../../../components/Card.tsx"
import { Chip } from "../../../components/Chip.tsx"
import { Input, TextArea } from "../../../components/Field.tsx"
import { TagInput } from "../../../components/TagInput.tsx"
import { t } from "../../../lib/i18n.ts"
import { useForm, useSetting } from "../form.ts"

/** Whether the human of the saved agent is free at this moment. */
const Line = () => {
  const { agent } = useForm()
  const { data } = useQuery({
    queryKey: keys.voiceAgentQueue(agent.id, agent.updatedAt),
    enabled: agent.humanDestination !== null,
    queryFn: ({ signal }) => parley.voiceAgents.queue(agent.id, { signal })
  })
  if (data === undefined || agent.humanDestination === null) return null
  const waiting = data.waiting.length
  return data.dialing === null && waiting === 0 ? (
    <Chip tone="good">{t("free now")}</Chip>
  ) : (
    <Chip tone="warn">
      {t("{n, plural, =0 {talks now} one {# caller waits} other {# callers wait}}", { n: waiting })}
    </Chip>
  )
}

export const HandOver = () => {
  const human = useSetting("humanDestination")
  const phrases = useSetting("escalationPhrases")
  const fallback = useSetting("fallbackLine")
  return (
    <>
      <Card title={t("Handing over")} beside={<Line />}>
        <Input
          label={t("Human")}
          hint={t(
            "A number or a sip: address. Callers are transferred here; while somebody talks, others wait in line. Empty: the conversation is left open for the team."
          )}
          maxLength={255}
          placeholder="+14155550110"
          value={human.value ?? ""}
          onChange={(event) => human.set(event.target.value === "" ? null : event.target.value)}
          changed={human.changed}
          problem={human.problem}
        />
        <TagInput
          label={t("Words for it")}
          hint={t("Besides “human”, “agent”, “representative” and the like. Enter adds one.")}
          values={phrases.value}
          onChange={phrases.set}
          most={50}
          maxLength={100}
          changed={phrases.changed}
          problem={phrases.problem}
        />
      </Card>
      <Card title={t("When it may not answer")}>
        <TextArea
          label={t("Fallback sentence")}
          hint={t("Said when the content filter has stopped something.")}
          rows={2}
          maxLength={500}
          dir="auto"
          value={fallback.value}
          onChange={(event) => fallback.set(event.target.value)}
          changed={fallback.changed}
          problem={fallback.problem}
        />
      </Card>
    </>
  )
}
