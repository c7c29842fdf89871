/** The groups of operations. Generated from the service's definitions by `npm run client`: do not edit. */
import { Client } from "../Client.ts"
import type { EventStream } from "../EventStream.ts"
import type { ReceivedFile } from "../Files.ts"
import type { RequestOptions, StreamOptions } from "../Options.ts"
import type { Listed } from "../Pages.ts"
import type {
  AiUsageGetQuery,
  AiUsageReport,
  Analytics,
  AnalyticsGetQuery,
  ApiKey,
  ApiKeyChanges,
  ApiKeysCreateBody,
  ApiKeysRevokeAnswer,
  ApiKeysRotateBody,
  ApprovedMcpTools,
  AuditEntry,
  AuditLogListQuery,
  AuditedToolCall,
  AutomationAppQuery,
  AutomationDescription,
  Broadcast,
  BroadcastPreview,
  BroadcastRecipient,
  BroadcastsListQuery,
  BroadcastsRecipientsQuery,
  BuiltinToolsListAnswer,
  BusinessHoursSetBody,
  Call,
  CallDetail,
  CallListening,
  CallPage,
  CallPeaks,
  CallTakeOver,
  CallTold,
  CallsListQuery,
  CallsLiveAnswer,
  CallsPeaksQuery,
  Cart,
  CartSummary,
  CartsListQuery,
  ChatMappings,
  ChatsGetQuery,
  ChatsListQuery,
  ChatsMessagesQuery,
  ChatsTimelineQuery,
  Colleague,
  CompaniesExportQuery,
  CompaniesImportQuery,
  CompaniesListQuery,
  Company,
  CompanyChanges,
  ConnectionStatus,
  ConsentEvidence,
  Contact,
  ContactChanges,
  ContactExport,
  ContactTags,
  ContactsCreateQuery,
  ContactsExportQuery,
  ContactsListQuery,
  Conversation,
  ConversationChanges,
  ConversationDetail,
  ConversationNote,
  ConversationPresence,
  ConversationSummary,
  CreatedApiKey,
  CreatedUser,
  CustomFields,
  CustomFieldsGetQuery,
  Device,
  DevicesListAnswer,
  DevicesRemoveAnswer,
  DirectoryEntry,
  Disclosure,
  DisclosureSetBody,
  ErasedContact,
  Evaluation,
  EvaluationChanges,
  EvaluationResult,
  EvaluationRun,
  EvaluationSummary,
  EventsStreamQuery,
  EventsWatchAnswer,
  FirstOrganization,
  GivenChatMappings,
  GivenIntegration,
  Hook,
  HookWithSecret,
  HooksGetQuery,
  HooksSamplesAnswer,
  Import,
  ImportsContactsQuery,
  InboxCounts,
  Integration,
  IntegrationArrival,
  IntegrationAuthorization,
  IntegrationLogEntry,
  IntegrationProblem,
  IntegrationTest,
  IntegrationVerification,
  IntegrationsArrivalsQuery,
  IntegrationsFieldsAnswer,
  IntegrationsListAnswer,
  Invitation,
  KnowledgeAnswer,
  KnowledgeBase,
  KnowledgeBaseChanges,
  KnowledgeBasesListQuery,
  KnowledgeQuestion,
  KnowledgeSource,
  KnowledgeSourceChanges,
  KnowledgeSourcesUploadBody,
  McpServer,
  McpServerAuthorization,
  McpServerSettings,
  McpServersListAnswer,
  Media,
  MediaDownloadQuery,
  MediaLinkAnswer,
  MediaLinkQuery,
  MediaListQuery,
  MediaOpenQuery,
  MediaRemoveAnswer,
  MergeRequest,
  Message,
  MessagesListQuery,
  MessagingConnection,
  MessagingConnectionCredentials,
  MessagingConnectionRemoveAnswer,
  MessagingConsent,
  NewBroadcast,
  NewCall,
  NewCompany,
  NewContact,
  NewCustomFields,
  NewDevice,
  NewEvaluation,
  NewEvaluationRun,
  NewHook,
  NewKnowledgeBase,
  NewKnowledgeSource,
  NewMessage,
  NewOrder,
  NewPaymentLink,
  NewProduct,
  NewQuickReply,
  NewSupplier,
  NewTestCall,
  NewTextAgent,
  NewToolTry,
  NewVoiceAgent,
  NewVoiceConsent,
  NewWebhookEndpoint,
  NoteText,
  OpeningHours,
  Order,
  OrderChanges,
  OrdersExportQuery,
  OrdersImportQuery,
  OrdersListQuery,
  Organization,
  OrganizationChanges,
  OrganizationPeopleQuery,
  PaymentLink,
  PaymentLinksListQuery,
  PaymentSettings,
  PersonalChanges,
  PhoneNumber,
  PhoneNumbersAddBody,
  PhoneNumbersAssignBody,
  PhoneNumbersAvailableAnswer,
  PhoneNumbersAvailableQuery,
  PhoneNumbersReleaseAnswer,
  Presence,
  Product,
  ProductChanges,
  ProductsExportQuery,
  ProductsImportQuery,
  ProductsListQuery,
  PushSetting,
  QuickRepliesListQuery,
  QuickReply,
  QuickReplyChanges,
  RefusedRow,
  RemovedEvaluation,
  RemovedEvaluationRun,
  RemovedKnowledgeBase,
  RemovedKnowledgeSource,
  RemovedNote,
  ReplayedProblems,
  Retention,
  RetentionSetBody,
  RotatedApiKey,
  SentMessage,
  Session,
  SessionEndAnswer,
  SessionStartBody,
  SessionsEndAnswer,
  SessionsListAnswer,
  SetupStateAnswer,
  ShownPaymentSettings,
  SipCredentials,
  SipCredentialsRevokeAnswer,
  SlaPolicy,
  SlackChannelsAnswer,
  SlackChannelsQuery,
  SummaryRequest,
  Supplier,
  SupplierChanges,
  SuppliersExportQuery,
  SuppliersImportQuery,
  SuppliersListQuery,
  Template,
  TemplateSync,
  TemplatesListQuery,
  TestCall,
  TextAgent,
  TextAgentAnswer,
  TextAgentChanges,
  TextAgentTry,
  TextAgentVersion,
  TextAgentVersionDetail,
  Timeline,
  ToolAuditListQuery,
  ToolTry,
  UnansweredQuestion,
  User,
  UsersAcceptInvitationAnswer,
  UsersAcceptInvitationBody,
  UsersCreateBody,
  UsersSetPasswordAnswer,
  UsersSetPasswordBody,
  UsersUpdateBody,
  VoiceAgent,
  VoiceAgentChanges,
  VoiceAgentVersion,
  VoiceAgentVersionDetail,
  VoiceAgentsCallsQuery,
  VoiceAgentsListQuery,
  VoiceCatalogue,
  VoiceConsent,
  VoicePreview,
  VoiceUsageGetQuery,
  VoiceUsageReport,
  VoicesListQuery,
  WaitingLine,
  WatchedCalls,
  WebhookDelivery,
  WebhookDeliveryWithBody,
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointWithSecret,
  WebhooksListDeliveriesQuery,
  WebhooksReplayAnswer,
  WebhooksReplayBody,
  WebhooksRotateSecretBody,
  WhisperToAgent,
  WordsForCall
} from "./types.ts"

/** Agents that answer and place calls: their settings, their calls, their line of waiting callers. */
export interface VoiceAgentsOperations {
  /** `GET /api/voice-agents`: List voice agents. Scope `voice:read`. */
  list(query?: VoiceAgentsListQuery, options?: RequestOptions): Listed<VoiceAgent>

  /** `POST /api/voice-agents`: Create a voice agent and sync it to the engine. Scope `voice:write`. */
  create(body: NewVoiceAgent, options?: RequestOptions): Promise<VoiceAgent>

  /** `GET /api/voice-agents/{id}`: Get a voice agent. Scope `voice:read`. */
  get(id: string, options?: RequestOptions): Promise<VoiceAgent>

  /**
   * `PUT /api/voice-agents/{id}`: Change a voice agent and sync it again. With `If-Match`, the `updatedAt` of the
   * record that was changed, a save by somebody else since is 409 and says whose it was. Scope `voice:write`.
   */
  update(id: string, body: VoiceAgentChanges, options?: RequestOptions): Promise<VoiceAgent>

  /** `DELETE /api/voice-agents/{id}`: Delete a voice agent, here and on the engine. Scope `voice:write`. */
  remove(id: string, options?: RequestOptions): Promise<RemovedEvaluationRun>

  /**
   * `GET /api/voice-agents/{id}/versions`: List the versions of a voice agent, newest first. One for each save, the
   * newest 50. Scope `voice:read`.
   */
  versions(id: string, query?: VoiceAgentsListQuery, options?: RequestOptions): Listed<VoiceAgentVersion>

  /**
   * `GET /api/voice-agents/{id}/versions/{version}`: Get a version of a voice agent with its settings. The secrets
   * of tools are masked. Scope `voice:read`.
   */
  version(id: string, version: string, options?: RequestOptions): Promise<VoiceAgentVersionDetail>

  /**
   * `POST /api/voice-agents/{id}/versions/{version}/restore`: Save the settings of an earlier version of a voice
   * agent again. As changing the agent: with the same checks, synced to the engine, and a new version. Scope
   * `voice:write`.
   */
  restore(id: string, version: string, options?: RequestOptions): Promise<VoiceAgent>

  /** `GET /api/voice-agents/{id}/calls`: List the calls of an agent. Scope `voice:read`. */
  calls(id: string, query?: VoiceAgentsCallsQuery, options?: RequestOptions): Listed<Call, CallPage>

  /**
   * `POST /api/voice-agents/{id}/calls`: Let the agent call somebody. Answers at once with the call in `queued`;
   * `GET /api/calls/{id}` tells how it goes on. Scope `voice:write`.
   */
  call(id: string, body: NewCall, options?: RequestOptions): Promise<Call>

  /**
   * `POST /api/voice-agents/{id}/test-calls`: Talk to the agent without a telephone. Connect a WebSocket to `url`
   * within 20 seconds and speak the media-stream protocol of the telephony provider (`connected`, `start`, then 20
   * ms of mu-law a message). `draft` has changes that apply to this call only; nothing is saved. The call counts
   * against the calls at once, but is not billed and has no contact. Scope `voice:write`.
   */
  testCall(id: string, body: NewTestCall, options?: RequestOptions): Promise<TestCall>

  /**
   * `POST /api/voice-agents/{id}/tools/{name}/try`: Run a tool of the agent once. The tool really runs, as in a
   * call but without one. `draft` has changes that apply to this try only; nothing is saved. Arguments that do not
   * fit, and a tool that fails, are answers. 30 a minute for an organization. Audited. Scope `voice:write`.
   */
  tryTool(id: string, name: string, body: NewToolTry, options?: RequestOptions): Promise<ToolTry>

  /** `GET /api/voice-agents/{id}/queue`: Get the line of callers who wait for the human. Scope `voice:read`. */
  queue(id: string, options?: RequestOptions): Promise<WaitingLine>
}

/** The voices and languages there are. */
export interface VoicesOperations {
  /** `GET /api/voices`: List voices. Scope `voice:read`. */
  list(query?: VoicesListQuery, options?: RequestOptions): Promise<VoiceCatalogue>

  /**
   * `POST /api/voices/preview`: Hear a voice. The text as an agent with this voice says it: a WAV file as
   * telephones hear it. 30 a minute for an organization. Scope `voice:read`.
   */
  preview(body: VoicePreview, options?: RequestOptions): Promise<ReceivedFile>
}

/** One call: transcript, tool calls, latencies, cost, recording. */
export interface CallsOperations {
  /**
   * `GET /api/calls`: List calls of all agents, newest first. `from` and `to` are days of the organization's time
   * zone; `slowerThanMs` finds calls with a turn whose answer began later. `totals` covers all calls that match.
   * Send `asOf` back to get consistent pages while new calls arrive. Scope `voice:read`.
   */
  list(query?: CallsListQuery, options?: RequestOptions): Listed<Call, CallPage>

  /**
   * `GET /api/calls/live`: List the calls that are under way. Newest first, at most 500, each with what goes on in
   * it and what was said last. The passing event `call.updated` tells how `state` goes on. Scope `voice:read`.
   */
  live(options?: RequestOptions): Promise<CallsLiveAnswer>

  /**
   * `POST /api/calls/{id}/say`: Let the agent of a call say something. As it is written, after the sentence that it
   * is saying; an answer that it is thinking of is dropped. 409 when no agent has the call at this moment, or a
   * person has taken it over. Audited. Scope `calls:control`, which every role has.
   */
  say(id: string, body: WordsForCall, options?: RequestOptions): Promise<CallTold>

  /**
   * `POST /api/calls/{id}/end`: End a call. The agent says its goodbye and hangs up. 409 when no agent has the call
   * at this moment. Audited. Scope `calls:control`.
   */
  end(id: string, options?: RequestOptions): Promise<CallTold>

  /**
   * `POST /api/calls/{id}/transfer`: Hand a call to a human. As if the caller had asked for one: the agent's
   * `humanDestination` is called, or the caller waits in line. 409 when no agent has the call at this moment.
   * Audited. Scope `calls:control`.
   */
  transfer(id: string, options?: RequestOptions): Promise<CallTold>

  /**
   * `POST /api/calls/{id}/listen`: Listen to a call that is under way. Both sides as the caller hears them, at most
   * 300 ms later, over one WebSocket: mu-law, 8 kHz, in binary messages. At most 20 people listen to the calls of
   * one engine; 409 beyond that, and when no agent has the call at this moment. Audited. Scope `calls:control`.
   */
  listen(id: string, options?: RequestOptions): Promise<CallListening>

