import { Effect } from "effect"
import { z } from "zod"
import { makeSendMessage } from "../../../domain/messaging/sending/SendMessage.ts"
import { SendRequest, sendTo } from "../../../domain/messaging/sending/SendRequest.ts"
import { callerId } from "../../../domain/people/access/Access.ts"
import { makeNeedChannel } from "../../handlers/messaging/needChannel.ts"
import { sendErrors } from "../../handlers/messaging/send.ts"
import { conversationMoving, TooMany } from "../../wire/Errors.ts"
import * as arg from "../protocol/arg.ts"
import { payloadOf } from "../protocol/RestPayload.ts"
import { defineTool } from "../protocol/Tool.ts"
import { asRefusal, ToolRefusal } from "../protocol/ToolRefusal.ts"
import { makeTemplateComponents, templateFields } from "./templateFields.ts"

const read = payloadOf(SendRequest)
const { templateName, language, bodyParameters, headerParameter } = templateFields

const input = z.strictObject({
  to: arg.text(80, "A phone number with its country code, e.g. +14155550123, or the id of a contact, cnt_…."),
  text: arg.text(4_096, "What to write, up to 4,096 characters. Leave it out when you send a template.").optional(),
  templateName: templateName.optional(),
  language: language.optional(),
  bodyParameters,
  headerParameter,
  replyTo: arg.id("The id of the message that this one answers, msg_….").optional()
})

const twoKinds = new ToolRefusal({
  message: "Send either text, or templateName with language.",
  next: "Correct the arguments and call the tool again."
})

export const sendMessage = Effect.gen(function* () {
  const send = yield* makeSendMessage
  const needChannel = yield* makeNeedChannel
  const componentsOf = yield* makeTemplateComponents

  const bodyOf = Effect.fnUntraced(function* (organizationId: string, args: z.output<typeof input>) {
    const { text, templateName, language, bodyParameters, headerParameter } = args
    if (text !== undefined && templateName === undefined) return { type: "text", text }
    if (text !== undefined || templateName === undefined || language === undefined) return yield* twoKinds
    const filled = { templateName, language, bodyParameters, headerParameter }
    const components = yield* componentsOf(organizationId, filled)
    return { type: "template", templateName, language, ...(components.length === 0 ? {} : { components }) }
  })

  return defineTool({
    name: "send_message",
    title: "Send a message",
    description:
      "Sends one message to one contact over the messaging channel: text, or a template. Text reaches only somebody who wrote in the last 24 hours " +
      "(freeTextUntil of the conversation); otherwise send an APPROVED template of list_templates. Do not use it for many contacts: use " +
      "send_broadcast. The message is queued; get_conversation shows whether it was delivered. " +
      'Example: {"to": "+14155550123", "text": "Your book has arrived."}',
    toolset: "messaging",
    kind: "sends",
    scope: "messages:send",
    input,
    output: z.object({
      messageId: z.string(),
      conversationId: z.string(),
      contactId: z.string(),
      status: z.string().describe("queued at first")
    }),
    run: Effect.fnUntraced(function* (args, { principal }) {
      const { organizationId } = principal
      yield* asRefusal()(needChannel(organizationId))
      const fields = yield* bodyOf(organizationId, args)
      const request = yield* asRefusal()(read({ ...arg.defined({ to: args.to, replyTo: args.replyTo }), ...fields }))
      const { to, replyTo, ...body } = request
      const { message } = yield* send({
        organizationId,
        to: sendTo(to),
        body,
        replyTo,
        sentBy: callerId(principal)
      }).pipe(
        Effect.catchTags({
          ...sendErrors,
          TooManySends: ({ message }) => new TooMany({ error: message }),
          ConversationBusy: conversationMoving
        }),
        asRefusal()
      )
      const { id: messageId, conversationId, contactId, status } = message
      return {
        structured: { messageId, conversationId, contactId, status },
        text: `${messageId} to ${contactId} in ${conversationId} is ${status}.`,
        subjectId: messageId
      }
    })
  })
})
