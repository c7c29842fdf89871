/** A channel that records the messages it is handed. `answer` decides its answers (it accepts all by default); its templates can be set. */
import { Effect, Layer } from "effect"
import {
  ChannelRefused,
  type ChannelTemplate,
  ChannelUnavailable,
  MessagingChannel,
  type OutgoingMessage
} from "../../src/domain/messaging/channel/MessagingChannel.ts"

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
  /** The reason why it lists no templates now. */
  trouble: ChannelRefused | ChannelUnavailable | undefined
  /** The messages that were handed over, in order, including refused ones. */
  readonly handed: Array<OutgoingMessage> = []
  answer: MessagingChannel["Service"]["send"] = ({ messageId }) =>
    Effect.succeed({ channelMessageId: `wamid.${messageId}` })

  readonly layer = Layer.succeed(MessagingChannel, {
    send: (message) =>
      Effect.suspend(() => {
        this.handed.push(message)
        return this.answer(message)
      }),
    templates: () =>
      Effect.suspend(() => (this.trouble === undefined ? Effect.succeed(this.templates) : Effect.fail(this.trouble)))
  })

  readonly texts = () => this.handed.map(({ content }) => content.text)

  refuses(reason: string) {
    this.trouble = new ChannelRefused({ code: "190", reason })
  }

  isAway(reason: string) {
    this.trouble = new ChannelUnavailable({ reason })
  }
}
