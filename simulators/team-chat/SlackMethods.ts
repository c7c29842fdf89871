/** The methods of the simulated Web API. Each checks scope and arguments as Slack does, and gives the members of the answer beside `ok`. */
import { botId, botUserId, type SlackChannel, SlackRefusal, type SlackWorkspace, teamId } from "./SlackWorkspace.ts"

export type Arguments = Readonly<Record<string, unknown>>

interface Method {
  /** One of these. */
  readonly scopes: ReadonlyArray<string>
  /** Requests in a minute. */
  readonly perMinute: number
  readonly run: (workspace: SlackWorkspace, given: Arguments) => object
}

const text = (given: Arguments, name: string): string => {
  const value = given[name]
  return typeof value === "string" ? value : ""
}
const required = (given: Arguments, name: string): string => {
  const value = text(given, name)
  if (value === "")
    throw new SlackRefusal("invalid_arguments", {
      response_metadata: { messages: [`[ERROR] missing required field: ${name}`] }
    })
  return value
}

/** Arguments that are JSON in a form, and JSON in JSON. */
const parsed = (given: Arguments, name: string): unknown => {
  const value = given[name]
  if (typeof value !== "string") return value
  try {
    return JSON.parse(value)
  } catch {
    throw new SlackRefusal("invalid_arguments")
  }
}

const shownChannel = (channel: SlackChannel) => {
  const { id, name, isPrivate, isArchived, withUser, members } = channel
  if (withUser !== undefined) return { id, is_im: true, user: withUser, is_archived: false, created: 1_700_000_000 }
  return {
    ...{ id, name, name_normalized: name, is_channel: !isPrivate, is_group: isPrivate, is_im: false, is_mpim: false },
    ...{ is_private: isPrivate, is_archived: isArchived, is_member: members.has(botUserId), is_general: false },
    ...{ created: 1_700_000_000, creator: "U0ADMIN001", num_members: members.size }
  }
}

const writable = (workspace: SlackWorkspace, given: Arguments): SlackChannel => {
  const channel = workspace.find(required(given, "channel"))
  if (!channel.members.has(botUserId)) throw new SlackRefusal("not_in_channel")
  if (channel.isArchived) throw new SlackRefusal("is_archived")
  return channel
}

/** The type of metadata events that the app's manifest subscribes. */
const metadataOf = (given: Arguments) => {
  const metadata = parsed(given, "metadata")
  if (metadata === undefined) return {}
  const { event_type, event_payload } = metadata as { event_type?: unknown; event_payload?: unknown }
  if (typeof event_type !== "string" || typeof event_payload !== "object" || event_payload === null)
    throw new SlackRefusal("invalid_metadata_format")
  return { metadata: { event_type, event_payload: event_payload as Readonly<Record<string, unknown>> } }
}

const list = (workspace: SlackWorkspace, given: Arguments) => {
  const types = (text(given, "types") || "public_channel").split(",")
  const excluded = given.exclude_archived === true || given.exclude_archived === "true"
  const kindOf = (channel: SlackChannel) =>
    channel.withUser !== undefined ? "im" : channel.isPrivate ? "private_channel" : "public_channel"
  const seen = [...workspace.channels.values()].filter(
    (channel) =>
      types.includes(kindOf(channel)) &&
      (!channel.isPrivate || channel.members.has(botUserId)) &&
      !(excluded && channel.isArchived)
  )
  const limit = Math.min(1_000, Number(given.limit ?? 100))
  if (!Number.isInteger(limit) || limit < 1) throw new SlackRefusal("invalid_limit")
  const cursor = text(given, "cursor")
  const start = cursor === "" ? 0 : Number(Buffer.from(cursor, "base64").toString().split(":")[1])
  if (!Number.isInteger(start)) throw new SlackRefusal("invalid_cursor")
  const next = start + limit < seen.length ? Buffer.from(`team:${start + limit}`).toString("base64") : ""
  return { channels: seen.slice(start, start + limit).map(shownChannel), response_metadata: { next_cursor: next } }
}

interface Element {
  readonly type?: unknown
  readonly action_id?: unknown
  readonly value?: unknown
  readonly style?: unknown
  readonly text?: { readonly type?: unknown; readonly text?: unknown }
}
const short = (value: unknown, most: number) => typeof value === "string" && value.length > 0 && value.length <= most

