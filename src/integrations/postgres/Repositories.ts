/** Every store of the domain in Postgres. Needs the database (`Database.layer` or `Postgres.layer`) and the key ring. */
import { Layer } from "effect"
import * as AnalyticsPostgres from "./AnalyticsPostgres.ts"
import * as ApiKeysPostgres from "./ApiKeysPostgres.ts"
import * as AuditPostgres from "./AuditPostgres.ts"
import * as BroadcastsPostgres from "./BroadcastsPostgres.ts"
import * as CalledNumbersPostgres from "./CalledNumbersPostgres.ts"
import * as CallsPostgres from "./CallsPostgres.ts"
import * as ChannelAccountsPostgres from "./ChannelAccountsPostgres.ts"
import * as ChannelInboxPostgres from "./ChannelInboxPostgres.ts"
import * as ChannelMessagesPostgres from "./ChannelMessagesPostgres.ts"
import * as ContactExportsPostgres from "./ContactExportsPostgres.ts"
import * as ContactsPostgres from "./ContactsPostgres.ts"
import * as ConversationsPostgres from "./ConversationsPostgres.ts"
import * as DevicesPostgres from "./DevicesPostgres.ts"
import * as EventLogPostgres from "./EventLogPostgres.ts"
import * as ExclusivePostgres from "./ExclusivePostgres.ts"
import * as ExpiredKindsPostgres from "./ExpiredKindsPostgres.ts"
import * as ExpiredRecordsPostgres from "./ExpiredRecordsPostgres.ts"
import * as IdempotencyPostgres from "./IdempotencyPostgres.ts"
import * as KeyRotationPostgres from "./KeyRotationPostgres.ts"
import * as MediaPostgres from "./MediaPostgres.ts"
import * as MessagesPostgres from "./MessagesPostgres.ts"
import * as MessagingConsentsPostgres from "./MessagingConsentsPostgres.ts"
import * as OneNodePostgres from "./OneNodePostgres.ts"
import * as OrganizationsPostgres from "./OrganizationsPostgres.ts"
import * as OutboxPostgres from "./OutboxPostgres.ts"
import * as PhoneNumbersPostgres from "./PhoneNumbersPostgres.ts"
import * as PlacementsPostgres from "./PlacementsPostgres.ts"
import * as PushesPostgres from "./PushesPostgres.ts"
import * as QuickRepliesPostgres from "./QuickRepliesPostgres.ts"
import * as RecipientsPostgres from "./RecipientsPostgres.ts"
import * as SessionsPostgres from "./SessionsPostgres.ts"
import * as SipCredentialsPostgres from "./SipCredentialsPostgres.ts"
import * as TelephonyConnectionsPostgres from "./TelephonyConnectionsPostgres.ts"
import * as TemplatesPostgres from "./TemplatesPostgres.ts"
import * as ToolAuditPostgres from "./ToolAuditPostgres.ts"
import * as TransfersPostgres from "./TransfersPostgres.ts"
import * as UploadedMediaPostgres from "./UploadedMediaPostgres.ts"
import * as UsersPostgres from "./UsersPostgres.ts"
import * as VoiceAgentsPostgres from "./VoiceAgentsPostgres.ts"
import * as VoiceConsentsPostgres from "./VoiceConsentsPostgres.ts"
import * as VoicemailsPostgres from "./VoicemailsPostgres.ts"
import * as VoiceUsagePostgres from "./VoiceUsagePostgres.ts"
import * as WebhookDeliveriesPostgres from "./WebhookDeliveriesPostgres.ts"
import * as WebhookEndpointsPostgres from "./WebhookEndpointsPostgres.ts"
import * as WebhookQueuePostgres from "./WebhookQueuePostgres.ts"

export const layer = Layer.mergeAll(
  OrganizationsPostgres.layer,
  UsersPostgres.layer,
  ApiKeysPostgres.layer,
  SessionsPostgres.layer,
  DevicesPostgres.layer,
  PushesPostgres.layer,
  PushesPostgres.settingsLayer,
  IdempotencyPostgres.layer,
  AuditPostgres.layer,
  TelephonyConnectionsPostgres.layer,
  PhoneNumbersPostgres.layer,
  SipCredentialsPostgres.layer,
  ExclusivePostgres.layer(),
  EventLogPostgres.layer,
  WebhookEndpointsPostgres.layer,
  WebhookDeliveriesPostgres.layer,
  WebhookQueuePostgres.layer,
  VoiceAgentsPostgres.layer,
  CalledNumbersPostgres.layer.pipe(Layer.provide([OrganizationsPostgres.layer, VoiceAgentsPostgres.layer])),
  CallsPostgres.layer,
  TransfersPostgres.layer,
  VoicemailsPostgres.layer,
  VoiceUsagePostgres.layer,
  ContactsPostgres.layer,
  ContactExportsPostgres.layer,
  ContactExportsPostgres.dossierLayer,
  ConversationsPostgres.layer,
  MessagesPostgres.layer,
  OutboxPostgres.layer,
  RecipientsPostgres.layer,
  MediaPostgres.layer,
  ChannelAccountsPostgres.layer,
  ChannelInboxPostgres.layer,
  ChannelMessagesPostgres.layer,
  UploadedMediaPostgres.layer,
  TemplatesPostgres.layer,
  QuickRepliesPostgres.layer,
  BroadcastsPostgres.layer,
  AnalyticsPostgres.layer,
  VoiceConsentsPostgres.layer,
  MessagingConsentsPostgres.layer,
  PlacementsPostgres.layer,
  ToolAuditPostgres.layer,
  ExpiredRecordsPostgres.layer,
  ExpiredKindsPostgres.layer,
  OneNodePostgres.layer,
  KeyRotationPostgres.layer
)
