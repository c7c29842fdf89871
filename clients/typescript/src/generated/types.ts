/** The records, bodies and queries of the interface. Generated from the service's definitions by `npm run client`: do not edit. */
import type { FileInput } from "../Files.ts"

export interface ActionHeaderTemplateSendBodyComponentParameter {
  readonly type: "action"
  readonly action: Readonly<Record<string, unknown>>
}

export interface Analytic {
  readonly from: string
  readonly to: string
  readonly timeZone: string
  readonly groupBy: "day" | "week" | "month"
  readonly messages: AnalyticMessages
  readonly conversations: AnalyticConversations
  readonly calls: AnalyticCalls
  readonly broadcasts: AnalyticBroadcasts
  readonly channels: ReadonlyArray<{
    readonly channel: "messaging" | "voice" | "team_chat"
    readonly messages: AnalyticMessages2
    readonly conversations: AnalyticConversations
  }>
  readonly people: ReadonlyArray<AnalyticPeople>
  readonly data: ReadonlyArray<{
    readonly period: string
    readonly messages: AnalyticMessages2
    readonly conversations: AnalyticConversations
    readonly calls: AnalyticPeopleCalls
  }>
}

export interface AnalyticBroadcasts {
  readonly started: number
  readonly recipients: number
  readonly queued: number
  readonly sent: number
  readonly delivered: number
  readonly read: number
  readonly failed: number
  readonly skipped: number
}

export interface AnalyticCalls {
  readonly count: number
  readonly minutes: number | "Infinity" | "-Infinity" | "NaN"
  /** In seconds. */
  readonly averageSeconds: number | "Infinity" | "-Infinity" | "NaN" | null
  readonly escalated: number
  readonly inbound: number
  readonly outbound: number
  readonly byEndReason: Readonly<Record<string, number>>
}

export interface AnalyticConversations {
  readonly opened: number
  readonly resolved: number
  readonly firstResponse: AnalyticConversationsFirstResponse
  readonly resolution: AnalyticConversationsFirstResponse
}

export interface AnalyticConversationsFirstResponse {
  readonly count: number
  /** In seconds. */
  readonly medianSeconds: number | "Infinity" | "-Infinity" | "NaN" | null
  /** In seconds. */
  readonly p90Seconds: number | "Infinity" | "-Infinity" | "NaN" | null
  /** In seconds. */
  readonly averageSeconds: number | "Infinity" | "-Infinity" | "NaN" | null
}

export interface AnalyticMessages {
  readonly total: number
  readonly inbound: number
  readonly outbound: number
  readonly byType: Readonly<Record<string, number>>
  readonly byStatus: Readonly<Record<string, number>>
}

export interface AnalyticMessages2 {
  readonly inbound: number
  readonly outbound: number
}

export interface AnalyticPeople {
  readonly id: string
  readonly name: string | null
  readonly messagesSent: number
  readonly firstResponse: AnalyticConversationsFirstResponse
  readonly resolved: number
  readonly resolution: AnalyticConversationsFirstResponse
  readonly calls: AnalyticPeopleCalls
}

export interface AnalyticPeopleCalls {
  readonly count: number
  readonly minutes: number | "Infinity" | "-Infinity" | "NaN"
  /** In seconds. */
  readonly averageSeconds: number | "Infinity" | "-Infinity" | "NaN" | null
  readonly escalated: number
}

export interface AnalyticsReadQuery {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly groupBy?: "day" | "week" | "month" | undefined
}

export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly lastFour: string | null
  readonly scopes: ReadonlyArray<"status:read" | "contacts:read" | "contacts:write" | "conversations:read" | "conversations:write" | "messages:read" | "messages:send" | "media:read" | "media:write" | "voice:read" | "voice:write" | "integrations:read" | "mcp" | "admin">
  readonly status: "active" | "expired" | "revoked"
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  readonly makerId: string | null
  readonly lastUsedAt: string | null
  readonly rotatedTo: string | null
}

export interface ApiKeysCreateAnswer {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly lastFour: string | null
  readonly scopes: ReadonlyArray<"status:read" | "contacts:read" | "contacts:write" | "conversations:read" | "conversations:write" | "messages:read" | "messages:send" | "media:read" | "media:write" | "voice:read" | "voice:write" | "integrations:read" | "mcp" | "admin">
  readonly status: "active" | "expired" | "revoked"
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  readonly makerId: string | null
  readonly lastUsedAt: string | null
  readonly rotatedTo: string | null
  readonly key: string
}

export interface ApiKeysCreateBody {
  /** At most 120 characters. */
  readonly name: string
  /** At least 1 entries. */
  readonly scopes?: ReadonlyArray<"status:read" | "contacts:read" | "contacts:write" | "conversations:read" | "conversations:write" | "messages:read" | "messages:send" | "media:read" | "media:write" | "voice:read" | "voice:write" | "integrations:read" | "mcp" | "admin"> | undefined
  readonly expiresAt?: string | null | undefined
}

export interface ApiKeysRevokeAnswer {
  readonly id: string
  readonly revoked: true
}

export interface ApiKeysRotateAnswer {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly lastFour: string | null
  readonly scopes: ReadonlyArray<"status:read" | "contacts:read" | "contacts:write" | "conversations:read" | "conversations:write" | "messages:read" | "messages:send" | "media:read" | "media:write" | "voice:read" | "voice:write" | "integrations:read" | "mcp" | "admin">
  readonly status: "active" | "expired" | "revoked"
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  readonly makerId: string | null
  readonly lastUsedAt: string | null
  readonly rotatedTo: string | null
  readonly key: string
  readonly replaced: ApiKey
}

export interface ApiKeysRotateBody {
  /** In seconds. 0 to 2,592,000. */
  readonly overlapSeconds?: number | undefined
  readonly expiresAt?: string | null | undefined
}

export interface AudioSendBody {
  /** At most 80 characters. */
  readonly to: string
  readonly type: "audio"
  /** At most 2,048 characters. */
  readonly mediaUrl?: string | undefined
  /** At most 64 characters. */
  readonly mediaId?: string | undefined
  readonly replyTo?: string | undefined
}

export interface AuditLogEntry {
  readonly id: string
  readonly action: string
  readonly subjectId: string
  readonly actor: {
    readonly type: "key" | "user" | "operator" | "system"
    readonly id: string | null
  }
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
  readonly details: Readonly<Record<string, unknown>>
  readonly ip: string | null
  readonly requestId: string | null
  readonly createdAt: string
}

