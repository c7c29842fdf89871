/** A channel that takes everything and remembers it, with templates that can be arranged. */
import { Effect, Layer } from "effect"
import {
  ChannelRefused,
  type ChannelTemplate,
  ChannelUnavailable,
  MessagingChannel,
  type OutgoingMessage
} from "../../src/domain/MessagingChannel.ts"

export const template = (changes: Partial<ChannelTemplate> = {}): ChannelTemplate => ({
  channelTemplateId: "900100",
  name: "order_update",
  language: "en_US",
  status: "APPROVED",
  category: "UTILITY",
  components: [
    { type: "HEADER", format: "TEXT", text: "Order {{1}}" },
    { type: "BODY", text: "Hello {{1}}, your order {{2}} is on its way.", example: { body_text: [["Asha", "17"]] } },
    { type: "FOOTER", text: "Acme" }
  ],
  rejectedReason: null,
  ...changes
})

export class TestChannel {
  templates: ReadonlyArray<ChannelTemplate> = [template()]
  /** Why it lists no templates now. */
  trouble: ChannelRefused | ChannelUnavailable | undefined
  readonly sent: Array<OutgoingMessage> = []

  readonly layer = Layer.succeed(MessagingChannel, {
    send: (message) =>
      Effect.sync(() => {
        this.sent.push(message)
        return { channelMessageId: `wamid.${message.messageId}` }
      }),
    templates: () =>
      Effect.suspend(() => (this.trouble === undefined ? Effect.succeed(this.templates) : Effect.fail(this.trouble)))
  })

  refuses(reason: string) {
    this.trouble = new ChannelRefused({ code: "190", reason })
  }

  isAway(reason: string) {
    this.trouble = new ChannelUnavailable({ reason })
  }
}