  /**
   * `POST /api/calls/{id}/whisper`: Tell the agent of a call something that the caller does not hear. The agent
   * heeds it from its next answer on. 409 when no agent has the call at this moment. Audited, without the words.
   * Scope `calls:control`.
   */
  whisper(id: string, body: WhisperToAgent, options?: RequestOptions): Promise<CallTold>

  /**
   * `POST /api/calls/{id}/take-over`: Talk with the caller in the agent's place. The agent falls silent and tells
   * the caller that a colleague joins; then the caller hears the microphone of `listener`, who is connected to the
   * address of `listen`. When nothing comes from it for 3 seconds, the agent has the call again. 409 when the
   * listener is not connected, when a person has the call already, and when the call is ending. Audited. Scope
   * `calls:control`.
   */
  takeOver(id: string, body: CallTakeOver, options?: RequestOptions): Promise<CallTold>

  /**
   * `POST /api/calls/{id}/hand-back`: Give a call back to its agent. The agent tells the caller so and goes on; it
   * knows what both sides said meanwhile. 409 when no person has the call. Audited. Scope `calls:control`.
   */
  handBack(id: string, options?: RequestOptions): Promise<CallTold>

  /** `GET /api/calls/{id}`: Get a call with its transcript. Scope `voice:read`. */
  get(id: string, options?: RequestOptions): Promise<CallDetail>

  /**
   * `GET /api/calls/{id}/peaks`: How loud each side of a recording is, and the waits as they are heard. For a
   * picture of the call with `points` points, and for what the latencies of turns are compared with: `turns` are
   * measured on the recording. Scope `voice:read`.
   */
  peaks(id: string, query?: CallsPeaksQuery, options?: RequestOptions): Promise<CallPeaks>

  /**
   * `GET /api/calls/{id}/recording`: The recording of a call. Stereo WAV, the caller left, the agent as heard
   * right. Takes `Range` (one range: 206, or 416 beyond the end), `If-Range` and `If-None-Match` (304). Also
   * answers HEAD. Scope `voice:read`.
   */
  recording(id: string, options?: RequestOptions): Promise<ReceivedFile>
}

/** Minutes, allowance and cost of calls. */
export interface VoiceUsageOperations {
  /**
   * `GET /api/voice-usage`: Voice minutes and their cost. Days are those of the organization's time zone, `from`
   * and `to` included (the current month by default, 366 days at most). Scope `voice:read`; of people OWNER and
   * ADMIN.
   */
  get(query?: VoiceUsageGetQuery, options?: RequestOptions): Promise<VoiceUsageReport>
}

/** AI tokens of text agents, and the allowance. */
export interface AiUsageOperations {
  /**
   * `GET /api/ai-usage`: AI tokens of text agents. Days are those of the organization's time zone, `from` and `to`
   * included (the current month by default, 366 days at most). Scope `agents:read`.
   */
  get(query?: AiUsageGetQuery, options?: RequestOptions): Promise<AiUsageReport>
}

/** What agents' tools were asked and answered. */
export interface ToolAuditOperations {
  /**
   * `GET /api/tool-calls`: Audit of the tools that agents ran. Needs the scope `admin`. `from` and `to` are days of
   * the organization's time zone, both included.
   */
  list(query?: ToolAuditListQuery, options?: RequestOptions): Listed<AuditedToolCall>
}

/** What agents can look things up in. */
export interface KnowledgeBasesOperations {
  /** `GET /api/knowledge-bases`: List knowledge bases, newest first. Scope `knowledge:read`. */
  list(query?: KnowledgeBasesListQuery, options?: RequestOptions): Listed<KnowledgeBase>

  /**
   * `POST /api/knowledge-bases`: Create a knowledge base. `language` is that of texts whose own is not clear;
   * `other` looks words up as they are written. 403 beyond the number that the plan has. Scope `knowledge:write`.
   */
  create(body: NewKnowledgeBase, options?: RequestOptions): Promise<KnowledgeBase>

  /** `GET /api/knowledge-bases/{id}`: Get a knowledge base. Scope `knowledge:read`. */
  get(id: string, options?: RequestOptions): Promise<KnowledgeBase>

  /**
   * `PUT /api/knowledge-bases/{id}`: Change a knowledge base. What is not sent keeps its value. Another language
   * counts from the next sync of each source on. Scope `knowledge:write`.
   */
  update(id: string, body: KnowledgeBaseChanges, options?: RequestOptions): Promise<KnowledgeBase>

  /**
   * `DELETE /api/knowledge-bases/{id}`: Delete a knowledge base. With its sources and questions. Agents that had it
   * find nothing in it. Scope `knowledge:write`.
   */
  remove(id: string, options?: RequestOptions): Promise<RemovedKnowledgeBase>

  /**
   * `POST /api/knowledge-bases/{id}/search`: Look something up. What an agent would find, the best first: 5
   * passages, or `limit`. `answered: false` means that an agent would say that it does not know. Such a question is
   * not collected here. Scope `knowledge:read`.
   */
  search(id: string, body: KnowledgeQuestion, options?: RequestOptions): Promise<KnowledgeAnswer>

  /**
   * `GET /api/knowledge-bases/{id}/unanswered`: List questions that agents could not answer, newest first. The
   * newest 1,000. They go with their conversation and after a year. Scope `knowledge:read`.
   */
  unanswered(id: string, query?: KnowledgeBasesListQuery, options?: RequestOptions): Listed<UnansweredQuestion>
}

/** What a knowledge base is made of: files, web pages, questions with answers. */
export interface KnowledgeSourcesOperations {
  /** `GET /api/knowledge-bases/{baseId}/sources`: List sources, newest first. Scope `knowledge:read`. */
  list(baseId: string, query?: KnowledgeBasesListQuery, options?: RequestOptions): Listed<KnowledgeSource>

  /**
   * `POST /api/knowledge-bases/{baseId}/sources`: Add web pages, pages of Notion, or questions with answers.
   * `pages` are those of a `sitemap`, those of `urls`, or both: at most 500, on public addresses, as far as
   * robots.txt allows. `notion` is a page with the pages inside of it, or a database, of the Notion that is
   * connected under integrations. `syncEveryHours` reads either again by itself. The sync is done in the
   * background: ask for its state with GET. Scope `knowledge:write`.
   */
  create(baseId: string, body: NewKnowledgeSource, options?: RequestOptions): Promise<KnowledgeSource>

  /**
   * `POST /api/knowledge-bases/{baseId}/files`: Add a file. `multipart/form-data` with one file in the part `file`,
   * of at most 16 MB: PDF, DOCX, Markdown, text, HTML or CSV. It is read in the background: ask for its state with
   * GET. `Idempotency-Key` is not looked at. Scope `knowledge:write`.
   */
  upload(baseId: string, body: KnowledgeSourcesUploadBody, options?: RequestOptions): Promise<KnowledgeSource>

  /**
   * `GET /api/knowledge-bases/{baseId}/sources/{id}`: Get a source, with the state of its sync. `queued`, `syncing`
   * (with `progress`), `ready`, or `failed` (with `problem`; what an earlier sync found is still found). `skipped`
   * says what the last sync left out, and why. Scope `knowledge:read`.
   */
  get(baseId: string, id: string, options?: RequestOptions): Promise<KnowledgeSource>

  /**
   * `PUT /api/knowledge-bases/{baseId}/sources/{id}`: Change a source. What is not sent keeps its value. Another
   * title or content is synced at once; the old one is found until then. Scope `knowledge:write`.
   */
  update(baseId: string, id: string, body: KnowledgeSourceChanges, options?: RequestOptions): Promise<KnowledgeSource>

  /** `DELETE /api/knowledge-bases/{baseId}/sources/{id}`: Delete a source. With its file. Scope `knowledge:write`. */
  remove(baseId: string, id: string, options?: RequestOptions): Promise<RemovedKnowledgeSource>

  /**
   * `POST /api/knowledge-bases/{baseId}/sources/{id}/sync`: Sync a source again. In the background. The old version
   * is found until the new one is whole. Scope `knowledge:write`.
   */
  sync(baseId: string, id: string, options?: RequestOptions): Promise<KnowledgeSource>
}

/** The organization, what its plan allows, and the names of its people and agents. */
export interface OrganizationOperations {
  /**
   * `GET /api/organization`: Get the organization, and what its plan allows. `features` says of each whether it is
   * available, and why not; `limits` are those of the plan, or the organization's own. Scope `status:read`, which
   * every role has.
   */
  get(options?: RequestOptions): Promise<Organization>

  /**
   * `PATCH /api/organization`: Change name or time zone. The time zone is that of business hours, due times and
   * analytics. Plan and flags are changed by the operator. Scope `admin`.
   */
  update(body: OrganizationChanges, options?: RequestOptions): Promise<Organization>

  /**
   * `GET /api/people`: List the names of people and agents. By name, with those who have left (`active: false`):
   * what the ids in `assignee`, `sentBy` and `author` are called. Up to 1,000 at once. Scope `conversations:read`,
   * which every role has.
   */
  people(query?: OrganizationPeopleQuery, options?: RequestOptions): Listed<DirectoryEntry>
}

/** When calls are answered and placed. */
export interface BusinessHoursOperations {
  /** `GET /api/organization/business-hours`: Get the business hours. Scope `voice:read`. */
  get(options?: RequestOptions): Promise<OpeningHours>

  /** `PUT /api/organization/business-hours`: Set the business hours. Scope `admin`. */
  set(body: BusinessHoursSetBody, options?: RequestOptions): Promise<OpeningHours>
}

/** How soon conversations shall be answered. */
export interface SlaPolicyOperations {
  /**
   * `GET /api/organization/sla-policy`: Read by when conversations are to be answered and resolved. Null: never,
   * which is how an organization begins. Scope `conversations:read`.
   */
  get(options?: RequestOptions): Promise<SlaPolicy>

  /**
   * `PUT /api/organization/sla-policy`: Set by when conversations are to be answered and resolved. Minutes from the
   * contact's first message of a conversation that is new or was resolved; within the business hours only, when
   * `businessHoursOnly` says so. For conversations that begin from now on: those that run keep their due times, and
   * lose them when the policy is taken away with null. What is missed is told once by the event
   * `conversation.sla_breached`. Scope `admin`.
   */
  set(body: SlaPolicy, options?: RequestOptions): Promise<SlaPolicy>
}

/** What every caller hears first. */
export interface DisclosureOperations {
  /** `GET /api/organization/disclosure`: Get the disclosure text. Scope `voice:read`. */
  get(options?: RequestOptions): Promise<Disclosure>

  /** `PUT /api/organization/disclosure`: Set the disclosure text. Scope `admin`. */
  set(body: DisclosureSetBody, options?: RequestOptions): Promise<Disclosure>
}

/** Consent to be called, with its evidence. */
export interface VoiceConsentsOperations {
  /** `GET /api/contacts/{id}/voice-consent`: Get the consent to be called, with its evidence. Scope `contacts:read`. */
  get(id: string, options?: RequestOptions): Promise<VoiceConsent>

  /**
   * `PUT /api/contacts/{id}/voice-consent`: Record a contact's consent to voice calls. Adds to a ledger that is
   * never changed and that survives the contact. The same again adds nothing. Scope `contacts:write`.
   */
  grant(id: string, body: NewVoiceConsent, options?: RequestOptions): Promise<VoiceConsent>

  /**
   * `DELETE /api/contacts/{id}/voice-consent`: Record that a contact withdrew the consent; the evidence of both is
   * kept. Scope `contacts:write`.
   */
  withdraw(id: string, options?: RequestOptions): Promise<VoiceConsent>
}

/** Whether the messaging channel is connected. */
export interface StatusOperations {
  /**
   * `GET /api/messaging-api/status`: Connection status of the messaging channel. Without a connection `connected`
   * is false and everything else null. Scope `status:read`.
   */
  get(options?: RequestOptions): Promise<ConnectionStatus>
}

/** The people an organization talks with. */
export interface ContactsOperations {
  /**
   * `GET /api/messaging-api/contacts`: List contacts, newest first. `search` finds any part of a name, whatever its
   * case and accents, and any part of a number, however it is written. `tag` is one whole tag. Archived contacts
   * are listed only with `archived=true`. `sort` is `-createdAt` unless it is sent; by `name`, contacts without one
   * come last, and by `-lastSeenAt` those who never wrote or called. A search that is sorted otherwise than newest
   * first has its newest 1,000 hits. Scope `contacts:read`.
   */
  list(query?: ContactsListQuery, options?: RequestOptions): Listed<Contact>

  /**
   * `POST /api/messaging-api/contacts`: Create a contact. The number is kept in E.164; two ways of writing one
   * number are one contact (Brazil's ninth digit, Mexico's 521). A known number is 409, its contact's id in the
   * header `X-Existing-Id`; with `upsert=true` that contact gets the fields that are sent, comes back from the
   * archive, and the answer is 200. Scope `contacts:write`.
   */
  create(body: NewContact, query?: ContactsCreateQuery, options?: RequestOptions): Promise<Contact>

  /**
   * `GET /api/messaging-api/contacts/export`: Export contacts as CSV. In the columns that an import reads, newest
   * first, with the filters of the list. A cell that a spreadsheet would run as a formula begins with an
   * apostrophe, which an import takes away. In the audit log. OWNER or ADMIN (for a key: scope `admin`).
   */
  export(query?: ContactsExportQuery, options?: RequestOptions): Promise<string>