export interface AuditLogListQuery {
  readonly page?: string | undefined
  readonly limit?: string | undefined
  readonly action?: string | undefined
  readonly actorId?: string | undefined
  readonly subjectId?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface BodyTemplateSendBodyComponent {
  readonly type: "body"
  /** At most 60 entries. */
  readonly parameters?: ReadonlyArray<
    | TextHeaderTemplateSendBodyComponentParameter
    | CurrencyHeaderTemplateSendBodyComponentParameter
    | DateTimeHeaderTemplateSendBodyComponentParameter
    | ImageHeaderTemplateSendBodyComponentParameter
    | VideoHeaderTemplateSendBodyComponentParameter
    | DocumentHeaderTemplateSendBodyComponentParameter
    | LocationHeaderTemplateSendBodyComponentParameter
    | PayloadHeaderTemplateSendBodyComponentParameter
    | CouponCodeHeaderTemplateSendBodyComponentParameter
    | ActionHeaderTemplateSendBodyComponentParameter> | undefined
}

export interface Broadcast {
  readonly id: string
  readonly organizationId: string
  readonly name: string
  readonly templateName: string
  readonly language: string
  readonly components: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly audience: BroadcastAudience
  readonly status: "draft" | "scheduled" | "running" | "paused" | "completed" | "cancelled" | "failed"
  readonly scheduledAt: string | null
  readonly startedAt: string | null
  readonly endedAt: string | null
  readonly failureReason: string | null
  readonly counts: BroadcastCounts
  readonly createdBy: string
  readonly createdAt: string
  readonly updatedAt: string
}

export interface BroadcastAudience {
  readonly all?: true | undefined
  /** At most 50 entries. */
  readonly tags?: ReadonlyArray<string> | undefined
  /** At most 10,000 entries. */
  readonly contactIds?: ReadonlyArray<string> | undefined
}

export interface BroadcastCompletedEvent {
  readonly id: string
  readonly type: "broadcast.completed"
  readonly createdAt: string
  readonly data: {
    readonly broadcast: Broadcast
  }
}

export interface BroadcastCompletedWebhook {
  readonly type: "broadcast.completed"
  readonly timestamp: string
  readonly data: {
    readonly broadcast: Broadcast
  }
}

export interface BroadcastCounts {
  readonly total: number
  readonly queued: number
  readonly unknown: number
  readonly sent: number
  readonly delivered: number
  readonly read: number
  readonly failed: number
  readonly skipped: number
  readonly skippedBy: BroadcastCountsSkippedBy
}

export interface BroadcastCountsSkippedBy {
  readonly opted_out: number
  readonly no_phone: number
  readonly archived: number
  readonly erased: number
  readonly missing_value: number
  readonly rate_limited: number
  readonly cancelled: number
}

export interface BroadcastsCreateAnswer {
  readonly dryRun: true
  readonly total: number
  readonly recipients: number
  readonly skipped: {
    readonly opted_out: number
    readonly no_phone: number
    readonly archived: number
  }
  readonly limit: number | null
}

export interface BroadcastsCreateBody {
  /** At most 120 characters. */
  readonly name: string
  /** At most 512 characters. */
  readonly templateName: string
  readonly language: string
  /** At most 20 entries. */
  readonly components?: ReadonlyArray<HeaderTemplateSendBodyComponent | BodyTemplateSendBodyComponent | ButtonTemplateSendBodyComponent> | undefined
  readonly audience: BroadcastAudience
  readonly scheduledAt?: string | undefined
  readonly dryRun?: boolean | undefined
}

export interface BroadcastsListQuery {
  readonly page?: string | undefined
  readonly limit?: string | undefined
  /** At most 200 characters. */
  readonly cursor?: string | undefined
  readonly status?: "draft" | "scheduled" | "running" | "paused" | "completed" | "cancelled" | "failed" | undefined
}

export interface BroadcastsRecipient {
  readonly contactId: string
  readonly name: string | null
  readonly phone: string | null
  readonly status: "queued" | "sent" | "delivered" | "read" | "failed" | "skipped"
  readonly reason: string | null
  readonly messageId: string | null
  readonly updatedAt: string
}

export interface BroadcastsRecipientsQuery {
  readonly page?: string | undefined
  readonly limit?: string | undefined
  /** At most 200 characters. */
  readonly cursor?: string | undefined
  readonly status?: "queued" | "sent" | "delivered" | "read" | "failed" | "skipped" | undefined
}

export interface BuiltinVoiceAgentToolHandler {
  readonly type: "builtin"
  readonly name: string
}

export interface BusinessHour {
  readonly timeZone: string
  readonly businessHours: BusinessHourBusinessHours | null
  readonly open: boolean
  readonly opensAt: string | null
}

export interface BusinessHourBusinessHours {
  /** At most 70 entries. */
  readonly weekly: ReadonlyArray<BusinessHourBusinessHoursWeekly>
  /** At most 400 entries. */
  readonly holidays: ReadonlyArray<BusinessHourBusinessHoursHoliday>
}

export interface BusinessHourBusinessHoursHoliday {
  readonly date: string
  /** At most 100 characters. */
  readonly name?: string | undefined
  /** At most 10 entries. */
  readonly hours: ReadonlyArray<BusinessHourBusinessHoursHolidayHour>
}

export interface BusinessHourBusinessHoursHolidayHour {
  readonly opens: string
  readonly closes: string
}

export interface BusinessHourBusinessHoursWeekly {
  readonly day: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday"
  readonly opens: string
  readonly closes: string
}

export interface BusinessHoursSetBody {
  readonly timeZone?: string | undefined
  readonly businessHours: BusinessHourBusinessHours | null
}

export interface ButtonInteractiveSendBodyInteractive {
  readonly type: "button"
  readonly header?: 
    | TextButtonInteractiveSendBodyInteractiveHeader
    | ImageButtonInteractiveSendBodyInteractiveHeader
    | VideoButtonInteractiveSendBodyInteractiveHeader
    | DocumentButtonInteractiveSendBodyInteractiveHeader | undefined
  readonly body: {
    /** At most 1,024 characters. */
    readonly text: string
  }
  readonly footer?: {
    /** At most 60 characters. */
    readonly text: string
  } | undefined
  readonly action: {
    /** 1 to 3 entries. */
    readonly buttons: ReadonlyArray<{
      readonly type: "reply"
      readonly reply: {
        /** At most 256 characters. */
        readonly id: string
        /** At most 20 characters. */
        readonly title: string
      }
    }>
  }
}

export interface ButtonTemplateSendBodyComponent {
  readonly type: "button"
  readonly sub_type: "quick_reply" | "url" | "flow" | "catalog" | "copy_code"
  readonly index: string | number
  /** At most 60 entries. */
  readonly parameters?: ReadonlyArray<
    | TextHeaderTemplateSendBodyComponentParameter
    | CurrencyHeaderTemplateSendBodyComponentParameter
    | DateTimeHeaderTemplateSendBodyComponentParameter
    | ImageHeaderTemplateSendBodyComponentParameter
    | VideoHeaderTemplateSendBodyComponentParameter
    | DocumentHeaderTemplateSendBodyComponentParameter
    | LocationHeaderTemplateSendBodyComponentParameter
    | PayloadHeaderTemplateSendBodyComponentParameter
    | CouponCodeHeaderTemplateSendBodyComponentParameter
    | ActionHeaderTemplateSendBodyComponentParameter> | undefined
}

export interface Call {
  readonly id: string
  readonly organizationId: string
  readonly agentId: string | null
  readonly contactId: string | null
  readonly conversationId: string | null
  readonly direction: "inbound" | "outbound"
  readonly status: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "failed" | "canceled"
  readonly endReason: 
    | "caller_hangup" | "agent_hangup" | "silence" | "max_duration" | "transferred" | "queued_for_human" | "outside_hours" | "moderation" | "provider_failure" | "capacity" | "error"
    | null
  readonly from: string
  readonly to: string
  readonly callSid: string | null
  readonly dealId: string | null
  readonly failureReason: string | null
  readonly startedAt: string | null
  readonly endedAt: string | null
  /** In seconds. */
  readonly durationSeconds: number | "Infinity" | "-Infinity" | "NaN" | null
  readonly interruptions: number
  readonly falseInterruptions: number
  readonly talkRatio: number | "Infinity" | "-Infinity" | "NaN" | null
  readonly toolCallCount: number
  readonly turns: ReadonlyArray<CallTurn>
  readonly transfer: CallTransfer | null
  readonly recording: CallRecording | null
  readonly createdAt: string
}

export interface CallEndedEvent {
  readonly id: string
  readonly type: "call.ended"
  readonly createdAt: string
  readonly data: {
    readonly call: Call
  }
}

export interface CallEndedWebhook {
  readonly type: "call.ended"
  readonly timestamp: string
  readonly data: {
    readonly call: Call
  }
}

export interface CallRecordedEvent {
  readonly id: string
  readonly type: "call.recorded"
  readonly createdAt: string
  readonly data: {
    readonly call: Call
  }
}

export interface CallRecordedWebhook {
  readonly type: "call.recorded"
  readonly timestamp: string
  readonly data: {
    readonly call: Call
  }
}

export interface CallRecording {
  readonly url: string
  /** In seconds. */
  readonly durationSeconds: number | "Infinity" | "-Infinity" | "NaN"
  readonly bytes: number
}

export interface CallStartedEvent {
  readonly id: string
  readonly type: "call.started"
  readonly createdAt: string
  readonly data: {
    readonly call: Call
  }
}

export interface CallStartedWebhook {
  readonly type: "call.started"
  readonly timestamp: string
  readonly data: {
    readonly call: Call
  }
}

export interface CallTransfer {
  readonly destination: string | null
  readonly outcome: "dialing" | "queued" | "transferred" | "no_answer" | "busy" | "failed" | "abandoned" | "timed_out" | "nobody"
  readonly at: string
}

export interface CallTurn {
  readonly turn: number
  /** In milliseconds. */
  readonly decisionMs: number | "Infinity" | "-Infinity" | "NaN" | null
  /** In milliseconds. */
  readonly transcriptMs: number | "Infinity" | "-Infinity" | "NaN" | null
  /** In milliseconds. */
  readonly firstTokenMs: number | "Infinity" | "-Infinity" | "NaN" | null
  /** In milliseconds. */
  readonly firstAudioMs: number | "Infinity" | "-Infinity" | "NaN" | null
  /** In milliseconds. */
  readonly firstFrameMs: number | "Infinity" | "-Infinity" | "NaN" | null
}

export interface CallsGetAnswer {
  readonly id: string
  readonly organizationId: string
  readonly agentId: string | null
  readonly contactId: string | null
  readonly conversationId: string | null
  readonly direction: "inbound" | "outbound"
  readonly status: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "failed" | "canceled"
  readonly endReason: 
    | "caller_hangup" | "agent_hangup" | "silence" | "max_duration" | "transferred" | "queued_for_human" | "outside_hours" | "moderation" | "provider_failure" | "capacity" | "error"
    | null
  readonly from: string
  readonly to: string
  readonly callSid: string | null
  readonly dealId: string | null
  readonly failureReason: string | null
  readonly startedAt: string | null
  readonly endedAt: string | null
  /** In seconds. */
  readonly durationSeconds: number | "Infinity" | "-Infinity" | "NaN" | null
  readonly interruptions: number
  readonly falseInterruptions: number
  readonly talkRatio: number | "Infinity" | "-Infinity" | "NaN" | null
  readonly toolCallCount: number
  readonly turns: ReadonlyArray<CallTurn>
  readonly transfer: CallTransfer | null
  readonly recording: CallRecording | null
  readonly createdAt: string
  readonly utterances: ReadonlyArray<CallsGetAnswerUtterance>
  readonly toolCalls: ReadonlyArray<CallsGetAnswerToolCall>
  readonly cost: CallsGetAnswerCost | null
}

export interface CallsGetAnswerCost {
  /** In seconds. */
  readonly durationSeconds: number
  readonly minutes: number
  /** In minutes. */
  readonly includedMinutes: number
  /** In minutes. */
  readonly overageMinutes: number
  readonly price: string
  readonly providerCost: VoiceAgentsCallsPageTotalsProviderCost
}

export interface CallsGetAnswerToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
  readonly result: string
  readonly outcome: "ok" | "error"
  /** In milliseconds. */
  readonly durationMs: number
  readonly withheld: ReadonlyArray<string> | null
  readonly createdAt: string
}

export interface CallsGetAnswerUtterance {
  readonly id: string
  readonly sequence: number
  readonly role: "caller" | "agent"
  readonly text: string
  readonly interrupted: boolean
  /** In milliseconds. */
  readonly startMs: number
  /** In milliseconds. */
  readonly endMs: number
}

