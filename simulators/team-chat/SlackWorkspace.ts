/** What a simulated Slack workspace holds: people, channels and messages. Every change is told as the event that Slack makes of it. */

export interface SlackPerson {
  readonly id: string
  readonly name: string
  readonly email?: string
  readonly isBot?: boolean
  /** Another workspace, with which a channel is shared. */
  readonly teamId?: string
}

export interface SlackChannel {
  readonly id: string
  name: string
  readonly isPrivate: boolean
  /** The person of a direct message with the app. */
  readonly withUser?: string
  isArchived: boolean
  readonly members: Set<string>
}

export interface SlackFile {
  readonly id: string
  readonly name: string
  readonly mimetype: string
  readonly bytes: Uint8Array
}

export interface SlackMessage {
  readonly channel: string
  readonly ts: string
  readonly user: string
  readonly threadTs?: string
  text: string
  readonly files: ReadonlyArray<SlackFile>
  readonly blocks?: unknown
  readonly alsoInChannel?: boolean
  readonly metadata?: { readonly event_type: string; readonly event_payload: Readonly<Record<string, unknown>> }
  editedTs?: string
}

export const teamId = "T0BOOKS001"
export const appId = "A0PARLEY01"
export const botUserId = "U0PARLEY01"
export const botId = "B0PARLEY01"

/** A refusal of a method: Slack answers 200 with `ok: false`. */
export class SlackRefusal extends Error {
  readonly error: string
  readonly more: object
  constructor(error: string, more: object = {}) {
    super(error)
    this.error = error
    this.more = more
  }
}

export class SlackWorkspace {
  readonly people = new Map<string, SlackPerson>()
  readonly channels = new Map<string, SlackChannel>()
  readonly messages: Array<SlackMessage> = []
  readonly files = new Map<string, SlackFile>()
  /** Messages that one person sees. */
  readonly whispers: Array<{
    readonly channel: string
    readonly user: string
    readonly text: string
    readonly threadTs?: string
  }> = []
  /** Of threads in which the app shows that it works, by channel and thread. */
  readonly statuses = new Map<string, string>()
  /** Where files are fetched. */
  baseUrl = ""
  /** What happened: the inner event. */
  told: (event: Readonly<Record<string, unknown>>) => void = () => undefined
  /** Unix milliseconds. */
  now: () => number = () => Date.now()
  #made = 0
  #last = 0