  /**
   * `GET /api/messaging-api/contacts/tags`: The tags of contacts. Each once, in order; the first 1000. Tags of
   * archived contacts only are left out. Scope `contacts:read`.
   */
  tags(options?: RequestOptions): Promise<ContactTags>

  /**
   * `GET /api/messaging-api/contacts/{id}`: Get a contact, also an archived one. Of a contact that was merged into
   * another one it gives that one, which has another `id`. Scope `contacts:read`.
   */
  get(id: string, options?: RequestOptions): Promise<Contact>

  /**
   * `PATCH /api/messaging-api/contacts/{id}`: Change a contact. What is not sent keeps its value; null removes name
   * or email; tags are replaced as a whole. Another number has not opted in, unless `optedIn` is sent with it.
   * Scope `contacts:write`.
   */
  update(id: string, body: ContactChanges, options?: RequestOptions): Promise<Contact>

  /**
   * `DELETE /api/messaging-api/contacts/{id}`: Erase a contact for good. Removes the contact, its conversations and
   * messages, and transcripts and recordings of its calls. Consents are withdrawn: the number is not called again
   * without a new one. Their evidence stays under a hash of the number, and the audit log keeps that it was erased.
   * Queued calls are canceled; 409 during a call. Scope `contacts:write`; of people OWNER and ADMIN.
   */
  erase(id: string, options?: RequestOptions): Promise<ErasedContact>

  /**
   * `POST /api/messaging-api/contacts/{id}/archive`: Archive a contact. It leaves the lists; everything about it
   * stays. Scope `contacts:write`.
   */
  archive(id: string, options?: RequestOptions): Promise<Contact>

  /**
   * `POST /api/messaging-api/contacts/{id}/restore`: Restore an archived contact. One that was merged is a contact
   * of its own again; what belonged to it stays where it is. Scope `contacts:write`.
   */
  restore(id: string, options?: RequestOptions): Promise<Contact>

  /**
   * `POST /api/messaging-api/contacts/{id}/merge`: Merge another contact into this one. Conversations, calls,
   * notes, orders, payments, companies and links of integrations of the contact `contactId` become those of this
   * one, as do its tags and the fields that are empty here or named in `take`. A withdrawal of either holds for
   * both. The merged contact is archived, its id and number stand for this one from now on, and whatever is sent
   * goes to this one's number. Merging again gives the same answer. In the audit log. Scope `contacts:write`.
   */
  merge(id: string, body: MergeRequest, options?: RequestOptions): Promise<Contact>
}

/** All that is known of a contact, in one file. */
export interface ContactExportsOperations {
  /**
   * `POST /api/messaging-api/contacts/{id}/export`: Ask for everything that is known of a contact. Made in the
   * background: ask for its state with GET. While one is being made it is given again. The file is kept for 7 days.
   * OWNER or ADMIN (for a key: scope `admin`).
   */
  request(id: string, options?: RequestOptions): Promise<ContactExport>

  /**
   * `GET /api/messaging-api/contacts/{id}/export`: How the contact's newest export stands. `queued`, `completed` or
   * `failed`; 404 when there is none that has not expired. OWNER or ADMIN (for a key: scope `admin`).
   */
  get(id: string, options?: RequestOptions): Promise<ContactExport>

  /**
   * `GET /api/messaging-api/contacts/{id}/export/file`: The file of the newest export. A ZIP of `manifest.json`,
   * `contact.json`, `consents.json`, `conversations.json`, `agents.json`, `purchases.json`, `links.json`,
   * `notes.json`, `imports.json`, `messages.json`, `calls.json` (with transcripts and tool calls), `media/` and
   * `recordings/`. Ranges are answered. 409 while it is being made. OWNER or ADMIN (for a key: scope `admin`); each
   * download is in the audit log.
   */
  file(id: string, options?: RequestOptions): Promise<ReceivedFile>
}

/** Consent to messages, with its evidence. */
export interface MessagingConsentsOperations {
  /**
   * `GET /api/messaging-api/contacts/{id}/consent`: Whether a contact wants messages, with the evidence. Kept by
   * the number, so it also shows what was recorded under an earlier contact with it. Scope `contacts:read`.
   */
  get(id: string, options?: RequestOptions): Promise<MessagingConsent>

  /**
   * `POST /api/messaging-api/contacts/{id}/opt-in`: Record that a contact wants messages. Sets `optedIn` and adds
   * to a ledger that is never changed and that survives the contact: say where (`source`), in which words (`text`)
   * and when (`at`) it was said. What stands already is not added again. Scope `contacts:write`.
   */
  optIn(id: string, body?: ConsentEvidence, options?: RequestOptions): Promise<Contact>

  /**
   * `POST /api/messaging-api/contacts/{id}/opt-out`: Record that a contact wants no more messages. As when the
   * contact writes STOP: from now on it gets no templates and no broadcasts. Answers to what it writes still go.
   * Scope `contacts:write`.
   */
  optOut(id: string, body?: ConsentEvidence, options?: RequestOptions): Promise<Contact>
}

/** Numbers: searched, bought, connected, assigned, released. */
export interface PhoneNumbersOperations {
  /** `GET /api/voice-phone-numbers`: List phone numbers. Scope `voice:read`. */
  list(query?: VoiceAgentsListQuery, options?: RequestOptions): Listed<PhoneNumber>

  /**
   * `POST /api/voice-phone-numbers`: Buys a number, or takes one over. `purchased` (the default) buys it,
   * `connected` takes one that is in the organization's account at the provider, `sip` routes one that the
   * organization's own carrier sends to its SIP domain. Scope `voice:write`.
   */
  add(body: PhoneNumbersAddBody, options?: RequestOptions): Promise<PhoneNumber>

  /**
   * `GET /api/voice-phone-numbers/available`: Numbers for sale. `areaCode` is known in the US and Canada;
   * `contains` may have `*` for any digit. Scope `voice:read`.
   */
  available(query: PhoneNumbersAvailableQuery, options?: RequestOptions): Promise<PhoneNumbersAvailableAnswer>

  /** `GET /api/voice-phone-numbers/{id}`: Get a phone number. Scope `voice:read`. */
  get(id: string, options?: RequestOptions): Promise<PhoneNumber>

  /**
   * `PUT /api/voice-phone-numbers/{id}`: Assign a phone number to an agent. `agentId: null` takes it from its
   * agent, on every plan. Scope `voice:write`.
   */
  assign(id: string, body: PhoneNumbersAssignBody, options?: RequestOptions): Promise<PhoneNumber>

  /** `DELETE /api/voice-phone-numbers/{id}`: Release a phone number. Scope `voice:write`. */
  release(id: string, options?: RequestOptions): Promise<PhoneNumbersReleaseAnswer>
}

/** What an external carrier signs in with. */
export interface SipCredentialsOperations {
  /** `GET /api/voice-phone-numbers/sip-credentials`: Get the SIP credentials, set up on first use. Scope `admin`. */
  get(options?: RequestOptions): Promise<SipCredentials>

  /** `DELETE /api/voice-phone-numbers/sip-credentials`: Revoke the SIP credentials. Scope `admin`. */
  revoke(options?: RequestOptions): Promise<SipCredentialsRevokeAnswer>

  /** `POST /api/voice-phone-numbers/sip-credentials/regenerate`: Make a new SIP password. Scope `admin`. */
  regenerate(options?: RequestOptions): Promise<SipCredentials>
}

/** Keys for programs. */
export interface ApiKeysOperations {
  /** `GET /api/api-keys`: List API keys. Scope `admin`. */
  list(query?: VoiceAgentsListQuery, options?: RequestOptions): Listed<ApiKey>

  /**
   * `POST /api/api-keys`: Make an API key. `key` is shown this once. Without `scopes` the key gets all but `admin`,
   * as far as its maker has them; more than its maker has: 403. The key ends when its maker (`makerId`) is
   * deactivated, and loses the scopes that a lower role of the maker does not have. Scope `admin`.
   */
  create(body: ApiKeysCreateBody, options?: RequestOptions): Promise<CreatedApiKey>

  /** `GET /api/api-keys/{id}`: Get an API key. Without the key itself. Scope `admin`. */
  get(id: string, options?: RequestOptions): Promise<ApiKey>

  /**
   * `PATCH /api/api-keys/{id}`: Rename an API key, or change when it ends. `expiresAt: null` lets it live on.
   * Scopes cannot be changed: make another key. A key that was revoked or has expired is 409. Scope `admin`.
   */
  update(id: string, body: ApiKeyChanges, options?: RequestOptions): Promise<ApiKey>

  /** `DELETE /api/api-keys/{id}`: Revoke an API key. Scope `admin`. */
  revoke(id: string, options?: RequestOptions): Promise<ApiKeysRevokeAnswer>

  /**
   * `POST /api/api-keys/{id}/rotate`: Replace an API key. A new key with the same name, scopes and end (unless
   * `expiresAt` is sent); its maker is who rotates it. The old one is good for `overlapSeconds` more (86400 by
   * default). Scope `admin`.
   */
  rotate(id: string, body?: ApiKeysRotateBody, options?: RequestOptions): Promise<RotatedApiKey>
}

/** Signing in and out, for people. */
export interface SessionOperations {
  /**
   * `POST /api/session`: Sign in. Sets the cookie `parley_session` (HttpOnly, SameSite=Lax, Secure in production).
   * Changes made with the cookie need the `csrfToken` in the header `X-CSRF-Token`. With `device` the device is
   * told what happens, until it signs out (`PUT /api/devices`).
   */
  start(body: SessionStartBody, options?: RequestOptions): Promise<Session>

  /** `GET /api/session`: Get who is signed in. Needs a session. */
  get(options?: RequestOptions): Promise<Session>

  /**
   * `PATCH /api/session`: Keep what the person has chosen. `preferences` replace those of the same name, and null
   * removes one; all together have at most 16 KB as JSON. They mean nothing to the service. Needs a session.
   */
  change(body: PersonalChanges, options?: RequestOptions): Promise<Session>

  /** `DELETE /api/session`: Sign out. Needs a session. */
  end(options?: RequestOptions): Promise<SessionEndAnswer>
}

/** Where a person is signed in. */
export interface SessionsOperations {
  /**
   * `GET /api/sessions`: List one's own sessions. The latest used first; `current` is the one that asks. Needs a
   * session.
   */
  list(options?: RequestOptions): Promise<SessionsListAnswer>

  /**
   * `DELETE /api/sessions/{id}`: End one of one's own sessions. At once; its device is told nothing any more. The
   * one that asks is 409: see `DELETE /api/session`. Needs a session.
   */
  end(id: string, options?: RequestOptions): Promise<SessionsEndAnswer>
}

/** The first organization of an installation. */
export interface SetupOperations {
  /**
   * `GET /api/setup`: Ask whether there is an organization. `open` is true until the first one is made. No key and
   * no session needed.
   */
  state(options?: RequestOptions): Promise<SetupStateAnswer>

  /**
   * `POST /api/setup`: Make the first organization, and sign its OWNER in. Only while there is no organization (409
   * afterwards), and only with the token that the server printed when it started (401). `plan` is PREMIUM when it
   * is not sent: whoever has the token runs the service. Sets the cookie as signing in does. No key and no session
   * needed.
   */
  create(body: FirstOrganization, options?: RequestOptions): Promise<Session>
}

/** The people of the organization and what they may do. */
export interface UsersOperations {
  /**
   * `GET /api/users`: List the people, newest first. Deactivated ones too. OWNER or ADMIN (for a key: scope
   * `admin`).
   */
  list(query?: VoiceAgentsListQuery, options?: RequestOptions): Listed<User>

  /**
   * `POST /api/users`: Add a person. With `password` the person can sign in at once. Without, `invitation` holds a
   * token, shown this once and good for 7 days, with which the person chooses one. Only an OWNER makes OWNERs; an
   * address that the organization has already is 409. A password that is guessed first (a common one, or made of
   * the person's or organization's name) is 400. Scope `admin`.
   */
  create(body: UsersCreateBody, options?: RequestOptions): Promise<CreatedUser>

  /**
   * `GET /api/users/colleagues`: List the names of colleagues. Ids and names of all active people, by name: whom a
   * conversation can be assigned to. Scope `conversations:read`, which AGENTs have.
   */
  colleagues(query?: VoiceAgentsListQuery, options?: RequestOptions): Listed<Colleague>

  /**
   * `POST /api/users/accept-invitation`: Accept an invitation. No key and no session needed: the token proves who
   * it is, once. Afterwards the person signs in with the new password.
   */
  acceptInvitation(body: UsersAcceptInvitationBody, options?: RequestOptions): Promise<UsersAcceptInvitationAnswer>

  /** `GET /api/users/{id}`: Get a person. OWNER or ADMIN; everybody may get themselves. */
  get(id: string, options?: RequestOptions): Promise<User>

  /**
   * `PATCH /api/users/{id}`: Change a person. Another role, or `active: false`, ends the person's sessions and
   * invitation at once. A lower role takes from the API keys that they made the scopes it does not have; `active:
   * false` ends those keys for good. OWNERs are changed only by OWNERs, and the last one stays (409). Everybody may
   * change their own name.
   */
  update(id: string, body: UsersUpdateBody, options?: RequestOptions): Promise<User>

  /**
   * `DELETE /api/users/{id}`: Deactivate a person. As `active: false`: they cannot sign in, their sessions are
   * over, their devices are told nothing, and the API keys that they made end for good. The record stays, as
   * messages and the audit log name it. Scope `admin`.
   */
  deactivate(id: string, options?: RequestOptions): Promise<User>

