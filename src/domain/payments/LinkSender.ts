/**
 * Sends a payment link to a contact by message, while a call goes on. Free text goes to those who wrote in the last 24 hours; to others the template of the
 * payment settings.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { ChannelConnections } from "../messaging/channel/ConnectionStatus.ts"
import { Conversations } from "../messaging/conversations/Conversation.ts"
import { makeSendMessage } from "../messaging/sending/SendMessage.ts"
import { makeLinkTemplate } from "../messaging/templates/LinkTemplate.ts"
import type { PaymentLink } from "./PaymentLink.ts"
import { PaymentSettingsStore } from "./PaymentSettings.ts"

/** Why it was not sent, as a sentence; null: it is on its way. */
export type LinkSent = { readonly problem: string | null }

const notSent = (problem: string): LinkSent => ({ problem })
const noTemplate =
  "The person has not written in the last 24 hours, and no template for payment links is set, so the link cannot be sent by message."

export class LinkSender extends Context.Service<
  LinkSender,
  { readonly send: (link: PaymentLink, contactId: string) => Effect.Effect<LinkSent> }
>()("parley/domain/LinkSender") {
  /** For agents that write the link into their own answer. */
  static readonly layerNone = Layer.succeed(LinkSender, {
    send: () => Effect.succeed(notSent("It is not sent by itself: write the address in your answer."))
  })

  /** Needs what `makeSendMessage` needs, Conversations, ChannelConnections and PaymentSettingsStore. */
  static readonly layer = Layer.effect(
    LinkSender,
    Effect.gen(function* () {
      const send = yield* makeSendMessage
      const conversations = yield* Conversations
      const channels = yield* ChannelConnections
      const templateOf = yield* makeLinkTemplate
      const settings = yield* PaymentSettingsStore

      const isOpen = Effect.fnUntraced(function* (organizationId: string, contactId: string) {
        const now = yield* Clock.currentTimeMillis
        const filter = { contactId, channel: "messaging" } as const
        const { data } = yield* conversations.list(organizationId, filter, { page: 1, limit: 1 }, now)
        return data.at(0)?.window?.open === true
      })

      /** The message by the organization's template; undefined without one. */
      const byTemplate = Effect.fnUntraced(function* ({
        organizationId,
        amount,
        currency,
        description,
        url
      }: PaymentLink) {
        const { template } = yield* settings.get(organizationId)
        if (template === null) return undefined
        return yield* templateOf(organizationId, template, `${description}, ${amount} ${currency}`, url)
      })

      return LinkSender.of({
        send: Effect.fnUntraced(function* (link, contactId) {
          const { organizationId, amount, currency, description, url, createdBy } = link
          if (!(yield* channels.exists(organizationId))) return notSent("No messaging channel is connected.")
          const text = `${description}: ${amount} ${currency}\n${url}`
          const body = (yield* isOpen(organizationId, contactId))
            ? ({ type: "text", text, previewUrl: false } as const)
            : yield* byTemplate(link)
          if (body === undefined) return notSent(noTemplate)
          return yield* send({ organizationId, to: { contactId }, body, sentBy: createdBy }).pipe(
            Effect.as({ problem: null }),
            Effect.catch((error) =>
              Effect.succeed(
                notSent(
                  "message" in error && error.message !== "" ? error.message : "The message could not be sent now."
                )
              )
            )
          )
        })
      })
    })
  )
}
