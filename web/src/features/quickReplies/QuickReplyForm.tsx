/** Creates or changes a quick reply. The service's sentence stands at the field that it names. */
import type { QuickReply } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Button } from "../../components/Button.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { Input, TextArea } from "../../components/Field.tsx"
import { message, t } from "../../lib/i18n.ts"
import { useSubmit } from "../../lib/submit.ts"
import { say } from "../../lib/toasts.ts"
import { fill } from "../composer/fill.ts"
import { Text } from "../thread/Text.tsx"

const placeholders: ReadonlyArray<readonly [string, string]> = [
  ["{{firstName|there}}", message("First name")],
  ["{{name}}", message("Name")],
  ["{{phone}}", message("Phone")],
  ["{{email}}", message("E-mail")]
]

export const QuickReplyForm = ({ reply, onClose }: { readonly reply?: QuickReply; readonly onClose: () => void }) => {
  const client = useQueryClient()
  const [shortcut, setShortcut] = useState(reply?.shortcut ?? "")
  const [text, setText] = useState(reply?.text ?? "")
  const area = useRef<HTMLTextAreaElement>(null)
  const insert = (placeholder: string) => {
    const at = area.current?.selectionEnd ?? text.length
    setText(text.slice(0, at) + placeholder + text.slice(at))
    area.current?.focus()
  }
  const { busy, problem, clear, submit } = useSubmit(async () => {
    const body = { shortcut: shortcut.trim().replace(/^\//, ""), text }
    await (reply === undefined ? parley.quickReplies.create(body) : parley.quickReplies.update(reply.id, body))
    await client.invalidateQueries({ queryKey: keys.quickReplies })
    onClose()
    say(t("Saved."))
  })
  const atText = problem?.startsWith("text") === true
  return (
    <Dialog title={reply === undefined ? t("New quick reply") : t("Change quick reply")} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Input
          label={t("Shortcut")}
          hint={t("One writes / and the shortcut in a conversation.")}
          autoFocus
          required
          maxLength={40}
          placeholder="hours"
          value={shortcut}
          problem={atText ? undefined : problem}
          onChange={(event) => {
            clear()
            setShortcut(event.target.value)
          }}
        />
        <TextArea
          ref={area}
          label={t("Text")}
          required
          rows={5}
          dir="auto"
          maxLength={4_096}
          value={text}
          problem={atText ? problem : undefined}
          onChange={(event) => {
            clear()
            setText(event.target.value)
          }}
        />
        <fieldset className="flex flex-wrap items-center gap-1.5">
          <legend className="sr-only">{t("Insert what is known of the contact")}</legend>
          {placeholders.map(([placeholder, label]) => (
            <Button key={placeholder} small onClick={() => insert(placeholder)}>
              {t(label)}
            </Button>
          ))}
        </fieldset>
        {/\{\{/.test(text) && (
          <div className="rounded-control bg-accent-soft px-3 py-2">
            <p className="mb-0.5 text-small text-ink-3">{t("For Asha Rao")}</p>
            <Text>{fill(text, { name: "Asha Rao", phone: "+14155550101", email: "asha@example.com" })}</Text>
          </div>
        )}
        <Button
          tone="primary"
          type="submit"
          disabled={busy || shortcut.trim() === "" || text.trim() === ""}
          className="self-end"
        >
          {t("Save")}
        </Button>
      </form>
    </Dialog>
  )
}