  /** The time of a message is its id: no two are the same. */
  #ts(): string {
    this.#last = Math.max(this.now(), this.#last + 1)
    return `${Math.floor(this.#last / 1_000)}.${String((this.#last % 1_000) * 1_000 + 9).padStart(6, "0")}`
  }

  id(prefix: string): string {
    this.#made++
    return `${prefix}0${String(this.#made).padStart(8, "0")}`
  }

  person(name: string, email?: string, elsewhere?: string): SlackPerson {
    const team = elsewhere === undefined ? {} : { teamId: elsewhere }
    const person = { id: this.id("U"), name, ...(email === undefined ? {} : { email }), ...team }
    this.people.set(person.id, person)
    return person
  }

  channel(name: string, { isPrivate = false, withBot = false } = {}): SlackChannel {
    const members = new Set(withBot ? [botUserId] : [])
    const channel = { id: this.id(isPrivate ? "G" : "C"), name, isPrivate, isArchived: false, members }
    this.channels.set(channel.id, channel)
    return channel
  }

  /** The direct message of a person with the app. */
  direct(user: string): SlackChannel {
    const known = [...this.channels.values()].find(({ withUser }) => withUser === user)
    if (known !== undefined) return known
    const members = new Set([user, botUserId])
    const channel = { id: this.id("D"), name: "", isPrivate: true, withUser: user, isArchived: false, members }
    this.channels.set(channel.id, channel)
    return channel
  }

  find(channel: string): SlackChannel {
    const found = this.channels.get(channel)
    // A private channel without the app is as if it were not there.
    if (found === undefined || (found.isPrivate && !found.members.has(botUserId)))
      throw new SlackRefusal("channel_not_found")
    return found
  }

  typeOf({ id, isPrivate }: SlackChannel): string {
    return id.startsWith("D") ? "im" : isPrivate ? "group" : "channel"
  }

  #shownFile({ id, name, mimetype, bytes }: SlackFile) {
    const url = `${this.baseUrl}/files-pri/${teamId}-${id}/${encodeURIComponent(name)}`
    return {
      ...{ id, name, title: name, mimetype, size: bytes.length, mode: "hosted", file_access: "visible" },
      ...{ url_private: url, url_private_download: `${url}?download=1` }
    }
  }

  /** A message as events and answers show it. */
  shown(message: SlackMessage): Readonly<Record<string, unknown>> {
    const { ts, user, threadTs, text, files, blocks, metadata, editedTs } = message
    const root = threadTs === undefined ? undefined : this.messages.find((one) => one.ts === threadTs)
    return {
      ...{ type: "message", user, text, ts, team: teamId },
      ...(user === botUserId
        ? { bot_id: botId, app_id: appId, bot_profile: { id: botId, app_id: appId, name: "Parley", team_id: teamId } }
        : { client_msg_id: `client-${ts}` }),
      ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
      ...(threadTs === undefined || threadTs === ts || root === undefined ? {} : { parent_user_id: root.user }),
      ...(files.length === 0 ? {} : { files: files.map((file) => this.#shownFile(file)), subtype: "file_share" }),
      ...(blocks === undefined ? {} : { blocks }),
      ...(metadata === undefined ? {} : { metadata }),
      ...(editedTs === undefined ? {} : { edited: { user, ts: editedTs } })
    }
  }

  /** Somebody (or the app) writes. A mention of the app is told twice, as Slack does. */
  say(
    user: string,
    channelId: string,
    text: string,
    given: Partial<Pick<SlackMessage, "threadTs" | "files" | "blocks" | "metadata" | "alsoInChannel">> = {}
  ): SlackMessage {
    const channel = this.channels.get(channelId)
    if (channel === undefined) throw new SlackRefusal("channel_not_found")
    const files = given.files ?? []
    for (const file of files) this.files.set(file.id, file)
    const message: SlackMessage = { channel: channelId, ts: this.#ts(), user, text, ...given, files }
    this.messages.push(message)
    const place = { channel: channelId, channel_type: this.typeOf(channel), event_ts: message.ts }
    if (text.includes(`<@${botUserId}>`)) this.told({ ...this.shown(message), ...place, type: "app_mention" })
    // Without the app in a channel nothing of it is told but mentions.
    if (channel.members.has(botUserId)) this.told({ ...this.shown(message), ...place })
    const { metadata } = message
    if (user === botUserId && metadata !== undefined) {
      this.statuses.delete(`${channelId} ${message.threadTs}`)
      this.told({
        ...{ type: "message_metadata_posted", app_id: appId, bot_id: botId, user_id: user, team_id: teamId },
        ...{ channel_id: channelId, metadata, message_ts: message.ts, event_ts: message.ts }
      })
    }
    return message
  }

  edit(message: SlackMessage, text: string): void {
    const before = this.shown(message)
    message.text = text
    message.editedTs = this.#ts()
    const channel = this.channels.get(message.channel)
    if (channel === undefined) return
    this.told({
      ...{
        type: "message",
        subtype: "message_changed",
        hidden: true,
        channel: channel.id,
        channel_type: this.typeOf(channel)
      },
      ...{ message: this.shown(message), previous_message: before, ts: message.editedTs, event_ts: message.editedTs }
    })
  }

  remove(message: SlackMessage): void {
    const before = this.shown(message)
    this.messages.splice(this.messages.indexOf(message), 1)
    const channel = this.channels.get(message.channel)
    if (channel === undefined) return
    const ts = this.#ts()
    this.told({
      ...{
        type: "message",
        subtype: "message_deleted",
        hidden: true,
        channel: channel.id,
        channel_type: this.typeOf(channel)
      },
      ...{ deleted_ts: message.ts, previous_message: before, ts, event_ts: ts }
    })
  }

  rename(channel: SlackChannel, name: string): void {
    channel.name = name
    const created = Math.floor(this.now() / 1_000)
    const type = channel.isPrivate ? "group_rename" : "channel_rename"
    this.told({ type, channel: { id: channel.id, name, created }, event_ts: this.#ts() })
  }

  archive(channel: SlackChannel, isArchived: boolean): void {
    channel.isArchived = isArchived
    const verb = isArchived ? "archive" : "unarchive"
    const type = `${channel.isPrivate ? "group" : "channel"}_${verb}`
    this.told({ type, channel: channel.id, user: "U0ADMIN001", event_ts: this.#ts() })
  }

  /** The app is removed from a channel. */
  leave(channel: SlackChannel): void {
    channel.members.delete(botUserId)
    const type = channel.isPrivate ? "group_left" : "channel_left"
    this.told({ type, channel: channel.id, actor_id: "U0ADMIN001", event_ts: this.#ts() })
  }
}
