/** How a contact comes into a CRM: the record that we know is changed, else one that is found, else a new one is created. */
import { Effect } from "effect"
import type { Contact } from "../../people/contacts/Contact.ts"
import type { AppFailure, AppLink, AppSession, ToldConversation } from "../AppAdapter.ts"

export interface ContactSteps<Fields> {
  /** The record with one of our ids, numbers or addresses. */
  readonly find: (session: AppSession, contact: Contact) => Effect.Effect<string | undefined, AppFailure>
  /** Changes a record, and gives its id; undefined when there is no such record any more. */
  readonly change: (session: AppSession, id: string, fields: Fields) => Effect.Effect<string | undefined, AppFailure>
  readonly create: (session: AppSession, fields: Fields, contact: Contact) => Effect.Effect<string, AppFailure>
}

/** Gives the link of the contact, which keeps what was sent. Nothing is sent when nothing that is mapped has changed. */
export const makeUpsertContact = <Fields extends object>({ find, change, create }: ContactSteps<Fields>) =>
  Effect.fnUntraced(function* (session: AppSession, contact: Contact, fields: Fields, known: AppLink | undefined) {
    const hash = JSON.stringify(fields)
    const link = (remoteId: string): AppLink => ({ kind: "contact", localId: contact.id, remoteId, hash })
    if (known !== undefined) {
      if (known.hash === hash) return known
      const changed = yield* change(session, known.remoteId, fields)
      if (changed !== undefined) return link(changed)
    }
    const found = yield* find(session, contact)
    const changed = found === undefined ? undefined : yield* change(session, found, fields)
    return link(changed ?? (yield* create(session, fields, contact)))
  })

export interface ActivitySteps<Activity> {
  /** The activity that an earlier attempt has made, by the link in its text. */
  readonly made: (
    session: AppSession,
    contactId: string,
    activity: Activity,
    url: string
  ) => Effect.Effect<string | undefined, AppFailure>
  /** Changes an activity, and gives its id; undefined when there is no such activity any more. */
  readonly change: (
    session: AppSession,
    id: string,
    activity: Activity
  ) => Effect.Effect<string | undefined, AppFailure>
  readonly create: (session: AppSession, contactId: string, activity: Activity) => Effect.Effect<string, AppFailure>
}

/** Notes a conversation. One that was noted before (another call, or it was opened and resolved again) is changed, if its kind is the same. */
export const makeNoteConversation = <Activity extends { readonly kind: string }>(
  activityOf: (conversation: ToldConversation) => Activity,
  { made, change, create }: ActivitySteps<Activity>
) =>
  Effect.fnUntraced(function* (
    session: AppSession,
    conversation: ToldConversation,
    contactId: string,
    known: AppLink | undefined,
    again: boolean
  ) {
    const activity = activityOf(conversation)
    const { kind: hash } = activity
    const link = (remoteId: string): AppLink => ({ kind: "conversation", localId: conversation.id, remoteId, hash })
    const same = known?.hash === hash ? known.remoteId : undefined
    const before = same ?? (again ? yield* made(session, contactId, activity, conversation.url) : undefined)
    const changed = before === undefined ? undefined : yield* change(session, before, activity)
    return link(changed ?? (yield* create(session, contactId, activity)))
  })

/** The link of a record of ours, among those that are known. */
export const linkOf = (links: ReadonlyArray<AppLink>, kind: AppLink["kind"], localId: string): AppLink | undefined =>
  links.find((link) => link.kind === kind && link.localId === localId)

/** The first word and the rest of a name. */
export const namesOf = (name: string): readonly [first: string, rest: string] => {
  const [first, ...rest] = name.trim().split(/\s+/)
  return [first, rest.join(" ")]
}

/** What is noted, in two words. */
export const conversationTitle = ({ resolvedAt, durationSeconds }: ToldConversation): string =>
  `${durationSeconds === null ? "Conversation" : "Call"} ${resolvedAt === null ? "ended" : "resolved"}`

/** The headline of a note: what it is, over which channel, and who had it. */
export const conversationHead = (conversation: ToldConversation): string =>
  `${conversationTitle(conversation)} (${conversation.channel.replace("_", " ")})${conversation.agent === null ? "" : `, with ${conversation.agent}`}`

/** A conversation as lines of plain text: a headline, what was said, and where it can be read, within `longest` characters. */
export const conversationText = (conversation: ToldConversation, longest: number): string => {
  const { durationSeconds, recordingUrl, summary, lines, url } = conversation
  const call = durationSeconds === null ? [] : [`Duration: ${durationSeconds} s`]
  const recording = recordingUrl === null ? [] : [`Recording: ${recordingUrl}`]
  const said = lines.map(({ by, text }) => `${by === "contact" ? "Contact" : "We"}: ${text}`)
  const summed = summary === null ? [] : [`Summary: ${summary}`]
  const whole = [conversationHead(conversation), ...call, ...recording, ...summed, ...said].join("\n")
  return `${whole.slice(0, Math.max(0, longest - url.length - 1))}\n${url}`
}