  /**
   * `PUT /api/users/{id}/password`: Set a password. One's own needs `oldPassword`. Ends every session of the
   * person, this one too.
   */
  setPassword(id: string, body: UsersSetPasswordBody, options?: RequestOptions): Promise<UsersSetPasswordAnswer>

  /**
   * `POST /api/users/{id}/invitation`: Invite a person again. For somebody who lost the invitation, or the
   * password. The token before is no longer good. Scope `admin`.
   */
  invite(id: string, options?: RequestOptions): Promise<Invitation>
}

/** How long things are kept. */
export interface RetentionOperations {
  /**
   * `GET /api/organization/retention`: How long what is kept, and what would be removed now. A dry run: nothing is
   * removed. `messageDays: null` keeps messages. The run itself is once a day. OWNER or ADMIN (for a key: scope
   * `admin`).
   */
  get(options?: RequestOptions): Promise<Retention>

  /**
   * `PUT /api/organization/retention`: Set how long what is kept. Enterprise only (403 below). What is not sent
   * keeps its period. The answer says what the next run would remove. OWNER or ADMIN. Scope `admin`.
   */
  set(body: RetentionSetBody, options?: RequestOptions): Promise<Retention>
}

/** Devices that are told what happens. */
export interface DevicesOperations {
  /** `GET /api/devices`: List one's own devices, newest first. Needs a session. */
  list(options?: RequestOptions): Promise<DevicesListAnswer>

  /**
   * `PUT /api/devices`: Register a device, or tell that it is still there. `token` is what Firebase Cloud Messaging
   * gave the app; the same again changes nothing but the time. The device is told new messages, assignments and
   * overdue answers until the session that registered it is signed out or its 7 days are over. A token that
   * somebody else had registered is theirs no more. Needs a session; `POST /api/session` takes the same as
   * `device`.
   */
  register(body: NewDevice, options?: RequestOptions): Promise<Device>

  /** `DELETE /api/devices/{id}`: Remove one's own device. Needs a session. */
  remove(id: string, options?: RequestOptions): Promise<DevicesRemoveAnswer>
}

/** What devices are shown. */
export interface PushSettingsOperations {
  /** `GET /api/organization/push`: What devices show. OWNER or ADMIN (for a key: scope `admin`). */
  get(options?: RequestOptions): Promise<PushSetting>

  /**
   * `PUT /api/organization/push`: Say what devices show. Off, as at first, nothing of contacts and messages leaves
   * the service through push; on, devices show the contact's name and the first 80 characters. OWNER or ADMIN.
   * Scope `admin`.
   */
  set(body: PushSetting, options?: RequestOptions): Promise<PushSetting>
}

/** Who changed what, from where. */
export interface AuditLogOperations {
  /**
   * `GET /api/audit-log`: Who changed what. Newest first; `from` is included, `to` is not. `action` is one, or
   * several separated by commas: `contact.erased`, `contact.*`, `*.erased`. Entries cannot be changed, and secrets
   * in them are masked. Scope `admin`.
   */
  list(query?: AuditLogListQuery, options?: RequestOptions): Listed<AuditEntry>
}

/** Conversations of every channel. */
export interface ChatsOperations {
  /**
   * `GET /api/messaging-api/chats`: List conversations, the latest activity first. `assignee` is the id of a person
   * or an AI agent, `me` (for a signed-in person) or `none`; `label` one whole label; `due` says that the next due
   * time has passed (`overdue`) or comes within an hour (`soon`); `resolved=false` leaves out what is done;
   * `search` is a part of the contact's name or number. With any of these `total` counts to 10,000. `window` says
   * until when the messaging channel takes free text: 24 hours after the contact last wrote; null for other
   * channels. Scope `conversations:read`.
   */
  list(query?: ChatsListQuery, options?: RequestOptions): Listed<Conversation>

  /**
   * `GET /api/messaging-api/chats/counts`: Count the conversations of each view. `open` and `assigned` are exact,
   * the others are counted to 10,000. Snoozed conversations are counted as `snoozed` only. Scope
   * `conversations:read`.
   */
  counts(options?: RequestOptions): Promise<InboxCounts>

  /**
   * `GET /api/messaging-api/chats/{conversationId}/timeline`: Read messages, calls, notes and changes in one order.
   * Newest first. Hand `olderCursor` back as `before` to go back, and `newerCursor` as `after` for what has come
   * since; null says that there is nothing older. `contact=all` puts together the contact's newest 200
   * conversations on all channels. Changes are those that the audit log has. Scope `conversations:read`.
   */
  timeline(conversationId: string, query?: ChatsTimelineQuery, options?: RequestOptions): Promise<Timeline>

  /**
   * `GET /api/messaging-api/chats/{conversationId}`: Get a conversation with its recent messages. `messages` are
   * the newest `limit` (20 by default), newest first. A voice conversation has `calls`: the newest ten, each with
   * what was said. Reading does not count as read: see PATCH. Scope `conversations:read`.
   */
  get(conversationId: string, query?: ChatsGetQuery, options?: RequestOptions): Promise<ConversationDetail>

  /**
   * `PATCH /api/messaging-api/chats/{conversationId}`: Assign, label, snooze, resolve or reopen a conversation, or
   * mark it read or unread. An assignee makes it ASSIGNED, `assignee: null` OPEN again; RESOLVED keeps the
   * assignee; OPEN has none. `labels` replaces all labels. Scope `conversations:write`.
   */
  update(conversationId: string, body: ConversationChanges, options?: RequestOptions): Promise<Conversation>

  /**
   * `GET /api/messaging-api/chats/{conversationId}/messages`: List the messages of a conversation, newest first.
   * Hand each `nextCursor` back as `cursor` to go back to its beginning. Scope `conversations:read`.
   */
  messages(conversationId: string, query?: ChatsMessagesQuery, options?: RequestOptions): Listed<Message>

  /**
   * `POST /api/messaging-api/chats/{conversationId}/presence`: Say that one looks at a conversation, or writes in
   * it. Colleagues hear of it by the passing event `conversation.presence`. It holds for 20 seconds and is not
   * stored: say it again while it is so. For signed-in people. Scope `conversations:read`.
   */
  presence(conversationId: string, body: Presence, options?: RequestOptions): Promise<ConversationPresence>

  /**
   * `POST /api/messaging-api/chats/{conversationId}/summary`: Sum up what was said with the contact. The newest 300
   * messages, calls and notes with the contact on all channels, in at most 150 words: who the contact is, what the
   * contact wants, what was agreed and what is open. In `language` (BCP 47), else in that of the conversation. It
   * is made now and not stored, and its tokens count as AI usage (`summaries`): 403 when those of the month are
   * used, 409 when nothing was said. At most 30 a minute for an organization. Scope `conversations:write`.
   */
  summarize(conversationId: string, body?: SummaryRequest, options?: RequestOptions): Promise<ConversationSummary>
}

/** Sending messages, and messages across conversations. */
export interface MessagesOperations {
  /**
   * `GET /api/messaging-api/messages`: List messages of all conversations, newest first. To follow what is new,
   * read the first page; to go through all of them, hand each `nextCursor` back as `cursor`. `since` and `before`
   * are instants. Scope `messages:read`.
   */
  list(query?: MessagesListQuery, options?: RequestOptions): Listed<Message>

  /**
   * `GET /api/messaging-api/messages/{id}`: Get a message. With its status, its times and why it failed. Scope
   * `messages:read`.
   */
  get(id: string, options?: RequestOptions): Promise<Message>

  /**
   * `POST /api/messaging-api/send`: Send a message. The message is stored and answered as `queued`, then handed to
   * the channel: its status goes on to `sent`, `delivered`, `read`, or `failed` with a reason. An unknown number
   * becomes a contact. Messages of one conversation arrive in the order in which they were answered. 20 messages an
   * hour to one recipient; one more is 429. With an `Idempotency-Key` a repeated request sends nothing again. `to`
   * may also be a contact's id. Whoever opted out gets no templates (403). Scope `messages:send`.
   */
  send(body: NewMessage, options?: RequestOptions): Promise<SentMessage>
}

/** Message templates of the channel. */
export interface TemplatesOperations {
  /**
   * `GET /api/messaging-api/templates`: List templates. As the channel told of them at the last sync, newest first.
   * `name` is the whole name, `status` the channel's word (`APPROVED`, `PENDING`, `REJECTED` …) or `REMOVED`,
   * `language` the channel's spelling (`en_US`). `parameters` says what a message has to bring. Scope
   * `messages:read`.
   */
  list(query?: TemplatesListQuery, options?: RequestOptions): Listed<Template>

  /** `GET /api/messaging-api/templates/{id}`: Get a template. Scope `messages:read`. */
  get(id: string, options?: RequestOptions): Promise<Template>

  /**
   * `POST /api/messaging-api/templates/sync`: Sync the templates from the channel, now. It also happens by itself,
   * hourly and when the channel tells of a template. Templates that the channel has no more become `REMOVED`; a
   * changed status is an event `template.updated`. 409 without a connected channel, or when the channel refuses.
   * Scope `messages:send`.
   */
  sync(options?: RequestOptions): Promise<TemplateSync>
}

/** What people note in a conversation for each other. */
export interface ConversationNotesOperations {
  /**
   * `GET /api/messaging-api/chats/{conversationId}/notes`: List the notes of a conversation, newest first. Notes
   * are for the organization; the contact never sees them. Scope `conversations:read`.
   */
  list(conversationId: string, query?: KnowledgeBasesListQuery, options?: RequestOptions): Listed<ConversationNote>

  /**
   * `POST /api/messaging-api/chats/{conversationId}/notes`: Write a note. Told by the event `conversation.noted`.
   * Scope `conversations:write`.
   */
  create(conversationId: string, body: NoteText, options?: RequestOptions): Promise<ConversationNote>

  /** `GET /api/messaging-api/chats/{conversationId}/notes/{id}`: Get a note. Scope `conversations:read`. */
  get(conversationId: string, id: string, options?: RequestOptions): Promise<ConversationNote>

  /**
   * `PATCH /api/messaging-api/chats/{conversationId}/notes/{id}`: Change the text of a note. A person with the role
   * AGENT changes only their own notes. Scope `conversations:write`.
   */
  update(conversationId: string, id: string, body: NoteText, options?: RequestOptions): Promise<ConversationNote>

  /**
   * `DELETE /api/messaging-api/chats/{conversationId}/notes/{id}`: Delete a note. A person with the role AGENT
   * deletes only their own notes. Scope `conversations:write`.
   */
  remove(conversationId: string, id: string, options?: RequestOptions): Promise<RemovedNote>
}

/** Agents that answer messages: their prompts, tools and limits. */
export interface TextAgentsOperations {
  /** `GET /api/ai-agents`: List text agents, newest first. Scope `agents:read`. */
  list(query?: VoiceAgentsListQuery, options?: RequestOptions): Listed<TextAgent>

  /**
   * `POST /api/ai-agents`: Create a text agent. Only `name` is required. `answers` says which conversations it
   * takes; a conversation that is assigned to it (`assignee`) it always answers. With `voiceAgentId` it has the
   * system prompt and the tools of that voice agent. Scope `agents:write`.
   */
  create(body: NewTextAgent, options?: RequestOptions): Promise<TextAgent>

  /** `GET /api/ai-agents/{id}`: Get a text agent. Scope `agents:read`. */
  get(id: string, options?: RequestOptions): Promise<TextAgent>

  /**
   * `PUT /api/ai-agents/{id}`: Change a text agent. What is not sent keeps its value. It applies from the next turn
   * on. With `If-Match`, the `updatedAt` of the record that was changed, a save by somebody else since is 409 and
   * says whose it was. Scope `agents:write`.
   */
  update(id: string, body: TextAgentChanges, options?: RequestOptions): Promise<TextAgent>

  /** `DELETE /api/ai-agents/{id}`: Delete a text agent. Its conversations become OPEN. Scope `agents:write`. */
  remove(id: string, options?: RequestOptions): Promise<RemovedEvaluationRun>

  /**
   * `GET /api/ai-agents/{id}/versions`: List the versions of a text agent, newest first. One for each save, the
   * newest 50. Scope `agents:read`.
   */
  versions(id: string, query?: VoiceAgentsListQuery, options?: RequestOptions): Listed<TextAgentVersion>

  /**
   * `GET /api/ai-agents/{id}/versions/{version}`: Get a version of a text agent with its settings. The secrets of
   * tools are masked. Scope `agents:read`.
   */
  version(id: string, version: string, options?: RequestOptions): Promise<TextAgentVersionDetail>

  /**
   * `POST /api/ai-agents/{id}/versions/{version}/restore`: Save the settings of an earlier version of a text agent
   * again. As changing the agent: with the same checks, and a new version. Scope `agents:write`.
   */
  restore(id: string, version: string, options?: RequestOptions): Promise<TextAgent>

  /**
   * `POST /api/ai-agents/{id}/try`: Ask a text agent without a conversation. What it would answer to the last
   * `messages` of the contact: by the same filter, model, knowledge and limits as in a conversation. Nothing is
   * stored and nothing is sent. Tools really run, except with `runTools: false`; then those without an answer in
   * `toolAnswers` fail. `draft` has changes that apply to this answer only. Its tokens count as those of the agent.
   * 30 a minute for an organization. Scope `agents:write`.
   */
  tryOut(id: string, body: TextAgentTry, options?: RequestOptions): Promise<TextAgentAnswer>
}

/** Conversations that are played with text agents, and what came of each run. */
export interface EvaluationsOperations {
  /** `GET /api/evaluations`: List evaluations, newest first. Scope `agents:read`. */
  list(query?: KnowledgeBasesListQuery, options?: RequestOptions): Listed<EvaluationSummary>

