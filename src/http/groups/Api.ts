/** The declared interfaces. They validate requests, and the OpenAPI document is generated from them. */
import { HttpApi } from "effect/http-api"
import { forCustomers, forOperators } from "../docs/Description.ts"
import { BuiltinToolsGroup } from "./ai/builtinTools.ts"
import { McpServersGroup } from "./ai/mcpServers.ts"
import { AppWebhooksGroup } from "./apps/appWebhooks.ts"
import { AutomationGroup } from "./apps/automation.ts"
import { HooksGroup } from "./apps/hooks.ts"
import { IntegrationsGroup } from "./apps/integrations.ts"
import { SlackGroup } from "./apps/slack.ts"
import { SlackEventsGroup } from "./apps/slackEvents.ts"
import { CartsGroup } from "./business/carts.ts"
import { CompaniesGroup } from "./business/companies.ts"
import { CustomFieldsGroup } from "./business/customFields.ts"
import { OrdersGroup } from "./business/orders.ts"
import { ProductsGroup } from "./business/products.ts"
import { SuppliersGroup } from "./business/suppliers.ts"
import { EventsGroup } from "./events/events.ts"
import { WebhooksGroup } from "./events/webhooks.ts"
import { ImportsGroup } from "./imports/imports.ts"
import { KnowledgeBasesGroup } from "./knowledge/knowledgeBases.ts"
import { KnowledgeSourcesGroup } from "./knowledge/knowledgeSources.ts"
import { BroadcastsGroup } from "./messaging/broadcasts.ts"
import { ChatsGroup } from "./messaging/chats.ts"
import { ConversationNotesGroup } from "./messaging/conversationNotes.ts"
import { EvaluationsGroup } from "./messaging/evaluations.ts"
import { MediaGroup, MediaLinksGroup } from "./messaging/media.ts"
import { MessagesGroup } from "./messaging/messages.ts"
import { MessagingConnectionGroup } from "./messaging/messagingConnection.ts"
import { MessagingWebhooksGroup } from "./messaging/messagingWebhooks.ts"
import { QuickRepliesGroup } from "./messaging/quickReplies.ts"
import { SendGroup } from "./messaging/send.ts"
import { TemplatesGroup } from "./messaging/templates.ts"
import { TextAgentsGroup } from "./messaging/textAgents.ts"
import { OperatorEventsGroup } from "./operators/operatorEvents.ts"
import { OperatorFlagsGroup } from "./operators/operatorFlags.ts"
import { OperatorNodesGroup, OperatorProvidersGroup } from "./operators/operatorNodes.ts"
import { OperatorOrganizationsGroup } from "./operators/operatorOrganizations.ts"
import { OperatorResyncsGroup } from "./operators/operatorResyncs.ts"
import { OperatorSessionGroup } from "./operators/operatorSession.ts"
import { PaymentLinksGroup } from "./payments/paymentLinks.ts"
import { PaymentSettingsGroup } from "./payments/paymentSettings.ts"
import { ApiKeysGroup } from "./people/apiKeys.ts"
import { AuditLogGroup } from "./people/auditLog.ts"
import { BusinessHoursGroup } from "./people/businessHours.ts"
import { ContactsGroup } from "./people/contacts.ts"
import { DevicesGroup, PushSettingsGroup } from "./people/devices.ts"
import { DisclosureGroup } from "./people/disclosure.ts"
import { MessagingConsentsGroup } from "./people/messagingConsents.ts"
import { OrganizationGroup } from "./people/organization.ts"
import { SessionGroup, SessionsGroup } from "./people/session.ts"
import { SetUpGroup } from "./people/setup.ts"
import { SlaPolicyGroup } from "./people/slaPolicy.ts"
import { StatusGroup } from "./people/status.ts"
import { UsersGroup } from "./people/users.ts"
import { VoiceConsentsGroup } from "./people/voiceConsents.ts"
import { ContactExportsGroup } from "./privacy/contactExports.ts"
import { RetentionGroup } from "./privacy/retention.ts"
import { AiUsageGroup } from "./usage/aiUsage.ts"
import { AnalyticsGroup } from "./usage/analytics.ts"
import { VoiceUsageGroup } from "./usage/voiceUsage.ts"
import { CallbacksGroup } from "./voice/callbacks.ts"
import { CallsGroup } from "./voice/calls.ts"
import { EngineGroup } from "./voice/engine.ts"
import { PhoneNumbersGroup } from "./voice/phoneNumbers.ts"
import { SipCredentialsGroup } from "./voice/sipCredentials.ts"
import { TelephonyGroup } from "./voice/telephony.ts"
import { ToolAuditGroup } from "./voice/toolAudit.ts"
import { VoiceAgentsGroup } from "./voice/voiceAgents.ts"
import { VoicesGroup } from "./voice/voices.ts"

const customers = HttpApi.make("parley")
  .add(VoiceAgentsGroup)
  .add(VoicesGroup)
  .add(CallsGroup)
  .add(VoiceUsageGroup)
  .add(AiUsageGroup)
  .add(ToolAuditGroup)
  .add(KnowledgeBasesGroup)
  .add(KnowledgeSourcesGroup)
  .add(OrganizationGroup)
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
  .add(SessionsGroup)
  .add(SetUpGroup)
  .add(UsersGroup)
  .add(RetentionGroup)
  .add(DevicesGroup)
  .add(PushSettingsGroup)
  .add(AuditLogGroup)
  .add(ChatsGroup)
  .add(MessagesGroup)
  .add(SendGroup)
  .add(TemplatesGroup)
  .add(ConversationNotesGroup)
  .add(TextAgentsGroup)
  .add(EvaluationsGroup)
  .add(QuickRepliesGroup)
  .add(EventsGroup)
  .add(MediaGroup)
  .add(MediaLinksGroup)
  .add(BroadcastsGroup)
  .add(WebhooksGroup)
  .add(AnalyticsGroup)
  .add(CompaniesGroup)
  .add(ProductsGroup)
  .add(OrdersGroup)
  .add(CartsGroup)
  .add(SuppliersGroup)
  .add(CustomFieldsGroup)
  .add(MessagingConnectionGroup)
  .add(ImportsGroup)
  .add(IntegrationsGroup)
  .add(SlackGroup)
  .add(AutomationGroup)
  .add(HooksGroup)
  .add(BuiltinToolsGroup)
  .add(McpServersGroup)
  .add(PaymentLinksGroup)
  .add(PaymentSettingsGroup)

const providers = HttpApi.make("parley")
  .add(CallbacksGroup)
  .add(TelephonyGroup)
  .add(MessagingWebhooksGroup)
  .add(AppWebhooksGroup)
  .add(SlackEventsGroup)

const operators = HttpApi.make("parley")
  .add(OperatorSessionGroup)
  .add(OperatorOrganizationsGroup)
  .add(OperatorFlagsGroup)
  .add(OperatorResyncsGroup)
  .add(OperatorProvidersGroup)
  .add(OperatorNodesGroup)
  .add(OperatorEventsGroup)

/** The interface of role `app`. */
export class AppApi extends customers.addHttpApi(providers).addHttpApi(operators).annotateMerge(forCustomers) {}

/** The interface of role `engine`. Only the app calls it. */
export class EngineApi extends HttpApi.make("parley-engine").add(EngineGroup) {}

/** What customers use: described by `/openapi.json` and `/docs`. */
export class CustomersApi extends customers.annotateMerge(forCustomers) {}

/** What the engine, providers and operators use: described by `/openapi-operators.json`. */
export class OperatorsApi extends providers.addHttpApi(operators).addHttpApi(EngineApi).annotateMerge(forOperators) {}
