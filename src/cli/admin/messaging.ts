/** The `parley admin` commands for an organization's account at the messaging channel, and for inbox items that were given up. */
import { Clock, Effect, Redacted } from "effect"
import { Command, Flag, Prompt } from "effect/cli"
import { ChannelInbox } from "../../domain/messaging/channel/ChannelInbox.ts"
import { makeConnectChannel } from "../../domain/messaging/channel/ConnectChannel.ts"
import { AdminError, answer, existing, explained, json, organization } from "./shared.ts"

const secret = (name: string, description: string) =>
  Flag.Redacted(name).pipe(
    Flag.withDescription(`${description}, stored encrypted; asked for when absent`),
    Flag.withFallbackPrompt(Prompt.Password({ message: description }))
  )

const channelId = (name: string, description: string) => Flag.String(name).pipe(Flag.withDescription(description))

export const connectMessaging = Command.make(
  "connect-messaging",
  {
    organization,
    phoneNumberId: channelId("phone-number-id", "The channel's id of the number"),
    businessAccountId: channelId("business-account-id", "The channel's id of the business account"),
    accessToken: secret("access-token", "Access token"),
    appSecret: secret("app-secret", "App secret"),
    verifyToken: secret("verify-token", "Verify token"),
    json
  },
  Effect.fnUntraced(function* ({ organization, phoneNumberId, businessAccountId, json, ...secrets }) {
    const { id: organizationId } = yield* existing(organization)
    const { connect } = yield* makeConnectChannel
    const { phoneNumber, businessName } = yield* connect(organizationId, {
      phoneNumberId,
      businessAccountId,
      accessToken: Redacted.value(secrets.accessToken),
      appSecret: Redacted.value(secrets.appSecret),
      verifyToken: Redacted.value(secrets.verifyToken)
    }).pipe(
      Effect.catchTag(
        "NumberTaken",
        () => new AdminError({ message: `The number ${phoneNumberId} belongs to another organization.` })
      ),
      explained
    )
    yield* answer(json, { organizationId, phoneNumberId, phoneNumber, businessName })
  })
).pipe(Command.withDescription("Connect an organization to its account at the messaging channel"))

export const messagingInbox = Command.make(
  "messaging-inbox",
  {
    organization,
    retry: Flag.Boolean("retry").pipe(Flag.withDescription("Try them again"), Flag.withDefault(false)),
    json
  },
  Effect.fnUntraced(function* ({ organization, retry, json }) {
    const { id: organizationId } = yield* existing(organization)
    const inbox = yield* ChannelInbox
    const failed = yield* inbox.failed(organizationId)
    const retried = retry ? yield* inbox.retryFailed(organizationId, yield* Clock.currentTimeMillis) : 0
    yield* answer(json, { organizationId, failed, retried })
  })
).pipe(Command.withDescription("Show what the messaging channel told that could not be worked on"))