  /**
   * `POST /api/evaluations`: Create an evaluation. Conversations in the form of `parley eval`: a turn has one of
   * `contact`, `human`, `handBack` and `resolve`, and may `expect` something of the agent. At most 50 for an
   * organization. Scope `agents:write`.
   */
  create(body: NewEvaluation, options?: RequestOptions): Promise<Evaluation>

  /** `GET /api/evaluations/{id}`: Get an evaluation. Scope `agents:read`. */
  get(id: string, options?: RequestOptions): Promise<Evaluation>

  /**
   * `PUT /api/evaluations/{id}`: Change an evaluation. What is not sent keeps its value. Runs keep what they
   * played. Scope `agents:write`.
   */
  update(id: string, body: EvaluationChanges, options?: RequestOptions): Promise<Evaluation>

  /** `DELETE /api/evaluations/{id}`: Delete an evaluation. With its runs. Scope `agents:write`. */
  remove(id: string, options?: RequestOptions): Promise<RemovedEvaluation>

  /**
   * `GET /api/evaluations/{id}/runs`: List runs of an evaluation, newest first. The newest 50 are kept. Scope
   * `agents:read`.
   */
  listRuns(id: string, query?: KnowledgeBasesListQuery, options?: RequestOptions): Listed<EvaluationRun>

  /**
   * `POST /api/evaluations/{id}/runs`: Play an evaluation with a text agent. In the background: ask for its state
   * with GET. The agent is as it is now, with the changes of `draft`. No tool runs but the search of knowledge: the
   * evaluation has their answers. Nothing is sent. The tokens count as those of the agent. 409 while 10 runs wait.
   * Scope `agents:write`.
   */
  start(id: string, body: NewEvaluationRun, options?: RequestOptions): Promise<EvaluationRun>

  /**
   * `GET /api/evaluations/{id}/runs/{runId}`: Get a run with its conversations. `queued`, `running` (with `done`),
   * `done`, or `failed` (with `problem`). `conversations` has what was said once it is `done`, and `problems` what
   * was not as expected. Scope `agents:read`.
   */
  getRun(id: string, runId: string, options?: RequestOptions): Promise<EvaluationResult>

  /** `DELETE /api/evaluations/{id}/runs/{runId}`: Delete a run. One that is played stops. Scope `agents:write`. */
  removeRun(id: string, runId: string, options?: RequestOptions): Promise<RemovedEvaluationRun>
}

/** Texts people send often. */
export interface QuickRepliesOperations {
  /**
   * `GET /api/messaging-api/quick-replies`: List quick replies, newest first. `search` finds any part of shortcut
   * or text, whatever its case and accents. Scope `messages:read`.
   */
  list(query?: QuickRepliesListQuery, options?: RequestOptions): Listed<QuickReply>

  /**
   * `POST /api/messaging-api/quick-replies`: Create a quick reply. `shortcut` is kept in small letters without a
   * slash in front; one that is known is 409, the id in the header `X-Existing-Id`. `text` may have `{{name}}`,
   * `{{firstName}}`, `{{phone}}` and `{{email}}`, and `{{firstName|there}}` for contacts that lack it. Scope
   * `messages:send`.
   */
  create(body: NewQuickReply, options?: RequestOptions): Promise<QuickReply>

  /** `GET /api/messaging-api/quick-replies/{id}`: Get a quick reply. Scope `messages:read`. */
  get(id: string, options?: RequestOptions): Promise<QuickReply>

  /**
   * `PATCH /api/messaging-api/quick-replies/{id}`: Change a quick reply. What is not sent keeps its value. Scope
   * `messages:send`.
   */
  update(id: string, body: QuickReplyChanges, options?: RequestOptions): Promise<QuickReply>

  /** `DELETE /api/messaging-api/quick-replies/{id}`: Delete a quick reply. Scope `messages:send`. */
  remove(id: string, options?: RequestOptions): Promise<RemovedEvaluationRun>
}

/** What happens, as it happens. */
export interface EventsOperations {
  /**
   * `GET /api/events`: What happens, as server-sent events. Each event has `id`, `event` (its type) and `data`: `{
   * id, type, createdAt, data }`. `types` names the wanted ones, separated by commas: contact.created,
   * contact.updated, contact.archived, contact.restored, contact.merged, contact.erased, contact.opted_in,
   * contact.opted_out, conversation.created, conversation.assigned, conversation.labeled, conversation.noted,
   * conversation.updated, conversation.resolved, conversation.reopened, conversation.sla_breached,
   * message.received, message.queued, message.status, message.updated, ai.allowance_used, voice.allowance_used,
   * voice_agent.updated, call.started, call.ended, call.recorded, call.summarized, broadcast.completed,
   * template.updated, order.created, order.updated, order.paid, cart.abandoned, payment.created, payment.completed,
   * payment.failed, payment.expired, payment.canceled, payment.refunded, payment.disputed, connection.failed,
   * connection.recovered, provider.failed, provider.recovered, webhook.disabled, webhook.test,
   * conversation.presence, call.updated, call.words, call.turn, broadcast.updated, knowledge.updated, or all of a
   * kind (`contact.*`). Without it come all that the key or role may read: contacts need `contacts:read`,
   * conversations `conversations:read`, messages, broadcasts and templates `messages:read`, calls `voice:read`,
   * orders `modules:read`, payments `integrations:read`, webhooks `admin`. `Last-Event-ID` (or `lastEventId`) goes
   * on behind that event. If it is not kept any more, an event `gap` says so and all that is kept follows. Passing
   * events (conversation.presence, call.updated, call.words, call.turn, broadcast.updated, knowledge.updated) have
   * no id: they are not kept, and not sent again. Comments keep the connection alive. The stream ends (event `end`)
   * when the key or session is not good any more.
   */
  stream(query?: EventsStreamQuery, options?: StreamOptions): EventStream

  /**
   * `PUT /api/events/{streamId}/watch`: Choose the calls whose words a stream brings. `call.words` and `call.turn`
   * come for these calls only; they replace those of before. The id of a stream is in its header `X-Stream-Id`;
   * when the stream ends, so does the watching. Only who reads the stream may. Scope `voice:read`.
   */
  watch(streamId: string, body: WatchedCalls, options?: RequestOptions): Promise<EventsWatchAnswer>
}

/** Files of messages, and links to them for those without a key. */
export interface MediaOperations {
  /**
   * `POST /api/messaging-api/media`: Upload a file for messages. `multipart/form-data` with one file in the part
   * `file`, of at most 16 MB: image (JPEG, PNG, WebP), document (PDF, DOCX), audio (MP3, OGG) or video (MP4). What
   * it is decides its content. The same bytes give the same `mediaId` again, with the name they first had.
   * `Idempotency-Key` is not needed and not looked at. The `mediaId` is used in message sends. Scope `media:write`.
   */
  upload(body: KnowledgeSourcesUploadBody, options?: RequestOptions): Promise<Media>

  /**
   * `POST /api/media/upload`: Upload a file for messages. `multipart/form-data` with one file in the part `file`,
   * of at most 16 MB: image (JPEG, PNG, WebP), document (PDF, DOCX), audio (MP3, OGG) or video (MP4). What it is
   * decides its content. The same bytes give the same `mediaId` again, with the name they first had.
   * `Idempotency-Key` is not needed and not looked at. The `mediaId` is used in message sends. Scope `media:write`.
   */
  uploadShort(body: KnowledgeSourcesUploadBody, options?: RequestOptions): Promise<Media>

  /**
   * `GET /api/media`: List files, newest first. Those that were uploaded and those that contacts sent. `since` and
   * `before` are instants. Scope `media:read`.
   */
  list(query?: MediaListQuery, options?: RequestOptions): Listed<Media>

  /**
   * `DELETE /api/media/{id}`: Delete a file. Its content is removed; messages that were sent with it stay, and the
   * recipients keep what they have. 409 while a message with it waits to be sent. Scope `media:write`.
   */
  remove(id: string, options?: RequestOptions): Promise<MediaRemoveAnswer>

  /**
   * `GET /api/media/{id}`: Download a file. The content under its own type. Takes `Range` (one range: 206, or 416
   * beyond the end), `If-Range` and `If-None-Match` (304). Also answers HEAD. An attachment, unless `inline=true`
   * is sent for an image, audio or video. Scope `media:read`.
   */
  download(id: string, query?: MediaDownloadQuery, options?: RequestOptions): Promise<ReceivedFile>

  /**
   * `GET /api/media/{id}/link`: Get a link that opens the file without a key. Good for `minutes` (1 to 60, 10 by
   * default). Whoever has it can read the file until then. Scope `media:read`.
   */
  link(id: string, query?: MediaLinkQuery, options?: RequestOptions): Promise<MediaLinkAnswer>

  /**
   * `GET /api/media/{id}/file`: Download a file by a signed link. As `GET /api/media/{id}/link` gives it out. 403
   * when it is over or was changed.
   */
  open(id: string, query: MediaOpenQuery, options?: RequestOptions): Promise<ReceivedFile>
}

/** One template to many contacts. */
export interface BroadcastsOperations {
  /**
   * `GET /api/messaging-api/broadcasts`: List broadcasts, newest first. With the counters of this moment. Scope
   * `messages:read`.
   */
  list(query?: BroadcastsListQuery, options?: RequestOptions): Listed<Broadcast>

  /**
   * `POST /api/messaging-api/broadcasts`: Create a broadcast, or see whom it would reach. With `scheduledAt` it
   * starts by itself, otherwise when it is started. `audience` is contacts with any of `tags`, those of
   * `contactIds`, and with `all` everybody who has opted in. Texts of `components` may have `{{name}}`,
   * `{{firstName}}`, `{{phone}}` and `{{email}}`, with a replacement for contacts that lack it:
   * `{{firstName|there}}`. With `dryRun` nothing is made, and the answer (200) counts who would get it. 403 when
   * the plan has no broadcasts. Scope `messages:send`; of people OWNER and ADMIN.
   */
  create(body: NewBroadcast, options?: RequestOptions): Promise<BroadcastPreview | Broadcast>

  /**
   * `GET /api/messaging-api/broadcasts/{id}`: Get a broadcast with its counters. Each recipient is counted in one
   * place: `total` is the sum of `queued`, `unknown`, `sent`, `delivered`, `read`, `failed` and `skipped`. Scope
   * `messages:read`.
   */
  get(id: string, options?: RequestOptions): Promise<Broadcast>

  /**
   * `GET /api/messaging-api/broadcasts/{id}/recipients`: List the recipients of a broadcast, in the order they are
   * sent. Empty before the start. `reason` says why one was skipped or failed. Scope `messages:read`.
   */
  recipients(id: string, query?: BroadcastsRecipientsQuery, options?: RequestOptions): Listed<BroadcastRecipient>

  /**
   * `POST /api/messaging-api/broadcasts/{id}/start`: Start a broadcast now. Its audience is frozen: who is added
   * later gets nothing. 403 when it has more recipients than the plan allows, 409 when its template cannot be sent
   * or it has ended. Scope `messages:send`; of people OWNER and ADMIN.
   */
  start(id: string, options?: RequestOptions): Promise<Broadcast>

  /**
   * `POST /api/messaging-api/broadcasts/{id}/pause`: Pause a running broadcast. When this is answered nobody who
   * was still waiting is sent to. Scope `messages:send`; of people OWNER and ADMIN.
   */
  pause(id: string, options?: RequestOptions): Promise<Broadcast>

  /**
   * `POST /api/messaging-api/broadcasts/{id}/resume`: Resume a paused broadcast. It goes on with those who wait.
   * Scope `messages:send`; of people OWNER and ADMIN.
   */
  resume(id: string, options?: RequestOptions): Promise<Broadcast>

  /**
   * `POST /api/messaging-api/broadcasts/{id}/cancel`: Cancel a broadcast for good. Who was waiting is skipped as
   * `cancelled`; messages that are stored already still go out. Scope `messages:send`; of people OWNER and ADMIN.
   */
  cancel(id: string, options?: RequestOptions): Promise<Broadcast>
}

/** What happens, posted to addresses of the customer. */
export interface WebhooksOperations {
  /** `GET /api/webhook-endpoints`: List webhook endpoints, newest first. Scope `admin`. */
  list(query?: VoiceAgentsListQuery, options?: RequestOptions): Listed<WebhookEndpoint>

  /**
   * `POST /api/webhook-endpoints`: Make a webhook endpoint. It is told what happens from now on. `events` are
   * types, or `contact.*` for all of a kind; without them all. `secret` (`whsec_…`) is shown this once: requests
   * are signed with it in the form of Standard Webhooks. `url` is https on the public internet. Starter plan or
   * higher; scope `admin`.
   */
  create(body: NewWebhookEndpoint, options?: RequestOptions): Promise<WebhookEndpointWithSecret>

  /** `GET /api/webhook-endpoints/{id}`: Get a webhook endpoint. Scope `admin`. */
  get(id: string, options?: RequestOptions): Promise<WebhookEndpoint>

  /**
   * `PATCH /api/webhook-endpoints/{id}`: Change a webhook endpoint. What is not sent keeps its value; a masked
   * header keeps its value too. Switched off, what was on its way is discarded; switched on again, it is told what
   * happens from then on. Starter plan or higher, but for `enabled: false` alone; scope `admin`.
   */
  update(id: string, body: WebhookEndpointChanges, options?: RequestOptions): Promise<WebhookEndpoint>

  /** `DELETE /api/webhook-endpoints/{id}`: Delete a webhook endpoint and its log. Scope `admin`. */
  remove(id: string, options?: RequestOptions): Promise<RemovedEvaluationRun>

