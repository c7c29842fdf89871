/** The records, bodies and queries of the interface. Generated from the service's definitions by `npm run client`: do not edit. */
import type { FileInput } from "../Files.ts"

export interface ActionParameter {
  readonly type: "action"
  readonly action: Readonly<Record<string, unknown>>
}

export interface AgentTarget {
  readonly type: "agent"
  readonly agentId: string
}

export interface AiAllowanceUsedEvent {
  readonly id: string
  readonly type: "ai.allowance_used"
  readonly createdAt: string
  readonly data: {
    readonly usage: {
      readonly month: string
      readonly allowance: number
      readonly used: number
    }
  }
}

export interface AiAllowanceUsedWebhook {
  readonly id: string
  readonly type: "ai.allowance_used"
  readonly timestamp: string
  readonly data: {
    readonly usage: {
      readonly month: string
      readonly allowance: number
      readonly used: number
    }
  }
}

export interface AiUsageGetQuery {
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** At most 200 characters. */
  readonly agentId?: string | undefined
  readonly groupBy?: "day" | "agent" | "model" | undefined
}

export interface AiUsageReport {
  readonly from: string
  readonly to: string
  readonly timeZone: string
  readonly allowance: {
    readonly month: string
    readonly tokens: number
    readonly used: number
    readonly remaining: number
  }
  readonly totals: {
    readonly requests: number
    readonly inputTokens: number
    readonly outputTokens: number
    readonly tokens: number
  }
  readonly data: ReadonlyArray<AiUsageReportData>
}

export interface AiUsageReportData {
  readonly day?: string | undefined
  readonly agentId?: string | undefined
  readonly agentName?: string | null | undefined
  readonly model?: string | undefined
  readonly requests: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly tokens: number
}

export interface Analytics {
  readonly from: string
  readonly to: string
  readonly timeZone: string
  readonly groupBy: "day" | "week" | "month"
  readonly messages: AnalyticsMessages
  readonly conversations: AnalyticsConversations
  readonly calls: AnalyticsCalls
  readonly broadcasts: AnalyticsBroadcasts
  readonly channels: ReadonlyArray<{
    readonly channel: "messaging" | "voice" | "team_chat"
    readonly messages: AnalyticsMessages2
    readonly conversations: AnalyticsConversations
  }>
  readonly people: ReadonlyArray<AnalyticsPeople>
  readonly data: ReadonlyArray<{
    readonly period: string
    readonly messages: AnalyticsMessages2
    readonly conversations: AnalyticsConversations
    readonly calls: AnalyticsPeopleCalls
  }>
}

export interface AnalyticsBroadcasts {
  readonly started: number
  readonly recipients: number
  readonly queued: number
  readonly sent: number
  readonly delivered: number
  readonly read: number
  readonly failed: number
  readonly skipped: number
}

export interface AnalyticsCalls {
  readonly count: number
  readonly minutes: number
  /** In seconds. */
  readonly averageSeconds: number | null
  readonly escalated: number
  readonly inbound: number
  readonly outbound: number
  readonly byEndReason: Readonly<Record<string, number>>
  readonly byHour: ReadonlyArray<{
    readonly weekday: number
    readonly hour: number
    readonly count: number
  }>
  readonly latency: AnalyticsCallsLatency
}

export interface AnalyticsCallsLatency {
  readonly turns: number
  /** In milliseconds. */
  readonly medianMs: number | null
  /** In milliseconds. */
  readonly p90Ms: number | null
  /** In milliseconds. */
  readonly p95Ms: number | null
  readonly steps: ReadonlyArray<{
    /** In milliseconds. */
    readonly fromMs: number
    readonly turns: number
  }>
}

export interface AnalyticsConversations {
  readonly opened: number
  readonly resolved: number
  readonly firstResponse: AnalyticsConversationsFirstResponse
  readonly resolution: AnalyticsConversationsFirstResponse
}

export interface AnalyticsConversationsFirstResponse {
  readonly count: number
  /** In seconds. */
  readonly medianSeconds: number | null
  /** In seconds. */
  readonly p90Seconds: number | null
  /** In seconds. */
  readonly averageSeconds: number | null
}

export interface AnalyticsGetQuery {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly groupBy?: "day" | "week" | "month" | undefined
}

export interface AnalyticsMessages {
  readonly total: number
  readonly inbound: number
  readonly outbound: number
  readonly byType: Readonly<Record<string, number>>
  readonly byStatus: Readonly<Record<string, number>>
}

export interface AnalyticsMessages2 {
  readonly inbound: number
  readonly outbound: number
}

export interface AnalyticsPeople {
  readonly id: string
  readonly name: string | null
  readonly messagesSent: number
  readonly firstResponse: AnalyticsConversationsFirstResponse
  readonly resolved: number
  readonly resolution: AnalyticsConversationsFirstResponse
  readonly calls: AnalyticsPeopleCalls
}

export interface AnalyticsPeopleCalls {
  readonly count: number
  readonly minutes: number
  /** In seconds. */
  readonly averageSeconds: number | null
  readonly escalated: number
}

export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly lastFour: string | null
  readonly scopes: ReadonlyArray<
    | "status:read"
    | "contacts:read"
    | "contacts:write"
    | "conversations:read"
    | "conversations:write"
    | "messages:read"
    | "messages:send"
    | "media:read"
    | "media:write"
    | "voice:read"
    | "voice:write"
    | "calls:control"
    | "agents:read"
    | "agents:write"
    | "knowledge:read"
    | "knowledge:write"
    | "integrations:read"
    | "integrations:write"
    | "payments:write"
    | "modules:read"
    | "modules:write"
    | "mcp"
    | "admin">
  readonly status: "active" | "expired" | "revoked"
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  readonly makerId: string | null
  readonly clientId: string | null
  readonly lastUsedAt: string | null
  readonly rotatedTo: string | null
}

export interface ApiKeyChanges {
  /** At most 120 characters. */
  readonly name?: string | undefined
  readonly expiresAt?: string | null | undefined
}

export interface ApiKeysCreateBody {
  /** At most 120 characters. */
  readonly name: string
  /** At least 1 entries. */
  readonly scopes?: ReadonlyArray<
    | "status:read"
    | "contacts:read"
    | "contacts:write"
    | "conversations:read"
    | "conversations:write"
    | "messages:read"
    | "messages:send"
    | "media:read"
    | "media:write"
    | "voice:read"
    | "voice:write"
    | "calls:control"
    | "agents:read"
    | "agents:write"
    | "knowledge:read"
    | "knowledge:write"
    | "integrations:read"
    | "integrations:write"
    | "payments:write"
    | "modules:read"
    | "modules:write"
    | "mcp"
    | "admin"> | undefined
  readonly expiresAt?: string | null | undefined
}

export interface ApiKeysRevokeAnswer {
  readonly id: string
  readonly revoked: true
}

export interface ApiKeysRotateBody {
  /** In seconds. 0 to 2,592,000. */
  readonly overlapSeconds?: number | undefined
  readonly expiresAt?: string | null | undefined
}

export interface ApprovedMcpTools {
  /** At most 256 entries. */
  readonly tools: ReadonlyArray<{
    readonly name: string
    readonly hash: string
  }>
}

export interface AudioNewMessage {
  /** At most 80 characters. */
  readonly to: string
  readonly type: "audio"
  /** At most 2,048 characters. */
  readonly mediaUrl?: string | undefined
  /** At most 64 characters. */
  readonly mediaId?: string | undefined
  readonly replyTo?: string | undefined
}

export interface AuditEntry {
  readonly id: string
  readonly action: string
  readonly subjectId: string
  readonly actor: VoiceAgentVersionSavedBy
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
  readonly details: Readonly<Record<string, unknown>>
  readonly ip: string | null
  readonly requestId: string | null
  readonly createdAt: string
}

