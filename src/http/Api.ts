/** The declared interfaces: requests are validated, and the OpenAPI document is made, from these. */
import { HttpApi, OpenApi } from "effect/http-api"
import { generalRules, withCommon } from "./CommonDocs.ts"
import { eventSchemas, withWebhooks } from "./EventDocs.ts"
import { AnalyticsGroup } from "./groups/analytics.ts"
import { ApiKeysGroup } from "./groups/apiKeys.ts"
import { AuditLogGroup } from "./groups/auditLog.ts"
import { BroadcastsGroup } from "./groups/broadcasts.ts"
import { BusinessHoursGroup } from "./groups/businessHours.ts"
import { CallbacksGroup } from "./groups/callbacks.ts"
import { CallsGroup } from "./groups/calls.ts"
import { ChatsGroup } from "./groups/chats.ts"
import { ContactExportsGroup } from "./groups/contactExports.ts"
import { ContactsGroup } from "./groups/contacts.ts"
import { DevicesGroup, PushSettingsGroup } from "./groups/devices.ts"
import { DisclosureGroup } from "./groups/disclosure.ts"
import { EngineGroup } from "./groups/engine.ts"
import { EventsGroup } from "./groups/events.ts"
import { MediaGroup, MediaLinksGroup } from "./groups/media.ts"
import { MessagesGroup } from "./groups/messages.ts"
import { MessagingConnectionGroup } from "./groups/messagingConnection.ts"
import { MessagingConsentsGroup } from "./groups/messagingConsents.ts"
import { MessagingWebhooksGroup } from "./groups/messagingWebhooks.ts"
import { PhoneNumbersGroup } from "./groups/phoneNumbers.ts"
import { QuickRepliesGroup } from "./groups/quickReplies.ts"
import { RetentionGroup } from "./groups/retention.ts"
import { SendGroup } from "./groups/send.ts"
import { SessionGroup } from "./groups/session.ts"
import { SipCredentialsGroup } from "./groups/sipCredentials.ts"
import { SlaPolicyGroup } from "./groups/slaPolicy.ts"
import { StatusGroup } from "./groups/status.ts"
import { TelephonyGroup } from "./groups/telephony.ts"
import { TemplatesGroup } from "./groups/templates.ts"
import { ToolAuditGroup } from "./groups/toolAudit.ts"
import { UsersGroup } from "./groups/users.ts"
import { VoiceAgentsGroup } from "./groups/voiceAgents.ts"
import { VoiceConsentsGroup } from "./groups/voiceConsents.ts"
import { VoicesGroup } from "./groups/voices.ts"
import { VoiceUsageGroup } from "./groups/voiceUsage.ts"
import { WebhooksGroup } from "./groups/webhooks.ts"
import { withChapters } from "./Tags.ts"

/** Role `app`. */
export class AppApi extends HttpApi.make("parley")
  .add(VoiceAgentsGroup)
  .add(VoicesGroup)
  .add(CallsGroup)
  .add(VoiceUsageGroup)
  .add(ToolAuditGroup)
  .add(BusinessHoursGroup)
  .add(SlaPolicyGroup)
  .add(DisclosureGroup)
  .add(VoiceConsentsGroup)
  .add(StatusGroup)
  .add(ContactsGroup)
  .add(ContactExportsGroup)
  .add(MessagingConsentsGroup)
  .add(PhoneNumbersGroup)
  .add(SipCredentialsGroup)
  .add(ApiKeysGroup)
  .add(SessionGroup)
  .add(UsersGroup)
  .add(RetentionGroup)
  .add(DevicesGroup)
  .add(PushSettingsGroup)
  .add(AuditLogGroup)
  .add(ChatsGroup)
  .add(MessagesGroup)
  .add(SendGroup)
  .add(TemplatesGroup)
  .add(QuickRepliesGroup)
  .add(EventsGroup)
  .add(MediaGroup)
  .add(MediaLinksGroup)
  .add(BroadcastsGroup)
  .add(WebhooksGroup)
  .add(AnalyticsGroup)
  .add(CallbacksGroup)
  .add(TelephonyGroup)
  .add(MessagingConnectionGroup)
  .add(MessagingWebhooksGroup)
  .annotateMerge(
    OpenApi.annotations({
      title: "Parley",
      version: "0.1.0",
      description: generalRules,
      license: { name: "All rights reserved", identifier: "LicenseRef-Parley" },
      servers: [{ url: "/" }],
      transform: (document) =>
        withWebhooks(withChapters(withCommon({ ...document, paths: document.paths, tags: document.tags })))
    })
  )
  .annotate(HttpApi.AdditionalSchemas, eventSchemas) {}

/** Role `engine`: only the app talks to it. */
export class EngineApi extends HttpApi.make("parley-engine").add(EngineGroup) {}