export interface Chat {
  readonly id: string
  readonly organizationId: string
  readonly channel: "messaging" | "voice" | "team_chat"
  readonly status: "OPEN" | "ASSIGNED" | "RESOLVED"
  readonly assignee: string | null
  readonly contact: ConversationContact
  readonly unreadCount: number
  readonly flagged: boolean
  readonly window: ConversationWindow | null
  readonly sla: ConversationSla
  readonly lastMessage: Message | null
  readonly lastActivityAt: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly messages: ReadonlyArray<Message>
  readonly calls: ReadonlyArray<ChatCall>
}

export interface ChatCall {
  readonly id: string
  readonly agentId: string | null
  readonly direction: "inbound" | "outbound"
  readonly status: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "failed" | "canceled"
  readonly endReason: 
    | "caller_hangup" | "agent_hangup" | "silence" | "max_duration" | "transferred" | "queued_for_human" | "outside_hours" | "moderation" | "provider_failure" | "capacity" | "error"
    | null
  readonly startedAt: string | null
  readonly endedAt: string | null
  /** In seconds. */
  readonly durationSeconds: number | "Infinity" | "-Infinity" | "NaN" | null
  readonly createdAt: string
  readonly utterances: ReadonlyArray<CallsGetAnswerUtterance>
}

export interface ChatsGetQuery {
  readonly limit?: string | undefined
}

export interface ChatsListQuery {
  readonly page?: string | undefined
  readonly limit?: string | undefined
  /** At most 200 characters. */
  readonly cursor?: string | undefined
  readonly status?: "OPEN" | "ASSIGNED" | "RESOLVED" | undefined
}

export interface ChatsUpdateBody {
  readonly status?: "OPEN" | "ASSIGNED" | "RESOLVED" | undefined
  /** At most 200 characters. */
  readonly assignee?: string | null | undefined
  readonly read?: true | undefined
}