export interface AuditLogListQuery {
  /** 1 to 1,000,000. Default: 1. */
  readonly page?: number | undefined
  /** 1 to 100. Default: 20. */
  readonly limit?: number | undefined
  readonly action?: string | undefined
  readonly actorId?: string | undefined
  readonly subjectId?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface AuditedToolCall {
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
  readonly conversationId: string | null
  readonly agentId: string | null
}

export interface AutomationAppQuery {
  readonly tool: "zapier" | "n8n" | "make"
}

export interface AutomationDescription {
  readonly name: string
  readonly version: string
  readonly auth: Readonly<Record<string, unknown>>
  readonly triggers: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly actions: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly searches: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly choices: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly components: Readonly<Record<string, unknown>>
}

export interface AvailableNumber {
  readonly phoneNumber: string
  readonly locality: string | null
  readonly region: string | null
  readonly country: string
  readonly capabilities: PhoneNumberCapabilities
  readonly addressRequired: boolean
}

export interface BodyComponent {
  readonly type: "body"
  /** At most 60 entries. */
  readonly parameters?: ReadonlyArray<
    | TextParameter
    | CurrencyParameter
    | DateTimeParameter
    | ImageParameter
    | VideoParameter
    | DocumentParameter
    | LocationParameter
    | PayloadParameter
    | CouponCodeParameter
    | ActionParameter> | undefined
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
  readonly id: string
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
  readonly never_opted_in: number
  readonly no_phone: number
  readonly archived: number
  readonly erased: number
  readonly missing_value: number
  readonly rate_limited: number
  readonly cancelled: number
}

export interface BroadcastPreview {
  readonly dryRun: true
  readonly total: number
  readonly recipients: number
  readonly skipped: {
    readonly opted_out: number
    readonly never_opted_in: number
    readonly no_phone: number
    readonly archived: number
  }
  readonly limit: number | null
}

export interface BroadcastRecipient {
  readonly contactId: string
  readonly name: string | null
  readonly phone: string | null
  readonly status: "queued" | "sent" | "delivered" | "read" | "failed" | "skipped"
  readonly reason: string | null
  readonly messageId: string | null
  readonly updatedAt: string
}

export interface BroadcastsListQuery {
  /** 1 to 1,000,000. Default: 1. */
  readonly page?: number | undefined
  /** 1 to 100. Default: 20. */
  readonly limit?: number | undefined
  /** At most 200 characters. */
  readonly cursor?: string | undefined
  readonly status?: "draft" | "scheduled" | "running" | "paused" | "completed" | "cancelled" | "failed" | undefined
}

export interface BroadcastsRecipientsQuery {
  /** 1 to 1,000,000. Default: 1. */
  readonly page?: number | undefined
  /** 1 to 100. Default: 20. */
  readonly limit?: number | undefined
  /** At most 200 characters. */
  readonly cursor?: string | undefined
  readonly status?: "queued" | "sent" | "delivered" | "read" | "failed" | "skipped" | undefined
}

export interface BuiltinHandler {
  readonly type: "builtin"
  readonly name: string
}

export interface BuiltinTool {
  readonly name: string
  readonly description: string
  readonly parameters: VoiceAgentToolParameters
  readonly agents: ReadonlyArray<"voice" | "text">
}

export interface BuiltinToolsListAnswer {
  readonly data: ReadonlyArray<BuiltinTool>
}

export interface BusinessHours {
  /** At most 70 entries. */
  readonly weekly: ReadonlyArray<BusinessHoursWeekly>
  /** At most 400 entries. */
  readonly holidays: ReadonlyArray<BusinessHoursHoliday>
}

export interface BusinessHoursHoliday {
  readonly date: string
  /** At most 100 characters. */
  readonly name?: string | undefined
  /** At most 10 entries. */
  readonly hours: ReadonlyArray<BusinessHoursHolidayHour>
}

export interface BusinessHoursHolidayHour {
  readonly opens: string
  readonly closes: string
}

export interface BusinessHoursSetBody {
  readonly timeZone?: string | undefined
  readonly businessHours: BusinessHours | null
}

export interface BusinessHoursWeekly {
  readonly day: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday"
  readonly opens: string
  readonly closes: string
}

export interface ButtonComponent {
  readonly type: "button"
  readonly sub_type: "quick_reply" | "url" | "flow" | "catalog" | "copy_code"
  readonly index: string | number
  /** At most 60 entries. */
  readonly parameters?: ReadonlyArray<
    | TextParameter
    | CurrencyParameter
    | DateTimeParameter
    | ImageParameter
    | VideoParameter
    | DocumentParameter
    | LocationParameter
    | PayloadParameter
    | CouponCodeParameter
    | ActionParameter> | undefined
}

export interface ButtonInteractive {
  readonly type: "button"
  readonly header?: TextHeader | ImageHeader | VideoHeader | DocumentHeader | undefined
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

export interface Call {
  readonly id: string
  readonly organizationId: string
  readonly agentId: string | null
  readonly contactId: string | null
  readonly conversationId: string | null
  readonly direction: "inbound" | "outbound"
  readonly status: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "failed" | "canceled"
  readonly endReason:
    | "caller_hangup"
    | "agent_hangup"
    | "silence"
    | "max_duration"
    | "transferred"
    | "queued_for_human"
    | "outside_hours"
    | "moderation"
    | "provider_failure"
    | "capacity"
    | "error"
    | null
  readonly from: string
  readonly to: string
  readonly callSid: string | null
  readonly dealId: string | null
  readonly test: boolean
  readonly failureReason: string | null
  readonly startedAt: string | null
  readonly endedAt: string | null
  /** In seconds. */
  readonly durationSeconds: number | null
  readonly interruptions: number
  readonly falseInterruptions: number
  readonly talkRatio: number | null
  readonly toolCallCount: number
  readonly turns: ReadonlyArray<CallTurn>
  readonly transfer: CallTransfer | null
  readonly recording: CallRecording | null
  readonly createdAt: string
}

export interface CallCost {
  /** In seconds. */
  readonly durationSeconds: number
  readonly minutes: number
  /** In minutes. */
  readonly includedMinutes: number
  /** In minutes. */
  readonly overageMinutes: number
  readonly price: string
  readonly providerCost: UsageProviderCost
}

export interface CallDetail {
  readonly id: string
  readonly organizationId: string
  readonly agentId: string | null
  readonly contactId: string | null
  readonly conversationId: string | null
  readonly direction: "inbound" | "outbound"
  readonly status: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "failed" | "canceled"
  readonly endReason:
    | "caller_hangup"
    | "agent_hangup"
    | "silence"
    | "max_duration"
    | "transferred"
    | "queued_for_human"
    | "outside_hours"
    | "moderation"
    | "provider_failure"
    | "capacity"
    | "error"
    | null
  readonly from: string
  readonly to: string
  readonly callSid: string | null
  readonly dealId: string | null
  readonly test: boolean
  readonly failureReason: string | null
  readonly startedAt: string | null
  readonly endedAt: string | null
  /** In seconds. */
  readonly durationSeconds: number | null
  readonly interruptions: number
  readonly falseInterruptions: number
  readonly talkRatio: number | null
  readonly toolCallCount: number
  readonly turns: ReadonlyArray<CallTurn>
  readonly transfer: CallTransfer | null
  readonly recording: CallRecording | null
  readonly createdAt: string
  readonly summary: CallSummary | null
  readonly utterances: ReadonlyArray<Utterance>
  readonly toolCalls: ReadonlyArray<ToolCall>
  readonly cost: CallCost | null
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
  readonly id: string
  readonly type: "call.ended"
  readonly timestamp: string
  readonly data: {
    readonly call: Call
  }
}

export interface CallListening {
  readonly id: string
  readonly listener: string
  readonly url: string
}

export interface CallPage {
  readonly data: ReadonlyArray<Call>
  readonly page: number
  readonly limit: number
  readonly total: number
  readonly asOf: string
  readonly totals: Usage | null
}

export interface CallPeaks {
  readonly id: string
  /** In milliseconds. */
  readonly durationMs: number
  readonly caller: ReadonlyArray<number>
  readonly agent: ReadonlyArray<number>
  readonly turns: ReadonlyArray<{
    /** In milliseconds. */
    readonly callerEndMs: number
    /** In milliseconds. */
    readonly agentStartMs: number
    /** In milliseconds. */
    readonly measuredMs: number
  }>
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
  readonly id: string
  readonly type: "call.recorded"
  readonly timestamp: string
  readonly data: {
    readonly call: Call
  }
}

export interface CallRecording {
  readonly url: string
  /** In seconds. */
  readonly durationSeconds: number
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
  readonly id: string
  readonly type: "call.started"
  readonly timestamp: string
  readonly data: {
    readonly call: Call
  }
}

export interface CallSummarizedEvent {
  readonly id: string
  readonly type: "call.summarized"
  readonly createdAt: string
  readonly data: {
    readonly call: Call
    readonly summary: CallSummary
  }
}

export interface CallSummarizedWebhook {
  readonly id: string
  readonly type: "call.summarized"
  readonly timestamp: string
  readonly data: {
    readonly call: Call
    readonly summary: CallSummary
  }
}

export interface CallSummary {
  readonly state: "waiting" | "done" | "nothing_said" | "unavailable"
  readonly text: string | null
  readonly outcome: "resolved" | "needs_follow_up" | "handed_over" | "unresolved" | null
  readonly reason: string | null
  readonly nextStep: string | null
  readonly fields: Readonly<Record<string, unknown>> | null
  readonly problem: string | null
  readonly updatedAt: string
}

export interface CallTakeOver {
  /** At most 200 characters. */
  readonly listener: string
}

export interface CallTold {
  readonly id: string
  readonly told: true
}

export interface CallTransfer {
  readonly destination: string | null
  readonly outcome:
    | "dialing"
    | "queued"
    | "transferred"
    | "no_answer"
    | "busy"
    | "failed"
    | "abandoned"
    | "timed_out"
    | "nobody"
  readonly at: string
}

export interface CallTurn {
  readonly turn: number
  /** In milliseconds. */
  readonly decisionMs: number | null
  /** In milliseconds. */
  readonly transcriptMs: number | null
  /** In milliseconds. */
  readonly modelAskedMs?: number | null | undefined
  /** In milliseconds. */
  readonly firstTokenMs: number | null
  /** In milliseconds. */
  readonly firstAudioMs: number | null
  /** In milliseconds. */
  readonly firstFrameMs: number | null
}

export interface CallsListQuery {
  /** 1 to 1,000,000. Default: 1. */
  readonly page?: number | undefined
  /** 1 to 100. Default: 20. */
  readonly limit?: number | undefined
  readonly direction?: "inbound" | "outbound" | undefined
  readonly status?: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "failed" | "canceled" | undefined
  readonly endReason?:
    | "caller_hangup"
    | "agent_hangup"
    | "silence"
    | "max_duration"
    | "transferred"
    | "queued_for_human"
    | "outside_hours"
    | "moderation"
    | "provider_failure"
    | "capacity"
    | "error" | undefined
  readonly phone?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** In seconds. 0 to 1,000,000. */
  readonly minDurationSeconds?: number | undefined
  /** In seconds. 0 to 1,000,000. */
  readonly maxDurationSeconds?: number | undefined
  /** In milliseconds. 0 to 600,000. */
  readonly slowerThanMs?: number | undefined
  readonly asOf?: string | undefined
  /** At most 200 characters. */
  readonly agentId?: string | undefined
  /** At most 200 characters. */
  readonly contactId?: string | undefined
  /** At most 200 characters. */
  readonly conversationId?: string | undefined
}

export interface CallsLiveAnswer {
  readonly data: ReadonlyArray<LiveCall>
}

export interface CallsPeaksQuery {
  /** 1 to 4,000. Default: 1400. */
  readonly points?: number | undefined
}

export interface Cart {
  readonly id: string
  readonly organizationId: string
  readonly source: string
  readonly externalId: string
  readonly state: "open" | "abandoned" | "ordered" | "recovered"
  readonly contactId: string | null
  readonly currency: string
  readonly lines: ReadonlyArray<CartLine>
  readonly total: number
  readonly recoveryUrl: string | null
  readonly orderId: string | null
  readonly startedAt: string
  readonly changedAt: string
  readonly abandonedAt: string | null
  readonly orderedAt: string | null
  readonly remindedAt: string | null
}

export interface CartAbandonedEvent {
  readonly id: string
  readonly type: "cart.abandoned"
  readonly createdAt: string
  readonly data: {
    readonly cart: Cart
    readonly contact: {
      readonly id: string
    } | null
  }
}

export interface CartAbandonedWebhook {
  readonly id: string
  readonly type: "cart.abandoned"
  readonly timestamp: string
  readonly data: {
    readonly cart: Cart
    readonly contact: {
      readonly id: string
    } | null
  }
}

export interface CartLine {
  readonly sku: string | null
  readonly name: string
  readonly quantity: number
  readonly unitPrice: number
  readonly tax: number
}

export interface CartSummary {
  readonly since: string
  readonly totals: ReadonlyArray<CartSummaryTotal>
}

export interface CartSummaryTotal {
  readonly currency: string
  readonly abandoned: number
  readonly abandonedValue: number
  readonly recovered: number
  readonly recoveredValue: number
}

export interface CartsListQuery {
  /** 1 to 1,000,000. Default: 1. */
  readonly page?: number | undefined
  /** 1 to 100. Default: 20. */
  readonly limit?: number | undefined
  /** At most 200 characters. */
  readonly cursor?: string | undefined
  readonly state?: "open" | "abandoned" | "ordered" | "recovered" | undefined
}

export interface ChatChannel {
  readonly id: string
  readonly name: string
  readonly isPrivate: boolean
  readonly isMember: boolean
  readonly isTaken: boolean
}

export interface ChatMapping {
  readonly channel: string
  readonly name: string | null
  readonly isPrivate: boolean
  readonly isArchived: boolean
  readonly isMember: boolean
  readonly target: PeopleTarget | NobodyTarget | QueueTarget | AgentTarget | OpsTarget
  readonly alerts: ReadonlyArray<"sla" | "integrations" | "usage" | "providers">
  readonly dailySummaryAt: string | null
  readonly problem: string | null
  readonly since: string
}

export interface ChatMappings {
  readonly data: ReadonlyArray<ChatMapping>
}

export interface ChatsGetQuery {
  /** 1 to 100. Default: 20. */
  readonly limit?: number | undefined
}

export interface ChatsListQuery {
  /** 1 to 1,000,000. Default: 1. */
  readonly page?: number | undefined
  /** 1 to 100. Default: 20. */
  readonly limit?: number | undefined
  /** At most 200 characters. */
  readonly cursor?: string | undefined
  readonly status?: "OPEN" | "ASSIGNED" | "RESOLVED" | undefined
  /** At most 200 characters. */
  readonly contactId?: string | undefined
  /** At most 200 characters. */
  readonly assignee?: string | undefined
  readonly channel?: "messaging" | "voice" | "team_chat" | undefined
  /** At most 64 characters. */
  readonly label?: string | undefined
  readonly due?: "overdue" | "soon" | undefined
  readonly snoozed?: "true" | "false" | undefined
  readonly resolved?: "true" | "false" | undefined
  readonly unread?: "true" | undefined
  /** At most 200 characters. */
  readonly search?: string | undefined
}

export interface ChatsMessagesQuery {
  /** 1 to 1,000,000. Default: 1. */
  readonly page?: number | undefined
  /** 1 to 100. Default: 20. */
  readonly limit?: number | undefined
  /** At most 200 characters. */
  readonly cursor?: string | undefined
  readonly status?: "received" | "queued" | "sent" | "delivered" | "read" | "failed" | undefined
  readonly direction?: "inbound" | "outbound" | undefined
  readonly type?:
    | "text"
    | "image"
    | "document"
    | "audio"
    | "video"
    | "template"
    | "interactive"
    | "location"
    | "contact"
    | "reaction"
    | "sticker"
    | "button"
    | "order"
    | "system"
    | "unsupported" | undefined
  readonly since?: string | undefined
  readonly before?: string | undefined
}

export interface ChatsTimelineQuery {
  /** At most 200 characters. */
  readonly before?: string | undefined
  /** At most 200 characters. */
  readonly after?: string | undefined
  readonly contact?: "all" | undefined
  /** 1 to 100. Default: 50. */
  readonly limit?: number | undefined
}

export interface Colleague {
  readonly id: string
  readonly name: string
}

export interface CompaniesExportQuery {
  /** At most 200 characters. */
  readonly contactId?: string | undefined
  /** At most 200 characters. */
  readonly search?: string | undefined
  /** Default: false. */
  readonly archived?: boolean | undefined
}

export interface CompaniesImportQuery {
  /** Default: false. */
  readonly dryRun?: boolean | undefined
  readonly onDuplicate?: "skip" | "update" | undefined
  /** At most 200 characters. */
  readonly fileName?: string | undefined
  /** At most 200 characters. */
  readonly nameColumn?: string | undefined
  /** At most 200 characters. */
  readonly phoneColumn?: string | undefined
  /** At most 200 characters. */
  readonly emailColumn?: string | undefined
  /** At most 200 characters. */
  readonly addressColumn?: string | undefined
  /** At most 200 characters. */
  readonly notesColumn?: string | undefined
  /** At most 200 characters. */
  readonly domainColumn?: string | undefined
  /** At most 200 characters. */
  readonly contactIdsColumn?: string | undefined
  /** At most 200 characters. */
  readonly contactPhonesColumn?: string | undefined
  /** At most 200 characters. */
  readonly sourceColumn?: string | undefined
  /** At most 200 characters. */
  readonly externalIdColumn?: string | undefined
  /** At most 200 characters. */
  readonly sourceUpdatedAtColumn?: string | undefined
}

export interface CompaniesListQuery {
  /** 1 to 1,000,000. Default: 1. */
  readonly page?: number | undefined
  /** 1 to 100. Default: 20. */
  readonly limit?: number | undefined
  /** At most 200 characters. */
  readonly cursor?: string | undefined
  /** At most 200 characters. */
  readonly contactId?: string | undefined
  /** At most 200 characters. */
  readonly search?: string | undefined
  /** Default: false. */
  readonly archived?: boolean | undefined
  readonly sort?: "-createdAt" | "createdAt" | "-updatedAt" | "updatedAt" | undefined
}

export interface Company {
  readonly id: string
  readonly organizationId: string
  readonly customFields: Readonly<Record<string, string | number | boolean | null>>
  readonly source: CompanySource | null
  readonly archivedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly name: string
  readonly phone: string | null
  readonly email: string | null
  readonly address: string | null
  readonly notes: string | null
  readonly domain: string | null
  readonly contactIds: ReadonlyArray<string>
}

export interface CompanyChanges {
  /** At most 200 characters. */
  readonly name?: string | undefined
  readonly domain?: string | null | undefined
  /** At most 500 entries. */
  readonly contactIds?: ReadonlyArray<string> | undefined
  /** At most 40 characters. */
  readonly phone?: string | null | undefined
  /** At most 254 characters. */
  readonly email?: string | null | undefined
  /** At most 500 characters. */
  readonly address?: string | null | undefined
  /** At most 10,000 characters. */
  readonly notes?: string | null | undefined
  readonly customFields?: Readonly<Record<string, string | number | boolean | null>> | undefined
}

export interface CompanySource {
  readonly name: string
  readonly externalId: string
  readonly updatedAt: string
}

export interface ConnectionFailedEvent {
  readonly id: string
  readonly type: "connection.failed"
  readonly createdAt: string
  readonly data: {
    readonly connection: ToldConnection
  }
}

export interface ConnectionFailedWebhook {
  readonly id: string
  readonly type: "connection.failed"
  readonly timestamp: string
  readonly data: {
    readonly connection: ToldConnection
  }
}

export interface ConnectionRecoveredEvent {
  readonly id: string
  readonly type: "connection.recovered"
  readonly createdAt: string
  readonly data: {
    readonly connection: ToldConnection
  }
}

export interface ConnectionRecoveredWebhook {
  readonly id: string
  readonly type: "connection.recovered"
  readonly timestamp: string
  readonly data: {
    readonly connection: ToldConnection
  }
}

export interface ConnectionStatus {
  readonly connected: boolean
  readonly phoneNumber: string | null
  readonly connectionType: "cloud_api" | null
  readonly businessName: string | null
  readonly problem: string | null
  readonly problemAt: string | null
}

export interface ConsentEntry {
  readonly id: string
  readonly action: "granted" | "withdrawn"
  readonly at: string
  readonly source: string
  readonly text: string
  readonly recordedBy: string
  readonly recordedAt: string
}

export interface ConsentEvidence {
  /** At most 200 characters. */
  readonly source?: string | undefined
  /** 1 to 5,000 characters. */
  readonly text?: string | undefined
  readonly at?: string | undefined
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
  readonly lastSeenAt: string | null
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
  readonly id: string
  readonly type: "contact.archived"
  readonly timestamp: string
  readonly data: {
    readonly contact: Contact
  }
}

export interface ContactChanges {
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

export interface ContactCreatedEvent {
  readonly id: string
  readonly type: "contact.created"
  readonly createdAt: string
  readonly data: {
    readonly contact: Contact
  }
}

export interface ContactCreatedWebhook {
  readonly id: string
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
  readonly id: string
  readonly type: "contact.erased"
  readonly timestamp: string
  readonly data: {
    readonly contact: {
      readonly id: string
    }
  }
}

export interface ContactExport {
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

export interface ContactMergedEvent {
  readonly id: string
  readonly type: "contact.merged"
  readonly createdAt: string
  readonly data: {
    readonly contact: Contact
    readonly merged: {
      readonly id: string
    }
  }
}

export interface ContactMergedWebhook {
  readonly id: string
  readonly type: "contact.merged"
  readonly timestamp: string
  readonly data: {
    readonly contact: Contact
    readonly merged: {
      readonly id: string
    }
  }
}

export interface ContactNewMessage {
  /** At most 80 characters. */
  readonly to: string
  readonly type: "contact"
  /** 1 to 257 entries. */
  readonly contacts: ReadonlyArray<ContactNewMessageContact>
  readonly replyTo?: string | undefined
}

export interface ContactNewMessageContact {
  readonly name: ContactNewMessageContactName
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
  readonly addresses?: ReadonlyArray<ContactNewMessageContactAddress> | undefined
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

export interface ContactNewMessageContactAddress {
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

export interface ContactNewMessageContactName {
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

export interface ContactOptedInEvent {
  readonly id: string
  readonly type: "contact.opted_in"
  readonly createdAt: string
  readonly data: {
    readonly contact: Contact
  }
}

export interface ContactOptedInWebhook {
  readonly id: string
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
  readonly id: string
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
  readonly id: string
  readonly type: "contact.restored"
  readonly timestamp: string
  readonly data: {
    readonly contact: Contact
  }
}

export interface ContactTags {
  readonly data: ReadonlyArray<ContactsTag>
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
  readonly id: string
  readonly type: "contact.updated"
  readonly timestamp: string
  readonly data: {
    readonly contact: Contact
  }
}

export interface ContactsCreateQuery {
  /** Default: false. */
  readonly upsert?: boolean | undefined
}

export interface ContactsExportQuery {
  /** At most 200 characters. */
  readonly search?: string | undefined
  /** At most 64 characters. */
  readonly tag?: string | undefined
  /** Default: false. */
  readonly archived?: boolean | undefined
}

export interface ContactsListQuery {
  /** 1 to 1,000,000. Default: 1. */
  readonly page?: number | undefined
  /** 1 to 100. Default: 20. */
  readonly limit?: number | undefined
  /** At most 200 characters. */
  readonly cursor?: string | undefined
  /** At most 200 characters. */
  readonly search?: string | undefined
  /** At most 64 characters. */
  readonly tag?: string | undefined
  /** Default: false. */
  readonly archived?: boolean | undefined
  readonly sort?: "-createdAt" | "createdAt" | "name" | "-name" | "-lastSeenAt" | "lastSeenAt" | undefined
}

export interface ContactsTag {
  readonly tag: string
}

export interface Conversation {
  readonly id: string
  readonly organizationId: string
  readonly channel: "messaging" | "voice" | "team_chat"
  readonly status: "OPEN" | "ASSIGNED" | "RESOLVED"
  readonly assignee: string | null
  readonly labels: ReadonlyArray<string>
  readonly contact: ConversationContact
  readonly snoozedUntil: string | null
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
    readonly by?: string | undefined
  }
}

export interface ConversationAssignedWebhook {
  readonly id: string
  readonly type: "conversation.assigned"
  readonly timestamp: string
  readonly data: {
    readonly conversation: Conversation
    readonly by?: string | undefined
  }
}

export interface ConversationChange {
  readonly id: string
  readonly conversationId: string
  readonly action: "conversation.changed" | "conversation.labeled"
  readonly actor: VoiceAgentVersionSavedBy
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}

export interface ConversationChanges {
  readonly status?: "OPEN" | "ASSIGNED" | "RESOLVED" | undefined
  /** At most 200 characters. */
  readonly assignee?: string | null | undefined
  /** At most 20 entries. */
  readonly labels?: ReadonlyArray<string> | undefined
  readonly snoozedUntil?: string | null | undefined
  readonly read?: boolean | undefined
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
  readonly id: string
  readonly type: "conversation.created"
  readonly timestamp: string
  readonly data: {
    readonly conversation: Conversation
  }
}

export interface ConversationDetail {
  readonly id: string
  readonly organizationId: string
  readonly channel: "messaging" | "voice" | "team_chat"
  readonly status: "OPEN" | "ASSIGNED" | "RESOLVED"
  readonly assignee: string | null
  readonly labels: ReadonlyArray<string>
  readonly contact: {
    readonly id: string
    readonly name: string | null
    readonly phone: string | null
  }
  readonly snoozedUntil: string | null
  readonly unreadCount: number
  readonly flagged: boolean
  readonly window: ConversationWindow | null
  readonly sla: {
    readonly firstResponseDueAt: string | null
    readonly resolutionDueAt: string | null
    readonly firstResponseBreachedAt: string | null
    readonly resolutionBreachedAt: string | null
  }
  readonly lastMessage: Message | null
  readonly lastActivityAt: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly messages: ReadonlyArray<Message>
  readonly calls: ReadonlyArray<ConversationDetailCall>
}

export interface ConversationDetailCall {
  readonly id: string
  readonly agentId: string | null
  readonly direction: "inbound" | "outbound"
  readonly status: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "failed" | "canceled"
  readonly endReason:
    | "caller_hangup"
    | "agent_hangup"
    | "silence"
    | "max_duration"
    | "transferred"
    | "queued_for_human"
    | "outside_hours"
    | "moderation"
    | "provider_failure"
    | "capacity"
    | "error"
    | null
  readonly startedAt: string | null
  readonly endedAt: string | null
  /** In seconds. */
  readonly durationSeconds: number | null
  readonly createdAt: string
  readonly utterances: ReadonlyArray<Utterance>
}

export interface ConversationLabeledEvent {
  readonly id: string
  readonly type: "conversation.labeled"
  readonly createdAt: string
  readonly data: {
    readonly conversation: Conversation
  }
}

export interface ConversationLabeledWebhook {
  readonly id: string
  readonly type: "conversation.labeled"
  readonly timestamp: string
  readonly data: {
    readonly conversation: Conversation
  }
}

export interface ConversationNote {
  readonly id: string
  readonly organizationId: string
  readonly conversationId: string
  readonly author: string
  readonly text: string
  readonly createdAt: string
  readonly updatedAt: string
}

export interface ConversationNotedEvent {
  readonly id: string
  readonly type: "conversation.noted"
  readonly createdAt: string
  readonly data: {
    readonly conversation: Conversation
    readonly note: ConversationNote
  }
}

export interface ConversationNotedWebhook {
  readonly id: string
  readonly type: "conversation.noted"
  readonly timestamp: string
  readonly data: {
    readonly conversation: Conversation
    readonly note: ConversationNote
  }
}

export interface ConversationPresence {
  readonly conversation: {
    readonly id: string
  }
  readonly person: Colleague
  readonly state: "viewing" | "typing" | "gone"
  readonly until: string
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
  readonly id: string
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
  readonly id: string
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
  readonly id: string
  readonly type: "conversation.sla_breached"
  readonly timestamp: string
  readonly data: {
    readonly conversation: Conversation
    readonly target: "first_response" | "resolution"
    readonly dueAt: string | null
  }
}

export interface ConversationSummary {
  readonly conversationId: string
  readonly text: string
  readonly entries: number
  readonly until: string
  readonly createdAt: string
}

export interface ConversationUpdatedEvent {
  readonly id: string
  readonly type: "conversation.updated"
  readonly createdAt: string
  readonly data: {
    readonly conversation: Conversation
  }
}

export interface ConversationUpdatedWebhook {
  readonly id: string
  readonly type: "conversation.updated"
  readonly timestamp: string
  readonly data: {
    readonly conversation: Conversation
  }
}

export interface ConversationWindow {
  readonly open: boolean
  readonly expiresAt: string | null
}

export interface CouponCodeParameter {
  readonly type: "coupon_code"
  /** At most 20 characters. */
  readonly coupon_code: string
}

export interface CreatedApiKey {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly lastFour: string | null
  readonly scopes: ReadonlyArray<
    | "status:read"
    | "contacts:read"
    | "contacts:write"
    | "conversations:read"
    | "conversations:write"
    | "messages:read"
    | "messages:send"
    | "media:read"
    | "media:write"
    | "voice:read"
    | "voice:write"
    | "calls:control"
    | "agents:read"
    | "agents:write"
    | "knowledge:read"
    | "knowledge:write"
    | "integrations:read"
    | "integrations:write"
    | "payments:write"
    | "modules:read"
    | "modules:write"
    | "mcp"
    | "admin">
  readonly status: "active" | "expired" | "revoked"
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  readonly makerId: string | null
  readonly clientId: string | null
  readonly lastUsedAt: string | null
  readonly rotatedTo: string | null
  readonly key: string
}

export interface CreatedUser {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: "OWNER" | "ADMIN" | "AGENT"
  readonly status: "active" | "invited" | "deactivated"
  readonly createdAt: string
  readonly updatedAt: string
  readonly invitation: Invitation | null
}

export interface CurrencyParameter {
  readonly type: "currency"
  /** At most 60 characters. */
  readonly parameter_name?: string | undefined
  readonly currency: CurrencyParameterCurrency
}

export interface CurrencyParameterCurrency {
  /** At most 60 characters. */
  readonly fallback_value: string
  readonly code: string
  readonly amount_1000: number
}

export interface CustomFields {
  readonly module: "companies" | "products" | "orders" | "suppliers"
  readonly fields: ReadonlyArray<CustomFieldsField>
}

export interface CustomFieldsField {
  readonly key: string
  /** At most 80 characters. */
  readonly label: string
  readonly type: "text" | "number" | "boolean" | "date" | "choice"
  /** 1 to 100 entries. */
  readonly choices?: ReadonlyArray<string> | undefined
}

export interface CustomFieldsGetQuery {
  readonly module: "companies" | "products" | "orders" | "suppliers"
}

export interface DateTimeParameter {
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

export interface DirectoryEntry {
  readonly id: string
  readonly name: string
  readonly kind: "person" | "text_agent" | "voice_agent"
  readonly active: boolean
}

export interface Disclosure {
  readonly text: string
  readonly texts: Readonly<Record<string, string>>
}

export interface DisclosureSetBody {
  readonly text: string
  readonly texts?: DisclosureSetBodyTexts | undefined
}

export interface DisclosureSetBodyTexts {
  readonly "hi-IN"?: string | undefined
  readonly "ta-IN"?: string | undefined
  readonly "te-IN"?: string | undefined
  readonly "bn-IN"?: string | undefined
  readonly "mr-IN"?: string | undefined
  readonly "gu-IN"?: string | undefined
  readonly "pa-IN"?: string | undefined
  readonly "kn-IN"?: string | undefined
  readonly "ml-IN"?: string | undefined
  readonly "od-IN"?: string | undefined
  readonly "en-US"?: string | undefined
  readonly "en-GB"?: string | undefined
  readonly "en-AU"?: string | undefined
}

export interface DocumentHeader {
  readonly type: "document"
  readonly document: {
    /** At most 2,048 characters. */
    readonly link: string
    /** At most 240 characters. */
    readonly filename?: string | undefined
  }
}

export interface DocumentNewMessage {
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

export interface DocumentParameter {
  readonly type: "document"
  readonly document: ImageParameterImage
}

export interface ErasedContact {
  readonly id: string
  readonly erased: true
  readonly conversations: number
  readonly messages: number
  readonly calls: number
}

export interface Evaluation {
  readonly id: string
  readonly organizationId: string
  readonly name: string
  readonly size: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly tools: Readonly<Record<string, string | Readonly<Record<string, unknown>>>>
  readonly conversations: ReadonlyArray<NewEvaluationConversation>
}

export interface EvaluationChanges {
  /** At most 120 characters. */
  readonly name?: string | undefined
  readonly tools?: Readonly<Record<string, string | Readonly<Record<string, unknown>>>> | undefined
  /** 1 to 100 entries. */
  readonly conversations?: ReadonlyArray<NewEvaluationConversation> | undefined
}

export interface EvaluationResult {
  readonly id: string
  readonly organizationId: string
  readonly evaluationId: string
  readonly agentId: string
  readonly agentName: string
  readonly draft: boolean
  readonly state: "queued" | "running" | "done" | "failed"
  readonly problem: string | null
  readonly total: number
  readonly done: number
  readonly passed: number
  readonly startedBy: string
  readonly createdAt: string
  readonly endedAt: string | null
  readonly conversations: ReadonlyArray<{
    readonly name: string
    readonly passed: boolean
    readonly steps: ReadonlyArray<EvaluationResultStep>
  }>
}

export interface EvaluationResultStep {
  readonly contact: ReadonlyArray<string>
  readonly human: string | null
  readonly handBack: boolean
  readonly resolve: boolean
  readonly said: ReadonlyArray<string>
  readonly tools: ReadonlyArray<TextAgentAnswerTool>
  readonly outcome: "answered" | "handed_over" | "resolved" | "silent"
  readonly problems: ReadonlyArray<string>
}

export interface EvaluationRun {
  readonly id: string
  readonly organizationId: string
  readonly evaluationId: string
  readonly agentId: string
  readonly agentName: string
  readonly draft: boolean
  readonly state: "queued" | "running" | "done" | "failed"
  readonly problem: string | null
  readonly total: number
  readonly done: number
  readonly passed: number
  readonly startedBy: string
  readonly createdAt: string
  readonly endedAt: string | null
}

export interface EvaluationSummary {
  readonly id: string
  readonly organizationId: string
  readonly name: string
  readonly size: number
  readonly createdAt: string
  readonly updatedAt: string
}

export type Event =
  | ContactCreatedEvent
  | ContactUpdatedEvent
  | ContactArchivedEvent
  | ContactRestoredEvent
  | ContactMergedEvent
  | ContactErasedEvent
  | ContactOptedInEvent
  | ContactOptedOutEvent
  | ConversationCreatedEvent
  | ConversationAssignedEvent
  | ConversationLabeledEvent
  | ConversationNotedEvent
  | ConversationUpdatedEvent
  | ConversationResolvedEvent
  | ConversationReopenedEvent
  | ConversationSlaBreachedEvent
  | MessageReceivedEvent
  | MessageQueuedEvent
  | MessageStatusEvent
  | MessageUpdatedEvent
  | AiAllowanceUsedEvent
  | VoiceAllowanceUsedEvent
  | VoiceAgentUpdatedEvent
  | CallStartedEvent
  | CallEndedEvent
  | CallRecordedEvent
  | CallSummarizedEvent
  | BroadcastCompletedEvent
  | TemplateUpdatedEvent
  | OrderCreatedEvent
  | OrderUpdatedEvent
  | OrderPaidEvent
  | CartAbandonedEvent
  | PaymentCreatedEvent
  | PaymentCompletedEvent
  | PaymentFailedEvent
  | PaymentExpiredEvent
  | PaymentCanceledEvent
  | PaymentRefundedEvent
  | PaymentDisputedEvent
  | ConnectionFailedEvent
  | ConnectionRecoveredEvent
  | ProviderFailedEvent
  | ProviderRecoveredEvent
  | WebhookDisabledEvent
  | WebhookTestEvent

export interface EventsStreamQuery {
  /** At most 2,000 characters. */
  readonly types?: string | undefined
  /** At most 200 characters. */
  readonly lastEventId?: string | undefined
}

export interface EventsWatchAnswer {
  readonly streamId: string
  readonly calls: ReadonlyArray<string>
}

export interface FirstOrganization {
  /** At most 200 characters. */
  readonly token: string
  readonly organization: {
    /** At most 200 characters. */
    readonly name: string
    readonly timeZone: string
    readonly plan?: "FREE" | "STARTER" | "PRO" | "PREMIUM" | "ENTERPRISE" | undefined
  }
  readonly person: {
    /** At most 200 characters. */
    readonly name: string
    /** At most 254 characters. */
    readonly email: string
    /** At most 1,000 characters. */
    readonly password: string
  }
}

export interface GivenChatMappings {
  /** At most 500 entries. */
  readonly mappings: ReadonlyArray<{
    readonly channel: string
    readonly target: PeopleTarget | NobodyTarget | QueueTarget | AgentTarget | OpsTarget
    /** At most 4 entries. */
    readonly alerts?: ReadonlyArray<"sla" | "integrations" | "usage" | "providers"> | undefined
    readonly dailySummaryAt?: string | null | undefined
  }>
}

export interface GivenIntegration {
  readonly credentials?: Readonly<Record<string, string>> | undefined
  readonly settings?: Readonly<Record<string, string | boolean | Readonly<Record<string, string>>>> | undefined
}

export interface HeaderComponent {
  readonly type: "header"
  /** At most 60 entries. */
  readonly parameters?: ReadonlyArray<
    | TextParameter
    | CurrencyParameter
    | DateTimeParameter
    | ImageParameter
    | VideoParameter
    | DocumentParameter
    | LocationParameter
    | PayloadParameter
    | CouponCodeParameter
    | ActionParameter> | undefined
}

export interface Hook {
  readonly id: string
  readonly event:
    | "contact.created"
    | "contact.updated"
    | "contact.archived"
    | "contact.restored"
    | "contact.merged"
    | "contact.erased"
    | "contact.opted_in"
    | "contact.opted_out"
    | "conversation.created"
    | "conversation.assigned"
    | "conversation.labeled"
    | "conversation.noted"
    | "conversation.updated"
    | "conversation.resolved"
    | "conversation.reopened"
    | "conversation.sla_breached"
    | "message.received"
    | "message.queued"
    | "message.status"
    | "message.updated"
    | "ai.allowance_used"
    | "voice.allowance_used"
    | "voice_agent.updated"
    | "call.started"
    | "call.ended"
    | "call.recorded"
    | "call.summarized"
    | "broadcast.completed"
    | "template.updated"
    | "order.created"
    | "order.updated"
    | "order.paid"
    | "cart.abandoned"
    | "payment.created"
    | "payment.completed"
    | "payment.failed"
    | "payment.expired"
    | "payment.canceled"
    | "payment.refunded"
    | "payment.disputed"
    | "connection.failed"
    | "connection.recovered"
    | "provider.failed"
    | "provider.recovered"
  readonly targetUrl: string
  readonly createdAt: string
}

export interface HookSample {
  readonly id: string
  readonly type:
    | "contact.created"
    | "contact.updated"
    | "contact.archived"
    | "contact.restored"
    | "contact.merged"
    | "contact.erased"
    | "contact.opted_in"
    | "contact.opted_out"
    | "conversation.created"
    | "conversation.assigned"
    | "conversation.labeled"
    | "conversation.noted"
    | "conversation.updated"
    | "conversation.resolved"
    | "conversation.reopened"
    | "conversation.sla_breached"
    | "message.received"
    | "message.queued"
    | "message.status"
    | "message.updated"
    | "ai.allowance_used"
    | "voice.allowance_used"
    | "voice_agent.updated"
    | "call.started"
    | "call.ended"
    | "call.recorded"
    | "call.summarized"
    | "broadcast.completed"
    | "template.updated"
    | "order.created"
    | "order.updated"
    | "order.paid"
    | "cart.abandoned"
    | "payment.created"
    | "payment.completed"
    | "payment.failed"
    | "payment.expired"
    | "payment.canceled"
    | "payment.refunded"
    | "payment.disputed"
    | "connection.failed"
    | "connection.recovered"
    | "provider.failed"
    | "provider.recovered"
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface HookWithSecret {
  readonly id: string
  readonly event:
    | "contact.created"
    | "contact.updated"
    | "contact.archived"
    | "contact.restored"
    | "contact.merged"
    | "contact.erased"
    | "contact.opted_in"
    | "contact.opted_out"
    | "conversation.created"
    | "conversation.assigned"
    | "conversation.labeled"
    | "conversation.noted"
    | "conversation.updated"
    | "conversation.resolved"
    | "conversation.reopened"
    | "conversation.sla_breached"
    | "message.received"
    | "message.queued"
    | "message.status"
    | "message.updated"
    | "ai.allowance_used"
    | "voice.allowance_used"
    | "voice_agent.updated"
    | "call.started"
    | "call.ended"
    | "call.recorded"
    | "call.summarized"
    | "broadcast.completed"
    | "template.updated"
    | "order.created"
    | "order.updated"
    | "order.paid"
    | "cart.abandoned"
    | "payment.created"
    | "payment.completed"
    | "payment.failed"
    | "payment.expired"
    | "payment.canceled"
    | "payment.refunded"
    | "payment.disputed"
    | "connection.failed"
    | "connection.recovered"
    | "provider.failed"
    | "provider.recovered"
  readonly targetUrl: string
  readonly createdAt: string
  readonly secret: string
}

export interface HooksGetQuery {
  /** At most 200 characters. */
  readonly id: string
}

export type HooksSamplesAnswer = ReadonlyArray<HookSample>

export interface HttpHandler {
  readonly type: "http"
  readonly url: string
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** In milliseconds. */
  readonly timeoutMs?: number | undefined
  readonly idempotent?: boolean | undefined
}

export interface ImageHeader {
  readonly type: "image"
  readonly image: {
    /** At most 2,048 characters. */
    readonly link: string
  }
}

export interface ImageNewMessage {
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

export interface ImageParameter {
  readonly type: "image"
  readonly image: ImageParameterImage
}

export interface ImageParameterImage {
  /** At most 2,048 characters. */
  readonly link?: string | undefined
  /** At most 100 characters. */
  readonly id?: string | undefined
  /** At most 240 characters. */
  readonly filename?: string | undefined
}

export interface Import {
  readonly id: string
  readonly kind: "contacts" | "companies" | "products" | "orders" | "suppliers"
  readonly status: "receiving" | "running" | "completed" | "canceled" | "failed"
  readonly dryRun: boolean
  readonly onDuplicate: "skip" | "update"
  readonly tags: ReadonlyArray<string>
  readonly fileName: string | null
  readonly columns: ReadonlyArray<ImportColumn>
  readonly rows: number
  readonly created: number
  readonly updated: number
  readonly skipped: number
  readonly refused: number
  readonly requestedBy: string
  readonly error: string | null
  readonly createdAt: string
  readonly finishedAt: string | null
  readonly expiresAt: string | null
}

export interface ImportColumn {
  readonly column: string
  readonly field: string | null
}

export interface ImportsContactsQuery {
  /** Default: false. */
  readonly dryRun?: boolean | undefined
  readonly onDuplicate?: "skip" | "update" | undefined
  /** At most 200 characters. */
  readonly fileName?: string | undefined
  /** At most 1,000 characters. */
  readonly tags?: string | undefined
  /** At most 200 characters. */
  readonly phoneColumn?: string | undefined
  /** At most 200 characters. */
  readonly nameColumn?: string | undefined
  /** At most 200 characters. */
  readonly firstNameColumn?: string | undefined
  /** At most 200 characters. */
  readonly lastNameColumn?: string | undefined
  /** At most 200 characters. */
  readonly emailColumn?: string | undefined
  /** At most 200 characters. */
  readonly tagsColumn?: string | undefined
  /** At most 200 characters. */
  readonly optedInColumn?: string | undefined
}

export interface InboxCounts {
  readonly open: number
  readonly assigned: number
  readonly mine: number
  readonly unread: number
  readonly overdue: number
  readonly dueSoon: number
  readonly snoozed: number
  readonly resolved: number
}

export interface Integration {
  readonly provider: string
  readonly kind: "crm" | "notes" | "webhook" | "store" | "payments" | "team_chat"
  readonly title: string
  readonly refusal: string | null
  readonly authorizes: boolean
  readonly notice: string | null
  readonly fields: ReadonlyArray<IntegrationField>
  readonly connection: IntegrationConnection | null
}

export interface IntegrationArrival {
  readonly id: string
  readonly eventId: string
  readonly topic: string
  readonly state: "waiting" | "done" | "problem"
  readonly attempts: number
  readonly error: string | null
  readonly happenedAt: string | null
  readonly createdAt: string
}

export interface IntegrationAuthorization {
  readonly url: string
}

export interface IntegrationConnection {
  readonly id: string
  readonly enabled: boolean
  readonly state: "connected" | "failing" | "reconnect"
  readonly account: Colleague
  readonly settings: Readonly<Record<string, string | boolean | Readonly<Record<string, string>>>>
  readonly secrets: ReadonlyArray<string>
  readonly problem: string | null
  readonly problemAt: string | null
  readonly waitsUntil: string | null
  readonly waiting: number
  readonly problems: number
  readonly lastSyncedAt: string | null
  readonly backfill: IntegrationConnectionBackfill
  readonly webhooks: ReadonlyArray<IntegrationConnectionWebhook>
  readonly arriving: number
  readonly arrivalProblems: number
  readonly pulls: ReadonlyArray<IntegrationConnectionPull>
  readonly createdAt: string
  readonly updatedAt: string
  readonly webhookUrl: string | null
}

export interface IntegrationConnectionBackfill {
  readonly state: "none" | "running" | "stopped" | "done"
  readonly sent: number
  readonly total: number
}

export interface IntegrationConnectionPull {
  readonly kind: string
  readonly state: "running" | "stopped" | "done" | "failed"
  readonly records: number
  readonly problem: string | null
  readonly completedAt: string | null
}

export interface IntegrationConnectionWebhook {
  readonly topic: string
  readonly lastAt: string
}

export interface IntegrationField {
  readonly name: string
  readonly type: "text" | "url" | "secret" | "boolean" | "mapping"
  readonly label: string
  readonly help: string
  readonly required: boolean
}

export interface IntegrationLogEntry {
  readonly id: string
  readonly taskId: string
  readonly method: string
  readonly url: string
  readonly request: string | null
  readonly status: number | null
  readonly response: string | null
  readonly error: string | null
  /** In milliseconds. */
  readonly durationMs: number
  readonly createdAt: string
}

export interface IntegrationProblem {
  readonly id: string
  readonly trigger: "contact.created" | "contact.updated" | "conversation.resolved" | "call.ended"
  readonly contactId: string
  readonly subjectId: string
  readonly attempts: number
  readonly error: string
  readonly createdAt: string
  readonly givenUpAt: string
}

export interface IntegrationRemoteField {
  readonly name: string
  readonly label: string
  readonly type: string
  readonly writable: boolean
}

export interface IntegrationTest {
  readonly ok: boolean
  readonly problem: string | null
}

export interface IntegrationVerification {
  readonly token: string | null
}

export interface IntegrationsArrivalsQuery {
  /** 1 to 1,000,000. Default: 1. */
  readonly page?: number | undefined
  /** 1 to 100. Default: 20. */
  readonly limit?: number | undefined
  readonly problems?: "true" | "false" | undefined
}

export interface IntegrationsFieldsAnswer {
  readonly data: ReadonlyArray<IntegrationRemoteField>
}

export interface IntegrationsListAnswer {
  readonly data: ReadonlyArray<Integration>
}

export interface InteractiveNewMessage {
  /** At most 80 characters. */
  readonly to: string
  readonly type: "interactive"
  readonly interactive: ButtonInteractive | ListInteractive
  readonly replyTo?: string | undefined
}

export interface Invitation {
  readonly token: string
  readonly expiresAt: string
}

export interface KnowledgeAnswer {
  readonly answered: boolean
  readonly passages: ReadonlyArray<KnowledgeAnswerPassage>
}

export interface KnowledgeAnswerPassage {
  readonly sourceId: string
  readonly title: string
  readonly headings: ReadonlyArray<string>
  readonly text: string
  readonly url: string | null
  readonly score: number
}

export interface KnowledgeBase {
  readonly id: string
  readonly organizationId: string
  readonly name: string
  readonly description: string
  readonly language: "en" | "hi" | "es" | "ta" | "fr" | "de" | "pt" | "it" | "nl" | "id" | "other"
  readonly sources: number
  readonly passages: number
  readonly createdAt: string
  readonly updatedAt: string
}

export interface KnowledgeBaseChanges {
  /** At most 120 characters. */
  readonly name?: string | undefined
  /** At most 1,000 characters. */
  readonly description?: string | undefined
  readonly language?: "en" | "hi" | "es" | "ta" | "fr" | "de" | "pt" | "it" | "nl" | "id" | "other" | undefined
}

export interface KnowledgeBasesListQuery {
  /** 1 to 1,000,000. Default: 1. */
  readonly page?: number | undefined
  /** 1 to 100. Default: 20. */
  readonly limit?: number | undefined
  /** At most 200 characters. */
  readonly cursor?: string | undefined
}

export interface KnowledgeQuestion {
  /** At most 500 characters. */
  readonly query: string
  /** 1 to 20. */
  readonly limit?: number | undefined
}

export interface KnowledgeSource {
  readonly id: string
  readonly organizationId: string
  readonly knowledgeBaseId: string
  readonly type: "file" | "pages" | "notion" | "answers"
  readonly title: string
  readonly file: KnowledgeSourceFile | null
  readonly pages: KnowledgeSourcePages | null
  readonly notion: {
    /** At most 2,000 characters. */
    readonly url: string
  } | null
  readonly answers: ReadonlyArray<KnowledgeSourceAnswer> | null
  readonly syncEveryHours: number | null
  readonly state: "queued" | "syncing" | "ready" | "failed"
  readonly problem: string | null
  readonly progress: KnowledgeSourceProgress | null
  readonly passages: number
  readonly vectors: KnowledgeSourceVectors
  readonly skipped: ReadonlyArray<KnowledgeSourceSkipped>
  readonly syncedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export interface KnowledgeSourceAnswer {
  /** At most 500 characters. */
  readonly question: string
  /** At most 4,000 characters. */
  readonly answer: string
}

export interface KnowledgeSourceChanges {
  /** At most 200 characters. */
  readonly title?: string | undefined
  readonly pages?: KnowledgeSourcePages | undefined
  readonly notion?: {
    /** At most 2,000 characters. */
    readonly url: string
  } | undefined
  /** 1 to 200 entries. */
  readonly answers?: ReadonlyArray<KnowledgeSourceAnswer> | undefined
  /** 1 to 720. */
  readonly syncEveryHours?: number | null | undefined
}

export interface KnowledgeSourceFile {
  readonly filename: string
  /** In bytes. */
  readonly sizeBytes: number
}

export interface KnowledgeSourcePages {
  /** At most 2,000 characters. */
  readonly sitemap?: string | undefined
  /** At most 500 entries. */
  readonly urls?: ReadonlyArray<string> | undefined
}

export interface KnowledgeSourceProgress {
  readonly done: number
  readonly total: number
}

export interface KnowledgeSourceSkipped {
  readonly what: string
  readonly why: string
}

export interface KnowledgeSourceVectors {
  readonly state: "none" | "ready" | "failing"
  readonly problem: string | null
}

export interface KnowledgeSourcesUploadBody {
  readonly file: FileInput
}

export interface ListInteractive {
  readonly type: "list"
  readonly header?: TextHeader | undefined
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

export interface LiveCall {
  readonly id: string
  readonly organizationId: string
  readonly agentId: string | null
  readonly contactId: string | null
  readonly conversationId: string | null
  readonly direction: "inbound" | "outbound"
  readonly status: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "failed" | "canceled"
  readonly endReason:
    | "caller_hangup"
    | "agent_hangup"
    | "silence"
    | "max_duration"
    | "transferred"
    | "queued_for_human"
    | "outside_hours"
    | "moderation"
    | "provider_failure"
    | "capacity"
    | "error"
    | null
  readonly from: string
  readonly to: string
  readonly callSid: string | null
  readonly dealId: string | null
  readonly test: boolean
  readonly failureReason: string | null
  readonly startedAt: string | null
  readonly endedAt: string | null
  /** In seconds. */
  readonly durationSeconds: number | null
  readonly interruptions: number
  readonly falseInterruptions: number
  readonly talkRatio: number | null
  readonly toolCallCount: number
  readonly turns: ReadonlyArray<CallTurn>
  readonly transfer: CallTransfer | null
  readonly recording: CallRecording | null
  readonly createdAt: string
  readonly state:
    | "queued"
    | "ringing"
    | "talking"
    | "agent"
    | "caller"
    | "thinking"
    | "tool"
    | "silence"
    | "closing"
    | "waiting"
    | "human"
  readonly since: string
  readonly lastWords: ReadonlyArray<Utterance>
}

export interface LocationNewMessage {
  /** At most 80 characters. */
  readonly to: string
  readonly type: "location"
  readonly latitude: number
  readonly longitude: number
  /** At most 1,000 characters. */
  readonly name: string
  /** At most 1,000 characters. */
  readonly address?: string | undefined
  readonly replyTo?: string | undefined
}

export interface LocationParameter {
  readonly type: "location"
  readonly location: LocationParameterLocation
}

export interface LocationParameterLocation {
  readonly latitude: number | string
  readonly longitude: number | string
  /** At most 1,000 characters. */
  readonly name?: string | undefined
  /** At most 1,000 characters. */
  readonly address?: string | undefined
}

export interface McpHandler {
  readonly type: "mcp"
  readonly serverId: string
  readonly tool: string
}

export interface McpServer {
  readonly id: string
  readonly organizationId: string
  readonly name: string
  readonly url: string
  /** In milliseconds. */
  readonly timeoutMs: number
  readonly auth: McpServerAuth
  readonly authorization: McpServerAuthorization2 | null
  readonly transport: "streamable_http" | "sse" | null
  readonly health: McpServerHealth
  readonly tools: ReadonlyArray<McpServerTool>
  readonly createdAt: string
  readonly updatedAt: string
}

export interface McpServerAuth {
  readonly type: "none" | "token" | "oauth"
  /** At most 2,000 characters. */
  readonly clientId?: string | undefined
  /** At most 1,000 characters. */
  readonly scope?: string | undefined
}

export interface McpServerAuthorization {
  readonly url: string
}

export interface McpServerAuthorization2 {
  readonly status: "needed" | "authorized" | "lost"
  readonly issuer: string | null
  readonly scopes: ReadonlyArray<string>
  readonly wanted: ReadonlyArray<string>
  readonly authorizedBy: string | null
  readonly authorizedAt: string | null
}

export interface McpServerHealth {
  readonly status: "unknown" | "ok" | "failing" | "unauthorized"
  readonly checkedAt: string | null
  readonly error: string | null
}

export interface McpServerSettings {
  /** At most 60 characters. */
  readonly name: string
  /** At most 2,000 characters. */
  readonly url: string
  /** In milliseconds. 100 to 15,000. */
  readonly timeoutMs?: number | undefined
  readonly auth?: McpServerSettingsAuth | undefined
}

export interface McpServerSettingsAuth {
  readonly type: "none" | "token" | "oauth"
  /** At most 2,000 characters. */
  readonly clientId?: string | undefined
  /** At most 1,000 characters. */
  readonly scope?: string | undefined
  /** 1 to 4,096 characters. */
  readonly token?: string | undefined
  /** 1 to 4,096 characters. */
  readonly clientSecret?: string | undefined
}

export interface McpServerTool {
  readonly name: string
  readonly title: string | null
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly agentToolName: string
  readonly hash: string
  readonly status: "approved" | "new" | "changed" | "gone" | "unusable"
  readonly notes: ReadonlyArray<string>
}

export interface McpServersListAnswer {
  readonly data: ReadonlyArray<McpServer>
}

export interface Media {
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

export interface MediaDownloadQuery {
  /** Default: false. */
  readonly inline?: boolean | undefined
}

export interface MediaLinkAnswer {
  readonly mediaId: string
  readonly url: string
  readonly expiresAt: string
}

export interface MediaLinkQuery {
  /** 1 to 60. Default: 10. */
  readonly minutes?: number | undefined
}

export interface MediaListQuery {
  /** 1 to 1,000,000. Default: 1. */
  readonly page?: number | undefined
  /** 1 to 100. Default: 20. */
  readonly limit?: number | undefined
  /** At most 200 characters. */
  readonly cursor?: string | undefined
  readonly since?: string | undefined
  readonly before?: string | undefined
  readonly kind?: "image" | "document" | "audio" | "video" | undefined
}

export interface MediaOpenQuery {
  /** At most 200 characters. */
  readonly organization: string
  /** 0 to 99,999,999,999. */
  readonly expires: number
  /** At most 100 characters. */
  readonly signature: string
  /** Default: false. */
  readonly inline?: boolean | undefined
}

export interface MediaRemoveAnswer {
  readonly mediaId: string
  readonly removed: true
}

export interface MergeRequest {
  /** 1 to 60 characters. */
  readonly contactId: string
  /** At most 3 entries. */
  readonly take?: ReadonlyArray<"phone" | "name" | "email"> | undefined
}

export interface Message {
  readonly id: string
  readonly organizationId: string
  readonly conversationId: string
  readonly contactId: string
  readonly channel: "messaging" | "voice" | "team_chat"
  readonly direction: "inbound" | "outbound"
  readonly type:
    | "text"
    | "image"
    | "document"
    | "audio"
    | "video"
    | "template"
    | "interactive"
    | "location"
    | "contact"
    | "reaction"
    | "sticker"
    | "button"
    | "order"
    | "system"
    | "unsupported"
  readonly content: Readonly<Record<string, unknown>>
  readonly replyTo: MessageReplyTo | null
  readonly channelMessageId: string | null
  readonly sentBy: string | null
  readonly sources?: ReadonlyArray<UtteranceSource> | undefined
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
  readonly id: string
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
  readonly id: string
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
  readonly id: string
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
  readonly id: string
  readonly type: "message.updated"
  readonly timestamp: string
  readonly data: {
    readonly message: Message
  }
}

export interface MessagesListQuery {
  /** 1 to 1,000,000. Default: 1. */
  readonly page?: number | undefined
  /** 1 to 100. Default: 20. */
  readonly limit?: number | undefined
  /** At most 200 characters. */
  readonly cursor?: string | undefined
  readonly status?: "received" | "queued" | "sent" | "delivered" | "read" | "failed" | undefined
  readonly direction?: "inbound" | "outbound" | undefined
  readonly type?:
    | "text"
    | "image"
    | "document"
    | "audio"
    | "video"
    | "template"
    | "interactive"
    | "location"
    | "contact"
    | "reaction"
    | "sticker"
    | "button"
    | "order"
    | "system"
    | "unsupported" | undefined
  readonly since?: string | undefined
  readonly before?: string | undefined
  /** At most 200 characters. */
  readonly conversationId?: string | undefined
  /** At most 200 characters. */
  readonly contactId?: string | undefined
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
  readonly problem: string | null
  readonly problemAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export interface MessagingConnectionCredentials {
  readonly phoneNumberId: string
  readonly businessAccountId: string
  /** 5 to 4,096 characters. */
  readonly accessToken?: string | undefined
  /** 4 to 256 characters. */
  readonly appSecret?: string | undefined
  /** 4 to 256 characters. */
  readonly verifyToken?: string | undefined
}

export interface MessagingConnectionRemoveAnswer {
  readonly disconnected: true
}

export interface MessagingConsent {
  readonly contactId: string
  readonly optedIn: boolean
  readonly history: ReadonlyArray<ConsentEntry>
}

export interface NewBroadcast {
  /** At most 120 characters. */
  readonly name: string
  /** At most 512 characters. */
  readonly templateName: string
  readonly language: string
  /** At most 20 entries. */
  readonly components?: ReadonlyArray<HeaderComponent | BodyComponent | ButtonComponent> | undefined
  readonly audience: BroadcastAudience
  readonly scheduledAt?: string | undefined
  readonly dryRun?: boolean | undefined
}

export interface NewCall {
  readonly to: string
  /** At most 200 characters. */
  readonly contactId?: string | undefined
  /** At most 200 characters. */
  readonly dealId?: string | undefined
}

export interface NewCompany {
  /** At most 200 characters. */
  readonly name: string
  readonly domain?: string | null | undefined
  /** At most 500 entries. */
  readonly contactIds?: ReadonlyArray<string> | undefined
  /** At most 40 characters. */
  readonly phone?: string | null | undefined
  /** At most 254 characters. */
  readonly email?: string | null | undefined
  /** At most 500 characters. */
  readonly address?: string | null | undefined
  /** At most 10,000 characters. */
  readonly notes?: string | null | undefined
  readonly customFields?: Readonly<Record<string, string | number | boolean | null>> | undefined
}

export interface NewContact {
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

export interface NewCustomFields {
  readonly module: "companies" | "products" | "orders" | "suppliers"
  /** At most 50 entries. */
  readonly fields: ReadonlyArray<CustomFieldsField>
}

export interface NewDevice {
  /** 4 to 4,096 characters. */
  readonly token: string
  readonly platform: "ios" | "android" | "web"
}

export interface NewEvaluation {
  /** At most 120 characters. */
  readonly name: string
  readonly tools?: Readonly<Record<string, string | Readonly<Record<string, unknown>>>> | undefined
  /** 1 to 100 entries. */
  readonly conversations: ReadonlyArray<NewEvaluationConversation>
}

export interface NewEvaluationConversation {
  /** At most 200 characters. */
  readonly name: string
  readonly contact?: TextAgentTryContact | undefined
  readonly tools?: Readonly<Record<string, string | Readonly<Record<string, unknown>>>> | undefined
  /** 1 to 50 entries. */
  readonly turns: ReadonlyArray<NewEvaluationConversationTurn>
}

export interface NewEvaluationConversationTurn {
  /** At most 4,000 characters. */
  readonly contact?: string | ReadonlyArray<string> | undefined
  /** At most 4,000 characters. */
  readonly human?: string | undefined
  readonly handBack?: true | undefined
  readonly resolve?: true | undefined
  readonly expect?: NewEvaluationConversationTurnExpect | undefined
}

export interface NewEvaluationConversationTurnExpect {
  /** At most 4,000 characters. */
  readonly contains?: string | ReadonlyArray<string> | undefined
  /** At most 4,000 characters. */
  readonly not?: string | ReadonlyArray<string> | undefined
  /** At most 4,000 characters. */
  readonly says?: string | ReadonlyArray<string> | undefined
  /** At most 4,000 characters. */
  readonly source?: string | undefined
  readonly tools?: ReadonlyArray<NewEvaluationConversationTurnExpectTool> | undefined
  readonly outcome?: "answered" | "handed_over" | "resolved" | "silent" | undefined
  /** 0 to 20. */
  readonly messages?: number | undefined
}

export interface NewEvaluationConversationTurnExpectTool {
  readonly name: string
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
}

export interface NewEvaluationRun {
  /** At most 60 characters. */
  readonly agentId: string
  readonly draft?: TextAgentChanges | undefined
}

export interface NewHook {
  /** At most 2,000 characters. */
  readonly targetUrl: string
  readonly event:
    | "contact.created"
    | "contact.updated"
    | "contact.archived"
    | "contact.restored"
    | "contact.merged"
    | "contact.erased"
    | "contact.opted_in"
    | "contact.opted_out"
    | "conversation.created"
    | "conversation.assigned"
    | "conversation.labeled"
    | "conversation.noted"
    | "conversation.updated"
    | "conversation.resolved"
    | "conversation.reopened"
    | "conversation.sla_breached"
    | "message.received"
    | "message.queued"
    | "message.status"
    | "message.updated"
    | "ai.allowance_used"
    | "voice.allowance_used"
    | "voice_agent.updated"
    | "call.started"
    | "call.ended"
    | "call.recorded"
    | "call.summarized"
    | "broadcast.completed"
    | "template.updated"
    | "order.created"
    | "order.updated"
    | "order.paid"
    | "cart.abandoned"
    | "payment.created"
    | "payment.completed"
    | "payment.failed"
    | "payment.expired"
    | "payment.canceled"
    | "payment.refunded"
    | "payment.disputed"
    | "connection.failed"
    | "connection.recovered"
    | "provider.failed"
    | "provider.recovered"
}

export interface NewKnowledgeBase {
  /** At most 120 characters. */
  readonly name: string
  /** At most 1,000 characters. */
  readonly description?: string | undefined
  readonly language?: "en" | "hi" | "es" | "ta" | "fr" | "de" | "pt" | "it" | "nl" | "id" | "other" | undefined
}

export type NewKnowledgeSource = {
  /** At most 200 characters. */
  readonly title: string
  /** 1 to 200 entries. */
  readonly answers: ReadonlyArray<KnowledgeSourceAnswer>
} | {
  /** At most 200 characters. */
  readonly title: string
  readonly pages: KnowledgeSourcePages
  /** 1 to 720. */
  readonly syncEveryHours?: number | null | undefined
} | {
  /** At most 200 characters. */
  readonly title: string
  readonly notion: {
    /** At most 2,000 characters. */
    readonly url: string
  }
  /** 1 to 720. */
  readonly syncEveryHours?: number | null | undefined
}

export type NewMessage =
  | TextNewMessage
  | ImageNewMessage
  | DocumentNewMessage
  | AudioNewMessage
  | VideoNewMessage
  | TemplateNewMessage
  | InteractiveNewMessage
  | LocationNewMessage
  | ContactNewMessage
  | ReactionNewMessage

export interface NewOrder {
  /** At most 100 characters. */
  readonly number: string
  readonly currency: string
  /** 1 to 500 entries. */
  readonly lines: ReadonlyArray<NewOrderLine>
  readonly status?: "pending" | "paid" | "fulfilled" | "canceled" | "refunded" | undefined
  /** At most 60 characters. */
  readonly contactId?: string | null | undefined
  /** At most 60 characters. */
  readonly companyId?: string | null | undefined
  /** At most 60 characters. */
  readonly conversationId?: string | null | undefined
  /** 0 to 1,000,000,000,000. */
  readonly discount?: number | undefined
  /** 0 to 1,000,000,000,000. */
  readonly shipping?: number | undefined
  /** At most 10,000 characters. */
  readonly notes?: string | null | undefined
  readonly placedAt?: string | undefined
  readonly customFields?: Readonly<Record<string, string | number | boolean | null>> | undefined
}

export interface NewOrderLine {
  /** At most 60 characters. */
  readonly productId?: string | null | undefined
  /** At most 100 characters. */
  readonly sku?: string | null | undefined
  /** At most 200 characters. */
  readonly name?: string | undefined
  /** 1 to 1,000,000. */
  readonly quantity: number
  /** 0 to 1,000,000,000,000. */
  readonly unitPrice?: number | undefined
  /** 0 to 1,000,000,000,000. */
  readonly tax?: number | undefined
}

export interface NewPaymentLink {
  /** At most 20 characters. */
  readonly amount?: string | undefined
  readonly currency?: string | undefined
  /** At most 200 characters. */
  readonly description?: string | undefined
  /** At most 60 characters. */
  readonly contactId?: string | null | undefined
  /** At most 60 characters. */
  readonly orderId?: string | null | undefined
  /** At most 60 characters. */
  readonly conversationId?: string | null | undefined
  readonly expiresAt?: string | undefined
  readonly provider?: "stripe" | "razorpay" | "paypal" | undefined
}

export interface NewProduct {
  /** At most 200 characters. */
  readonly name: string
  /** At most 100 characters. */
  readonly sku?: string | null | undefined
  /** At most 10,000 characters. */
  readonly description?: string | null | undefined
  readonly price?: ProductPrice | null | undefined
  /** -1,000,000,000 to 1,000,000,000. */
  readonly stock?: number | null | undefined
  /** At most 50 entries. */
  readonly supplierIds?: ReadonlyArray<string> | undefined
  readonly customFields?: Readonly<Record<string, string | number | boolean | null>> | undefined
}

export interface NewQuickReply {
  readonly shortcut: string
  /** At most 4,096 characters. */
  readonly text: string
}

export interface NewSupplier {
  /** At most 200 characters. */
  readonly name: string
  /** At most 40 characters. */
  readonly phone?: string | null | undefined
  /** At most 254 characters. */
  readonly email?: string | null | undefined
  /** At most 500 characters. */
  readonly address?: string | null | undefined
  /** At most 10,000 characters. */
  readonly notes?: string | null | undefined
  readonly customFields?: Readonly<Record<string, string | number | boolean | null>> | undefined
}

export interface NewTestCall {
  readonly draft?: VoiceAgentChanges | undefined
}

export interface NewTextAgent {
  /** At most 120 characters. */
  readonly name: string
  /** At most 2,000 characters. */
  readonly description?: string | undefined
  /** At most 20,000 characters. */
  readonly systemPrompt?: string | undefined
  readonly tools?: ReadonlyArray<VoiceAgentTool> | undefined
  /** At most 60 characters. */
  readonly voiceAgentId?: string | null | undefined
  /** At most 10 entries. */
  readonly knowledgeBases?: ReadonlyArray<string> | undefined
  readonly language?: string | undefined
  /** At most 50 entries. */
  readonly escalationPhrases?: ReadonlyArray<string> | undefined
  /** At most 500 characters. */
  readonly fallbackLine?: string | undefined
  /** At most 500 characters. */
  readonly handOverLine?: string | undefined
  /** At most 500 characters. */
  readonly outsideHoursLine?: string | null | undefined
  /** At most 500 characters. */
  readonly disclosureText?: string | undefined
  /** At most 10 entries. */
  readonly channels?: ReadonlyArray<"messaging"> | undefined
  readonly answers?: "always" | "outside_hours" | "when_unassigned" | "never" | undefined
  readonly limits?: NewTextAgentLimits | undefined
}

export interface NewTextAgentLimits {
  /** In milliseconds. 0 to 8,000. */
  readonly waitMs?: number | undefined
  /** 500 to 16,000. */
  readonly historyTokens?: number | undefined
  /** 1 to 8. */
  readonly modelCallsPerTurn?: number | undefined
  /** 5 to 30. */
  readonly secondsPerTurn?: number | undefined
}

export interface NewToolTry {
  readonly arguments: Readonly<Record<string, unknown>>
  readonly draft?: VoiceAgentChanges | undefined
}

export interface NewVoiceAgent {
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
  readonly tools?: ReadonlyArray<NewVoiceAgentTool> | undefined
  /** At most 10 entries. */
  readonly knowledgeBases?: ReadonlyArray<string> | undefined
  readonly callFields?: Readonly<Record<string, unknown>> | null | undefined
  readonly recording?: boolean | undefined
  readonly primaryLanguage?:
    | "hi-IN"
    | "ta-IN"
    | "te-IN"
    | "bn-IN"
    | "mr-IN"
    | "gu-IN"
    | "pa-IN"
    | "kn-IN"
    | "ml-IN"
    | "od-IN"
    | "en-US"
    | "en-GB"
    | "en-AU" | undefined
  readonly backchanneling?: boolean | undefined
  readonly use_fillers?: boolean | undefined
  readonly ambient_noise?: boolean | undefined
  /** At most 50 entries. */
  readonly escalationPhrases?: ReadonlyArray<string> | undefined
  /** At most 255 characters. */
  readonly humanDestination?: string | null | undefined
  /** At most 500 characters. */
  readonly fallbackLine?: string | undefined
  readonly silence?: NewVoiceAgentSilence | undefined
  readonly endpointing?: NewVoiceAgentEndpointing | undefined
  readonly interruption?: NewVoiceAgentInterruption | undefined
  /** In seconds. 30 to 14,400. */
  readonly maxCallSeconds?: number | undefined
  readonly voicemail?: NewVoiceAgentVoicemail | undefined
}

export interface NewVoiceAgentEndpointing {
  /** In milliseconds. 100 to 5,000. */
  readonly minSilenceMs?: number | undefined
  /** In milliseconds. 200 to 10,000. */
  readonly maxSilenceMs?: number | undefined
  readonly semantic?: "auto" | "off" | undefined
}

export interface NewVoiceAgentInterruption {
  readonly enabled?: boolean | undefined
  /** In milliseconds. 40 to 2,000. */
  readonly minSpeechMs?: number | undefined
  /** 0 to 10. */
  readonly minWords?: number | undefined
}

export interface NewVoiceAgentSilence {
  /** In seconds. */
  readonly promptAfterSeconds?: number | undefined
  /** 0 to 10. */
  readonly maxPrompts?: number | undefined
  /** At most 500 characters. */
  readonly promptText?: string | undefined
  /** At most 500 characters. */
  readonly goodbyeText?: string | undefined
}

export interface NewVoiceAgentTool {
  readonly name: string
  readonly description?: string | undefined
  readonly parameters?: VoiceAgentToolParameters | undefined
  readonly onInterruption?: "keep" | "cancel" | undefined
  readonly handler?: HttpHandler | BuiltinHandler | McpHandler | undefined
}

export interface NewVoiceAgentVoicemail {
  /** At most 1,000 characters. */
  readonly message?: string | null | undefined
  /** In seconds. 10 to 300. */
  readonly maxSeconds?: number | undefined
}

export interface NewVoiceConsent {
  readonly grantedAt?: string | undefined
  /** At most 200 characters. */
  readonly source: string
  /** 1 to 5,000 characters. */
  readonly text: string
}

export interface NewWebhookEndpoint {
  /** At most 2,000 characters. */
  readonly url: string
  /** At most 200 characters. */
  readonly description?: string | undefined
  /** At most 100 entries. */
  readonly events?: ReadonlyArray<
    | "contact.created"
    | "contact.updated"
    | "contact.archived"
    | "contact.restored"
    | "contact.merged"
    | "contact.erased"
    | "contact.opted_in"
    | "contact.opted_out"
    | "conversation.created"
    | "conversation.assigned"
    | "conversation.labeled"
    | "conversation.noted"
    | "conversation.updated"
    | "conversation.resolved"
    | "conversation.reopened"
    | "conversation.sla_breached"
    | "message.received"
    | "message.queued"
    | "message.status"
    | "message.updated"
    | "ai.allowance_used"
    | "voice.allowance_used"
    | "voice_agent.updated"
    | "call.started"
    | "call.ended"
    | "call.recorded"
    | "call.summarized"
    | "broadcast.completed"
    | "template.updated"
    | "order.created"
    | "order.updated"
    | "order.paid"
    | "cart.abandoned"
    | "payment.created"
    | "payment.completed"
    | "payment.failed"
    | "payment.expired"
    | "payment.canceled"
    | "payment.refunded"
    | "payment.disputed"
    | "connection.failed"
    | "connection.recovered"
    | "provider.failed"
    | "provider.recovered"
    | "webhook.disabled"
    | "webhook.test"
    | "contact.*"
    | "conversation.*"
    | "message.*"
    | "ai.*"
    | "voice.*"
    | "voice_agent.*"
    | "call.*"
    | "broadcast.*"
    | "template.*"
    | "order.*"
    | "cart.*"
    | "payment.*"
    | "connection.*"
    | "provider.*"
    | "webhook.*"> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly enabled?: boolean | undefined
}

export interface NobodyTarget {
  readonly type: "nobody"
}

export interface NoteText {
  /** At most 10,000 characters. */
  readonly text: string
}

export interface OpeningHours {
  readonly timeZone: string
  readonly businessHours: BusinessHours | null
  readonly open: boolean
  readonly opensAt: string | null
}

export interface OpsTarget {
  readonly type: "ops"
  readonly agentId: string
}

export interface Order {
  readonly id: string
  readonly organizationId: string
  readonly customFields: Readonly<Record<string, string | number | boolean | null>>
  readonly source: CompanySource | null
  readonly archivedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly number: string
  readonly status: "pending" | "paid" | "fulfilled" | "canceled" | "refunded"
  readonly contactId: string | null
  readonly companyId: string | null
  readonly conversationId: string | null
  readonly currency: string
  readonly lines: ReadonlyArray<OrderLine>
  readonly discount: number
  readonly shipping: number
  readonly subtotal: number
  readonly tax: number
  readonly total: number
  readonly notes: string | null
  readonly placedAt: string
  readonly paidAt: string | null
}

export interface OrderChanges {
  /** At most 100 characters. */
  readonly number?: string | undefined
  /** 1 to 500 entries. */
  readonly lines?: ReadonlyArray<NewOrderLine> | undefined
  readonly status?: "pending" | "paid" | "fulfilled" | "canceled" | "refunded" | undefined
  /** At most 60 characters. */
  readonly contactId?: string | null | undefined
  /** At most 60 characters. */
  readonly companyId?: string | null | undefined
  /** At most 60 characters. */
  readonly conversationId?: string | null | undefined
  /** 0 to 1,000,000,000,000. */
  readonly discount?: number | undefined
  /** 0 to 1,000,000,000,000. */
  readonly shipping?: number | undefined
  /** At most 10,000 characters. */
  readonly notes?: string | null | undefined
  readonly placedAt?: string | undefined
  readonly customFields?: Readonly<Record<string, string | number | boolean | null>> | undefined
}

export interface OrderCreatedEvent {
  readonly id: string
  readonly type: "order.created"
  readonly createdAt: string
  readonly data: {
    readonly order: Order
    readonly contact: {
      readonly id: string
    } | null
  }
}

export interface OrderCreatedWebhook {
  readonly id: string
  readonly type: "order.created"
  readonly timestamp: string
  readonly data: {
    readonly order: Order
    readonly contact: {
      readonly id: string
    } | null
  }
}

export interface OrderLine {
  readonly productId: string | null
  readonly sku: string | null
  readonly name: string
  readonly quantity: number
  readonly unitPrice: number
  readonly tax: number
}

export interface OrderPaidEvent {
  readonly id: string
  readonly type: "order.paid"
  readonly createdAt: string
  readonly data: {
    readonly order: Order
    readonly contact: {
      readonly id: string
    } | null
  }
}

export interface OrderPaidWebhook {
  readonly id: string
  readonly type: "order.paid"
  readonly timestamp: string
  readonly data: {
    readonly order: Order
    readonly contact: {
      readonly id: string
    } | null
  }
}

export interface OrderUpdatedEvent {
  readonly id: string
  readonly type: "order.updated"
  readonly createdAt: string
  readonly data: {
    readonly order: Order
    readonly contact: {
      readonly id: string
    } | null
  }
}

export interface OrderUpdatedWebhook {
  readonly id: string
  readonly type: "order.updated"
  readonly timestamp: string
  readonly data: {
    readonly order: Order
    readonly contact: {
      readonly id: string
    } | null
  }
}

export interface OrdersExportQuery {
  readonly status?: "pending" | "paid" | "fulfilled" | "canceled" | "refunded" | undefined
  /** At most 200 characters. */
  readonly number?: string | undefined
  /** At most 200 characters. */
  readonly contactId?: string | undefined
  /** At most 200 characters. */
  readonly companyId?: string | undefined
  /** At most 200 characters. */
  readonly conversationId?: string | undefined
  /** At most 200 characters. */
  readonly search?: string | undefined
  /** Default: false. */
  readonly archived?: boolean | undefined
}

export interface OrdersImportQuery {
  /** Default: false. */
  readonly dryRun?: boolean | undefined
  readonly onDuplicate?: "skip" | "update" | undefined
  /** At most 200 characters. */
  readonly fileName?: string | undefined
  /** At most 200 characters. */
  readonly numberColumn?: string | undefined
  /** At most 200 characters. */
  readonly statusColumn?: string | undefined
  /** At most 200 characters. */
  readonly currencyColumn?: string | undefined
  /** At most 200 characters. */
  readonly linesColumn?: string | undefined
  /** At most 200 characters. */
  readonly productColumn?: string | undefined
  /** At most 200 characters. */
  readonly skuColumn?: string | undefined
  /** At most 200 characters. */
  readonly quantityColumn?: string | undefined
  /** At most 200 characters. */
  readonly unitPriceColumn?: string | undefined
  /** At most 200 characters. */
  readonly lineTaxColumn?: string | undefined
  /** At most 200 characters. */
  readonly discountColumn?: string | undefined
  /** At most 200 characters. */
  readonly shippingColumn?: string | undefined
  /** At most 200 characters. */
  readonly subtotalColumn?: string | undefined
  /** At most 200 characters. */
  readonly taxColumn?: string | undefined
  /** At most 200 characters. */
  readonly totalColumn?: string | undefined
  /** At most 200 characters. */
  readonly notesColumn?: string | undefined
  /** At most 200 characters. */
  readonly placedAtColumn?: string | undefined
  /** At most 200 characters. */
  readonly paidAtColumn?: string | undefined
  /** At most 200 characters. */
  readonly contactIdColumn?: string | undefined
  /** At most 200 characters. */
  readonly contactPhoneColumn?: string | undefined
  /** At most 200 characters. */
  readonly companyIdColumn?: string | undefined
  /** At most 200 characters. */
  readonly companyColumn?: string | undefined
  /** At most 200 characters. */
  readonly conversationIdColumn?: string | undefined
  /** At most 200 characters. */
  readonly sourceColumn?: string | undefined
  /** At most 200 characters. */
  readonly externalIdColumn?: string | undefined
  /** At most 200 characters. */
  readonly sourceUpdatedAtColumn?: string | undefined
}

export interface OrdersListQuery {
  /** 1 to 1,000,000. Default: 1. */
  readonly page?: number | undefined
  /** 1 to 100. Default: 20. */
  readonly limit?: number | undefined
  /** At most 200 characters. */
  readonly cursor?: string | undefined
  readonly status?: "pending" | "paid" | "fulfilled" | "canceled" | "refunded" | undefined
  /** At most 200 characters. */
  readonly number?: string | undefined
  /** At most 200 characters. */
  readonly contactId?: string | undefined
  /** At most 200 characters. */
  readonly companyId?: string | undefined
  /** At most 200 characters. */
  readonly conversationId?: string | undefined
  /** At most 200 characters. */
  readonly search?: string | undefined
  /** Default: false. */
  readonly archived?: boolean | undefined
  readonly sort?: "-createdAt" | "createdAt" | "-updatedAt" | "updatedAt" | undefined
}

export interface Organization {
  readonly id: string
  readonly name: string
  readonly timeZone: string
  readonly plan: "FREE" | "STARTER" | "PRO" | "PREMIUM" | "ENTERPRISE"
  readonly flags: OrganizationFlags
  readonly features: ReadonlyArray<OrganizationFeature>
  readonly limits: OrganizationLimits
}

export interface OrganizationChanges {
  /** At most 200 characters. */
  readonly name?: string | undefined
  readonly timeZone?: string | undefined
}

export interface OrganizationFeature {
  readonly id:
    | "webhooks"
    | "automation"
    | "mcpStdio"
    | "mcp"
    | "integrations"
    | "modules"
    | "broadcasts"
    | "voiceAgents"
    | "voicePremium"
  readonly available: boolean
  readonly reason: string | null
}

export interface OrganizationFlags {
  readonly voiceAgents: boolean
  readonly voicePremium: boolean
}

export interface OrganizationLimits {
  readonly concurrentCalls: number
  readonly voiceAgents: number
  readonly voiceMinutesPerMonth: number
  readonly broadcastSize: number | null
  readonly aiTokensPerMonth: number
  readonly knowledgeBases: number
  readonly knowledgePassages: number
}

export interface OrganizationPeopleQuery {
  /** 1 to 1,000,000. Default: 1. */
  readonly page?: number | undefined
  /** 1 to 1,000. Default: 1000. */
  readonly limit?: number | undefined
}

export interface OwnSession {
  readonly id: string
  readonly createdAt: string
  readonly lastSeenAt: string
  readonly expiresAt: string
  readonly ip: string | null
  readonly userAgent: string | null
  readonly current: boolean
}

export interface PayloadParameter {
  readonly type: "payload"
  /** At most 256 characters. */
  readonly payload: string
}

export interface PaymentCanceledEvent {
  readonly id: string
  readonly type: "payment.canceled"
  readonly createdAt: string
  readonly data: {
    readonly payment: PaymentLink
    readonly contact: {
      readonly id: string
    } | null
  }
}

export interface PaymentCanceledWebhook {
  readonly id: string
  readonly type: "payment.canceled"
  readonly timestamp: string
  readonly data: {
    readonly payment: PaymentLink
    readonly contact: {
      readonly id: string
    } | null
  }
}

export interface PaymentCompletedEvent {
  readonly id: string
  readonly type: "payment.completed"
  readonly createdAt: string
  readonly data: {
    readonly payment: PaymentLink
    readonly contact: {
      readonly id: string
    } | null
  }
}

export interface PaymentCompletedWebhook {
  readonly id: string
  readonly type: "payment.completed"
  readonly timestamp: string
  readonly data: {
    readonly payment: PaymentLink
    readonly contact: {
      readonly id: string
    } | null
  }
}

export interface PaymentCreatedEvent {
  readonly id: string
  readonly type: "payment.created"
  readonly createdAt: string
  readonly data: {
    readonly payment: PaymentLink
    readonly contact: {
      readonly id: string
    } | null
  }
}

export interface PaymentCreatedWebhook {
  readonly id: string
  readonly type: "payment.created"
  readonly timestamp: string
  readonly data: {
    readonly payment: PaymentLink
    readonly contact: {
      readonly id: string
    } | null
  }
}

export interface PaymentDisputedEvent {
  readonly id: string
  readonly type: "payment.disputed"
  readonly createdAt: string
  readonly data: {
    readonly payment: PaymentLink
    readonly contact: {
      readonly id: string
    } | null
  }
}

export interface PaymentDisputedWebhook {
  readonly id: string
  readonly type: "payment.disputed"
  readonly timestamp: string
  readonly data: {
    readonly payment: PaymentLink
    readonly contact: {
      readonly id: string
    } | null
  }
}

export interface PaymentExpiredEvent {
  readonly id: string
  readonly type: "payment.expired"
  readonly createdAt: string
  readonly data: {
    readonly payment: PaymentLink
    readonly contact: {
      readonly id: string
    } | null
  }
}

export interface PaymentExpiredWebhook {
  readonly id: string
  readonly type: "payment.expired"
  readonly timestamp: string
  readonly data: {
    readonly payment: PaymentLink
    readonly contact: {
      readonly id: string
    } | null
  }
}

export interface PaymentFailedEvent {
  readonly id: string
  readonly type: "payment.failed"
  readonly createdAt: string
  readonly data: {
    readonly payment: PaymentLink
    readonly contact: {
      readonly id: string
    } | null
  }
}

export interface PaymentFailedWebhook {
  readonly id: string
  readonly type: "payment.failed"
  readonly timestamp: string
  readonly data: {
    readonly payment: PaymentLink
    readonly contact: {
      readonly id: string
    } | null
  }
}

export interface PaymentLink {
  readonly id: string
  readonly organizationId: string
  readonly provider: "stripe" | "razorpay" | "paypal"
  readonly live: boolean
  readonly status:
    | "created"
    | "pending"
    | "failed"
    | "expired"
    | "canceled"
    | "paid"
    | "partially_refunded"
    | "refunded"
    | "disputed"
  readonly amount: string
  readonly currency: string
  readonly description: string
  readonly url: string
  readonly contactId: string | null
  readonly orderId: string | null
  readonly conversationId: string | null
  readonly callId: string | null
  readonly createdBy: string
  readonly expiresAt: string
  readonly paidAmount: string | null
  readonly paidAt: string | null
  readonly refundedAmount: string
  readonly dispute: "open" | "won" | "lost" | null
  readonly failureReason: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export interface PaymentLinksListQuery {
  /** 1 to 1,000,000. Default: 1. */
  readonly page?: number | undefined
  /** 1 to 100. Default: 20. */
  readonly limit?: number | undefined
  /** At most 200 characters. */
  readonly cursor?: string | undefined
  readonly status?:
    | "created"
    | "pending"
    | "failed"
    | "expired"
    | "canceled"
    | "paid"
    | "partially_refunded"
    | "refunded"
    | "disputed" | undefined
  /** At most 200 characters. */
  readonly contactId?: string | undefined
  /** At most 200 characters. */
  readonly orderId?: string | undefined
  /** At most 200 characters. */
  readonly conversationId?: string | undefined
  /** At most 200 characters. */
  readonly callId?: string | undefined
}

export interface PaymentRefundedEvent {
  readonly id: string
  readonly type: "payment.refunded"
  readonly createdAt: string
  readonly data: {
    readonly payment: PaymentLink
    readonly contact: {
      readonly id: string
    } | null
  }
}

export interface PaymentRefundedWebhook {
  readonly id: string
  readonly type: "payment.refunded"
  readonly timestamp: string
  readonly data: {
    readonly payment: PaymentLink
    readonly contact: {
      readonly id: string
    } | null
  }
}

export interface PaymentSettings {
  readonly provider: "stripe" | "razorpay" | "paypal" | null
  readonly template: ShownPaymentSettingsTemplate | null
}

export interface PeopleTarget {
  readonly type: "people"
}

export interface PersonalChanges {
  /** At most 35 characters. */
  readonly locale?: string | null | undefined
  readonly preferences?: Readonly<Record<string, unknown>> | undefined
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

export interface PhoneNumbersAvailableAnswer {
  readonly data: ReadonlyArray<AvailableNumber>
}

export interface PhoneNumbersAvailableQuery {
  readonly country: string
  readonly type?: "local" | "mobile" | "toll_free" | undefined
  /** 100 to 999. */
  readonly areaCode?: number | undefined
  readonly contains?: string | undefined
  readonly capabilities?: "sms" | "mms" | "sms,mms" | undefined
  /** 1 to 100. */
  readonly limit?: number | undefined
}

export interface PhoneNumbersReleaseAnswer {
  readonly id: string
  readonly released: true
}

export interface Presence {
  readonly state: "viewing" | "typing" | "gone"
}

export interface Product {
  readonly id: string
  readonly organizationId: string
  readonly customFields: Readonly<Record<string, string | number | boolean | null>>
  readonly source: CompanySource | null
  readonly archivedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly name: string
  readonly sku: string | null
  readonly description: string | null
  readonly price: ProductPrice | null
  readonly stock: number | null
  readonly supplierIds: ReadonlyArray<string>
}

export interface ProductChanges {
  /** At most 200 characters. */
  readonly name?: string | undefined
  /** At most 100 characters. */
  readonly sku?: string | null | undefined
  /** At most 10,000 characters. */
  readonly description?: string | null | undefined
  readonly price?: ProductPrice | null | undefined
  /** -1,000,000,000 to 1,000,000,000. */
  readonly stock?: number | null | undefined
  /** At most 50 entries. */
  readonly supplierIds?: ReadonlyArray<string> | undefined
  readonly customFields?: Readonly<Record<string, string | number | boolean | null>> | undefined
}

export interface ProductPrice {
  /** 0 to 1,000,000,000,000. */
  readonly amount: number
  readonly currency: string
}

export interface ProductsExportQuery {
  /** At most 200 characters. */
  readonly sku?: string | undefined
  /** At most 200 characters. */
  readonly supplierId?: string | undefined
  /** At most 200 characters. */
  readonly search?: string | undefined
  /** Default: false. */
  readonly archived?: boolean | undefined
}

export interface ProductsImportQuery {
  /** Default: false. */
  readonly dryRun?: boolean | undefined
  readonly onDuplicate?: "skip" | "update" | undefined
  /** At most 200 characters. */
  readonly fileName?: string | undefined
  /** At most 200 characters. */
  readonly nameColumn?: string | undefined
  /** At most 200 characters. */
  readonly skuColumn?: string | undefined
  /** At most 200 characters. */
  readonly descriptionColumn?: string | undefined
  /** At most 200 characters. */
  readonly priceColumn?: string | undefined
  /** At most 200 characters. */
  readonly currencyColumn?: string | undefined
  /** At most 200 characters. */
  readonly stockColumn?: string | undefined
  /** At most 200 characters. */
  readonly supplierIdsColumn?: string | undefined
  /** At most 200 characters. */
  readonly suppliersColumn?: string | undefined
  /** At most 200 characters. */
  readonly sourceColumn?: string | undefined
  /** At most 200 characters. */
  readonly externalIdColumn?: string | undefined
  /** At most 200 characters. */
  readonly sourceUpdatedAtColumn?: string | undefined
}

export interface ProductsListQuery {
  /** 1 to 1,000,000. Default: 1. */
  readonly page?: number | undefined
  /** 1 to 100. Default: 20. */
  readonly limit?: number | undefined
  /** At most 200 characters. */
  readonly cursor?: string | undefined
  /** At most 200 characters. */
  readonly sku?: string | undefined
  /** At most 200 characters. */
  readonly supplierId?: string | undefined
  /** At most 200 characters. */
  readonly search?: string | undefined
  /** Default: false. */
  readonly archived?: boolean | undefined
  readonly sort?: "-createdAt" | "createdAt" | "-updatedAt" | "updatedAt" | undefined
}

export interface ProviderFailedEvent {
  readonly id: string
  readonly type: "provider.failed"
  readonly createdAt: string
  readonly data: {
    readonly provider: ToldProvider
  }
}

export interface ProviderFailedWebhook {
  readonly id: string
  readonly type: "provider.failed"
  readonly timestamp: string
  readonly data: {
    readonly provider: ToldProvider
  }
}

export interface ProviderRecoveredEvent {
  readonly id: string
  readonly type: "provider.recovered"
  readonly createdAt: string
  readonly data: {
    readonly provider: ToldProvider
  }
}

export interface ProviderRecoveredWebhook {
  readonly id: string
  readonly type: "provider.recovered"
  readonly timestamp: string
  readonly data: {
    readonly provider: ToldProvider
  }
}

export interface PushSetting {
  readonly preview: boolean
}

export interface QueueTarget {
  readonly type: "queue"
  /** At least 1 entries. */
  readonly channels?: ReadonlyArray<"messaging" | "voice"> | undefined
}

export interface QuickRepliesListQuery {
  /** 1 to 1,000,000. Default: 1. */
  readonly page?: number | undefined
  /** 1 to 100. Default: 20. */
  readonly limit?: number | undefined
  /** At most 200 characters. */
  readonly cursor?: string | undefined
  /** At most 200 characters. */
  readonly search?: string | undefined
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

export interface QuickReplyChanges {
  readonly shortcut?: string | undefined
  /** At most 4,096 characters. */
  readonly text?: string | undefined
}

export interface ReactionNewMessage {
  /** At most 80 characters. */
  readonly to: string
  readonly type: "reaction"
  readonly messageId: string
  readonly emoji: string
  readonly replyTo?: string | undefined
}

export interface RefusedRow {
  readonly row: number
  readonly field: string | null
  readonly problem: string
  readonly values: ReadonlyArray<string>
}

export interface RemovedEvaluation {
  readonly id: string
  readonly deleted: true
}

export interface RemovedEvaluationRun {
  readonly id: string
  readonly deleted: true
}

export interface RemovedKnowledgeBase {
  readonly id: string
  readonly deleted: true
}

export interface RemovedKnowledgeSource {
  readonly id: string
  readonly deleted: true
}

export interface RemovedNote {
  readonly id: string
  readonly deleted: true
}

export interface ReplayedProblems {
  readonly queued: number
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
  readonly carts: number
  readonly paymentLinks: number
  readonly unusedMedia: number
  readonly events: number
  readonly webhookDeliveries: number
  readonly webhookResponses: number
  readonly integrationChanges: number
  readonly integrationArrivals: number
  readonly integrationLog: number
  readonly inboxLetters: number
  readonly idempotencyKeys: number
  readonly sessions: number
  readonly devices: number
  readonly unansweredQuestions: number
  readonly auditLog: number
}

export interface RotatedApiKey {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly lastFour: string | null
  readonly scopes: ReadonlyArray<
    | "status:read"
    | "contacts:read"
    | "contacts:write"
    | "conversations:read"
    | "conversations:write"
    | "messages:read"
    | "messages:send"
    | "media:read"
    | "media:write"
    | "voice:read"
    | "voice:write"
    | "calls:control"
    | "agents:read"
    | "agents:write"
    | "knowledge:read"
    | "knowledge:write"
    | "integrations:read"
    | "integrations:write"
    | "payments:write"
    | "modules:read"
    | "modules:write"
    | "mcp"
    | "admin">
  readonly status: "active" | "expired" | "revoked"
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  readonly makerId: string | null
  readonly clientId: string | null
  readonly lastUsedAt: string | null
  readonly rotatedTo: string | null
  readonly key: string
  readonly replaced: ApiKey
}

export interface SentMessage {
  readonly messageId: string
  readonly conversationId: string
  readonly contactId: string
  readonly status: "received" | "queued" | "sent" | "delivered" | "read" | "failed"
}

export interface Session {
  readonly user: SessionUser
  readonly organizationId: string
  readonly scopes: ReadonlyArray<
    | "status:read"
    | "contacts:read"
    | "contacts:write"
    | "conversations:read"
    | "conversations:write"
    | "messages:read"
    | "messages:send"
    | "media:read"
    | "media:write"
    | "voice:read"
    | "voice:write"
    | "calls:control"
    | "agents:read"
    | "agents:write"
    | "knowledge:read"
    | "knowledge:write"
    | "integrations:read"
    | "integrations:write"
    | "payments:write"
    | "modules:read"
    | "modules:write"
    | "mcp"
    | "admin">
  readonly csrfToken: string
  readonly expiresAt: string
  readonly timeZone: string
  readonly locale: string | null
  readonly preferences: Readonly<Record<string, unknown>>
}

export interface SessionEndAnswer {
  readonly ended: true
}

export interface SessionStartBody {
  /** At most 254 characters. */
  readonly email: string
  /** At most 1,000 characters. */
  readonly password: string
  readonly device?: NewDevice | undefined
}

export interface SessionUser {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: "OWNER" | "ADMIN" | "AGENT"
}

export interface SessionsEndAnswer {
  readonly id: string
  readonly ended: true
}

export interface SessionsListAnswer {
  readonly data: ReadonlyArray<OwnSession>
}

export interface SetupStateAnswer {
  readonly open: boolean
}

export interface ShownPaymentSettings {
  readonly provider: "stripe" | "razorpay" | "paypal" | null
  readonly template: ShownPaymentSettingsTemplate | null
  readonly connected: ReadonlyArray<ShownPaymentSettingsConnected>
}

export interface ShownPaymentSettingsConnected {
  readonly provider: "stripe" | "razorpay" | "paypal"
  readonly title: string
  readonly account: string
  readonly live: boolean
}

export interface ShownPaymentSettingsTemplate {
  /** At most 512 characters. */
  readonly name: string
  /** At most 20 characters. */
  readonly language: string
}

export interface SipCredentials {
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

export interface SlackChannelsAnswer {
  readonly data: ReadonlyArray<ChatChannel>
}

export interface SlackChannelsQuery {
  /** At most 100 characters. */
  readonly search?: string | undefined
}

export interface SummaryRequest {
  readonly language?: string | undefined
}

export interface Supplier {
  readonly id: string
  readonly organizationId: string
  readonly customFields: Readonly<Record<string, string | number | boolean | null>>
  readonly source: CompanySource | null
  readonly archivedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly name: string
  readonly phone: string | null
  readonly email: string | null
  readonly address: string | null
  readonly notes: string | null
}

export interface SupplierChanges {
  /** At most 200 characters. */
  readonly name?: string | undefined
  /** At most 40 characters. */
  readonly phone?: string | null | undefined
  /** At most 254 characters. */
  readonly email?: string | null | undefined
  /** At most 500 characters. */
  readonly address?: string | null | undefined
  /** At most 10,000 characters. */
  readonly notes?: string | null | undefined
  readonly customFields?: Readonly<Record<string, string | number | boolean | null>> | undefined
}

export interface SuppliersExportQuery {
  /** At most 200 characters. */
  readonly search?: string | undefined
  /** Default: false. */
  readonly archived?: boolean | undefined
}

export interface SuppliersImportQuery {
  /** Default: false. */
  readonly dryRun?: boolean | undefined
  readonly onDuplicate?: "skip" | "update" | undefined
  /** At most 200 characters. */
  readonly fileName?: string | undefined
  /** At most 200 characters. */
  readonly nameColumn?: string | undefined
  /** At most 200 characters. */
  readonly phoneColumn?: string | undefined
  /** At most 200 characters. */
  readonly emailColumn?: string | undefined
  /** At most 200 characters. */
  readonly addressColumn?: string | undefined
  /** At most 200 characters. */
  readonly notesColumn?: string | undefined
  /** At most 200 characters. */
  readonly sourceColumn?: string | undefined
  /** At most 200 characters. */
  readonly externalIdColumn?: string | undefined
  /** At most 200 characters. */
  readonly sourceUpdatedAtColumn?: string | undefined
}

export interface SuppliersListQuery {
  /** 1 to 1,000,000. Default: 1. */
  readonly page?: number | undefined
  /** 1 to 100. Default: 20. */
  readonly limit?: number | undefined
  /** At most 200 characters. */
  readonly cursor?: string | undefined
  /** At most 200 characters. */
  readonly search?: string | undefined
  /** Default: false. */
  readonly archived?: boolean | undefined
  readonly sort?: "-createdAt" | "createdAt" | "-updatedAt" | "updatedAt" | undefined
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

export interface TemplateNewMessage {
  /** At most 80 characters. */
  readonly to: string
  readonly type: "template"
  /** At most 512 characters. */
  readonly templateName: string
  readonly language: string
  /** At most 20 entries. */
  readonly components: ReadonlyArray<HeaderComponent | BodyComponent | ButtonComponent>
  readonly replyTo?: string | undefined
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

export interface TemplateSync {
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly unchanged: number
  readonly syncedAt: string
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
  readonly id: string
  readonly type: "template.updated"
  readonly timestamp: string
  readonly data: {
    readonly template: Template
  }
}

export interface TemplatesListQuery {
  /** 1 to 1,000,000. Default: 1. */
  readonly page?: number | undefined
  /** 1 to 100. Default: 20. */
  readonly limit?: number | undefined
  /** At most 200 characters. */
  readonly cursor?: string | undefined
  /** At most 512 characters. */
  readonly name?: string | undefined
  /** At most 64 characters. */
  readonly status?: string | undefined
  /** At most 20 characters. */
  readonly language?: string | undefined
}

export interface TestCall {
  readonly callId: string
  readonly url: string
}

export interface TextAgent {
  readonly id: string
  readonly organizationId: string
  /** 1 to 120 characters. */
  readonly name: string
  /** At most 2,000 characters. */
  readonly description: string
  /** At most 20,000 characters. */
  readonly systemPrompt: string
  readonly tools: ReadonlyArray<VoiceAgentTool>
  readonly voiceAgentId: string | null
  readonly knowledgeBases: ReadonlyArray<string>
  readonly language: string
  readonly escalationPhrases: ReadonlyArray<string>
  /** At most 500 characters. */
  readonly fallbackLine: string
  /** At most 500 characters. */
  readonly handOverLine: string
  /** At most 500 characters. */
  readonly outsideHoursLine: string | null
  /** At most 500 characters. */
  readonly disclosureText: string
  readonly channels: ReadonlyArray<"messaging">
  readonly answers: "always" | "outside_hours" | "when_unassigned" | "never"
  readonly limits: TextAgentLimits
  readonly createdAt: string
  readonly updatedAt: string
}

export interface TextAgentAnswer {
  readonly outcome: "answered" | "handed_over" | "resolved" | "failed"
  readonly messages: ReadonlyArray<{
    readonly type:
      | "text"
      | "image"
      | "document"
      | "audio"
      | "video"
      | "template"
      | "interactive"
      | "location"
      | "contact"
      | "reaction"
      | "sticker"
      | "button"
      | "order"
      | "system"
      | "unsupported"
    readonly content: Readonly<Record<string, unknown>>
    readonly sources?: ReadonlyArray<UtteranceSource> | undefined
  }>
  readonly tools: ReadonlyArray<TextAgentAnswerTool>
  readonly reason: string | null
  readonly note: string | null
}

export interface TextAgentAnswerTool {
  readonly name: string
  readonly arguments: string
  readonly result: string
}

export interface TextAgentChanges {
  /** At most 120 characters. */
  readonly name?: string | undefined
  /** At most 2,000 characters. */
  readonly description?: string | undefined
  /** At most 20,000 characters. */
  readonly systemPrompt?: string | undefined
  readonly tools?: ReadonlyArray<VoiceAgentTool> | undefined
  /** At most 60 characters. */
  readonly voiceAgentId?: string | null | undefined
  /** At most 10 entries. */
  readonly knowledgeBases?: ReadonlyArray<string> | undefined
  readonly language?: string | undefined
  /** At most 50 entries. */
  readonly escalationPhrases?: ReadonlyArray<string> | undefined
  /** At most 500 characters. */
  readonly fallbackLine?: string | undefined
  /** At most 500 characters. */
  readonly handOverLine?: string | undefined
  /** At most 500 characters. */
  readonly outsideHoursLine?: string | null | undefined
  /** At most 500 characters. */
  readonly disclosureText?: string | undefined
  /** At most 10 entries. */
  readonly channels?: ReadonlyArray<"messaging"> | undefined
  readonly answers?: "always" | "outside_hours" | "when_unassigned" | "never" | undefined
  readonly limits?: NewTextAgentLimits | undefined
}

export interface TextAgentLimits {
  /** In milliseconds. 0 to 8,000. */
  readonly waitMs: number
  /** 500 to 16,000. */
  readonly historyTokens: number
  /** 1 to 8. */
  readonly modelCallsPerTurn: number
  /** 5 to 30. */
  readonly secondsPerTurn: number
}

export interface TextAgentTry {
  /** 1 to 60 entries. */
  readonly messages: ReadonlyArray<{
    readonly from: "contact" | "agent" | "person"
    /** At most 4,096 characters. */
    readonly text: string
  }>
  readonly contact?: TextAgentTryContact | undefined
  readonly draft?: TextAgentChanges | undefined
  readonly runTools?: boolean | undefined
  readonly toolAnswers?: Readonly<Record<string, string | Readonly<Record<string, unknown>>>> | undefined
}

export interface TextAgentTryContact {
  /** At most 200 characters. */
  readonly name?: string | undefined
  /** At most 20 entries. */
  readonly tags?: ReadonlyArray<string> | undefined
}

export interface TextAgentVersion {
  readonly version: number
  readonly name: string
  readonly savedAt: string
  readonly savedBy: VoiceAgentVersionSavedBy
  readonly changed: ReadonlyArray<string>
}

export interface TextAgentVersionDetail {
  readonly version: number
  readonly name: string
  readonly savedAt: string
  readonly savedBy: VoiceAgentVersionSavedBy
  readonly changed: ReadonlyArray<string>
  readonly settings: TextAgentVersionDetailSettings
}

export interface TextAgentVersionDetailSettings {
  /** 1 to 120 characters. */
  readonly name: string
  /** At most 2,000 characters. */
  readonly description: string
  /** At most 20,000 characters. */
  readonly systemPrompt: string
  readonly tools: ReadonlyArray<VoiceAgentTool>
  readonly voiceAgentId: string | null
  readonly knowledgeBases: ReadonlyArray<string>
  readonly language: string
  readonly escalationPhrases: ReadonlyArray<string>
  /** At most 500 characters. */
  readonly fallbackLine: string
  /** At most 500 characters. */
  readonly handOverLine: string
  /** At most 500 characters. */
  readonly outsideHoursLine: string | null
  /** At most 500 characters. */
  readonly disclosureText: string
  readonly channels: ReadonlyArray<"messaging">
  readonly answers: "always" | "outside_hours" | "when_unassigned" | "never"
  readonly limits: TextAgentLimits
}

export interface TextHeader {
  readonly type: "text"
  /** At most 60 characters. */
  readonly text: string
}

export interface TextNewMessage {
  /** At most 80 characters. */
  readonly to: string
  readonly type: "text"
  /** At most 4,096 characters. */
  readonly text: string
  readonly previewUrl?: boolean | undefined
  readonly replyTo?: string | undefined
}

export interface TextParameter {
  readonly type: "text"
  /** At most 60 characters. */
  readonly parameter_name?: string | undefined
  /** At most 1,024 characters. */
  readonly text: string
}

export interface Timeline {
  readonly data: ReadonlyArray<TimelineEntry>
  readonly olderCursor: string | null
  readonly newerCursor: string | null
}

export interface TimelineEntry {
  readonly kind: "message" | "call" | "note" | "change"
  readonly at: string
  readonly message?: Message | undefined
  readonly call?: TimelineEntryCall | undefined
  readonly note?: ConversationNote | undefined
  readonly change?: ConversationChange | undefined
}

export interface TimelineEntryCall {
  readonly id: string
  readonly agentId: string | null
  readonly direction: "inbound" | "outbound"
  readonly status: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "failed" | "canceled"
  readonly endReason:
    | "caller_hangup"
    | "agent_hangup"
    | "silence"
    | "max_duration"
    | "transferred"
    | "queued_for_human"
    | "outside_hours"
    | "moderation"
    | "provider_failure"
    | "capacity"
    | "error"
    | null
  readonly startedAt: string | null
  readonly endedAt: string | null
  /** In seconds. */
  readonly durationSeconds: number | null
  readonly createdAt: string
  readonly utterances: ReadonlyArray<Utterance>
  readonly conversationId: string | null
}

export interface ToldConnection {
  readonly id: string
  readonly provider: string
  readonly title: string
  readonly problem: string | null
}

export interface ToldProvider {
  readonly service:
    | "speech-to-text"
    | "text-to-speech"
    | "reasoning"
    | "moderation"
    | "embeddings"
    | "messaging"
    | "telephony"
  readonly name: string
  readonly since: string
  readonly until: string | null
}

export interface ToolAuditListQuery {
  /** 1 to 1,000,000. Default: 1. */
  readonly page?: number | undefined
  /** 1 to 100. Default: 20. */
  readonly limit?: number | undefined
  readonly agentId?: string | undefined
  readonly callId?: string | undefined
  readonly name?: string | undefined
  readonly outcome?: "ok" | "error" | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface ToolCall {
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

export interface ToolTry {
  readonly outcome: "ok" | "error"
  readonly result: string
  /** In milliseconds. */
  readonly durationMs: number
  readonly sources?: ReadonlyArray<UtteranceSource> | undefined
}

export interface UnansweredQuestion {
  readonly id: string
  readonly knowledgeBaseId: string
  readonly question: string
  readonly agentId: string
  readonly conversationId: string | null
  readonly createdAt: string
}

export interface Usage {
  readonly calls: number
  /** In seconds. */
  readonly durationSeconds: number
  readonly minutes: number
  /** In minutes. */
  readonly includedMinutes: number
  /** In minutes. */
  readonly overageMinutes: number
  readonly price: string
  readonly providerCost: UsageProviderCost
}

export interface UsageProviderCost {
  readonly speechToText: string
  readonly languageModel: string
  readonly textToSpeech: string
  readonly total: string
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

export interface UsersAcceptInvitationAnswer {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: "OWNER" | "ADMIN" | "AGENT"
}

export interface UsersAcceptInvitationBody {
  /** At most 200 characters. */
  readonly token: string
  /** At most 1,000 characters. */
  readonly password: string
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

export interface UsersUpdateBody {
  /** At most 200 characters. */
  readonly name?: string | undefined
  readonly role?: "OWNER" | "ADMIN" | "AGENT" | undefined
  readonly active?: boolean | undefined
}

export interface Utterance {
  readonly id: string
  readonly sequence: number
  readonly role: "caller" | "agent"
  readonly text: string
  readonly interrupted: boolean
  /** In milliseconds. */
  readonly startMs: number
  /** In milliseconds. */
  readonly endMs: number
  readonly by?: "person" | undefined
  readonly sources?: ReadonlyArray<UtteranceSource> | undefined
}

export interface UtteranceSource {
  readonly knowledgeBaseId: string
  readonly sourceId: string
  readonly title: string
  readonly url: string | null
}

export interface VideoHeader {
  readonly type: "video"
  readonly video: {
    /** At most 2,048 characters. */
    readonly link: string
  }
}

export interface VideoNewMessage {
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

export interface VideoParameter {
  readonly type: "video"
  readonly video: ImageParameterImage
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
  readonly knowledgeBases: ReadonlyArray<string>
  readonly callFields: Readonly<Record<string, unknown>> | null
  readonly recording: boolean
  readonly primaryLanguage:
    | "hi-IN"
    | "ta-IN"
    | "te-IN"
    | "bn-IN"
    | "mr-IN"
    | "gu-IN"
    | "pa-IN"
    | "kn-IN"
    | "ml-IN"
    | "od-IN"
    | "en-US"
    | "en-GB"
    | "en-AU"
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

export interface VoiceAgentChanges {
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
  readonly tools?: ReadonlyArray<NewVoiceAgentTool> | undefined
  /** At most 10 entries. */
  readonly knowledgeBases?: ReadonlyArray<string> | undefined
  readonly callFields?: Readonly<Record<string, unknown>> | null | undefined
  readonly recording?: boolean | undefined
  readonly primaryLanguage?:
    | "hi-IN"
    | "ta-IN"
    | "te-IN"
    | "bn-IN"
    | "mr-IN"
    | "gu-IN"
    | "pa-IN"
    | "kn-IN"
    | "ml-IN"
    | "od-IN"
    | "en-US"
    | "en-GB"
    | "en-AU" | undefined
  readonly backchanneling?: boolean | undefined
  readonly use_fillers?: boolean | undefined
  readonly ambient_noise?: boolean | undefined
  /** At most 50 entries. */
  readonly escalationPhrases?: ReadonlyArray<string> | undefined
  /** At most 255 characters. */
  readonly humanDestination?: string | null | undefined
  /** At most 500 characters. */
  readonly fallbackLine?: string | undefined
  readonly silence?: NewVoiceAgentSilence | undefined
  readonly endpointing?: NewVoiceAgentEndpointing | undefined
  readonly interruption?: NewVoiceAgentInterruption | undefined
  /** In seconds. 30 to 14,400. */
  readonly maxCallSeconds?: number | undefined
  readonly voicemail?: NewVoiceAgentVoicemail | undefined
}

export interface VoiceAgentEndpointing {
  /** In milliseconds. 100 to 5,000. */
  readonly minSilenceMs: number
  /** In milliseconds. 200 to 10,000. */
  readonly maxSilenceMs: number
  readonly semantic: "auto" | "off"
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
  readonly promptAfterSeconds: number
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
  readonly handler?: HttpHandler | BuiltinHandler | McpHandler | undefined
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

export interface VoiceAgentUpdatedEvent {
  readonly id: string
  readonly type: "voice_agent.updated"
  readonly createdAt: string
  readonly data: {
    readonly agent: {
      readonly id: string
      readonly name: string
      readonly deleted: boolean
      readonly updatedAt: string
    }
  }
}

export interface VoiceAgentUpdatedWebhook {
  readonly id: string
  readonly type: "voice_agent.updated"
  readonly timestamp: string
  readonly data: {
    readonly agent: {
      readonly id: string
      readonly name: string
      readonly deleted: boolean
      readonly updatedAt: string
    }
  }
}

export interface VoiceAgentVersion {
  readonly version: number
  readonly name: string
  readonly savedAt: string
  readonly savedBy: VoiceAgentVersionSavedBy
  readonly changed: ReadonlyArray<string>
}

export interface VoiceAgentVersionDetail {
  readonly version: number
  readonly name: string
  readonly savedAt: string
  readonly savedBy: VoiceAgentVersionSavedBy
  readonly changed: ReadonlyArray<string>
  readonly settings: VoiceAgentVersionDetailSettings
}

export interface VoiceAgentVersionDetailSettings {
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
  readonly knowledgeBases: ReadonlyArray<string>
  readonly callFields: Readonly<Record<string, unknown>> | null
  readonly recording: boolean
  readonly primaryLanguage:
    | "hi-IN"
    | "ta-IN"
    | "te-IN"
    | "bn-IN"
    | "mr-IN"
    | "gu-IN"
    | "pa-IN"
    | "kn-IN"
    | "ml-IN"
    | "od-IN"
    | "en-US"
    | "en-GB"
    | "en-AU"
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
}

export interface VoiceAgentVersionSavedBy {
  readonly type: "key" | "user" | "operator" | "system"
  readonly id: string | null
}

export interface VoiceAgentVoicemail {
  /** At most 1,000 characters. */
  readonly message: string | null
  /** In seconds. 10 to 300. */
  readonly maxSeconds: number
}

export interface VoiceAgentsCallsQuery {
  /** 1 to 1,000,000. Default: 1. */
  readonly page?: number | undefined
  /** 1 to 100. Default: 20. */
  readonly limit?: number | undefined
  readonly direction?: "inbound" | "outbound" | undefined
  readonly status?: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "failed" | "canceled" | undefined
  readonly endReason?:
    | "caller_hangup"
    | "agent_hangup"
    | "silence"
    | "max_duration"
    | "transferred"
    | "queued_for_human"
    | "outside_hours"
    | "moderation"
    | "provider_failure"
    | "capacity"
    | "error" | undefined
  readonly phone?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** In seconds. 0 to 1,000,000. */
  readonly minDurationSeconds?: number | undefined
  /** In seconds. 0 to 1,000,000. */
  readonly maxDurationSeconds?: number | undefined
  /** In milliseconds. 0 to 600,000. */
  readonly slowerThanMs?: number | undefined
  readonly asOf?: string | undefined
}

export interface VoiceAgentsListQuery {
  /** 1 to 1,000,000. Default: 1. */
  readonly page?: number | undefined
  /** 1 to 100. Default: 20. */
  readonly limit?: number | undefined
}

export interface VoiceAllowanceUsedEvent {
  readonly id: string
  readonly type: "voice.allowance_used"
  readonly createdAt: string
  readonly data: {
    readonly usage: {
      readonly month: string
      readonly allowance: number
      readonly used: number
      readonly overagePrice: string
    }
  }
}

export interface VoiceAllowanceUsedWebhook {
  readonly id: string
  readonly type: "voice.allowance_used"
  readonly timestamp: string
  readonly data: {
    readonly usage: {
      readonly month: string
      readonly allowance: number
      readonly used: number
      readonly overagePrice: string
    }
  }
}

export interface VoiceCatalogue {
  readonly families: ReadonlyArray<{
    readonly id: "indic" | "english" | "premium"
    readonly name: string
    readonly available: boolean
    readonly reason: string | null
  }>
  readonly languages: ReadonlyArray<{
    readonly tag:
      | "hi-IN"
      | "ta-IN"
      | "te-IN"
      | "bn-IN"
      | "mr-IN"
      | "gu-IN"
      | "pa-IN"
      | "kn-IN"
      | "ml-IN"
      | "od-IN"
      | "en-US"
      | "en-GB"
      | "en-AU"
    readonly name: string
    readonly suggestedFamily: "indic" | "english" | "premium"
    readonly families: ReadonlyArray<"indic" | "english" | "premium">
  }>
  readonly voices: ReadonlyArray<VoiceCatalogueVoice>
}

export interface VoiceCatalogueVoice {
  readonly id: string
  readonly family: "indic" | "english" | "premium"
  readonly name: string
  readonly gender: "female" | "male"
  readonly accent: string | null
  readonly languages: ReadonlyArray<
    | "hi-IN"
    | "ta-IN"
    | "te-IN"
    | "bn-IN"
    | "mr-IN"
    | "gu-IN"
    | "pa-IN"
    | "kn-IN"
    | "ml-IN"
    | "od-IN"
    | "en-US"
    | "en-GB"
    | "en-AU">
  readonly features: ReadonlyArray<"backchanneling" | "use_fillers" | "ambient_noise">
  readonly unsupported: ReadonlyArray<{
    readonly feature: "backchanneling" | "use_fillers" | "ambient_noise"
    readonly reason: string
  }>
}

export interface VoiceConsent {
  readonly contactId: string
  readonly consent: VoiceConsentConsent | null
  readonly history: ReadonlyArray<ConsentEntry>
}

export interface VoiceConsentConsent {
  readonly grantedAt: string
  readonly source: string
  readonly text: string
}

export interface VoicePreview {
  readonly voiceFamily: "indic" | "english" | "premium"
  /** At most 200 characters. */
  readonly voiceId: string
  readonly primaryLanguage:
    | "hi-IN"
    | "ta-IN"
    | "te-IN"
    | "bn-IN"
    | "mr-IN"
    | "gu-IN"
    | "pa-IN"
    | "kn-IN"
    | "ml-IN"
    | "od-IN"
    | "en-US"
    | "en-GB"
    | "en-AU"
  /** At most 300 characters. */
  readonly text: string
}

export interface VoiceUsageGetQuery {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly agentId?: string | undefined
  readonly groupBy?: "day" | "agent" | undefined
}

export interface VoiceUsageReport {
  readonly from: string
  readonly to: string
  readonly timeZone: string
  readonly allowance: VoiceUsageReportAllowance
  readonly totals: Usage
  readonly data: ReadonlyArray<VoiceUsageReportData>
}

export interface VoiceUsageReportAllowance {
  readonly month: string
  readonly minutes: number
  readonly used: number
  readonly remaining: number
  readonly overagePrice: string
}

export interface VoiceUsageReportData {
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
  readonly providerCost: UsageProviderCost
}

export interface VoicesListQuery {
  readonly language?:
    | "hi-IN"
    | "ta-IN"
    | "te-IN"
    | "bn-IN"
    | "mr-IN"
    | "gu-IN"
    | "pa-IN"
    | "kn-IN"
    | "ml-IN"
    | "od-IN"
    | "en-US"
    | "en-GB"
    | "en-AU" | undefined
}

export interface WaitingLine {
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

export interface WatchedCalls {
  /** At most 20 entries. */
  readonly calls: ReadonlyArray<string>
}

export interface WebhookDelivery {
  readonly id: string
  readonly endpointId: string
  readonly eventId: string
  readonly eventType:
    | "contact.created"
    | "contact.updated"
    | "contact.archived"
    | "contact.restored"
    | "contact.merged"
    | "contact.erased"
    | "contact.opted_in"
    | "contact.opted_out"
    | "conversation.created"
    | "conversation.assigned"
    | "conversation.labeled"
    | "conversation.noted"
    | "conversation.updated"
    | "conversation.resolved"
    | "conversation.reopened"
    | "conversation.sla_breached"
    | "message.received"
    | "message.queued"
    | "message.status"
    | "message.updated"
    | "ai.allowance_used"
    | "voice.allowance_used"
    | "voice_agent.updated"
    | "call.started"
    | "call.ended"
    | "call.recorded"
    | "call.summarized"
    | "broadcast.completed"
    | "template.updated"
    | "order.created"
    | "order.updated"
    | "order.paid"
    | "cart.abandoned"
    | "payment.created"
    | "payment.completed"
    | "payment.failed"
    | "payment.expired"
    | "payment.canceled"
    | "payment.refunded"
    | "payment.disputed"
    | "connection.failed"
    | "connection.recovered"
    | "provider.failed"
    | "provider.recovered"
    | "webhook.disabled"
    | "webhook.test"
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

export interface WebhookDeliveryWithBody {
  readonly id: string
  readonly endpointId: string
  readonly eventId: string
  readonly eventType:
    | "contact.created"
    | "contact.updated"
    | "contact.archived"
    | "contact.restored"
    | "contact.merged"
    | "contact.erased"
    | "contact.opted_in"
    | "contact.opted_out"
    | "conversation.created"
    | "conversation.assigned"
    | "conversation.labeled"
    | "conversation.noted"
    | "conversation.updated"
    | "conversation.resolved"
    | "conversation.reopened"
    | "conversation.sla_breached"
    | "message.received"
    | "message.queued"
    | "message.status"
    | "message.updated"
    | "ai.allowance_used"
    | "voice.allowance_used"
    | "voice_agent.updated"
    | "call.started"
    | "call.ended"
    | "call.recorded"
    | "call.summarized"
    | "broadcast.completed"
    | "template.updated"
    | "order.created"
    | "order.updated"
    | "order.paid"
    | "cart.abandoned"
    | "payment.created"
    | "payment.completed"
    | "payment.failed"
    | "payment.expired"
    | "payment.canceled"
    | "payment.refunded"
    | "payment.disputed"
    | "connection.failed"
    | "connection.recovered"
    | "provider.failed"
    | "provider.recovered"
    | "webhook.disabled"
    | "webhook.test"
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
  readonly body: string | null
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
  readonly id: string
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
  readonly events: ReadonlyArray<
    | "contact.created"
    | "contact.updated"
    | "contact.archived"
    | "contact.restored"
    | "contact.merged"
    | "contact.erased"
    | "contact.opted_in"
    | "contact.opted_out"
    | "conversation.created"
    | "conversation.assigned"
    | "conversation.labeled"
    | "conversation.noted"
    | "conversation.updated"
    | "conversation.resolved"
    | "conversation.reopened"
    | "conversation.sla_breached"
    | "message.received"
    | "message.queued"
    | "message.status"
    | "message.updated"
    | "ai.allowance_used"
    | "voice.allowance_used"
    | "voice_agent.updated"
    | "call.started"
    | "call.ended"
    | "call.recorded"
    | "call.summarized"
    | "broadcast.completed"
    | "template.updated"
    | "order.created"
    | "order.updated"
    | "order.paid"
    | "cart.abandoned"
    | "payment.created"
    | "payment.completed"
    | "payment.failed"
    | "payment.expired"
    | "payment.canceled"
    | "payment.refunded"
    | "payment.disputed"
    | "connection.failed"
    | "connection.recovered"
    | "provider.failed"
    | "provider.recovered"
    | "webhook.disabled"
    | "webhook.test"
    | "contact.*"
    | "conversation.*"
    | "message.*"
    | "ai.*"
    | "voice.*"
    | "voice_agent.*"
    | "call.*"
    | "broadcast.*"
    | "template.*"
    | "order.*"
    | "cart.*"
    | "payment.*"
    | "connection.*"
    | "provider.*"
    | "webhook.*">
  readonly headers: Readonly<Record<string, string>>
  readonly enabled: boolean
  readonly hook: boolean
  readonly disabledReason: string | null
  readonly failingSince: string | null
  readonly previousSecretUntil: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export interface WebhookEndpointChanges {
  /** At most 2,000 characters. */
  readonly url?: string | undefined
  /** At most 200 characters. */
  readonly description?: string | undefined
  /** At most 100 entries. */
  readonly events?: ReadonlyArray<
    | "contact.created"
    | "contact.updated"
    | "contact.archived"
    | "contact.restored"
    | "contact.merged"
    | "contact.erased"
    | "contact.opted_in"
    | "contact.opted_out"
    | "conversation.created"
    | "conversation.assigned"
    | "conversation.labeled"
    | "conversation.noted"
    | "conversation.updated"
    | "conversation.resolved"
    | "conversation.reopened"
    | "conversation.sla_breached"
    | "message.received"
    | "message.queued"
    | "message.status"
    | "message.updated"
    | "ai.allowance_used"
    | "voice.allowance_used"
    | "voice_agent.updated"
    | "call.started"
    | "call.ended"
    | "call.recorded"
    | "call.summarized"
    | "broadcast.completed"
    | "template.updated"
    | "order.created"
    | "order.updated"
    | "order.paid"
    | "cart.abandoned"
    | "payment.created"
    | "payment.completed"
    | "payment.failed"
    | "payment.expired"
    | "payment.canceled"
    | "payment.refunded"
    | "payment.disputed"
    | "connection.failed"
    | "connection.recovered"
    | "provider.failed"
    | "provider.recovered"
    | "webhook.disabled"
    | "webhook.test"
    | "contact.*"
    | "conversation.*"
    | "message.*"
    | "ai.*"
    | "voice.*"
    | "voice_agent.*"
    | "call.*"
    | "broadcast.*"
    | "template.*"
    | "order.*"
    | "cart.*"
    | "payment.*"
    | "connection.*"
    | "provider.*"
    | "webhook.*"> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly enabled?: boolean | undefined
}

export interface WebhookEndpointWithSecret {
  readonly id: string
  readonly organizationId: string
  readonly url: string
  readonly description: string
  readonly events: ReadonlyArray<
    | "contact.created"
    | "contact.updated"
    | "contact.archived"
    | "contact.restored"
    | "contact.merged"
    | "contact.erased"
    | "contact.opted_in"
    | "contact.opted_out"
    | "conversation.created"
    | "conversation.assigned"
    | "conversation.labeled"
    | "conversation.noted"
    | "conversation.updated"
    | "conversation.resolved"
    | "conversation.reopened"
    | "conversation.sla_breached"
    | "message.received"
    | "message.queued"
    | "message.status"
    | "message.updated"
    | "ai.allowance_used"
    | "voice.allowance_used"
    | "voice_agent.updated"
    | "call.started"
    | "call.ended"
    | "call.recorded"
    | "call.summarized"
    | "broadcast.completed"
    | "template.updated"
    | "order.created"
    | "order.updated"
    | "order.paid"
    | "cart.abandoned"
    | "payment.created"
    | "payment.completed"
    | "payment.failed"
    | "payment.expired"
    | "payment.canceled"
    | "payment.refunded"
    | "payment.disputed"
    | "connection.failed"
    | "connection.recovered"
    | "provider.failed"
    | "provider.recovered"
    | "webhook.disabled"
    | "webhook.test"
    | "contact.*"
    | "conversation.*"
    | "message.*"
    | "ai.*"
    | "voice.*"
    | "voice_agent.*"
    | "call.*"
    | "broadcast.*"
    | "template.*"
    | "order.*"
    | "cart.*"
    | "payment.*"
    | "connection.*"
    | "provider.*"
    | "webhook.*">
  readonly headers: Readonly<Record<string, string>>
  readonly enabled: boolean
  readonly hook: boolean
  readonly disabledReason: string | null
  readonly failingSince: string | null
  readonly previousSecretUntil: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly secret: string
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
  readonly id: string
  readonly type: "webhook.test"
  readonly timestamp: string
  readonly data: {
    readonly webhook: {
      readonly id: string
    }
    readonly sentAt: string
  }
}

export interface WebhooksListDeliveriesQuery {
  /** 1 to 1,000,000. Default: 1. */
  readonly page?: number | undefined
  /** 1 to 100. Default: 20. */
  readonly limit?: number | undefined
  readonly status?: "pending" | "delivered" | "failed" | "discarded" | undefined
  readonly eventType?:
    | "contact.created"
    | "contact.updated"
    | "contact.archived"
    | "contact.restored"
    | "contact.merged"
    | "contact.erased"
    | "contact.opted_in"
    | "contact.opted_out"
    | "conversation.created"
    | "conversation.assigned"
    | "conversation.labeled"
    | "conversation.noted"
    | "conversation.updated"
    | "conversation.resolved"
    | "conversation.reopened"
    | "conversation.sla_breached"
    | "message.received"
    | "message.queued"
    | "message.status"
    | "message.updated"
    | "ai.allowance_used"
    | "voice.allowance_used"
    | "voice_agent.updated"
    | "call.started"
    | "call.ended"
    | "call.recorded"
    | "call.summarized"
    | "broadcast.completed"
    | "template.updated"
    | "order.created"
    | "order.updated"
    | "order.paid"
    | "cart.abandoned"
    | "payment.created"
    | "payment.completed"
    | "payment.failed"
    | "payment.expired"
    | "payment.canceled"
    | "payment.refunded"
    | "payment.disputed"
    | "connection.failed"
    | "connection.recovered"
    | "provider.failed"
    | "provider.recovered"
    | "webhook.disabled"
    | "webhook.test" | undefined
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

export interface WhisperToAgent {
  /** At most 500 characters. */
  readonly text: string
}

export interface WordsForCall {
  /** At most 500 characters. */
  readonly text: string
}

/** What a webhook brings. */
export type WebhookBody =
  | ContactCreatedWebhook
  | ContactUpdatedWebhook
  | ContactArchivedWebhook
  | ContactRestoredWebhook
  | ContactMergedWebhook
  | ContactErasedWebhook
  | ContactOptedInWebhook
  | ContactOptedOutWebhook
  | ConversationCreatedWebhook
  | ConversationAssignedWebhook
  | ConversationLabeledWebhook
  | ConversationNotedWebhook
  | ConversationUpdatedWebhook
  | ConversationResolvedWebhook
  | ConversationReopenedWebhook
  | ConversationSlaBreachedWebhook
  | MessageReceivedWebhook
  | MessageQueuedWebhook
  | MessageStatusWebhook
  | MessageUpdatedWebhook
  | AiAllowanceUsedWebhook
  | VoiceAllowanceUsedWebhook
  | VoiceAgentUpdatedWebhook
  | CallStartedWebhook
  | CallEndedWebhook
  | CallRecordedWebhook
  | CallSummarizedWebhook
  | BroadcastCompletedWebhook
  | TemplateUpdatedWebhook
  | OrderCreatedWebhook
  | OrderUpdatedWebhook
  | OrderPaidWebhook
  | CartAbandonedWebhook
  | PaymentCreatedWebhook
  | PaymentCompletedWebhook
  | PaymentFailedWebhook
  | PaymentExpiredWebhook
  | PaymentCanceledWebhook
  | PaymentRefundedWebhook
  | PaymentDisputedWebhook
  | ConnectionFailedWebhook
  | ConnectionRecoveredWebhook
  | ProviderFailedWebhook
  | ProviderRecoveredWebhook
  | WebhookDisabledWebhook
  | WebhookTestWebhook