  /**
   * `POST /api/webhook-endpoints/{id}/rotate-secret`: Replace the secret. For `overlapSeconds` (86400 by default)
   * requests carry both signatures. Scope `admin`.
   */
  rotateSecret(id: string, body?: WebhooksRotateSecretBody, options?: RequestOptions): Promise<WebhookEndpointWithSecret>

  /**
   * `POST /api/webhook-endpoints/{id}/test`: Send a test event. An event `webhook.test` to this endpoint alone,
   * whatever events it wants. The delivery says how it went. Scope `admin`.
   */
  test(id: string, options?: RequestOptions): Promise<WebhookDelivery>

  /**
   * `GET /api/webhook-endpoints/{id}/deliveries`: What was sent, newest first. Answers are kept for 7 days and
   * deliveries as long as their events. Scope `admin`.
   */
  listDeliveries(id: string, query?: WebhooksListDeliveriesQuery, options?: RequestOptions): Listed<WebhookDelivery>

  /**
   * `GET /api/webhook-endpoints/{id}/deliveries/{deliveryId}`: Get a delivery. With the `body` of its requests;
   * null when its event is not kept any more, or its contact was erased. Scope `admin`.
   */
  getDelivery(id: string, deliveryId: string, options?: RequestOptions): Promise<WebhookDeliveryWithBody>

  /**
   * `POST /api/webhook-endpoints/{id}/deliveries/{deliveryId}/resend`: Send a delivery again. With the same
   * `webhook-id`, and all its attempts. 409 while it is on its way. Scope `admin`.
   */
  resendDelivery(id: string, deliveryId: string, options?: RequestOptions): Promise<WebhookDelivery>

  /**
   * `POST /api/webhook-endpoints/{id}/replay`: Send again what happened since a time. At most 10000 events, oldest
   * first; `until` of the answer says how far it got. `failedOnly` leaves out what arrived. Scope `admin`.
   */
  replay(id: string, body: WebhooksReplayBody, options?: RequestOptions): Promise<WebhooksReplayAnswer>
}

/** Volumes, response times, calls. */
export interface AnalyticsOperations {
  /**
   * `GET /api/messaging-api/analytics`: Messages, conversations, calls and broadcasts between two days. Days are
   * those of the organization's time zone, `from` and `to` included; the last 30 by default, 366 at most. `groupBy`
   * (`day` by default, `week` from Monday, `month`) cuts `data`. First response: from what the contact wrote first
   * to the first answer of a person, an agent or a program, broadcasts not counted. Resolution: from opening, or
   * reopening, to resolution. Scope `messages:read`.
   */
  get(query?: AnalyticsGetQuery, options?: RequestOptions): Promise<Analytics>
}

/** The firms, schools and clubs that contacts belong to. */
export interface CompaniesOperations {
  /**
   * `GET /api/companies`: List companies, newest first. `search` finds beginnings of words of name, domain, phone
   * and e-mail, whatever their case and accents. `contactId` finds those that a contact belongs to. `sort` is
   * `-createdAt` unless it is sent. Of a search or a filter at most 1,000 are counted, of frequent words perhaps
   * fewer than there are. Archived ones are listed only with `archived=true`. Scope `modules:read`.
   */
  list(query?: CompaniesListQuery, options?: RequestOptions): Listed<Company>

  /**
   * `POST /api/companies`: Create a company. A name that another company has is 409, that company's id in the
   * header `X-Existing-Id`. Scope `modules:write`.
   */
  create(body: NewCompany, options?: RequestOptions): Promise<Company>

  /**
   * `GET /api/companies/export`: Export companies as CSV. In the columns that an import reads, oldest first, with
   * the filters of the list. A cell that a spreadsheet would run as a formula begins with an apostrophe, which an
   * import takes away. Scope `modules:read`.
   */
  export(query?: CompaniesExportQuery, options?: RequestOptions): Promise<string>

  /**
   * `POST /api/companies/import`: Import companies from a file. CSV or JSON, as `POST
   * /api/messaging-api/contacts/import` takes it; its state, its refused rows and their report are those of
   * `/api/messaging-api/imports/{id}`. A row with `externalId` is the state of a record at its `source` (without
   * one: `import`) at `sourceUpdatedAt`, and an older one never replaces a newer one. Of other rows `onDuplicate`
   * says what happens to one that is known: `skip` (the default) or `update` with the cells that have a value.
   * Scope `modules:write`.
   */
  import(body: KnowledgeSourcesUploadBody, query?: CompaniesImportQuery, options?: RequestOptions): Promise<Import>

  /** `GET /api/companies/{id}`: Get a company, also an archived one. Scope `modules:read`. */
  get(id: string, options?: RequestOptions): Promise<Company>

  /**
   * `PATCH /api/companies/{id}`: Change a company. What is not sent keeps its value; null removes one; lists are
   * replaced as a whole, `customFields` field by field. Scope `modules:write`.
   */
  update(id: string, body: CompanyChanges, options?: RequestOptions): Promise<Company>

  /**
   * `POST /api/companies/{id}/archive`: Archive a company. It leaves the lists; everything about it stays. Scope
   * `modules:write`.
   */
  archive(id: string, options?: RequestOptions): Promise<Company>

  /** `POST /api/companies/{id}/restore`: Bring a company back from the archive. Scope `modules:write`. */
  restore(id: string, options?: RequestOptions): Promise<Company>
}

/** What the organization sells. */
export interface ProductsOperations {
  /**
   * `GET /api/products`: List products, newest first. `search` finds beginnings of words of name and SKU, whatever
   * their case and accents. `sku` is one whole SKU. `sort` is `-createdAt` unless it is sent. Of a search or a
   * filter at most 1,000 are counted, of frequent words perhaps fewer than there are. Archived ones are listed only
   * with `archived=true`. Scope `modules:read`.
   */
  list(query?: ProductsListQuery, options?: RequestOptions): Listed<Product>

  /**
   * `POST /api/products`: Create a product. A SKU that another product has is 409, that product's id in the header
   * `X-Existing-Id`. `price.amount` is in the smallest unit of the currency. Scope `modules:write`.
   */
  create(body: NewProduct, options?: RequestOptions): Promise<Product>

  /**
   * `GET /api/products/export`: Export products as CSV. In the columns that an import reads, oldest first, with the
   * filters of the list. A cell that a spreadsheet would run as a formula begins with an apostrophe, which an
   * import takes away. Scope `modules:read`.
   */
  export(query?: ProductsExportQuery, options?: RequestOptions): Promise<string>

  /**
   * `POST /api/products/import`: Import products from a file. CSV or JSON, as `POST
   * /api/messaging-api/contacts/import` takes it; its state, its refused rows and their report are those of
   * `/api/messaging-api/imports/{id}`. A row with `externalId` is the state of a record at its `source` (without
   * one: `import`) at `sourceUpdatedAt`, and an older one never replaces a newer one. Of other rows `onDuplicate`
   * says what happens to one that is known: `skip` (the default) or `update` with the cells that have a value.
   * Scope `modules:write`.
   */
  import(body: KnowledgeSourcesUploadBody, query?: ProductsImportQuery, options?: RequestOptions): Promise<Import>

  /** `GET /api/products/{id}`: Get a product, also an archived one. Scope `modules:read`. */
  get(id: string, options?: RequestOptions): Promise<Product>

  /**
   * `PATCH /api/products/{id}`: Change a product. What is not sent keeps its value; null removes one; lists are
   * replaced as a whole, `customFields` field by field. Scope `modules:write`.
   */
  update(id: string, body: ProductChanges, options?: RequestOptions): Promise<Product>

  /**
   * `POST /api/products/{id}/archive`: Archive a product. It leaves the lists; everything about it stays. Scope
   * `modules:write`.
   */
  archive(id: string, options?: RequestOptions): Promise<Product>

  /** `POST /api/products/{id}/restore`: Bring a product back from the archive. Scope `modules:write`. */
  restore(id: string, options?: RequestOptions): Promise<Product>
}

/** What contacts and companies have bought. */
export interface OrdersOperations {
  /**
   * `GET /api/orders`: List orders, newest first. `search` finds beginnings of words of number, products and SKUs,
   * whatever their case and accents. `number` is one whole number. `sort` is `-createdAt` unless it is sent. Of a
   * search or a filter at most 1,000 are counted, of frequent words perhaps fewer than there are. Archived ones are
   * listed only with `archived=true`. Scope `modules:read`.
   */
  list(query?: OrdersListQuery, options?: RequestOptions): Listed<Order>

  /**
   * `POST /api/orders`: Create an order. A number that another order has is 409, that order's id in the header
   * `X-Existing-Id`. Amounts are in the smallest unit of `currency`. A line with `productId` may leave out name,
   * SKU and price. `subtotal`, `tax` and `total` are computed. The events are `order.created`, `order.updated` and,
   * with the first payment, `order.paid`. Scope `modules:write`.
   */
  create(body: NewOrder, options?: RequestOptions): Promise<Order>

  /**
   * `GET /api/orders/export`: Export orders as CSV. In the columns that an import reads, oldest first, with the
   * filters of the list. A cell that a spreadsheet would run as a formula begins with an apostrophe, which an
   * import takes away. Scope `modules:read`.
   */
  export(query?: OrdersExportQuery, options?: RequestOptions): Promise<string>

  /**
   * `POST /api/orders/import`: Import orders from a file. CSV or JSON, as `POST /api/messaging-api/contacts/import`
   * takes it; its state, its refused rows and their report are those of `/api/messaging-api/imports/{id}`. A row
   * with `externalId` is the state of a record at its `source` (without one: `import`) at `sourceUpdatedAt`, and an
   * older one never replaces a newer one. Of other rows `onDuplicate` says what happens to one that is known:
   * `skip` (the default) or `update` with the cells that have a value. Scope `modules:write`.
   */
  import(body: KnowledgeSourcesUploadBody, query?: OrdersImportQuery, options?: RequestOptions): Promise<Import>

  /** `GET /api/orders/{id}`: Get an order, also an archived one. Scope `modules:read`. */
  get(id: string, options?: RequestOptions): Promise<Order>

  /**
   * `PATCH /api/orders/{id}`: Change an order. What is not sent keeps its value; null removes one; lists are
   * replaced as a whole, `customFields` field by field. Scope `modules:write`.
   */
  update(id: string, body: OrderChanges, options?: RequestOptions): Promise<Order>

  /**
   * `POST /api/orders/{id}/archive`: Archive an order. It leaves the lists; everything about it stays. Scope
   * `modules:write`.
   */
  archive(id: string, options?: RequestOptions): Promise<Order>

  /** `POST /api/orders/{id}/restore`: Bring an order back from the archive. Scope `modules:write`. */
  restore(id: string, options?: RequestOptions): Promise<Order>
}

/** What customers of a store have left in carts, and what became of it. */
export interface CartsOperations {
  /**
   * `GET /api/carts`: List the carts of stores, newest first. `state`: `open`, `abandoned` (unchanged for the
   * minutes of the connection, 60 by default, and no order), `ordered`, or `recovered` (an order after it was
   * abandoned). Scope `modules:read`.
   */
  list(query?: CartsListQuery, options?: RequestOptions): Listed<Cart>

  /**
   * `GET /api/carts/summary`: Abandoned and recovered carts of the last 30 days, with their value. By currency. The
   * value of a recovered cart is the total of its order. Scope `modules:read`.
   */
  summary(options?: RequestOptions): Promise<CartSummary>
}

/** Who the organization buys from. */
export interface SuppliersOperations {
  /**
   * `GET /api/suppliers`: List suppliers, newest first. `search` finds beginnings of words of name, phone and
   * e-mail, whatever their case and accents. `sort` is `-createdAt` unless it is sent. Of a search or a filter at
   * most 1,000 are counted, of frequent words perhaps fewer than there are. Archived ones are listed only with
   * `archived=true`. Scope `modules:read`.
   */
  list(query?: SuppliersListQuery, options?: RequestOptions): Listed<Supplier>

  /**
   * `POST /api/suppliers`: Create a supplier. A name that another supplier has is 409, that supplier's id in the
   * header `X-Existing-Id`. Scope `modules:write`.
   */
  create(body: NewSupplier, options?: RequestOptions): Promise<Supplier>

  /**
   * `GET /api/suppliers/export`: Export suppliers as CSV. In the columns that an import reads, oldest first, with
   * the filters of the list. A cell that a spreadsheet would run as a formula begins with an apostrophe, which an
   * import takes away. Scope `modules:read`.
   */
  export(query?: SuppliersExportQuery, options?: RequestOptions): Promise<string>

  /**
   * `POST /api/suppliers/import`: Import suppliers from a file. CSV or JSON, as `POST
   * /api/messaging-api/contacts/import` takes it; its state, its refused rows and their report are those of
   * `/api/messaging-api/imports/{id}`. A row with `externalId` is the state of a record at its `source` (without
   * one: `import`) at `sourceUpdatedAt`, and an older one never replaces a newer one. Of other rows `onDuplicate`
   * says what happens to one that is known: `skip` (the default) or `update` with the cells that have a value.
   * Scope `modules:write`.
   */
  import(body: KnowledgeSourcesUploadBody, query?: SuppliersImportQuery, options?: RequestOptions): Promise<Import>

  /** `GET /api/suppliers/{id}`: Get a supplier, also an archived one. Scope `modules:read`. */
  get(id: string, options?: RequestOptions): Promise<Supplier>

  /**
   * `PATCH /api/suppliers/{id}`: Change a supplier. What is not sent keeps its value; null removes one; lists are
   * replaced as a whole, `customFields` field by field. Scope `modules:write`.
   */
  update(id: string, body: SupplierChanges, options?: RequestOptions): Promise<Supplier>

