/** What holds for each call of the agent: recording, length, voicemail. */
import { Card } from "../../../components/Card.tsx"
import { TextArea } from "../../../components/Field.tsx"
import { JsonField } from "../../../components/JsonField.tsx"
import { NumberField } from "../../../components/NumberField.tsx"
import { Switch } from "../../../components/Switch.tsx"
import { length } from "../../../lib/format.ts"
import { t } from "../../../lib/i18n.ts"
import { useSetting } from "../form.ts"

export const CallSettings = () => {
  const recording = useSetting("recording")
  const most = useSetting("maxCallSeconds")
  const voicemail = useSetting("voicemail")
  const fields = useSetting("callFields")
  return (
    <>
      <Card title={t("Calls")}>
        <Switch
          label={t("Recording")}
          detail={t("both sides, kept as long as the organization keeps recordings")}
          checked={recording.value}
          changed={recording.changed}
          onChange={recording.set}
        />
        <NumberField
          label={t("Longest call, seconds")}
          hint={length(most.value)}
          min={30}
          max={14_400}
          value={most.value}
          onChange={most.set}
          changed={most.changed}
          problem={most.problem}
        />
      </Card>
      <Card title={t("Voicemail outside business hours")}>
        <TextArea
          label={t("What the caller hears")}
          hint={t("Empty: a fixed sentence in the agent’s language.")}
          rows={2}
          maxLength={1_000}
          dir="auto"
          value={voicemail.value.message ?? ""}
          onChange={(event) =>
            voicemail.set({ ...voicemail.value, message: event.target.value === "" ? null : event.target.value })
          }
          changed={voicemail.changed}
          problem={voicemail.problem}
        />
        <NumberField
          label={t("Longest message, seconds")}
          min={10}
          max={300}
          value={voicemail.value.maxSeconds}
          onChange={(maxSeconds) => voicemail.set({ ...voicemail.value, maxSeconds })}
          changed={voicemail.changed}
        />
      </Card>
      <Card title={t("After the call")}>
        <JsonField
          label={t("Facts to find")}
          hint={t("A JSON schema of an object: what the summary of each call is to look for. Empty: nothing more.")}
          value={fields.value}
          onChange={fields.set}
          changed={fields.changed}
          problem={fields.problem}
        />
      </Card>
    </>
  )
}