/** Sections and buttons, within Slack's limits. */
const checkBlocks = (blocks: unknown) => {
  if (blocks === undefined) return
  const refused = new SlackRefusal("invalid_blocks")
  if (!Array.isArray(blocks) || blocks.length > 50) throw refused
  const ids = new Set<unknown>()
  for (const block of blocks as ReadonlyArray<{ type?: unknown; text?: Element["text"]; elements?: unknown }>) {
    if (block.type === "section") {
      if (block.text?.type !== "mrkdwn" || !short(block.text.text, 3_000)) throw refused
      continue
    }
    if (block.type !== "actions" || !Array.isArray(block.elements) || block.elements.length === 0) throw refused
    for (const { type, action_id, value, style, text: label } of block.elements as ReadonlyArray<Element>) {
      const styled = style === undefined || style === "primary" || style === "danger"
      const labelled = label?.type === "plain_text" && short(label.text, 75)
      if (type !== "button" || !labelled || !styled || !short(action_id, 255) || !short(value, 2_000)) throw refused
      if (ids.has(action_id)) throw refused
      ids.add(action_id)
    }
  }
}

const whisper = (workspace: SlackWorkspace, given: Arguments) => {
  const channel = writable(workspace, given)
  const [who, said, threadTs] = [required(given, "user"), text(given, "text"), text(given, "thread_ts")]
  if (said === "") throw new SlackRefusal("no_text")
  if (!workspace.people.has(who)) throw new SlackRefusal("user_not_in_channel")
  workspace.whispers.push({ channel: channel.id, user: who, text: said, ...(threadTs === "" ? {} : { threadTs }) })
  return { message_ts: `${Math.floor(Date.now() / 1_000)}.000100` }
}

const post = (workspace: SlackWorkspace, given: Arguments) => {
  const channel = writable(workspace, given)
  const said = text(given, "text")
  const blocks = parsed(given, "blocks")
  if (said === "" && !(Array.isArray(blocks) && blocks.length > 0)) throw new SlackRefusal("no_text")
  if (said.length > 40_000) throw new SlackRefusal("msg_too_long")
  checkBlocks(blocks)
  const threadTs = text(given, "thread_ts")
  const alsoInChannel = given.reply_broadcast === "true" || given.reply_broadcast === true
  if (threadTs !== "" && !workspace.messages.some((one) => one.channel === channel.id && one.ts === threadTs))
    throw new SlackRefusal("thread_not_found")
  const message = workspace.say(botUserId, channel.id, said, {
    ...(threadTs === "" ? {} : { threadTs }),
    ...(alsoInChannel ? { alsoInChannel } : {}),
    ...(blocks === undefined ? {} : { blocks }),
    ...metadataOf(given)
  })
  return { channel: channel.id, ts: message.ts, message: workspace.shown(message) }
}

const update = (workspace: SlackWorkspace, given: Arguments) => {
  const channel = writable(workspace, given)
  const ts = required(given, "ts")
  const message = workspace.messages.find((one) => one.channel === channel.id && one.ts === ts)
  if (message === undefined) throw new SlackRefusal("message_not_found")
  if (message.user !== botUserId) throw new SlackRefusal("cant_update_message")
  const said = text(given, "text")
  const blocks = parsed(given, "blocks")
  checkBlocks(blocks)
  const at = workspace.messages.indexOf(message)
  workspace.messages[at] = { ...message, ...(blocks === undefined ? {} : { blocks }) }
  if (said !== "") workspace.edit(workspace.messages[at], said)
  return {
    channel: channel.id,
    ts,
    text: workspace.messages[at].text,
    message: workspace.shown(workspace.messages[at])
  }
}

const user = (workspace: SlackWorkspace, id: string) => {
  const person = workspace.people.get(id)
  if (person === undefined) throw new SlackRefusal("user_not_found")
  const { name, email, isBot = false, teamId: team = teamId } = person
  const profile = { real_name: name, display_name: name, ...(email === undefined ? {} : { email }) }
  return {
    user: {
      ...{ id, team_id: team, name: name.toLowerCase().replaceAll(" ", "."), real_name: name, profile },
      ...{ is_bot: isBot, deleted: false, is_admin: false, is_owner: false }
    }
  }
}