export interface Contact {
  readonly id: string
  readonly organizationId: string
  readonly phone: string | null
  readonly name: string | null
  readonly email: string | null
  readonly tags: ReadonlyArray<string>
  readonly optedIn: boolean
  readonly identities: ReadonlyArray<ContactIdentity>
  readonly archivedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export interface ContactArchivedEvent {
  readonly id: string
  readonly type: "contact.archived"
  readonly createdAt: string
  readonly data: {
    readonly contact: Contact
  }
}

export interface ContactArchivedWebhook {
  readonly type: "contact.archived"
  readonly timestamp: string
  readonly data: {
    readonly contact: Contact
  }
}

export interface ContactCreatedEvent {
  readonly id: string
  readonly type: "contact.created"
  readonly createdAt: string
  readonly data: {
    readonly contact: Contact
  }
}

export interface ContactCreatedWebhook {
  readonly type: "contact.created"
  readonly timestamp: string
  readonly data: {
    readonly contact: Contact
  }
}

export interface ContactErasedEvent {
  readonly id: string
  readonly type: "contact.erased"
  readonly createdAt: string
  readonly data: {
    readonly contact: {
      readonly id: string
    }
  }
}

export interface ContactErasedWebhook {
  readonly type: "contact.erased"
  readonly timestamp: string
  readonly data: {
    readonly contact: {
      readonly id: string
    }
  }
}

export interface ContactExportsRequestAnswer {
  readonly id: string
  readonly contactId: string
  readonly status: "queued" | "completed" | "failed"
  readonly requestedBy: string
  /** In bytes. */
  readonly sizeBytes: number | null
  readonly error: string | null
  readonly createdAt: string
  readonly completedAt: string | null
  readonly expiresAt: string
  readonly file: string | null
}

export interface ContactIdentity {
  readonly channel: "messaging" | "voice" | "team_chat"
  readonly userId: string
}

export interface ContactOptedInEvent {
  readonly id: string
  readonly type: "contact.opted_in"
  readonly createdAt: string
  readonly data: {
    readonly contact: Contact
  }
}

export interface ContactOptedInWebhook {
  readonly type: "contact.opted_in"
  readonly timestamp: string
  readonly data: {
    readonly contact: Contact
  }
}

export interface ContactOptedOutEvent {
  readonly id: string
  readonly type: "contact.opted_out"
  readonly createdAt: string
  readonly data: {
    readonly contact: Contact
  }
}

export interface ContactOptedOutWebhook {
  readonly type: "contact.opted_out"
  readonly timestamp: string
  readonly data: {
    readonly contact: Contact
  }
}

export interface ContactRestoredEvent {
  readonly id: string
  readonly type: "contact.restored"
  readonly createdAt: string
  readonly data: {
    readonly contact: Contact
  }
}

export interface ContactRestoredWebhook {
  readonly type: "contact.restored"
  readonly timestamp: string
  readonly data: {
    readonly contact: Contact
  }
}

export interface ContactSendBody {
  /** At most 80 characters. */
  readonly to: string
  readonly type: "contact"
  /** 1 to 257 entries. */
  readonly contacts: ReadonlyArray<ContactSendBodyContact>
  readonly replyTo?: string | undefined
}

export interface ContactSendBodyContact {
  readonly name: ContactSendBodyContactName
  /** At most 20 entries. */
  readonly phones?: ReadonlyArray<{
    /** At most 40 characters. */
    readonly phone: string
    /** At most 20 characters. */
    readonly type?: string | undefined
    /** At most 20 characters. */
    readonly wa_id?: string | undefined
  }> | undefined
  /** At most 20 entries. */
  readonly emails?: ReadonlyArray<{
    /** At most 254 characters. */
    readonly email: string
    /** At most 20 characters. */
    readonly type?: string | undefined
  }> | undefined
  /** At most 20 entries. */
  readonly urls?: ReadonlyArray<{
    /** At most 2,048 characters. */
    readonly url: string
    /** At most 20 characters. */
    readonly type?: string | undefined
  }> | undefined
  /** At most 20 entries. */
  readonly addresses?: ReadonlyArray<ContactSendBodyContactAddress> | undefined
  readonly org?: {
    /** At most 200 characters. */
    readonly company?: string | undefined
    /** At most 200 characters. */
    readonly department?: string | undefined
    /** At most 200 characters. */
    readonly title?: string | undefined
  } | undefined
  readonly birthday?: string | undefined
}

export interface ContactSendBodyContactAddress {
  /** At most 200 characters. */
  readonly street?: string | undefined
  /** At most 100 characters. */
  readonly city?: string | undefined
  /** At most 100 characters. */
  readonly state?: string | undefined
  /** At most 20 characters. */
  readonly zip?: string | undefined
  /** At most 100 characters. */
  readonly country?: string | undefined
  /** At most 10 characters. */
  readonly country_code?: string | undefined
  /** At most 20 characters. */
  readonly type?: string | undefined
}

export interface ContactSendBodyContactName {
  /** At most 200 characters. */
  readonly formatted_name: string
  /** At most 200 characters. */
  readonly first_name?: string | undefined
  /** At most 200 characters. */
  readonly last_name?: string | undefined
  /** At most 200 characters. */
  readonly middle_name?: string | undefined
  /** At most 60 characters. */
  readonly prefix?: string | undefined
  /** At most 60 characters. */
  readonly suffix?: string | undefined
}

export interface ContactUpdatedEvent {
  readonly id: string
  readonly type: "contact.updated"
  readonly createdAt: string
  readonly data: {
    readonly contact: Contact
  }
}

export interface ContactUpdatedWebhook {
  readonly type: "contact.updated"
  readonly timestamp: string
  readonly data: {
    readonly contact: Contact
  }
}

export interface ContactsCreateBody {
  /** At most 40 characters. */
  readonly phone: string
  /** At most 200 characters. */
  readonly name?: string | null | undefined
  /** At most 254 characters. */
  readonly email?: string | null | undefined
  /** At most 50 entries. */
  readonly tags?: ReadonlyArray<string> | undefined
  readonly optedIn?: boolean | undefined
}

export interface ContactsCreateQuery {
  readonly upsert?: boolean | undefined
}

export interface ContactsEraseAnswer {
  readonly id: string
  readonly erased: true
  readonly conversations: number
  readonly messages: number
  readonly calls: number
}

export interface ContactsListQuery {
  readonly page?: string | undefined
  readonly limit?: string | undefined
  /** At most 200 characters. */
  readonly cursor?: string | undefined
  /** At most 200 characters. */
  readonly search?: string | undefined
  /** At most 64 characters. */
  readonly tag?: string | undefined
  readonly archived?: boolean | undefined
}

export interface ContactsUpdateBody {
  /** At most 40 characters. */
  readonly phone?: string | undefined
  /** At most 200 characters. */
  readonly name?: string | null | undefined
  /** At most 254 characters. */
  readonly email?: string | null | undefined
  /** At most 50 entries. */
  readonly tags?: ReadonlyArray<string> | undefined
  readonly optedIn?: boolean | undefined
}

export interface Conversation {
  readonly id: string
  readonly organizationId: string
  readonly channel: "messaging" | "voice" | "team_chat"
  readonly status: "OPEN" | "ASSIGNED" | "RESOLVED"
  readonly assignee: string | null
  readonly contact: ConversationContact
  readonly unreadCount: number
  readonly flagged: boolean
  readonly window: ConversationWindow | null
  readonly sla: ConversationSla
  readonly lastMessage: Message | null
  readonly lastActivityAt: string
  readonly createdAt: string
  readonly updatedAt: string
}

export interface ConversationAssignedEvent {
  readonly id: string
  readonly type: "conversation.assigned"
  readonly createdAt: string
  readonly data: {
    readonly conversation: Conversation
  }
}

export interface ConversationAssignedWebhook {
  readonly type: "conversation.assigned"
  readonly timestamp: string
  readonly data: {
    readonly conversation: Conversation
  }
}

export interface ConversationContact {
  readonly id: string
  readonly name: string | null
  readonly phone: string | null
}

export interface ConversationCreatedEvent {
  readonly id: string
  readonly type: "conversation.created"
  readonly createdAt: string
  readonly data: {
    readonly conversation: Conversation
  }
}

export interface ConversationCreatedWebhook {
  readonly type: "conversation.created"
  readonly timestamp: string
  readonly data: {
    readonly conversation: Conversation
  }
}

export interface ConversationReopenedEvent {
  readonly id: string
  readonly type: "conversation.reopened"
  readonly createdAt: string
  readonly data: {
    readonly conversation: Conversation
  }
}

export interface ConversationReopenedWebhook {
  readonly type: "conversation.reopened"
  readonly timestamp: string
  readonly data: {
    readonly conversation: Conversation
  }
}

export interface ConversationResolvedEvent {
  readonly id: string
  readonly type: "conversation.resolved"
  readonly createdAt: string
  readonly data: {
    readonly conversation: Conversation
  }
}

export interface ConversationResolvedWebhook {
  readonly type: "conversation.resolved"
  readonly timestamp: string
  readonly data: {
    readonly conversation: Conversation
  }
}

export interface ConversationSla {
  readonly firstResponseDueAt: string | null
  readonly resolutionDueAt: string | null
  readonly firstResponseBreachedAt: string | null
  readonly resolutionBreachedAt: string | null
}

export interface ConversationSlaBreachedEvent {
  readonly id: string
  readonly type: "conversation.sla_breached"
  readonly createdAt: string
  readonly data: {
    readonly conversation: Conversation
    readonly target: "first_response" | "resolution"
    readonly dueAt: string | null
  }
}

export interface ConversationSlaBreachedWebhook {
  readonly type: "conversation.sla_breached"
  readonly timestamp: string
  readonly data: {
    readonly conversation: Conversation
    readonly target: "first_response" | "resolution"
    readonly dueAt: string | null
  }
}

export interface ConversationWindow {
  readonly open: boolean
  readonly expiresAt: string | null
}

export interface CouponCodeHeaderTemplateSendBodyComponentParameter {
  readonly type: "coupon_code"
  /** At most 20 characters. */
  readonly coupon_code: string
}

export interface CurrencyHeaderTemplateSendBodyComponentParameter {
  readonly type: "currency"
  /** At most 60 characters. */
  readonly parameter_name?: string | undefined
  readonly currency: CurrencyHeaderTemplateSendBodyComponentParameterCurrency
}

export interface CurrencyHeaderTemplateSendBodyComponentParameterCurrency {
  /** At most 60 characters. */
  readonly fallback_value: string
  readonly code: string
  readonly amount_1000: number
}

export interface DateTimeHeaderTemplateSendBodyComponentParameter {
  readonly type: "date_time"
  /** At most 60 characters. */
  readonly parameter_name?: string | undefined
  readonly date_time: {
    /** At most 60 characters. */
    readonly fallback_value: string
  }
}

export interface Device {
  readonly id: string
  readonly platform: "ios" | "android" | "web"
  readonly createdAt: string
  readonly lastSeenAt: string
  readonly expiresAt: string
}

export interface DevicesListAnswer {
  readonly data: ReadonlyArray<Device>
}

export interface DevicesRemoveAnswer {
  readonly id: string
  readonly removed: true
}

export interface Disclosure {
  readonly text: string
}

export interface DocumentButtonInteractiveSendBodyInteractiveHeader {
  readonly type: "document"
  readonly document: {
    /** At most 2,048 characters. */
    readonly link: string
    /** At most 240 characters. */
    readonly filename?: string | undefined
  }
}

export interface DocumentHeaderTemplateSendBodyComponentParameter {
  readonly type: "document"
  readonly document: ImageHeaderTemplateSendBodyComponentParameterImage
}

export interface DocumentSendBody {
  /** At most 80 characters. */
  readonly to: string
  readonly type: "document"
  /** At most 2,048 characters. */
  readonly mediaUrl?: string | undefined
  /** At most 64 characters. */
  readonly mediaId?: string | undefined
  /** At most 240 characters. */
  readonly filename: string
  /** At most 1,024 characters. */
  readonly caption?: string | undefined
  readonly replyTo?: string | undefined
}

export type Event = 
  | ContactCreatedEvent
  | ContactUpdatedEvent
  | ContactArchivedEvent
  | ContactRestoredEvent
  | ContactErasedEvent
  | ContactOptedInEvent
  | ContactOptedOutEvent
  | ConversationCreatedEvent
  | ConversationAssignedEvent
  | ConversationResolvedEvent
  | ConversationReopenedEvent
  | ConversationSlaBreachedEvent
  | MessageReceivedEvent
  | MessageQueuedEvent
  | MessageStatusEvent
  | MessageUpdatedEvent
  | CallStartedEvent
  | CallEndedEvent
  | CallRecordedEvent
  | BroadcastCompletedEvent
  | TemplateUpdatedEvent
  | PaymentCompletedEvent
  | WebhookDisabledEvent
  | WebhookTestEvent

export interface EventsStreamQuery {
  /** At most 2,000 characters. */
  readonly types?: string | undefined
  /** At most 200 characters. */
  readonly lastEventId?: string | undefined
}

export interface GivenMessagingConnection {
  readonly phoneNumberId: string
  readonly businessAccountId: string
  /** 5 to 4,096 characters. */
  readonly accessToken?: string | undefined
  /** 4 to 256 characters. */
  readonly appSecret?: string | undefined
  /** 4 to 256 characters. */
  readonly verifyToken?: string | undefined
}

export interface HeaderTemplateSendBodyComponent {
  readonly type: "header"
  /** At most 60 entries. */
  readonly parameters?: ReadonlyArray<
    | TextHeaderTemplateSendBodyComponentParameter
    | CurrencyHeaderTemplateSendBodyComponentParameter
    | DateTimeHeaderTemplateSendBodyComponentParameter
    | ImageHeaderTemplateSendBodyComponentParameter
    | VideoHeaderTemplateSendBodyComponentParameter
    | DocumentHeaderTemplateSendBodyComponentParameter
    | LocationHeaderTemplateSendBodyComponentParameter
    | PayloadHeaderTemplateSendBodyComponentParameter
    | CouponCodeHeaderTemplateSendBodyComponentParameter
    | ActionHeaderTemplateSendBodyComponentParameter> | undefined
}

export interface HttpVoiceAgentToolHandler {
  readonly type: "http"
  readonly url: string
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** In milliseconds. */
  readonly timeoutMs?: number | undefined
}

export interface ImageButtonInteractiveSendBodyInteractiveHeader {
  readonly type: "image"
  readonly image: {
    /** At most 2,048 characters. */
    readonly link: string
  }
}

export interface ImageHeaderTemplateSendBodyComponentParameter {
  readonly type: "image"
  readonly image: ImageHeaderTemplateSendBodyComponentParameterImage
}

export interface ImageHeaderTemplateSendBodyComponentParameterImage {
  /** At most 2,048 characters. */
  readonly link?: string | undefined
  /** At most 100 characters. */
  readonly id?: string | undefined
  /** At most 240 characters. */
  readonly filename?: string | undefined
}

export interface ImageSendBody {
  /** At most 80 characters. */
  readonly to: string
  readonly type: "image"
  /** At most 2,048 characters. */
  readonly mediaUrl?: string | undefined
  /** At most 64 characters. */
  readonly mediaId?: string | undefined
  /** At most 1,024 characters. */
  readonly caption?: string | undefined
  readonly replyTo?: string | undefined
}

export interface InteractiveSendBody {
  /** At most 80 characters. */
  readonly to: string
  readonly type: "interactive"
  readonly interactive: ButtonInteractiveSendBodyInteractive | ListInteractiveSendBodyInteractive
  readonly replyTo?: string | undefined
}

export interface ListInteractiveSendBodyInteractive {
  readonly type: "list"
  readonly header?: TextButtonInteractiveSendBodyInteractiveHeader | undefined
  readonly body: {
    /** At most 4,096 characters. */
    readonly text: string
  }
  readonly footer?: {
    /** At most 60 characters. */
    readonly text: string
  } | undefined
  readonly action: {
    /** At most 20 characters. */
    readonly button: string
    /** 1 to 10 entries. */
    readonly sections: ReadonlyArray<{
      /** At most 24 characters. */
      readonly title?: string | undefined
      /** 1 to 10 entries. */
      readonly rows: ReadonlyArray<{
        /** At most 200 characters. */
        readonly id: string
        /** At most 24 characters. */
        readonly title: string
        /** At most 72 characters. */
        readonly description?: string | undefined
      }>
    }>
  }
}

export interface LocationHeaderTemplateSendBodyComponentParameter {
  readonly type: "location"
  readonly location: LocationHeaderTemplateSendBodyComponentParameterLocation
}

export interface LocationHeaderTemplateSendBodyComponentParameterLocation {
  readonly latitude: number | "Infinity" | "-Infinity" | "NaN" | string
  readonly longitude: number | "Infinity" | "-Infinity" | "NaN" | string
  /** At most 1,000 characters. */
  readonly name?: string | undefined
  /** At most 1,000 characters. */
  readonly address?: string | undefined
}

export interface LocationSendBody {
  /** At most 80 characters. */
  readonly to: string
  readonly type: "location"
  readonly latitude: number | "Infinity" | "-Infinity" | "NaN"
  readonly longitude: number | "Infinity" | "-Infinity" | "NaN"
  /** At most 1,000 characters. */
  readonly name: string
  /** At most 1,000 characters. */
  readonly address?: string | undefined
  readonly replyTo?: string | undefined
}

export interface McpVoiceAgentToolHandler {
  readonly type: "mcp"
  readonly serverId: string
  readonly tool: string
}

export interface MediaLinkAnswer {
  readonly mediaId: string
  readonly url: string
  readonly expiresAt: string
}

export interface MediaLinkQuery {
  readonly minutes?: string | undefined
}

export interface MediaLinksOpenQuery {
  /** At most 200 characters. */
  readonly organization: string
  readonly expires: string
  /** At most 100 characters. */
  readonly signature: string
  readonly inline?: boolean | undefined
}

export interface MediaReadQuery {
  readonly inline?: boolean | undefined
}

export interface MediaUploadAnswer {
  readonly mediaId: string
  readonly organizationId: string
  readonly kind: "image" | "document" | "audio" | "video"
  readonly mimeType: string
  /** In bytes. */
  readonly sizeBytes: number
  readonly sha256: string
  readonly filename: string | null
  readonly createdAt: string
  readonly url: string
}

export interface MediaUploadBody {
  readonly file: FileInput
}

export interface Message {
  readonly id: string
  readonly organizationId: string
  readonly conversationId: string
  readonly contactId: string
  readonly channel: "messaging" | "voice" | "team_chat"
  readonly direction: "inbound" | "outbound"
  readonly type: "text" | "image" | "document" | "audio" | "video" | "template" | "interactive" | "location" | "contact" | "reaction" | "sticker" | "button" | "order" | "system" | "unsupported"
  readonly content: Readonly<Record<string, unknown>>
  readonly replyTo: MessageReplyTo | null
  readonly channelMessageId: string | null
  readonly sentBy: string | null
  readonly status: "received" | "queued" | "sent" | "delivered" | "read" | "failed"
  readonly sentAt: string | null
  readonly deliveredAt: string | null
  readonly readAt: string | null
  readonly failedAt: string | null
  readonly failure: MessageFailure | null
  readonly createdAt: string
}

export interface MessageFailure {
  readonly code: string | null
  readonly reason: string
}

export interface MessageQueuedEvent {
  readonly id: string
  readonly type: "message.queued"
  readonly createdAt: string
  readonly data: {
    readonly message: Message
  }
}

export interface MessageQueuedWebhook {
  readonly type: "message.queued"
  readonly timestamp: string
  readonly data: {
    readonly message: Message
  }
}

export interface MessageReceivedEvent {
  readonly id: string
  readonly type: "message.received"
  readonly createdAt: string
  readonly data: {
    readonly message: Message
  }
}

export interface MessageReceivedWebhook {
  readonly type: "message.received"
  readonly timestamp: string
  readonly data: {
    readonly message: Message
  }
}

export interface MessageReplyTo {
  readonly messageId: string | null
  readonly channelMessageId: string | null
}

export interface MessageStatusEvent {
  readonly id: string
  readonly type: "message.status"
  readonly createdAt: string
  readonly data: {
    readonly message: Message
  }
}

export interface MessageStatusWebhook {
  readonly type: "message.status"
  readonly timestamp: string
  readonly data: {
    readonly message: Message
  }
}

export interface MessageUpdatedEvent {
  readonly id: string
  readonly type: "message.updated"
  readonly createdAt: string
  readonly data: {
    readonly message: Message
  }
}

export interface MessageUpdatedWebhook {
  readonly type: "message.updated"
  readonly timestamp: string
  readonly data: {
    readonly message: Message
  }
}

export interface MessagesListQuery {
  readonly page?: string | undefined
  readonly limit?: string | undefined
  /** At most 200 characters. */
  readonly cursor?: string | undefined
}

export interface MessagingConnection {
  readonly id: string
  readonly connectionType: "cloud_api"
  readonly phoneNumberId: string
  readonly businessAccountId: string
  readonly phoneNumber: string | null
  readonly businessName: string | null
  readonly accessToken: string
  readonly appSecret: string
  readonly verifyToken: string
  readonly webhookUrl: string
  readonly createdAt: string
  readonly updatedAt: string
}

export interface MessagingConnectionRemoveAnswer {
  readonly disconnected: true
}

export interface MessagingConsent {
  readonly contactId: string
  readonly optedIn: boolean
  readonly history: ReadonlyArray<VoiceConsentsVoiceConsentAnswerHistory>
}

export interface MessagingConsentsOptInBody {
  /** At most 200 characters. */
  readonly source?: string | undefined
  /** 1 to 5,000 characters. */
  readonly text?: string | undefined
  readonly at?: string | undefined
}

export interface PayloadHeaderTemplateSendBodyComponentParameter {
  readonly type: "payload"
  /** At most 256 characters. */
  readonly payload: string
}

export interface PaymentCompletedEvent {
  readonly id: string
  readonly type: "payment.completed"
  readonly createdAt: string
  readonly data: {
    readonly payment: Readonly<Record<string, unknown>>
  }
}

export interface PaymentCompletedWebhook {
  readonly type: "payment.completed"
  readonly timestamp: string
  readonly data: {
    readonly payment: Readonly<Record<string, unknown>>
  }
}

export interface PhoneNumber {
  readonly id: string
  readonly phoneNumber: string
  readonly origin: "purchased" | "connected" | "sip"
  readonly state: "pending" | "active" | "releasing"
  readonly agentId: string | null
  readonly capabilities: PhoneNumberCapabilities | null
  readonly createdAt: string
  readonly updatedAt: string
}

export interface PhoneNumberCapabilities {
  readonly voice: boolean
  readonly sms: boolean
  readonly mms: boolean
}

export interface PhoneNumbersAddBody {
  readonly phoneNumber: string
  readonly origin?: "purchased" | "connected" | "sip" | undefined
  /** At most 64 characters. */
  readonly agentId?: string | null | undefined
}

export interface PhoneNumbersAssignBody {
  /** At most 64 characters. */
  readonly agentId: string | null
}

export interface PhoneNumbersAvailable {
  readonly phoneNumber: string
  readonly locality: string | null
  readonly region: string | null
  readonly country: string
  readonly capabilities: PhoneNumberCapabilities
  readonly addressRequired: boolean
}

export interface PhoneNumbersAvailableAnswer {
  readonly data: ReadonlyArray<PhoneNumbersAvailable>
}

export interface PhoneNumbersAvailableQuery {
  readonly country: string
  readonly type?: "local" | "mobile" | "toll_free" | undefined
  readonly areaCode?: string | undefined
  readonly contains?: string | undefined
  readonly capabilities?: "sms" | "mms" | "sms,mms" | undefined
  readonly limit?: string | undefined
}

export interface PhoneNumbersReleaseAnswer {
  readonly id: string
  readonly released: true
}

export interface PushSetting {
  readonly preview: boolean
}

export interface QuickRepliesCreateBody {
  readonly shortcut: string
  /** At most 4,096 characters. */
  readonly text: string
}

export interface QuickRepliesListQuery {
  readonly page?: string | undefined
  readonly limit?: string | undefined
  /** At most 200 characters. */
  readonly cursor?: string | undefined
  /** At most 200 characters. */
  readonly search?: string | undefined
}

export interface QuickRepliesUpdateBody {
  readonly shortcut?: string | undefined
  /** At most 4,096 characters. */
  readonly text?: string | undefined
}

export interface QuickReply {
  readonly id: string
  readonly organizationId: string
  readonly shortcut: string
  readonly text: string
  readonly placeholders: ReadonlyArray<"name" | "firstName" | "phone" | "email">
  readonly createdAt: string
  readonly updatedAt: string
}

export interface ReactionSendBody {
  /** At most 80 characters. */
  readonly to: string
  readonly type: "reaction"
  readonly messageId: string
  readonly emoji: string
  readonly replyTo?: string | undefined
}

export interface Retention {
  readonly policy: RetentionPolicy
  readonly wouldRemove: RetentionWouldRemove
}

export interface RetentionPolicy {
  /** In days. 1 to 3,650. */
  readonly transcriptDays: number
  /** In days. 1 to 3,650. */
  readonly recordingDays: number
  /** In days. 1 to 3,650. */
  readonly toolCallDays: number
  /** In days. 1 to 3,650. */
  readonly messageDays: number | null
}

export interface RetentionSetBody {
  /** In days. 1 to 3,650. */
  readonly transcriptDays?: number | undefined
  /** In days. 1 to 3,650. */
  readonly recordingDays?: number | undefined
  /** In days. 1 to 3,650. */
  readonly toolCallDays?: number | undefined
  /** In days. 1 to 3,650. */
  readonly messageDays?: number | null | undefined
}

export interface RetentionWouldRemove {
  readonly transcripts: number
  readonly utterances: number
  readonly recordings: number
  readonly toolCalls: number
  readonly moderations: number
  readonly messages: number
  readonly unusedMedia: number
  readonly events: number
  readonly webhookDeliveries: number
  readonly webhookResponses: number
  readonly inboxLetters: number
  readonly idempotencyKeys: number
  readonly sessions: number
  readonly devices: number
  readonly auditLog: number
}

export interface SendAnswer {
  readonly messageId: string
  readonly conversationId: string
  readonly contactId: string
  readonly status: "received" | "queued" | "sent" | "delivered" | "read" | "failed"
}

export type SendBody = 
  | TextSendBody
  | ImageSendBody
  | DocumentSendBody
  | AudioSendBody
  | VideoSendBody
  | TemplateSendBody
  | InteractiveSendBody
  | LocationSendBody
  | ContactSendBody
  | ReactionSendBody

export interface SessionEndAnswer {
  readonly ended: true
}

export interface SessionStartAnswer {
  readonly user: SessionStartAnswerUser
  readonly organizationId: string
  readonly scopes: ReadonlyArray<"status:read" | "contacts:read" | "contacts:write" | "conversations:read" | "conversations:write" | "messages:read" | "messages:send" | "media:read" | "media:write" | "voice:read" | "voice:write" | "integrations:read" | "mcp" | "admin">
  readonly csrfToken: string
  readonly expiresAt: string
}

export interface SessionStartAnswerUser {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: "OWNER" | "ADMIN" | "AGENT"
}

export interface SessionStartBody {
  /** At most 254 characters. */
  readonly email: string
  /** At most 1,000 characters. */
  readonly password: string
  readonly device?: SessionStartBodyDevice | undefined
}

export interface SessionStartBodyDevice {
  /** 4 to 4,096 characters. */
  readonly token: string
  readonly platform: "ios" | "android" | "web"
}

export interface SipCredential {
  readonly username: string
  readonly password: string
  readonly sipDomain: string
  readonly isNew: boolean
}

export interface SipCredentialsRevokeAnswer {
  readonly revoked: true
}

export interface SlaPolicy {
  readonly slaPolicy: SlaPolicySlaPolicy | null
}

export interface SlaPolicySlaPolicy {
  /** In minutes. 1 to 527,040. */
  readonly firstResponseMinutes: number | null
  /** In minutes. 1 to 527,040. */
  readonly resolutionMinutes: number | null
  readonly businessHoursOnly: boolean
}

export interface Status {
  readonly connected: boolean
  readonly phoneNumber: string | null
  readonly connectionType: "cloud_api" | null
  readonly businessName: string | null
}

export interface Template {
  readonly id: string
  readonly organizationId: string
  readonly channelTemplateId: string
  readonly name: string
  readonly language: string
  readonly status: string
  readonly category: string
  readonly components: ReadonlyArray<unknown>
  readonly parameters: ReadonlyArray<TemplateParameter>
  readonly rejectedReason: string | null
  readonly syncedAt: string
  readonly createdAt: string
  readonly updatedAt: string
}

export interface TemplateParameter {
  readonly type: "header" | "body" | "button"
  readonly subType: string | null
  readonly index: number | null
  readonly format: "text" | "image" | "video" | "document" | "location" | "payload" | "coupon_code" | "action"
  readonly count: number
  readonly names: ReadonlyArray<string> | null
  readonly required: boolean
}

export interface TemplateSendBody {
  /** At most 80 characters. */
  readonly to: string
  readonly type: "template"
  /** At most 512 characters. */
  readonly templateName: string
  readonly language: string
  /** At most 20 entries. */
  readonly components: ReadonlyArray<HeaderTemplateSendBodyComponent | BodyTemplateSendBodyComponent | ButtonTemplateSendBodyComponent>
  readonly replyTo?: string | undefined
}

export interface TemplateUpdatedEvent {
  readonly id: string
  readonly type: "template.updated"
  readonly createdAt: string
  readonly data: {
    readonly template: Template
  }
}

export interface TemplateUpdatedWebhook {
  readonly type: "template.updated"
  readonly timestamp: string
  readonly data: {
    readonly template: Template
  }
}

export interface TemplatesListQuery {
  readonly page?: string | undefined
  readonly limit?: string | undefined
  /** At most 200 characters. */
  readonly cursor?: string | undefined
  /** At most 512 characters. */
  readonly name?: string | undefined
  /** At most 64 characters. */
  readonly status?: string | undefined
  /** At most 20 characters. */
  readonly language?: string | undefined
}

export interface TemplatesSyncAnswer {
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly unchanged: number
  readonly syncedAt: string
}

export interface TextButtonInteractiveSendBodyInteractiveHeader {
  readonly type: "text"
  /** At most 60 characters. */
  readonly text: string
}

export interface TextHeaderTemplateSendBodyComponentParameter {
  readonly type: "text"
  /** At most 60 characters. */
  readonly parameter_name?: string | undefined
  /** At most 1,024 characters. */
  readonly text: string
}

export interface TextSendBody {
  /** At most 80 characters. */
  readonly to: string
  readonly type: "text"
  /** At most 4,096 characters. */
  readonly text: string
  readonly previewUrl?: boolean | undefined
  readonly replyTo?: string | undefined
}

export interface ToolAuditEntry {
  readonly id: string
  readonly name: string
  readonly arguments: string
  readonly result: string
  readonly outcome: "ok" | "error"
  /** In milliseconds. */
  readonly durationMs: number
  readonly withheld: ReadonlyArray<string> | null
  readonly createdAt: string
  readonly callId: string
  readonly agentId: string | null
}

export interface ToolAuditListQuery {
  readonly page?: string | undefined
  readonly limit?: string | undefined
  readonly agentId?: string | undefined
  readonly callId?: string | undefined
  readonly name?: string | undefined
  readonly outcome?: "ok" | "error" | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface User {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: "OWNER" | "ADMIN" | "AGENT"
  readonly status: "active" | "invited" | "deactivated"
  readonly createdAt: string
  readonly updatedAt: string
}

export interface UsersAcceptBody {
  /** At most 200 characters. */
  readonly token: string
  /** At most 1,000 characters. */
  readonly password: string
}

export interface UsersChangeBody {
  /** At most 200 characters. */
  readonly name?: string | undefined
  readonly role?: "OWNER" | "ADMIN" | "AGENT" | undefined
  readonly active?: boolean | undefined
}

export interface UsersCreateAnswer {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: "OWNER" | "ADMIN" | "AGENT"
  readonly status: "active" | "invited" | "deactivated"
  readonly createdAt: string
  readonly updatedAt: string
  readonly invitation: UsersCreateAnswerInvitation | null
}

export interface UsersCreateAnswerInvitation {
  readonly token: string
  readonly expiresAt: string
}

export interface UsersCreateBody {
  /** At most 254 characters. */
  readonly email: string
  /** At most 200 characters. */
  readonly name: string
  readonly role: "OWNER" | "ADMIN" | "AGENT"
  /** At most 1,000 characters. */
  readonly password?: string | undefined
}

export interface UsersSetPasswordAnswer {
  readonly id: string
  readonly sessionsEnded: number
}

export interface UsersSetPasswordBody {
  /** At most 1,000 characters. */
  readonly password: string
  /** At most 1,000 characters. */
  readonly oldPassword?: string | undefined
}

export interface VideoButtonInteractiveSendBodyInteractiveHeader {
  readonly type: "video"
  readonly video: {
    /** At most 2,048 characters. */
    readonly link: string
  }
}

export interface VideoHeaderTemplateSendBodyComponentParameter {
  readonly type: "video"
  readonly video: ImageHeaderTemplateSendBodyComponentParameterImage
}

export interface VideoSendBody {
  /** At most 80 characters. */
  readonly to: string
  readonly type: "video"
  /** At most 2,048 characters. */
  readonly mediaUrl?: string | undefined
  /** At most 64 characters. */
  readonly mediaId?: string | undefined
  /** At most 1,024 characters. */
  readonly caption?: string | undefined
  readonly replyTo?: string | undefined
}

export interface VoiceAgent {
  readonly id: string
  readonly organizationId: string
  /** 1 to 120 characters. */
  readonly name: string
  /** 1 to 1,000 characters. */
  readonly welcomeMessage: string
  readonly voiceFamily: "indic" | "english" | "premium"
  readonly voiceId: string
  /** At most 20,000 characters. */
  readonly systemPrompt: string
  /** At most 2,000 characters. */
  readonly description: string
  readonly tools: ReadonlyArray<VoiceAgentTool>
  readonly recording: boolean
  readonly primaryLanguage: "hi-IN" | "ta-IN" | "te-IN" | "bn-IN" | "mr-IN" | "gu-IN" | "pa-IN" | "kn-IN" | "ml-IN" | "od-IN" | "en-US" | "en-GB" | "en-AU"
  readonly backchanneling: boolean
  readonly use_fillers: boolean
  readonly ambient_noise: boolean
  readonly escalationPhrases: ReadonlyArray<string>
  readonly humanDestination: string | null
  /** At most 500 characters. */
  readonly fallbackLine: string
  readonly silence: VoiceAgentSilence
  readonly endpointing: VoiceAgentEndpointing
  readonly interruption: VoiceAgentInterruption
  /** In seconds. 30 to 14,400. */
  readonly maxCallSeconds: number
  readonly voicemail: VoiceAgentVoicemail
  readonly phoneNumber: string | null
  readonly providerStack: VoiceAgentProviderStack
  readonly createdAt: string
  readonly updatedAt: string
  readonly disclosureText: string
  readonly overrides: ReadonlyArray<VoiceAgentOverride>
}

export interface VoiceAgentEndpointing {
  /** In milliseconds. 100 to 5,000. */
  readonly minSilenceMs: number
  /** In milliseconds. 200 to 10,000. */
  readonly maxSilenceMs: number
}

export interface VoiceAgentInterruption {
  readonly enabled: boolean
  /** In milliseconds. 40 to 2,000. */
  readonly minSpeechMs: number
  /** 0 to 10. */
  readonly minWords: number
}

export interface VoiceAgentOverride {
  readonly feature: "backchanneling" | "use_fillers" | "ambient_noise" | "premium_voice"
  readonly requested: boolean
  readonly effective: boolean
  readonly reason: string
}

export interface VoiceAgentProviderStack {
  readonly speechToText: string
  readonly reasoning: string
  readonly textToSpeech: string
  readonly lockedAt: string | null
}

export interface VoiceAgentSilence {
  /** In seconds. */
  readonly promptAfterSeconds: number | "Infinity" | "-Infinity" | "NaN"
  /** 0 to 10. */
  readonly maxPrompts: number
  readonly promptText: string
  readonly goodbyeText: string
}

export interface VoiceAgentTool {
  readonly name: string
  readonly description: string
  readonly parameters: VoiceAgentToolParameters
  readonly onInterruption?: "keep" | "cancel" | undefined
  readonly handler?: HttpVoiceAgentToolHandler | BuiltinVoiceAgentToolHandler | McpVoiceAgentToolHandler | undefined
}

export interface VoiceAgentToolParameters {
  readonly type: "object"
  readonly properties: Readonly<Record<string, VoiceAgentToolParametersProperties>>
  readonly required?: ReadonlyArray<string> | undefined
}

export interface VoiceAgentToolParametersProperties {
  readonly type: string
  readonly enum?: ReadonlyArray<string> | undefined
  readonly description?: string | undefined
}

export interface VoiceAgentVoicemail {
  /** At most 1,000 characters. */
  readonly message: string | null
  /** In seconds. 10 to 300. */
  readonly maxSeconds: number
}

export interface VoiceAgentsCallBody {
  readonly to: string
  /** At most 200 characters. */
  readonly contactId?: string | undefined
  /** At most 200 characters. */
  readonly dealId?: string | undefined
}

export interface VoiceAgentsCallsPage {
  readonly data: ReadonlyArray<Call>
  readonly page: number
  readonly limit: number
  readonly total: number
  readonly asOf: string
  readonly totals: VoiceAgentsCallsPageTotals
}

export interface VoiceAgentsCallsPageTotals {
  readonly calls: number
  /** In seconds. */
  readonly durationSeconds: number
  readonly minutes: number
  /** In minutes. */
  readonly includedMinutes: number
  /** In minutes. */
  readonly overageMinutes: number
  readonly price: string
  readonly providerCost: VoiceAgentsCallsPageTotalsProviderCost
}

export interface VoiceAgentsCallsPageTotalsProviderCost {
  readonly speechToText: string
  readonly languageModel: string
  readonly textToSpeech: string
  readonly total: string
}

export interface VoiceAgentsCallsQuery {
  readonly page?: string | undefined
  readonly limit?: string | undefined
  readonly direction?: "inbound" | "outbound" | undefined
  readonly status?: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "failed" | "canceled" | undefined
  readonly endReason?: "caller_hangup" | "agent_hangup" | "silence" | "max_duration" | "transferred" | "queued_for_human" | "outside_hours" | "moderation" | "provider_failure" | "capacity" | "error" | undefined
  readonly phone?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly minDurationSeconds?: string | undefined
  readonly maxDurationSeconds?: string | undefined
  readonly asOf?: string | undefined
}

export interface VoiceAgentsCreateBody {
  /** At most 120 characters. */
  readonly name: string
  /** 1 to 1,000 characters. */
  readonly welcomeMessage: string
  readonly voiceFamily: "indic" | "english" | "premium"
  readonly voiceId: string
  /** At most 20,000 characters. */
  readonly systemPrompt: string
  /** At most 2,000 characters. */
  readonly description?: string | undefined
  readonly tools?: ReadonlyArray<VoiceAgentTool> | undefined
  readonly recording?: boolean | undefined
  readonly primaryLanguage?: "hi-IN" | "ta-IN" | "te-IN" | "bn-IN" | "mr-IN" | "gu-IN" | "pa-IN" | "kn-IN" | "ml-IN" | "od-IN" | "en-US" | "en-GB" | "en-AU" | undefined
  readonly backchanneling?: boolean | undefined
  readonly use_fillers?: boolean | undefined
  readonly ambient_noise?: boolean | undefined
  /** At most 50 entries. */
  readonly escalationPhrases?: ReadonlyArray<string> | undefined
  /** At most 255 characters. */
  readonly humanDestination?: string | null | undefined
  /** At most 500 characters. */
  readonly fallbackLine?: string | undefined
  readonly silence?: VoiceAgentsCreateBodySilence | undefined
  readonly endpointing?: VoiceAgentsCreateBodyEndpointing | undefined
  readonly interruption?: VoiceAgentsCreateBodyInterruption | undefined
  /** In seconds. 30 to 14,400. */
  readonly maxCallSeconds?: number | undefined
  readonly voicemail?: VoiceAgentsCreateBodyVoicemail | undefined
}

export interface VoiceAgentsCreateBodyEndpointing {
  /** In milliseconds. 100 to 5,000. */
  readonly minSilenceMs?: number | undefined
  /** In milliseconds. 200 to 10,000. */
  readonly maxSilenceMs?: number | undefined
}

export interface VoiceAgentsCreateBodyInterruption {
  readonly enabled?: boolean | undefined
  /** In milliseconds. 40 to 2,000. */
  readonly minSpeechMs?: number | undefined
  /** 0 to 10. */
  readonly minWords?: number | undefined
}

export interface VoiceAgentsCreateBodySilence {
  /** In seconds. */
  readonly promptAfterSeconds?: number | "Infinity" | "-Infinity" | "NaN" | undefined
  /** 0 to 10. */
  readonly maxPrompts?: number | undefined
  /** At most 500 characters. */
  readonly promptText?: string | undefined
  /** At most 500 characters. */
  readonly goodbyeText?: string | undefined
}

export interface VoiceAgentsCreateBodyVoicemail {
  /** At most 1,000 characters. */
  readonly message?: string | null | undefined
  /** In seconds. 10 to 300. */
  readonly maxSeconds?: number | undefined
}

export interface VoiceAgentsListQuery {
  readonly page?: string | undefined
  readonly limit?: string | undefined
}

export interface VoiceAgentsQueueAnswer {
  readonly destination: string | null
  readonly dialing: {
    readonly callId: string
    readonly since: string
  } | null
  readonly waiting: ReadonlyArray<{
    readonly callId: string
    readonly position: number
    readonly since: string
  }>
}

export interface VoiceAgentsRemoveAnswer {
  readonly id: string
  readonly deleted: true
}

export interface VoiceAgentsUpdateBody {
  /** At most 120 characters. */
  readonly name?: string | undefined
  /** 1 to 1,000 characters. */
  readonly welcomeMessage?: string | undefined
  readonly voiceFamily?: "indic" | "english" | "premium" | undefined
  readonly voiceId?: string | undefined
  /** At most 20,000 characters. */
  readonly systemPrompt?: string | undefined
  /** At most 2,000 characters. */
  readonly description?: string | undefined
  readonly tools?: ReadonlyArray<VoiceAgentTool> | undefined
  readonly recording?: boolean | undefined
  readonly primaryLanguage?: "hi-IN" | "ta-IN" | "te-IN" | "bn-IN" | "mr-IN" | "gu-IN" | "pa-IN" | "kn-IN" | "ml-IN" | "od-IN" | "en-US" | "en-GB" | "en-AU" | undefined
  readonly backchanneling?: boolean | undefined
  readonly use_fillers?: boolean | undefined
  readonly ambient_noise?: boolean | undefined
  /** At most 50 entries. */
  readonly escalationPhrases?: ReadonlyArray<string> | undefined
  /** At most 255 characters. */
  readonly humanDestination?: string | null | undefined
  /** At most 500 characters. */
  readonly fallbackLine?: string | undefined
  readonly silence?: VoiceAgentsCreateBodySilence | undefined
  readonly endpointing?: VoiceAgentsCreateBodyEndpointing | undefined
  readonly interruption?: VoiceAgentsCreateBodyInterruption | undefined
  /** In seconds. 30 to 14,400. */
  readonly maxCallSeconds?: number | undefined
  readonly voicemail?: VoiceAgentsCreateBodyVoicemail | undefined
}

export interface VoiceConsentsGrantVoiceConsentBody {
  readonly grantedAt?: string | undefined
  /** At most 200 characters. */
  readonly source: string
  /** 1 to 5,000 characters. */
  readonly text: string
}

export interface VoiceConsentsVoiceConsentAnswer {
  readonly contactId: string
  readonly consent: VoiceConsentsVoiceConsentAnswerConsent | null
  readonly history: ReadonlyArray<VoiceConsentsVoiceConsentAnswerHistory>
}

export interface VoiceConsentsVoiceConsentAnswerConsent {
  readonly grantedAt: string
  readonly source: string
  readonly text: string
}

export interface VoiceConsentsVoiceConsentAnswerHistory {
  readonly id: string
  readonly action: "granted" | "withdrawn"
  readonly at: string
  readonly source: string
  readonly text: string
  readonly recordedBy: string
  readonly recordedAt: string
}

export interface VoiceUsage {
  readonly from: string
  readonly to: string
  readonly timeZone: string
  readonly allowance: VoiceUsageAllowance
  readonly totals: VoiceAgentsCallsPageTotals
  readonly data: ReadonlyArray<VoiceUsageData>
}

export interface VoiceUsageAllowance {
  readonly month: string
  readonly minutes: number
  readonly used: number
  readonly remaining: number
  readonly overagePrice: string
}

export interface VoiceUsageData {
  readonly day?: string | undefined
  readonly agentId?: string | null | undefined
  readonly agentName?: string | null | undefined
  readonly calls: number
  /** In seconds. */
  readonly durationSeconds: number
  readonly minutes: number
  /** In minutes. */
  readonly includedMinutes: number
  /** In minutes. */
  readonly overageMinutes: number
  readonly price: string
  readonly providerCost: VoiceAgentsCallsPageTotalsProviderCost
}

export interface VoiceUsageReadQuery {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly agentId?: string | undefined
  readonly groupBy?: "day" | "agent" | undefined
}

export interface VoicesListAnswer {
  readonly families: ReadonlyArray<{
    readonly id: "indic" | "english" | "premium"
    readonly name: string
    readonly available: boolean
    readonly reason: string | null
  }>
  readonly languages: ReadonlyArray<{
    readonly tag: "hi-IN" | "ta-IN" | "te-IN" | "bn-IN" | "mr-IN" | "gu-IN" | "pa-IN" | "kn-IN" | "ml-IN" | "od-IN" | "en-US" | "en-GB" | "en-AU"
    readonly name: string
    readonly suggestedFamily: "indic" | "english" | "premium"
    readonly families: ReadonlyArray<"indic" | "english" | "premium">
  }>
  readonly voices: ReadonlyArray<VoicesListAnswerVoice>
}

export interface VoicesListAnswerVoice {
  readonly id: string
  readonly family: "indic" | "english" | "premium"
  readonly name: string
  readonly gender: "female" | "male"
  readonly accent: string | null
  readonly languages: ReadonlyArray<"hi-IN" | "ta-IN" | "te-IN" | "bn-IN" | "mr-IN" | "gu-IN" | "pa-IN" | "kn-IN" | "ml-IN" | "od-IN" | "en-US" | "en-GB" | "en-AU">
  readonly features: ReadonlyArray<"backchanneling" | "use_fillers" | "ambient_noise">
  readonly unsupported: ReadonlyArray<{
    readonly feature: "backchanneling" | "use_fillers" | "ambient_noise"
    readonly reason: string
  }>
}

export interface VoicesListQuery {
  readonly language?: "hi-IN" | "ta-IN" | "te-IN" | "bn-IN" | "mr-IN" | "gu-IN" | "pa-IN" | "kn-IN" | "ml-IN" | "od-IN" | "en-US" | "en-GB" | "en-AU" | undefined
}

export interface WebhookDisabledEvent {
  readonly id: string
  readonly type: "webhook.disabled"
  readonly createdAt: string
  readonly data: {
    readonly webhook: WebhookEndpoint
  }
}

export interface WebhookDisabledWebhook {
  readonly type: "webhook.disabled"
  readonly timestamp: string
  readonly data: {
    readonly webhook: WebhookEndpoint
  }
}

export interface WebhookEndpoint {
  readonly id: string
  readonly organizationId: string
  readonly url: string
  readonly description: string
  readonly events: ReadonlyArray<"contact.created" | "contact.updated" | "contact.archived" | "contact.restored" | "contact.erased" | "contact.opted_in" | "contact.opted_out" | "conversation.created" | "conversation.assigned" | "conversation.resolved" | "conversation.reopened" | "conversation.sla_breached" | "message.received" | "message.queued" | "message.status" | "message.updated" | "call.started" | "call.ended" | "call.recorded" | "broadcast.completed" | "template.updated" | "payment.completed" | "webhook.disabled" | "webhook.test" | "contact.*" | "conversation.*" | "message.*" | "call.*" | "broadcast.*" | "template.*" | "payment.*" | "webhook.*">
  readonly headers: Readonly<Record<string, string>>
  readonly enabled: boolean
  readonly disabledReason: string | null
  readonly failingSince: string | null
  readonly previousSecretUntil: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export interface WebhookTestEvent {
  readonly id: string
  readonly type: "webhook.test"
  readonly createdAt: string
  readonly data: {
    readonly webhook: {
      readonly id: string
    }
    readonly sentAt: string
  }
}

export interface WebhookTestWebhook {
  readonly type: "webhook.test"
  readonly timestamp: string
  readonly data: {
    readonly webhook: {
      readonly id: string
    }
    readonly sentAt: string
  }
}

export interface WebhooksCreateAnswer {
  readonly id: string
  readonly organizationId: string
  readonly url: string
  readonly description: string
  readonly events: ReadonlyArray<"contact.created" | "contact.updated" | "contact.archived" | "contact.restored" | "contact.erased" | "contact.opted_in" | "contact.opted_out" | "conversation.created" | "conversation.assigned" | "conversation.resolved" | "conversation.reopened" | "conversation.sla_breached" | "message.received" | "message.queued" | "message.status" | "message.updated" | "call.started" | "call.ended" | "call.recorded" | "broadcast.completed" | "template.updated" | "payment.completed" | "webhook.disabled" | "webhook.test" | "contact.*" | "conversation.*" | "message.*" | "call.*" | "broadcast.*" | "template.*" | "payment.*" | "webhook.*">
  readonly headers: Readonly<Record<string, string>>
  readonly enabled: boolean
  readonly disabledReason: string | null
  readonly failingSince: string | null
  readonly previousSecretUntil: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly secret: string
}

export interface WebhooksCreateBody {
  /** At most 2,000 characters. */
  readonly url: string
  /** At most 200 characters. */
  readonly description?: string | undefined
  /** At most 100 entries. */
  readonly events?: ReadonlyArray<"contact.created" | "contact.updated" | "contact.archived" | "contact.restored" | "contact.erased" | "contact.opted_in" | "contact.opted_out" | "conversation.created" | "conversation.assigned" | "conversation.resolved" | "conversation.reopened" | "conversation.sla_breached" | "message.received" | "message.queued" | "message.status" | "message.updated" | "call.started" | "call.ended" | "call.recorded" | "broadcast.completed" | "template.updated" | "payment.completed" | "webhook.disabled" | "webhook.test" | "contact.*" | "conversation.*" | "message.*" | "call.*" | "broadcast.*" | "template.*" | "payment.*" | "webhook.*"> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly enabled?: boolean | undefined
}

export interface WebhooksDeliveriesQuery {
  readonly page?: string | undefined
  readonly limit?: string | undefined
  readonly status?: "pending" | "delivered" | "failed" | "discarded" | undefined
  readonly eventType?: "contact.created" | "contact.updated" | "contact.archived" | "contact.restored" | "contact.erased" | "contact.opted_in" | "contact.opted_out" | "conversation.created" | "conversation.assigned" | "conversation.resolved" | "conversation.reopened" | "conversation.sla_breached" | "message.received" | "message.queued" | "message.status" | "message.updated" | "call.started" | "call.ended" | "call.recorded" | "broadcast.completed" | "template.updated" | "payment.completed" | "webhook.disabled" | "webhook.test" | undefined
}

export interface WebhooksDelivery {
  readonly id: string
  readonly endpointId: string
  readonly eventId: string
  readonly eventType: "contact.created" | "contact.updated" | "contact.archived" | "contact.restored" | "contact.erased" | "contact.opted_in" | "contact.opted_out" | "conversation.created" | "conversation.assigned" | "conversation.resolved" | "conversation.reopened" | "conversation.sla_breached" | "message.received" | "message.queued" | "message.status" | "message.updated" | "call.started" | "call.ended" | "call.recorded" | "broadcast.completed" | "template.updated" | "payment.completed" | "webhook.disabled" | "webhook.test"
  readonly status: "pending" | "delivered" | "failed" | "discarded"
  readonly attempts: number
  readonly nextAttemptAt: string | null
  readonly lastAttemptAt: string | null
  readonly httpStatus: number | null
  readonly error: string | null
  readonly response: string | null
  /** In milliseconds. */
  readonly durationMs: number | null
  readonly createdAt: string
}

export interface WebhooksReplayAnswer {
  readonly queued: number
  readonly until: string
}

export interface WebhooksReplayBody {
  readonly since: string
  readonly until?: string | undefined
  readonly failedOnly?: boolean | undefined
}

export interface WebhooksRotateSecretBody {
  /** In seconds. 0 to 2,592,000. */
  readonly overlapSeconds?: number | undefined
}

export interface WebhooksUpdateBody {
  /** At most 2,000 characters. */
  readonly url?: string | undefined
  /** At most 200 characters. */
  readonly description?: string | undefined
  /** At most 100 entries. */
  readonly events?: ReadonlyArray<"contact.created" | "contact.updated" | "contact.archived" | "contact.restored" | "contact.erased" | "contact.opted_in" | "contact.opted_out" | "conversation.created" | "conversation.assigned" | "conversation.resolved" | "conversation.reopened" | "conversation.sla_breached" | "message.received" | "message.queued" | "message.status" | "message.updated" | "call.started" | "call.ended" | "call.recorded" | "broadcast.completed" | "template.updated" | "payment.completed" | "webhook.disabled" | "webhook.test" | "contact.*" | "conversation.*" | "message.*" | "call.*" | "broadcast.*" | "template.*" | "payment.*" | "webhook.*"> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly enabled?: boolean | undefined
}

/** What a webhook brings. */
export type WebhookBody =
  | ContactCreatedWebhook
  | ContactUpdatedWebhook
  | ContactArchivedWebhook
  | ContactRestoredWebhook
  | ContactErasedWebhook
  | ContactOptedInWebhook
  | ContactOptedOutWebhook
  | ConversationCreatedWebhook
  | ConversationAssignedWebhook
  | ConversationResolvedWebhook
  | ConversationReopenedWebhook
  | ConversationSlaBreachedWebhook
  | MessageReceivedWebhook
  | MessageQueuedWebhook
  | MessageStatusWebhook
  | MessageUpdatedWebhook
  | CallStartedWebhook
  | CallEndedWebhook
  | CallRecordedWebhook
  | BroadcastCompletedWebhook
  | TemplateUpdatedWebhook
  | PaymentCompletedWebhook
  | WebhookDisabledWebhook
  | WebhookTestWebhook
