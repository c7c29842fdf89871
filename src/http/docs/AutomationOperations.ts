/** Which operations of the interface automation tools are offered, and what their description does not say: names, variants, lists of choices. */
import type { FieldHints } from "./AutomationFields.ts"

export interface WantedOperation {
  /** The operation's id in the OpenAPI document. */
  readonly id: string
  /** Names the variant when an operation has several. */
  readonly variant?: string
  /** Its name in a list of actions, in title case: `Send Text Message`. */
  readonly label: string
  /** Fields of the body that have this value always; they choose one of several schemas. */
  readonly fixed?: Readonly<Record<string, string>>
  /** By the path of the field, with dots. */
  readonly fields?: Readonly<Record<string, FieldHints>>
}

const ofContact = { id: { label: "Contact ID" } }

export const wantedActions: ReadonlyArray<WantedOperation> = [
  { id: "messages.send", variant: "text", label: "Send Text Message", fixed: { type: "text" } },
  { id: "messages.send", variant: "template", label: "Send Template Message", fixed: { type: "template" } },
  { id: "messages.send", variant: "image", label: "Send Image", fixed: { type: "image" } },
  { id: "messages.send", variant: "document", label: "Send Document", fixed: { type: "document" } },
  { id: "contacts.create", label: "Create Contact" },
  { id: "contacts.update", label: "Update Contact", fields: ofContact },
  { id: "messagingConsents.optIn", label: "Opt Contact In", fields: ofContact },
  { id: "messagingConsents.optOut", label: "Opt Contact Out", fields: ofContact },
  { id: "chats.update", label: "Update Conversation" },
  { id: "conversationNotes.create", label: "Create Note" },
  {
    id: "voiceAgents.call",
    label: "Place Call",
    fields: { id: { label: "Voice Agent", choices: "voiceAgents.list" }, to: { label: "Phone Number" } }
  },
  { id: "paymentLinks.create", label: "Create Payment Link" },
  { id: "broadcasts.create", label: "Create Broadcast" }
]

export const wantedSearches: ReadonlyArray<WantedOperation> = [
  { id: "contacts.list", label: "Find Contacts" },
  { id: "contacts.get", label: "Get Contact", fields: ofContact },
  { id: "chats.list", label: "Find Conversations" },
  { id: "chats.get", label: "Get Conversation" },
  { id: "calls.list", label: "Find Calls" },
  { id: "orders.list", label: "Find Orders" }
]

/** A list that fills the choices of a field: `value` and `text` name the fields of its items that are sent and shown. */
export interface WantedChoices {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly text: string
}

export const wantedChoices: ReadonlyArray<WantedChoices> = [
  { id: "voiceAgents.list", label: "Voice Agents", value: "id", text: "name" },
  { id: "textAgents.list", label: "Text Agents", value: "id", text: "name" },
  { id: "templates.list", label: "Templates", value: "name", text: "name" },
  { id: "quickReplies.list", label: "Quick Replies", value: "text", text: "shortcut" },
  { id: "users.colleagues", label: "Colleagues", value: "id", text: "name" },
  { id: "contacts.tags", label: "Tags", value: "tag", text: "tag" }
]

/** The choices of fields that mean the same wherever they are. */
export const choicesByName: Readonly<Record<string, string>> = {
  templateName: "templates.list",
  agentId: "voiceAgents.list",
  assignee: "users.colleagues",
  tags: "contacts.tags",
  tag: "contacts.tags"
}
