/**
 * The built-in tools of text agents. Most of them only say what shall come of the turn: it happens with the turn's answer, in one transaction, or not at all.
 * `assign_to_human` every agent has; the others it has by a handler `{ "type": "builtin", "name": … }`.
 */
import { Effect, Schema } from "effect"
import type { BuiltinTool } from "../../ai/tools/BuiltinTools.ts"
import type { ToolSpec } from "../../ai/tools/Tool.ts"
import type { Arguments } from "../../ai/tools/ToolArguments.ts"
import { type AnswerSource, type ToolAnswer, toolFailed } from "../../ai/tools/ToolRunner.ts"
import { contentOf, OutgoingBody } from "../sending/OutgoingMessage.ts"
import type { TurnMessage, TurnOutcome } from "./AgentTurns.ts"

const string = (description: string) => ({ type: "string", description })

export const assignToHuman: ToolSpec = {
  name: "assign_to_human",
  description:
    "Hand this conversation to a human colleague. Use it when the contact asks for a person or you cannot help.",
  parameters: {
    type: "object",
    properties: { reason: string("One sentence: why a human is needed") },
    required: ["reason"]
  }
}

const sendButtons: ToolSpec = {
  name: "send_buttons",
  description: "Ask the contact something with one to three buttons to press.",
  parameters: {
    type: "object",
    properties: {
      text: string("The question, at most 1,000 characters"),
      button1: string("At most 20 characters"),
      button2: string("At most 20 characters"),
      button3: string("At most 20 characters")
    },
    required: ["text", "button1"]
  }
}

const sendList: ToolSpec = {
  name: "send_list",
  description: "Ask the contact to choose from a list of up to ten entries.",
  parameters: {
    type: "object",
    properties: {
      text: string("The question, at most 1,000 characters"),
      button: string("What opens the list, at most 20 characters"),
      options: string("One entry a line: a title of at most 24 characters, or `title: description` (72 characters)")
    },
    required: ["text", "button", "options"]
  }
}

const sendMedia: ToolSpec = {
  name: "send_media",
  description: "Send the contact a file that is at a public https address.",
  parameters: {
    type: "object",
    properties: {
      type: { type: "string", enum: ["image", "document", "audio", "video"] },
      url: string("The address of the file"),
      caption: string("Shown with the file; not for audio"),
      filename: string("The name of a document")
    },
    required: ["type", "url"]
  }
}

const resolve: ToolSpec = {
  name: "resolve",
  description: "Mark this conversation as done, when the contact needs nothing more. Say goodbye in your answer.",
  parameters: { type: "object", properties: {} }
}

const remindLater: ToolSpec = {
  name: "remind_later",
  description: "Be reminded later in this conversation, to write to the contact again. Only the last reminder counts.",
  parameters: {
    type: "object",
    properties: {
      minutes: { type: "integer", description: "In how many minutes, from 1 to 1,320" },
      text: string("What you want to be reminded of")
    },
    required: ["minutes", "text"]
  }
}

export const tagContact: ToolSpec = {
  name: "tag_contact",
  description: "Give the contact a tag, or take one away.",
  parameters: {
    type: "object",
    properties: { tag: string("The tag"), action: { type: "string", enum: ["add", "remove"] } },
    required: ["tag"]
  }
}

const chatTools = [sendButtons, sendList, sendMedia, resolve, remindLater, tagContact]

export const isChatTool = (name: string): boolean => chatTools.some((tool) => tool.name === name)

/** For the registry of built-in tools. They are run by the turn that they belong to, and not by the registry. */
export const chatBuiltins: ReadonlyArray<BuiltinTool> = chatTools.map((spec) => ({
  spec,
  agents: ["text"],
  run: () => Effect.succeed(toolFailed("This tool can only be used in a conversation."))
}))

/** What a turn has collected so far. */
export interface Draft {
  readonly said: Array<TurnMessage>
  /** Where what the model read of knowledge bases is from. */
  readonly sources: Array<AnswerSource>
  resolved: boolean
  reminder: TurnOutcome["reminder"]
}

const ok = (result: string): ToolAnswer => ({ outcome: "ok", result })
const later = ok("Sent with your answer. Say nothing more if this says it all.")

const decodeBody = Schema.decodeUnknownEffect(OutgoingBody)

/** The most files and choices of one turn. */
const mostSaid = 5

const say = (draft: Draft, body: unknown) =>
  draft.said.length >= mostSaid
    ? Effect.succeed(toolFailed(`At most ${mostSaid} such messages can be sent in one turn.`))
    : decodeBody(body, { onExcessProperty: "error" }).pipe(
        Effect.map((message) => {
          draft.said.push({ type: message.type, content: contentOf(message) })
          return later
        }),
        Effect.catch((error) => Effect.succeed(toolFailed(`It cannot be sent: ${error.message.split("\n")[0]}`)))
      )

const text = (value: unknown): string => (typeof value === "string" ? value.trim() : "")

const buttons = (input: Arguments) => ({
  type: "interactive",
  interactive: {
    type: "button",
    body: { text: text(input.text) },
    action: {
      buttons: [input.button1, input.button2, input.button3]
        .map(text)
        .filter((title) => title !== "")
        .map((title, index) => ({ type: "reply", reply: { id: `choice-${index + 1}`, title } }))
    }
  }
})

const row = (line: string, index: number) => {
  const [title = "", ...rest] = line.split(": ")
  const description = rest.join(": ").trim()
  return { id: `choice-${index + 1}`, title: title.trim(), ...(description === "" ? {} : { description }) }
}

const list = (input: Arguments) => ({
  type: "interactive",
  interactive: {
    type: "list",
    body: { text: text(input.text) },
    action: {
      button: text(input.button),
      sections: [
        {
          rows: text(input.options)
            .split("\n")
            .filter((line) => line.trim() !== "")
            .map(row)
        }
      ]
    }
  }
})

const media = (input: Arguments) => {
  const [caption, filename] = [text(input.caption), text(input.filename)]
  return {
    type: input.type,
    mediaUrl: text(input.url),
    ...(caption === "" || input.type === "audio" ? {} : { caption }),
    ...(input.type === "document" ? { filename: filename === "" ? "document" : filename } : {})
  }
}

/** The channel takes free text for 24 hours after the contact wrote; a reminder comes well before. */
const longestReminderMinutes = 22 * 60

const remind = (draft: Draft, input: Arguments, now: number): ToolAnswer => {
  const minutes = Number(input.minutes)
  const note = text(input.text).slice(0, 500)
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > longestReminderMinutes)
    return toolFailed(`minutes must be from 1 to ${longestReminderMinutes}.`)
  if (note === "") return toolFailed("text must say what you want to be reminded of.")
  draft.reminder = { at: now + minutes * 60_000, text: note }
  return ok(`You will be reminded in ${minutes} minutes, with your answer sent now.`)
}

/** Runs a tool that only adds to the draft; `undefined` for every other name. `now`: Unix milliseconds. */
export const draftTool = (
  draft: Draft,
  name: string,
  input: Arguments,
  now: number
): Effect.Effect<ToolAnswer> | undefined => {
  switch (name) {
    case sendButtons.name:
      return say(draft, buttons(input))
    case sendList.name:
      return say(draft, list(input))
    case sendMedia.name:
      return say(draft, media(input))
    case resolve.name:
      draft.resolved = true
      return Effect.succeed(ok("The conversation is done with your answer."))
    case remindLater.name:
      return Effect.succeed(remind(draft, input, now))
    default:
      return undefined
  }
}