const setStatus = (workspace: SlackWorkspace, given: Arguments) => {
  const channel = workspace.find(required(given, "channel_id"))
  const place = `${channel.id} ${required(given, "thread_ts")}`
  const status = text(given, "status")
  if (status === "") workspace.statuses.delete(place)
  else workspace.statuses.set(place, status)
  return {}
}

/** Files between the request for an address and their completion. */
const uploads = new WeakMap<SlackWorkspace, Map<string, { readonly name: string; readonly length: number }>>()
export const uploadsOf = (workspace: SlackWorkspace) => {
  const known = uploads.get(workspace) ?? new Map()
  uploads.set(workspace, known)
  return known
}

const uploadUrl = (workspace: SlackWorkspace, given: Arguments) => {
  const name = required(given, "filename")
  const length = Number(given.length)
  if (!Number.isInteger(length) || length < 1) throw new SlackRefusal("invalid_arguments")
  const id = workspace.id("F")
  uploadsOf(workspace).set(id, { name, length })
  return { upload_url: `${workspace.baseUrl}/upload/v1/${id}`, file_id: id }
}

const completeUpload = (workspace: SlackWorkspace, given: Arguments) => {
  const asked = parsed(given, "files")
  if (!Array.isArray(asked) || asked.length === 0) throw new SlackRefusal("invalid_arguments")
  const files = asked.map(({ id }: { id: string }) => {
    const file = workspace.files.get(id)
    if (file === undefined) throw new SlackRefusal("file_not_found")
    return file
  })
  const shown = files.map(({ id, name }) => ({ id, title: name }))
  const channelId = text(given, "channel_id")
  if (channelId === "") return { files: shown }
  const channel = writable(workspace, { channel: channelId })
  const threadTs = text(given, "thread_ts")
  workspace.say(botUserId, channel.id, text(given, "initial_comment"), {
    ...(threadTs === "" ? {} : { threadTs }),
    files
  })
  return { files: shown }
}

/** Slack's tiers, in requests a minute. */
const tier = { two: 20, three: 50, four: 100, special: 600 } as const

export const methods: Readonly<Record<string, Method>> = {
  "auth.test": {
    scopes: [],
    perMinute: tier.special,
    run: () => ({
      ...{ url: "https://maplebooks.slack.com/", team: "Maple Books", user: "parley", team_id: teamId },
      ...{ user_id: botUserId, bot_id: botId, is_enterprise_install: false }
    })
  },
  "conversations.list": { scopes: ["channels:read"], perMinute: tier.two, run: list },
  "conversations.info": {
    scopes: ["channels:read"],
    perMinute: tier.three,
    run: (workspace, given) => ({ channel: shownChannel(workspace.find(required(given, "channel"))) })
  },
  "conversations.join": {
    scopes: ["channels:join"],
    perMinute: tier.three,
    run: (workspace, given) => {
      const channel = workspace.find(required(given, "channel"))
      if (channel.isPrivate) throw new SlackRefusal("method_not_supported_for_channel_type")
      if (channel.isArchived) throw new SlackRefusal("is_archived")
      channel.members.add(botUserId)
      return { channel: shownChannel(channel) }
    }
  },
  "conversations.open": {
    scopes: ["im:write"],
    perMinute: tier.three,
    run: (workspace, given) => {
      const [id] = required(given, "users").split(",")
      if (!workspace.people.has(id)) throw new SlackRefusal("user_not_found")
      return { channel: { id: workspace.direct(id).id } }
    }
  },
  "users.info": {
    scopes: ["users:read"],
    perMinute: tier.four,
    run: (workspace, given) => user(workspace, required(given, "user"))
  },
  "chat.postMessage": { scopes: ["chat:write"], perMinute: tier.special, run: post },
  "chat.update": { scopes: ["chat:write"], perMinute: tier.three, run: update },
  "chat.postEphemeral": { scopes: ["chat:write"], perMinute: tier.four, run: whisper },
  "assistant.threads.setStatus": { scopes: ["chat:write", "assistant:write"], perMinute: tier.special, run: setStatus },
  "files.getUploadURLExternal": { scopes: ["files:write"], perMinute: tier.four, run: uploadUrl },
  "files.completeUploadExternal": { scopes: ["files:write"], perMinute: tier.four, run: completeUpload }
}