  /**
   * `POST /api/suppliers/{id}/archive`: Archive a supplier. It leaves the lists; everything about it stays. Scope
   * `modules:write`.
   */
  archive(id: string, options?: RequestOptions): Promise<Supplier>

  /** `POST /api/suppliers/{id}/restore`: Bring a supplier back from the archive. Scope `modules:write`. */
  restore(id: string, options?: RequestOptions): Promise<Supplier>
}

/** The organization's own fields of companies, products, orders and suppliers. */
export interface CustomFieldsOperations {
  /** `GET /api/custom-fields`: The custom fields of a module. Scope `modules:read`. */
  get(query: CustomFieldsGetQuery, options?: RequestOptions): Promise<CustomFields>

  /**
   * `PUT /api/custom-fields`: Define the custom fields of a module. Replaces all of them. Values of fields that are
   * not defined any more stay stored and are not shown. A field that gets another type keeps its values until they
   * are changed. OWNER or ADMIN (for a key: scope `admin`).
   */
  define(body: NewCustomFields, options?: RequestOptions): Promise<CustomFields>
}

/** The organization's account at the messaging channel. */
export interface MessagingConnectionOperations {
  /**
   * `GET /api/messaging-connection`: The connection to the messaging channel. Of secrets the last four characters
   * are shown. 404 without a connection. Scope `admin`.
   */
  get(options?: RequestOptions): Promise<MessagingConnection>

  /**
   * `PUT /api/messaging-connection`: Connect the messaging channel. The credentials are tried at the channel first:
   * 400 says which is wrong. A number that another organization has is 409. Of a connection to the same number,
   * secrets that are left out keep their value. The channel's webhooks are subscribed to. Scope `admin`.
   */
  set(body: MessagingConnectionCredentials, options?: RequestOptions): Promise<MessagingConnection>

  /**
   * `DELETE /api/messaging-connection`: Disconnect the messaging channel. What was sent and received stays. What
   * waits to be sent fails. Scope `admin`.
   */
  remove(options?: RequestOptions): Promise<MessagingConnectionRemoveAnswer>
}

/** Many records from one file. */
export interface ImportsOperations {
  /**
   * `POST /api/messaging-api/contacts/import`: Import contacts from a file. CSV (with a first row that names the
   * columns) or JSON (a list, or an object on each line): as the part `file` of a form, or as the body. At most
   * 100,000 rows and 32 MB, in UTF-8 or UTF-16 with its mark. It is worked off in the background: ask for its state
   * with `GET`. `onDuplicate` says what happens to a number that is known: `skip` (the default), or `update` with
   * what the row says, as `POST /contacts?upsert=true` does it; tags are added. `tags` (with commas between them)
   * are for all rows. With `dryRun=true` nothing is stored, and the counts say what would be. `phoneColumn` and its
   * like name columns whose names are not known. With an `Idempotency-Key` the same key is the same import; the
   * bodies are not compared. Scope `contacts:write`.
   */
  contacts(body: KnowledgeSourcesUploadBody, query?: ImportsContactsQuery, options?: RequestOptions): Promise<Import>

  /**
   * `GET /api/messaging-api/imports`: List imports, newest first. Those that are under way, and those of the last 7
   * days: of contacts and of the modules. Scope `contacts:read`.
   */
  list(query?: KnowledgeBasesListQuery, options?: RequestOptions): Listed<Import>

  /**
   * `GET /api/messaging-api/imports/{id}`: Get an import and how far it is. `created`, `updated`, `skipped` and
   * `refused` add up to `rows` at its end, unless a contact was erased meanwhile. Scope `contacts:read`; of a
   * module `modules:read`.
   */
  get(id: string, options?: RequestOptions): Promise<Import>

  /**
   * `GET /api/messaging-api/imports/{id}/refused`: List the rows that were refused, in the order of the file.
   * `values` are in the order of the `columns` of the import. Scope `contacts:read`; of a module `modules:read`.
   */
  refused(id: string, query?: VoiceAgentsListQuery, options?: RequestOptions): Listed<RefusedRow>

  /**
   * `GET /api/messaging-api/imports/{id}/report`: The rows that were refused, as CSV. With their original values,
   * to be corrected and sent again: its first three columns are not read then. A cell that a spreadsheet would run
   * as a formula begins with an apostrophe, which an import takes away. Scope `contacts:read`; of a module
   * `modules:read`.
   */
  report(id: string, options?: RequestOptions): Promise<string>

  /**
   * `POST /api/messaging-api/imports/{id}/cancel`: Cancel an import. The records that it has made stay. 409 when it
   * has ended. Scope `contacts:write`; of a module `modules:write`.
   */
  cancel(id: string, options?: RequestOptions): Promise<Import>
}

/** CRMs and other services that are told what happens. Set up in the dashboard; these routes may change. */
export interface IntegrationsOperations {
  /**
   * `GET /api/integrations`: What can be connected, and what is. `refusal` says why the plan does not allow one.
   * Scope `admin`.
   */
  list(options?: RequestOptions): Promise<IntegrationsListAnswer>

  /** `GET /api/integrations/{provider}`: One integration. Scope `admin`. */
  get(provider: string, options?: RequestOptions): Promise<Integration>

  /**
   * `PUT /api/integrations/{provider}`: Connect an integration, or change its connection. `fields` of the
   * integration name what it needs. The credentials are tried first: 400 says what the provider refuses.
   * Credentials that are left out keep their value, for the same address only. It is told what happens from now on.
   * Pro plan or higher; scope `admin`.
   */
  connect(provider: string, body: GivenIntegration, options?: RequestOptions): Promise<Integration>

  /**
   * `DELETE /api/integrations/{provider}`: Disconnect an integration. What was sent stays there; what waits is
   * dropped, with the log. Scope `admin`.
   */
  remove(provider: string, options?: RequestOptions): Promise<MessagingConnectionRemoveAnswer>

  /**
   * `POST /api/integrations/{provider}/authorize`: Begin to authorize an integration. Open `url` in a window: the
   * provider asks the person, who comes back to `/api/integrations/oauth/callback`. Ten minutes, once, for the
   * person who began it. Needs a session. Scope `admin`.
   */
  authorize(provider: string, options?: RequestOptions): Promise<IntegrationAuthorization>

  /**
   * `POST /api/integrations/{provider}/test`: Try a connection. `problem` says what is wrong. A connection that
   * failed goes on when it works again. Scope `admin`.
   */
  test(provider: string, options?: RequestOptions): Promise<IntegrationTest>

  /**
   * `POST /api/integrations/{provider}/enable`: Switch a connection on. It is told what happens from then on, and
   * what still waits. Scope `admin`.
   */
  enable(provider: string, options?: RequestOptions): Promise<Integration>

  /**
   * `POST /api/integrations/{provider}/disable`: Switch a connection off. What waits is kept. What happens
   * meanwhile is not sent; a back-fill brings it. Scope `admin`.
   */
  disable(provider: string, options?: RequestOptions): Promise<Integration>

  /**
   * `POST /api/integrations/{provider}/backfill/start`: Send the contacts there are. `backfill` of the connection
   * says how far it got. What happens now goes before. After a stop it goes on where it stopped. Scope `admin`.
   */
  startBackfill(provider: string, options?: RequestOptions): Promise<Integration>

  /** `POST /api/integrations/{provider}/backfill/stop`: Stop sending the contacts there are. Scope `admin`. */
  stopBackfill(provider: string, options?: RequestOptions): Promise<Integration>

  /**
   * `GET /api/integrations/{provider}/verification`: What to paste back at the provider. Notion sends a token to
   * `webhookUrl` when a subscription is made there, and asks for it. Null when nothing came yet. Scope `admin`.
   */
  verification(provider: string, options?: RequestOptions): Promise<IntegrationVerification>

  /**
   * `GET /api/integrations/{provider}/fields`: The fields of contacts there. By the provider's own schema, kept for
   * ten minutes; `settings.mapping` can name those that are writable. Empty for a service without a schema. Scope
   * `admin`.
   */
  fields(provider: string, options?: RequestOptions): Promise<IntegrationsFieldsAnswer>

  /**
   * `GET /api/integrations/{provider}/problems`: Changes that were given up, newest first. Those that the provider
   * refused, and those that it did not take for a day. Scope `admin`.
   */
  problems(provider: string, query?: VoiceAgentsListQuery, options?: RequestOptions): Listed<IntegrationProblem>

  /**
   * `POST /api/integrations/{provider}/problems/replay`: Send all given-up changes again. As the contacts are now.
   * Scope `admin`.
   */
  replayAll(provider: string, options?: RequestOptions): Promise<ReplayedProblems>

  /** `POST /api/integrations/{provider}/problems/{problemId}/replay`: Send a given-up change again. Scope `admin`. */
  replay(provider: string, problemId: string, options?: RequestOptions): Promise<ReplayedProblems>

  /**
   * `POST /api/integrations/{provider}/sync`: Take over what changed there. Pulls the records that changed since
   * the last complete pull; `pulls` of the connection says how far it got. 400 when nothing is pulled from this
   * integration. Scope `admin`.
   */
  sync(provider: string, options?: RequestOptions): Promise<Integration>

  /**
   * `GET /api/integrations/{provider}/arrivals`: Webhooks that arrived, newest first. With `problems=true` only
   * those that were given up. Their content is not shown, and is dropped once they are read. Kept for 30 days.
   * Scope `admin`.
   */
  arrivals(provider: string, query?: IntegrationsArrivalsQuery, options?: RequestOptions): Listed<IntegrationArrival>

  /** `POST /api/integrations/{provider}/arrivals/replay`: Read all given-up webhooks again. Scope `admin`. */
  replayArrivals(provider: string, options?: RequestOptions): Promise<ReplayedProblems>

  /** `POST /api/integrations/{provider}/arrivals/{arrivalId}/replay`: Read a given-up webhook again. Scope `admin`. */
  replayArrival(provider: string, arrivalId: string, options?: RequestOptions): Promise<ReplayedProblems>

  /**
   * `GET /api/integrations/{provider}/log`: What was sent and answered, newest first. Secrets are masked. Kept for
   * 7 days. Scope `admin`.
   */
  log(provider: string, query?: VoiceAgentsListQuery, options?: RequestOptions): Listed<IntegrationLogEntry>
}

/** Who answers in which channel of a Slack workspace. Set up in the dashboard; these routes may change. */
export interface SlackOperations {
  /**
   * `GET /api/integrations/slack/channels`: Channels of the workspace. Those whose name has the words of `search`,
   * 100 at most; private ones only when the app was invited. `isTaken`: another organization of this service has
   * the channel. Read anew every minute. Scope `admin`.
   */
  channels(query?: SlackChannelsQuery, options?: RequestOptions): Promise<SlackChannelsAnswer>

  /**
   * `GET /api/integrations/slack/mappings`: Who answers in which channel. `direct` is all direct messages to the
   * app. `problem` says what is wrong with a channel. Scope `admin`.
   */
  mappings(options?: RequestOptions): Promise<ChatMappings>

  /**
   * `PUT /api/integrations/slack/mappings`: Choose who answers in which channel. Replaces all mappings. `alerts`:
   * what the channel is told of. `dailySummaryAt`: when it gets a summary of the day. The app joins public
   * channels; into private ones it must be invited first. A channel belongs to one organization: 409 for one that
   * another has. Threads that somebody answers stay with them. Scope `admin`.
   */
  replaceMappings(body: GivenChatMappings, options?: RequestOptions): Promise<ChatMappings>
}

/** For those who build apps for automation tools. */
export interface AutomationOperations {
  /**
   * `GET /api/integrations/describe`: Triggers, actions and searches for automation tools. For those who build an
   * app for Zapier, Make or n8n. A trigger is subscribed to as an outgoing webhook. Scope `integrations:read`.
   */
  describe(options?: RequestOptions): Promise<AutomationDescription>

  /**
   * `GET /api/integrations/app`: The app for an automation tool. A ZIP of the files that `parley describe` writes:
   * an app for Zapier, n8n or Make, whose forms begin with the address of this service. Its README.md says how it
   * is published. Scope `integrations:read`.
   */
  app(query: AutomationAppQuery, options?: RequestOptions): Promise<ReceivedFile>
}

/** Automation tools subscribe to events. */
export interface HooksOperations {
  /**
   * `POST /api/integrations/hooks`: Subscribe an address to a type of events. It is posted each such event from now
   * on, as a webhook. An answer of 410 unsubscribes it, and so does the end of the API key that subscribed it. The
   * same address and event again keep the hook, with a new secret. At most 200 hooks. Starter plan or higher; scope
   * `integrations:write`, and the scope that reads the event.
   */
  subscribe(body: NewHook, options?: RequestOptions): Promise<HookWithSecret>

  /**
   * `GET /api/integrations/hooks`: Get a hook. For tools that look whether a hook is still there. Scope
   * `integrations:write`.
   */
  get(query: HooksGetQuery, options?: RequestOptions): Promise<Hook>

  /**
   * `DELETE /api/integrations/hooks`: Unsubscribe an address. 404 says that it was unsubscribed before. Scope
   * `integrations:write`.
   */
  unsubscribe(query: HooksGetQuery, options?: RequestOptions): Promise<RemovedEvaluationRun>

  /**
   * `GET /api/integrations/hooks/samples/{event}`: The newest events of a type, as a hook gets them. At most 10
   * real events of the organization, newest first; empty when there was none of late. Scope `integrations:read`,
   * and the scope that reads the event.
   */
  samples(event: string, options?: RequestOptions): Promise<HooksSamplesAnswer>
}

