/** What the actions of the audit log are called: what it was about, and what was done; and how entries are found by that. Pure; `test/web/auditWords.test.ts`. */
import { message } from "../../../lib/message.ts"

const subjects: Readonly<Record<string, string>> = {
  ai: message("AI tokens"),
  api_key: message("API key"),
  broadcast: message("Broadcast"),
  call: message("Call"),
  company: message("Company"),
  contact: message("Contact"),
  contacts: message("Contacts"),
  conversation: message("Conversation"),
  conversation_note: message("Note"),
  custom_fields: message("Own fields"),
  evaluation: message("Evaluation"),
  import: message("Import"),
  integration: message("Integration"),
  knowledge_base: message("Knowledge base"),
  knowledge_source: message("Source of knowledge"),
  mcp: message("Assistant over MCP"),
  mcp_server: message("MCP server"),
  media: message("File"),
  messaging_connection: message("WhatsApp connection"),
  oauth: message("Assistant"),
  order: message("Order"),
  organization: message("Organization"),
  payment_link: message("Payment link"),
  payment_settings: message("Payment settings"),
  phone_number: message("Phone number"),
  product: message("Product"),
  quick_reply: message("Quick reply"),
  session: message("Sign-in"),
  sip_credentials: message("SIP credentials"),
  supplier: message("Supplier"),
  telephony: message("Telephony"),
  text_agent: message("AI agent"),
  user: message("Person"),
  voice_agent: message("Voice agent"),
  voice_consent: message("Consent to calls"),
  webhook: message("Webhook")
}

const acts: Readonly<Record<string, string>> = {
  added: message("added"),
  ai_tokens_changed: message("AI tokens changed"),
  allowance_used: message("allowance used up"),
  approved: message("tools approved"),
  archived: message("archived"),
  assigned: message("assigned"),
  authorized: message("authorized"),
  backfill_started: message("back-fill begun"),
  backfill_stopped: message("back-fill stopped"),
  business_hours_changed: message("business hours changed"),
  canceled: message("canceled"),
  changed: message("changed"),
  completed: message("completed"),
  connected: message("connected"),
  created: message("created"),
  deactivated: message("deactivated"),
  defined: message("defined"),
  deleted: message("deleted"),
  disabled: message("switched off"),
  disclosure_changed: message("disclosure changed"),
  enabled: message("switched on"),
  ended: message("ended"),
  ended_by: message("ended by a person"),
  erased: message("erased"),
  export_downloaded: message("export downloaded"),
  export_requested: message("export asked for"),
  exported: message("exported"),
  flag_changed: message("flag changed"),
  flagged: message("flagged by the content filter"),
  granted: message("given"),
  handed_back_by: message("handed back to the agent"),
  handed_over: message("handed over"),
  handed_over_by: message("handed over by a person"),
  invitation_accepted: message("invitation accepted"),
  invited: message("invited"),
  labeled: message("labels changed"),
  listened_to: message("listened to"),
  merged: message("merged"),
  moderation: message("judged by the content filter"),
  narrowed: message("scopes taken away"),
  opted_in: message("opted in"),
  opted_out: message("opted out"),
  password_changed: message("password changed"),
  paused: message("paused"),
  plan_changed: message("plan changed"),
  push_changed: message("notifications changed"),
  reactivated: message("reactivated"),
  regenerated: message("made anew"),
  released: message("released"),
  removed: message("removed"),
  replayed: message("sent again"),
  resent: message("delivery sent again"),
  restored: message("restored"),
  resumed: message("resumed"),
  resynced: message("brought up to date"),
  retention_changed: message("retention changed"),
  revoked: message("revoked"),
  rotated: message("replaced"),
  run: message("played"),
  said_for: message("said something in the call"),
  secret_rotated: message("secret replaced"),
  started: message("begun"),
  subscribed: message("subscribed by an automation tool"),
  summarized: message("summarized"),
  sync_requested: message("read again"),
  sync_started: message("pull begun"),
  taken_over_by: message("taken over by a person"),
  tested: message("tested"),
  tool_tried: message("tool tried"),
  unsubscribed: message("left by an automation tool"),
  updated: message("changed"),
  uploaded: message("uploaded"),
  voice_terms_changed: message("terms of calls changed"),
  whispered_to: message("the agent was told something"),
  withdrawn: message("withdrawn")
}

/** `Contact` and `erased` of `contact.erased`, to be translated. A tool of an assistant keeps its name. Undefined: nobody has named the action yet. */
export const wordsOf = (action: string): readonly [subject: string, act: string] | undefined => {
  const [before, after = ""] = action.split(".", 2)
  const [subject, act] = [subjects[before], before === "mcp" ? after : acts[after]]
  return subject === undefined || act === undefined ? undefined : [subject, act]
}

/** An address holds no more of them; with each letter that is typed there are fewer. */
const mostPatterns = 120

const plain = (text: string) =>
  text
    .toLocaleLowerCase()
    .replace(/[:\s]+/g, " ")
    .trim()

/** The names of these whose words, in the language that is shown, or whose code have the text in them. */
const having = (named: Readonly<Record<string, string>>, text: string, translate: (word: string) => string) =>
  Object.keys(named).filter((code) => code.includes(text) || plain(translate(named[code])).includes(text))

/** What the audit log is asked for when somebody types this: a code, or some of the words of an entry (`AuditFilter` says the form). */
export const patternsFor = (typed: string, translate: (word: string) => string): string => {
  const text = plain(typed)
  if (text.includes(".")) return text
  const whole = { subjects: having(subjects, text, translate), acts: having(acts, text, translate) }
  const patterns = [...whole.subjects.map((code) => `${code}.*`), ...whole.acts.map((code) => `*.${code}`)]
  for (const [subject, about] of Object.entries(subjects))
    for (const [act, done] of Object.entries(acts))
      if (!whole.subjects.includes(subject) && !whole.acts.includes(act))
        if (plain(`${translate(about)} ${translate(done)}`).includes(text)) patterns.push(`${subject}.${act}`)
  // The tools of assistants have no words but their names.
  const tool = /^\S+$/.test(text) ? text : text.slice(text.lastIndexOf(" ") + 1)
  return [...patterns.slice(0, mostPatterns - 1), `mcp.${tool}`].join(",")
}
