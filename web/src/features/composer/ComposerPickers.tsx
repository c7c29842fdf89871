/** What the composer opens: lists to choose from, and forms of messages that are no text. It is fetched when one is first opened. */
import type { Contact, Conversation, NewMessage, Template } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { ContactRound, MapPin } from "lucide-react"
import type { RefObject } from "react"
import { keys } from "../../api/keys.ts"
import { Picker } from "../../components/Picker.tsx"
import { language, t } from "../../lib/i18n.ts"
import { useQuickReplies } from "../quickReplies/useQuickReplies.ts"
import { bodyOf, fitting } from "../templates/template.ts"
import { useTemplates } from "../templates/useTemplates.ts"
import { CardForm } from "./CardForm.tsx"
import { EmojiPicker } from "./EmojiPicker.tsx"
import { fill } from "./fill.ts"
import { PlaceForm } from "./PlaceForm.tsx"
import { TemplateForm } from "./TemplateForm.tsx"

export type Opened = "quick" | "template" | "emoji" | "more" | "place" | "card" | Template

export interface ComposerPickersProps {
  readonly opened: Opened
  readonly contact: Conversation["contact"]
  readonly text: string
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly onOpen: (next: Opened | undefined) => void
  readonly onWrite: (text: string) => void
  readonly onSend: (body: NewMessage) => void
}

/** The text with a sign where the cursor is; the cursor is left behind it. */
const inserted = (field: HTMLTextAreaElement, sign: string): string => {
  const { value, selectionStart, selectionEnd } = field
  const at = selectionStart + sign.length
  requestAnimationFrame(() => {
    field.focus()
    field.setSelectionRange(at, at)
  })
  return value.slice(0, selectionStart) + sign + value.slice(selectionEnd)
}

const QuickReplies = ({ contact, text, field, onOpen, onWrite }: ComposerPickersProps) => {
  const client = useQueryClient()
  const { data = [], isPending } = useQuickReplies(true)
  return (
    <Picker
      title={t("Quick reply")}
      placeholder={t("Shortcut or words")}
      busy={isPending}
      onClose={() => onOpen(undefined)}
      choices={data.map((one) => ({
        id: one.id,
        label: `/${one.shortcut}`,
        detail: one.text,
        run: () => {
          const known = client.getQueryData<Contact>(keys.contact(contact.id)) ?? contact
          onWrite((text === "" ? "" : `${text} `) + fill(one.text, known))
          requestAnimationFrame(() => field.current?.focus())
        }
      }))}
    />
  )
}

const Templates = ({ onOpen }: ComposerPickersProps) => {
  const { data = [], isPending } = useTemplates(true)
  return (
    <Picker
      title={t("Template")}
      placeholder={t("Name or words")}
      busy={isPending}
      onClose={(chosen) => chosen === undefined && onOpen(undefined)}
      choices={fitting(data, language() === "hi" ? "hi" : "en").map((one) => ({
        id: one.id,
        label: one.name,
        detail: bodyOf(one),
        words: one.language,
        run: () => onOpen(one)
      }))}
    />
  )
}

const More = ({ onOpen }: ComposerPickersProps) => (
  <Picker
    title={t("Send something else")}
    placeholder={t("What to send")}
    onClose={(chosen) => chosen === undefined && onOpen(undefined)}
    choices={[
      { id: "place", label: t("A place"), icon: MapPin, run: () => onOpen("place") },
      { id: "card", label: t("A contact card"), icon: ContactRound, run: () => onOpen("card") }
    ]}
  />
)

const ComposerPickers = (props: ComposerPickersProps) => {
  const { opened, contact, field, onOpen, onWrite, onSend } = props
  const close = () => onOpen(undefined)
  const form = { to: contact.id, onSend, onClose: close }
  switch (opened) {
    case "quick":
      return <QuickReplies {...props} />
    case "template":
      return <Templates {...props} />
    case "more":
      return <More {...props} />
    case "place":
      return <PlaceForm {...form} />
    case "card":
      return <CardForm {...form} />
    case "emoji":
      return (
        <EmojiPicker
          title={t("Emoji")}
          onChoose={(sign) => field.current !== null && onWrite(inserted(field.current, sign))}
          onClose={close}
        />
      )
    default:
      return <TemplateForm template={opened} suggestion={contact.name?.trim().split(/\s+/)[0] ?? ""} {...form} />
  }
}

export default ComposerPickers
