/** The Postgres implementation of every store of the domain. Needs the database (`Database.layer` or `Postgres.layer`) and the key ring. */
import { Layer } from "effect"
import * as ApiKeysPostgres from "./access/ApiKeysPostgres.ts"
import * as DevicesPostgres from "./access/DevicesPostgres.ts"
import * as DirectoryPostgres from "./access/DirectoryPostgres.ts"
import * as IdempotencyPostgres from "./access/IdempotencyPostgres.ts"
import * as OAuthClientsPostgres from "./access/OAuthClientsPostgres.ts"
import * as OAuthGrantsPostgres from "./access/OAuthGrantsPostgres.ts"
import * as PersonalSettingsPostgres from "./access/PersonalSettingsPostgres.ts"
import * as UserSessionsPostgres from "./access/UserSessionsPostgres.ts"
import * as UsersPostgres from "./access/UsersPostgres.ts"
import * as McpGrantsPostgres from "./ai/McpGrantsPostgres.ts"
import * as McpServersPostgres from "./ai/McpServersPostgres.ts"
import * as AppAbsorbersPostgres from "./apps/AppAbsorbersPostgres.ts"
import * as AppConnectionsPostgres from "./apps/AppConnectionsPostgres.ts"
import * as ArrivalQueuePostgres from "./apps/ArrivalQueuePostgres.ts"
import * as ChatMappingsPostgres from "./apps/ChatMappingsPostgres.ts"
import * as ChatPostsPostgres from "./apps/ChatPostsPostgres.ts"
import * as ChatProposalsPostgres from "./apps/ChatProposalsPostgres.ts"
import * as PullQueuePostgres from "./apps/PullQueuePostgres.ts"
import * as SyncQueuePostgres from "./apps/SyncQueuePostgres.ts"
import * as SyncRecordsPostgres from "./apps/SyncRecordsPostgres.ts"
import * as CartsPostgres from "./business/CartsPostgres.ts"
import * as CompaniesPostgres from "./business/CompaniesPostgres.ts"
import * as CustomFieldsPostgres from "./business/CustomFieldsPostgres.ts"
import * as OrdersPostgres from "./business/OrdersPostgres.ts"
import * as ProductsPostgres from "./business/ProductsPostgres.ts"
import * as SuppliersPostgres from "./business/SuppliersPostgres.ts"
import * as EventLogPostgres from "./events/EventLogPostgres.ts"
import * as OutagesPostgres from "./events/OutagesPostgres.ts"
import * as PushesPostgres from "./events/PushesPostgres.ts"
import * as WebhookDeliveriesPostgres from "./events/WebhookDeliveriesPostgres.ts"
import * as WebhookEndpointsPostgres from "./events/WebhookEndpointsPostgres.ts"
import * as WebhookQueuePostgres from "./events/WebhookQueuePostgres.ts"
import * as ImportQueuePostgres from "./imports/ImportQueuePostgres.ts"
import * as ImportsPostgres from "./imports/ImportsPostgres.ts"
import * as KnowledgeBasesPostgres from "./knowledge/KnowledgeBasesPostgres.ts"
import * as KnowledgeSourcesPostgres from "./knowledge/KnowledgeSourcesPostgres.ts"
import * as PassageVectorsPostgres from "./knowledge/PassageVectorsPostgres.ts"
import * as SearchKnowledgePostgres from "./knowledge/SearchKnowledgePostgres.ts"
import * as WordStemsPostgres from "./knowledge/WordStemsPostgres.ts"
import * as AgentTurnsPostgres from "./messaging/agents/AgentTurnsPostgres.ts"
import * as EvaluationRunsPostgres from "./messaging/agents/EvaluationRunsPostgres.ts"
import * as EvaluationsPostgres from "./messaging/agents/EvaluationsPostgres.ts"
import * as TextAgentsPostgres from "./messaging/agents/TextAgentsPostgres.ts"
import * as TextAgentVersionsPostgres from "./messaging/agents/TextAgentVersionsPostgres.ts"
import * as BroadcastQueuePostgres from "./messaging/broadcasts/BroadcastQueuePostgres.ts"
import * as BroadcastsPostgres from "./messaging/broadcasts/BroadcastsPostgres.ts"
import * as ChannelAccountsPostgres from "./messaging/channel/ChannelAccountsPostgres.ts"
import * as ChannelInboxPostgres from "./messaging/channel/ChannelInboxPostgres.ts"
import * as ChannelMessagesPostgres from "./messaging/channel/ChannelMessagesPostgres.ts"
import * as UploadedMediaPostgres from "./messaging/channel/UploadedMediaPostgres.ts"
import * as ChatThreadsPostgres from "./messaging/conversations/ChatThreadsPostgres.ts"
import * as ConversationNotesPostgres from "./messaging/conversations/ConversationNotesPostgres.ts"
import * as ConversationsPostgres from "./messaging/conversations/ConversationsPostgres.ts"
import * as MessagesPostgres from "./messaging/conversations/MessagesPostgres.ts"
import * as OutboxPostgres from "./messaging/conversations/OutboxPostgres.ts"
import * as RecipientsPostgres from "./messaging/conversations/RecipientsPostgres.ts"
import * as TimelinesPostgres from "./messaging/conversations/TimelinesPostgres.ts"
import * as MediaPostgres from "./messaging/media/MediaPostgres.ts"
import * as QuickRepliesPostgres from "./messaging/templates/QuickRepliesPostgres.ts"
import * as TemplatesPostgres from "./messaging/templates/TemplatesPostgres.ts"
import * as InstallationLogPostgres from "./operators/InstallationLogPostgres.ts"
import * as OperatedOrganizationsPostgres from "./operators/OperatedOrganizationsPostgres.ts"
import * as OperatorsPostgres from "./operators/OperatorsPostgres.ts"
import * as ResyncsPostgres from "./operators/ResyncsPostgres.ts"
import * as PaymentLinksPostgres from "./payments/PaymentLinksPostgres.ts"
import * as PaymentSettingsPostgres from "./payments/PaymentSettingsPostgres.ts"
import * as ContactMergingPostgres from "./people/contacts/ContactMergingPostgres.ts"
import * as ContactsPostgres from "./people/contacts/ContactsPostgres.ts"
import * as MessagingConsentsPostgres from "./people/contacts/MessagingConsentsPostgres.ts"
import * as VoiceConsentsPostgres from "./people/contacts/VoiceConsentsPostgres.ts"
import * as OrganizationsPostgres from "./people/organizations/OrganizationsPostgres.ts"
import * as ContactErasurePostgres from "./privacy/ContactErasurePostgres.ts"
import * as ContactExportsPostgres from "./privacy/ContactExportsPostgres.ts"
import * as ExpiredKindsPostgres from "./privacy/ExpiredKindsPostgres.ts"
import * as ExpiredRecordsPostgres from "./privacy/ExpiredRecordsPostgres.ts"
import * as KeyRotationPostgres from "./privacy/KeyRotationPostgres.ts"
import * as AuditPostgres from "./tenancy/AuditPostgres.ts"
import * as ExclusivePostgres from "./tenancy/ExclusivePostgres.ts"
import * as OneNodePostgres from "./tenancy/OneNodePostgres.ts"
import * as AiUsagePostgres from "./usage/AiUsagePostgres.ts"
import * as AnalyticsPostgres from "./usage/AnalyticsPostgres.ts"
import * as ModelTokensPostgres from "./usage/ModelTokensPostgres.ts"
import * as VoiceAllowancesPostgres from "./usage/VoiceAllowancesPostgres.ts"
import * as VoiceUsagePostgres from "./usage/VoiceUsagePostgres.ts"
import * as AgentVersionsPostgres from "./voice/agents/AgentVersionsPostgres.ts"
import * as CalledNumbersPostgres from "./voice/agents/CalledNumbersPostgres.ts"
import * as TestedAgentsPostgres from "./voice/agents/TestedAgentsPostgres.ts"
import * as VoiceAgentsPostgres from "./voice/agents/VoiceAgentsPostgres.ts"
import * as CallNotices from "./voice/calls/CallNotices.ts"
import * as CallSummariesPostgres from "./voice/calls/CallSummariesPostgres.ts"
import * as CallsPostgres from "./voice/calls/CallsPostgres.ts"
import * as PlacementsPostgres from "./voice/calls/PlacementsPostgres.ts"
import * as ToolAuditPostgres from "./voice/calls/ToolAuditPostgres.ts"
import * as TransfersPostgres from "./voice/calls/TransfersPostgres.ts"
import * as VoicemailsPostgres from "./voice/calls/VoicemailsPostgres.ts"
import * as PhoneNumbersPostgres from "./voice/telephony/PhoneNumbersPostgres.ts"
import * as SipCredentialsPostgres from "./voice/telephony/SipCredentialsPostgres.ts"
import * as TelephonyConnectionsPostgres from "./voice/telephony/TelephonyConnectionsPostgres.ts"