/** Tools of this service that agents can have. */
export interface BuiltinToolsOperations {
  /**
   * `GET /api/builtin-tools`: List the built-in tools. What a handler `{ "type": "builtin", "name" }` may name,
   * with a description and the parameters to begin with. `agents`: which kinds of agents can have it. Scope
   * `agents:read`, or scope `voice:read`.
   */
  list(options?: RequestOptions): Promise<BuiltinToolsListAnswer>
}

/** External MCP servers, whose tools agents call. Set up in the dashboard; these routes may change. */
export interface McpServersOperations {
  /**
   * `GET /api/mcp-servers`: List the external MCP servers, newest first. All of them: an organization may have 20.
   * Scope `admin`.
   */
  list(options?: RequestOptions): Promise<McpServersListAnswer>

  /**
   * `POST /api/mcp-servers`: Add an external MCP server. It is asked at once what it offers: `health` says how that
   * went. Agents have none of its tools before they are approved. `url` is on the public internet and speaks
   * Streamable HTTP, or the older event stream. `timeoutMs` (8000 by default) is for each tool call. With
   * `auth.type` `oauth` a person authorizes it (`POST …/authorize`); `clientId` and `clientSecret` are for
   * authorization servers that register nobody by themselves. Pro plan or higher; scope `admin`.
   */
  create(body: McpServerSettings, options?: RequestOptions): Promise<McpServer>

  /**
   * `GET /api/mcp-servers/{id}`: Get an MCP server with its tools. Of each tool what the model is told, its state,
   * and what changed since it was approved. Scope `admin`.
   */
  get(id: string, options?: RequestOptions): Promise<McpServer>

  /**
   * `PUT /api/mcp-servers/{id}`: Change an MCP server. Without `auth` it stays; a secret that is left out stays,
   * too, while the address is the same. At another address nothing is approved. With another address, client or
   * kind of `auth` an authorization ends. Scope `admin`.
   */
  change(id: string, body: McpServerSettings, options?: RequestOptions): Promise<McpServer>

  /**
   * `DELETE /api/mcp-servers/{id}`: Remove an MCP server. Agents lose its tools at once, also in calls that are
   * under way. Its authorization is revoked. Scope `admin`.
   */
  remove(id: string, options?: RequestOptions): Promise<RemovedEvaluationRun>

  /**
   * `POST /api/mcp-servers/{id}/test`: Ask an MCP server again what it offers. Connects anew, in at most ten
   * seconds. `health` says how that went. Scope `admin`.
   */
  test(id: string, options?: RequestOptions): Promise<McpServer>

  /**
   * `POST /api/mcp-servers/{id}/authorize`: Begin to authorize an MCP server by OAuth. Open `url` in a window: its
   * authorization server asks the person, who comes back to a page of this service. Ten minutes, once, for the
   * person who began it. Asks also for scopes that the server has wanted since (`authorization.wanted`). Needs a
   * session. Scope `admin`.
   */
  authorize(id: string, options?: RequestOptions): Promise<McpServerAuthorization>

  /**
   * `POST /api/mcp-servers/{id}/approve`: Approve tools of an MCP server. All that agents may have, each with the
   * `hash` that was read; what is left out is no longer approved. 409 when a tool has changed meanwhile. A tool
   * that changes later is not offered to new calls until it is approved again; calls under way go on. Scope
   * `admin`.
   */
  approve(id: string, body: ApprovedMcpTools, options?: RequestOptions): Promise<McpServer>
}

/** Amounts that somebody is asked for, with the link where each is paid. */
export interface PaymentLinksOperations {
  /** `GET /api/payment-links`: List payment links, newest first. With what became of each. Scope `payments:write`. */
  list(query?: PaymentLinksListQuery, options?: RequestOptions): Listed<PaymentLink>

  /**
   * `POST /api/payment-links`: Ask for a payment. Makes a link at the payment provider that the organization has
   * connected; it is not sent to anybody. `amount` is a decimal text with as many decimals as the currency has at
   * most. With `orderId` amount, currency, description and contact may be left out: they are the order's, and the
   * order becomes `paid` with the payment. A link can be paid once. 400 says what the provider refuses, or that
   * none is connected. The events are `payment.created`, `payment.completed` and those of what follows. Send an
   * `Idempotency-Key`: a repeated request then makes no second link. Pro plan or higher; scope `payments:write`.
   */
  create(body: NewPaymentLink, options?: RequestOptions): Promise<PaymentLink>

  /** `GET /api/payment-links/{id}`: Get a payment link. Scope `payments:write`. */
  get(id: string, options?: RequestOptions): Promise<PaymentLink>

  /**
   * `POST /api/payment-links/{id}/cancel`: Cancel a payment link. Nobody can pay by it any more. 409 when it was
   * paid already. One that is over stays as it is. Scope `payments:write`.
   */
  cancel(id: string, options?: RequestOptions): Promise<PaymentLink>
}

/** By which provider payments are asked for. Set up in the dashboard; these routes may change. */
export interface PaymentSettingsOperations {
  /** `GET /api/payment-settings`: How payments are asked for. `live` says whether money moves. Scope `admin`. */
  get(options?: RequestOptions): Promise<ShownPaymentSettings>

  /**
   * `PUT /api/payment-settings`: Change how payments are asked for. `provider`: the one of links that name none;
   * null: the one that was connected first. `template`: an approved template by which agents of calls send a link
   * to somebody who has not written in the last 24 hours; its body has one placeholder, the link, or two, what it
   * is for and the link. Scope `admin`.
   */
  put(body: PaymentSettings, options?: RequestOptions): Promise<ShownPaymentSettings>
}

/** A client of the interface. One for each key is enough: it holds no connection and may be used for any number of requests at once. */
export class Parley extends Client {
  /** Agents that answer and place calls: their settings, their calls, their line of waiting callers. */
  readonly voiceAgents: VoiceAgentsOperations = this.group<VoiceAgentsOperations>("voiceAgents")

  /** The voices and languages there are. */
  readonly voices: VoicesOperations = this.group<VoicesOperations>("voices")

  /** One call: transcript, tool calls, latencies, cost, recording. */
  readonly calls: CallsOperations = this.group<CallsOperations>("calls")

  /** Minutes, allowance and cost of calls. */
  readonly voiceUsage: VoiceUsageOperations = this.group<VoiceUsageOperations>("voiceUsage")

  /** AI tokens of text agents, and the allowance. */
  readonly aiUsage: AiUsageOperations = this.group<AiUsageOperations>("aiUsage")

  /** What agents' tools were asked and answered. */
  readonly toolAudit: ToolAuditOperations = this.group<ToolAuditOperations>("toolAudit")

  /** What agents can look things up in. */
  readonly knowledgeBases: KnowledgeBasesOperations = this.group<KnowledgeBasesOperations>("knowledgeBases")

  /** What a knowledge base is made of: files, web pages, questions with answers. */
  readonly knowledgeSources: KnowledgeSourcesOperations = this.group<KnowledgeSourcesOperations>("knowledgeSources")

  /** The organization, what its plan allows, and the names of its people and agents. */
  readonly organization: OrganizationOperations = this.group<OrganizationOperations>("organization")

  /** When calls are answered and placed. */
  readonly businessHours: BusinessHoursOperations = this.group<BusinessHoursOperations>("businessHours")

  /** How soon conversations shall be answered. */
  readonly slaPolicy: SlaPolicyOperations = this.group<SlaPolicyOperations>("slaPolicy")

  /** What every caller hears first. */
  readonly disclosure: DisclosureOperations = this.group<DisclosureOperations>("disclosure")

  /** Consent to be called, with its evidence. */
  readonly voiceConsents: VoiceConsentsOperations = this.group<VoiceConsentsOperations>("voiceConsents")

  /** Whether the messaging channel is connected. */
  readonly status: StatusOperations = this.group<StatusOperations>("status")

  /** The people an organization talks with. */
  readonly contacts: ContactsOperations = this.group<ContactsOperations>("contacts")

  /** All that is known of a contact, in one file. */
  readonly contactExports: ContactExportsOperations = this.group<ContactExportsOperations>("contactExports")

  /** Consent to messages, with its evidence. */
  readonly messagingConsents: MessagingConsentsOperations = this.group<MessagingConsentsOperations>("messagingConsents")

  /** Numbers: searched, bought, connected, assigned, released. */
  readonly phoneNumbers: PhoneNumbersOperations = this.group<PhoneNumbersOperations>("phoneNumbers")

  /** What an external carrier signs in with. */
  readonly sipCredentials: SipCredentialsOperations = this.group<SipCredentialsOperations>("sipCredentials")

  /** Keys for programs. */
  readonly apiKeys: ApiKeysOperations = this.group<ApiKeysOperations>("apiKeys")

  /** Signing in and out, for people. */
  readonly session: SessionOperations = this.group<SessionOperations>("session")

  /** Where a person is signed in. */
  readonly sessions: SessionsOperations = this.group<SessionsOperations>("sessions")

  /** The first organization of an installation. */
  readonly setup: SetupOperations = this.group<SetupOperations>("setup")

  /** The people of the organization and what they may do. */
  readonly users: UsersOperations = this.group<UsersOperations>("users")

  /** How long things are kept. */
  readonly retention: RetentionOperations = this.group<RetentionOperations>("retention")

  /** Devices that are told what happens. */
  readonly devices: DevicesOperations = this.group<DevicesOperations>("devices")

  /** What devices are shown. */
  readonly pushSettings: PushSettingsOperations = this.group<PushSettingsOperations>("pushSettings")

  /** Who changed what, from where. */
  readonly auditLog: AuditLogOperations = this.group<AuditLogOperations>("auditLog")

  /** Conversations of every channel. */
  readonly chats: ChatsOperations = this.group<ChatsOperations>("chats")

  /** Sending messages, and messages across conversations. */
  readonly messages: MessagesOperations = this.group<MessagesOperations>("messages")

  /** Message templates of the channel. */
  readonly templates: TemplatesOperations = this.group<TemplatesOperations>("templates")

  /** What people note in a conversation for each other. */
  readonly conversationNotes: ConversationNotesOperations = this.group<ConversationNotesOperations>("conversationNotes")

  /** Agents that answer messages: their prompts, tools and limits. */
  readonly textAgents: TextAgentsOperations = this.group<TextAgentsOperations>("textAgents")

  /** Conversations that are played with text agents, and what came of each run. */
  readonly evaluations: EvaluationsOperations = this.group<EvaluationsOperations>("evaluations")

  /** Texts people send often. */
  readonly quickReplies: QuickRepliesOperations = this.group<QuickRepliesOperations>("quickReplies")

  /** What happens, as it happens. */
  readonly events: EventsOperations = this.group<EventsOperations>("events")

  /** Files of messages, and links to them for those without a key. */
  readonly media: MediaOperations = this.group<MediaOperations>("media")

  /** One template to many contacts. */
  readonly broadcasts: BroadcastsOperations = this.group<BroadcastsOperations>("broadcasts")

  /** What happens, posted to addresses of the customer. */
  readonly webhooks: WebhooksOperations = this.group<WebhooksOperations>("webhooks")

  /** Volumes, response times, calls. */
  readonly analytics: AnalyticsOperations = this.group<AnalyticsOperations>("analytics")

  /** The firms, schools and clubs that contacts belong to. */
  readonly companies: CompaniesOperations = this.group<CompaniesOperations>("companies")

  /** What the organization sells. */
  readonly products: ProductsOperations = this.group<ProductsOperations>("products")

  /** What contacts and companies have bought. */
  readonly orders: OrdersOperations = this.group<OrdersOperations>("orders")

  /** What customers of a store have left in carts, and what became of it. */
  readonly carts: CartsOperations = this.group<CartsOperations>("carts")

  /** Who the organization buys from. */
  readonly suppliers: SuppliersOperations = this.group<SuppliersOperations>("suppliers")

  /** The organization's own fields of companies, products, orders and suppliers. */
  readonly customFields: CustomFieldsOperations = this.group<CustomFieldsOperations>("customFields")

  /** The organization's account at the messaging channel. */
  readonly messagingConnection: MessagingConnectionOperations = this.group<MessagingConnectionOperations>("messagingConnection")

  /** Many records from one file. */
  readonly imports: ImportsOperations = this.group<ImportsOperations>("imports")

  /** CRMs and other services that are told what happens. Set up in the dashboard; these routes may change. */
  readonly integrations: IntegrationsOperations = this.group<IntegrationsOperations>("integrations")

  /** Who answers in which channel of a Slack workspace. Set up in the dashboard; these routes may change. */
  readonly slack: SlackOperations = this.group<SlackOperations>("slack")

  /** For those who build apps for automation tools. */
  readonly automation: AutomationOperations = this.group<AutomationOperations>("automation")

  /** Automation tools subscribe to events. */
  readonly hooks: HooksOperations = this.group<HooksOperations>("hooks")

  /** Tools of this service that agents can have. */
  readonly builtinTools: BuiltinToolsOperations = this.group<BuiltinToolsOperations>("builtinTools")

  /** External MCP servers, whose tools agents call. Set up in the dashboard; these routes may change. */
  readonly mcpServers: McpServersOperations = this.group<McpServersOperations>("mcpServers")

  /** Amounts that somebody is asked for, with the link where each is paid. */
  readonly paymentLinks: PaymentLinksOperations = this.group<PaymentLinksOperations>("paymentLinks")

  /** By which provider payments are asked for. Set up in the dashboard; these routes may change. */
  readonly paymentSettings: PaymentSettingsOperations = this.group<PaymentSettingsOperations>("paymentSettings")
}