const payments = PaymentLinksPostgres.layer.pipe(Layer.provide(OrdersPostgres.layer))

export const layer = Layer.mergeAll(
  OrganizationsPostgres.layer,
  OperatorsPostgres.layer,
  OperatorsPostgres.sessionsLayer,
  InstallationLogPostgres.layer,
  OperatedOrganizationsPostgres.layer,
  OperatedOrganizationsPostgres.gatesLayer,
  ResyncsPostgres.layer,
  UsersPostgres.layer,
  ApiKeysPostgres.layer,
  UserSessionsPostgres.layer,
  PersonalSettingsPostgres.layer,
  DirectoryPostgres.layer,
  OAuthClientsPostgres.layer,
  OAuthGrantsPostgres.layer,
  DevicesPostgres.layer,
  PushesPostgres.layer,
  PushesPostgres.settingsLayer,
  IdempotencyPostgres.layer,
  AuditPostgres.layer,
  TelephonyConnectionsPostgres.layer,
  PhoneNumbersPostgres.layer,
  SipCredentialsPostgres.layer,
  ExclusivePostgres.layer(),
  AppAbsorbersPostgres.layer.pipe(
    Layer.provide([ContactsPostgres.layer, OrdersPostgres.layer, ProductsPostgres.layer, payments])
  ),
  ArrivalQueuePostgres.layer,
  PullQueuePostgres.layer,
  ChatMappingsPostgres.layer,
  ChatPostsPostgres.layer,
  ChatProposalsPostgres.layer,
  ChatThreadsPostgres.layer,
  AppConnectionsPostgres.layer,
  SyncQueuePostgres.layer,
  SyncRecordsPostgres.layer,
  EventLogPostgres.layer,
  OutagesPostgres.layer,
  WebhookEndpointsPostgres.layer,
  WebhookDeliveriesPostgres.layer,
  WebhookQueuePostgres.layer,
  VoiceAgentsPostgres.layer,
  TestedAgentsPostgres.layer,
  AgentVersionsPostgres.layer,
  CalledNumbersPostgres.layer.pipe(Layer.provide([OrganizationsPostgres.layer, VoiceAgentsPostgres.layer])),
  McpServersPostgres.layer,
  McpGrantsPostgres.layer,
  CallsPostgres.layer,
  CallSummariesPostgres.layer,
  TransfersPostgres.layer,
  VoicemailsPostgres.layer,
  VoiceUsagePostgres.layer,
  VoiceAllowancesPostgres.layer,
  AiUsagePostgres.layer,
  ModelTokensPostgres.layer,
  ContactsPostgres.layer,
  ImportsPostgres.layer,
  ImportQueuePostgres.layer,
  ContactErasurePostgres.layer,
  ContactMergingPostgres.layer,
  ContactExportsPostgres.layer,
  ContactExportsPostgres.dossierLayer,
  ConversationsPostgres.layer,
  TimelinesPostgres.layer,
  MessagesPostgres.layer,
  OutboxPostgres.layer,
  RecipientsPostgres.layer,
  MediaPostgres.layer,
  ChannelAccountsPostgres.layer,
  ChannelInboxPostgres.layer,
  ChannelMessagesPostgres.layer,
  UploadedMediaPostgres.layer,
  TemplatesPostgres.layer,
  CompaniesPostgres.layer,
  CustomFieldsPostgres.layer,
  OrdersPostgres.layer,
  CartsPostgres.layer,
  ProductsPostgres.layer,
  SuppliersPostgres.layer,
  payments,
  PaymentSettingsPostgres.layer,
  CallNotices.layer,
  ConversationNotesPostgres.layer,
  TextAgentsPostgres.layer,
  TextAgentVersionsPostgres.layer,
  AgentTurnsPostgres.layer,
  EvaluationsPostgres.layer,
  EvaluationRunsPostgres.layer,
  QuickRepliesPostgres.layer,
  KnowledgeBasesPostgres.layer,
  KnowledgeSourcesPostgres.layer,
  PassageVectorsPostgres.layer,
  SearchKnowledgePostgres.layer,
  WordStemsPostgres.layer,
  BroadcastsPostgres.layer,
  BroadcastQueuePostgres.layer,
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
