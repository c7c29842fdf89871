/** The records, bodies and queries that operators use. Generated from the service's definitions by `npm run client`: do not edit. */

export interface FlagGate {
  readonly flag: "voiceAgents" | "voicePremium"
  /** 0 to 100. */
  readonly staging: number
  /** 0 to 100. */
  readonly production: number
  readonly updatedAt: string | null
  readonly reach: FlagGateReach
}

export interface FlagGateReach {
  readonly staging: FlagGateReachStaging
  readonly production: FlagGateReachStaging
}

export interface FlagGateReachStaging {
  readonly organizations: number
  readonly having: number
  readonly inForce: number
}

export interface FlagGateSetting {
  /** 0 to 100. */
  readonly staging: number
  /** 0 to 100. */
  readonly production: number
  /** 2 to 500 characters. */
  readonly reason: string
}

export interface InstallationEvent {
  readonly id: string
  readonly type:
    | "operator.added"
    | "operator.removed"
    | "operator.password_changed"
    | "session.started"
    | "session.ended"
    | "organization.changed"
    | "flag.gated"
    | "resync.started"
    | "resync.paused"
    | "resync.resumed"
    | "resync.cancelled"
    | "resync.completed"
    | "node.started"
    | "node.drained"
    | "node.opened"
    | "node.stopped"
    | "node.lost"
    | "provider.failed"
    | "provider.recovered"
  readonly actor: {
    readonly type: "operator" | "system"
    readonly id: string | null
    readonly name: string | null
  }
  readonly organizationId: string | null
  readonly subjectId: string | null
  readonly details: Readonly<Record<string, unknown>>
  readonly reason: string | null
  readonly ip: string | null
  readonly requestId: string | null
  readonly createdAt: string
}

export interface NewResync {
  /** At most 200 characters. */
  readonly organizationId: string | null
  /** 2 to 500 characters. */
  readonly reason: string
}

export interface NodeSwitch {
  /** 2 to 500 characters. */
  readonly reason: string
}

export interface OperatedOrganization {
  readonly id: string
  readonly name: string
  readonly plan: "FREE" | "STARTER" | "PRO" | "PREMIUM" | "ENTERPRISE"
  readonly stage: "staging" | "production"
  readonly timeZone: string
  readonly flags: OperatedOrganizationFlags
  readonly createdAt: string
}

export interface OperatedOrganizationChanges {
  /** 2 to 500 characters. */
  readonly reason: string
  readonly plan?: "FREE" | "STARTER" | "PRO" | "PREMIUM" | "ENTERPRISE" | undefined
  readonly stage?: "staging" | "production" | undefined
  readonly flags?: {
    readonly voiceAgents?: boolean | undefined
    readonly voicePremium?: boolean | undefined
  } | undefined
  readonly terms?: {
    /** 0 to 100,000,000. */
    readonly minutesPerMonth?: number | undefined
    /** 0 to 1,000,000,000. */
    readonly overageMicrosPerMinute?: number | undefined
    /** 1 to 10,000. */
    readonly concurrentCalls?: number | undefined
  } | null | undefined
  /** 0 to 1,000,000,000,000. */
  readonly aiTokensPerMonth?: number | null | undefined
}

export interface OperatedOrganizationDetail {
  readonly id: string
  readonly name: string
  readonly plan: "FREE" | "STARTER" | "PRO" | "PREMIUM" | "ENTERPRISE"
  readonly stage: "staging" | "production"
  readonly timeZone: string
  readonly flags: OperatedOrganizationFlags
  readonly createdAt: string
  readonly limits: OperatedOrganizationDetailLimits
  readonly own: OperatedOrganizationDetailOwn
  readonly usage: OperatedOrganizationDetailUsage
  readonly voiceAgents: number
}

export interface OperatedOrganizationDetailLimits {
  readonly concurrentCalls: number
  readonly voiceAgents: number
  readonly minutesPerMonth: number
  readonly overageMicrosPerMinute: number
  readonly aiTokensPerMonth: number
}

export interface OperatedOrganizationDetailOwn {
  readonly minutesPerMonth: number | null
  readonly overageMicrosPerMinute: number | null
  readonly concurrentCalls: number | null
  readonly aiTokensPerMonth: number | null
}

export interface OperatedOrganizationDetailUsage {
  readonly month: string
  readonly calls: number
  readonly minutes: OperatedOrganizationDetailUsageMinutes
  readonly aiTokens: OperatedOrganizationDetailUsageMinutes
}

export interface OperatedOrganizationDetailUsageMinutes {
  readonly allowed: number
  readonly used: number
}

export interface OperatedOrganizationFlags {
  readonly voiceAgents: OperatedOrganizationFlagsVoiceAgents
  readonly voicePremium: OperatedOrganizationFlagsVoiceAgents
}

export interface OperatedOrganizationFlagsVoiceAgents {
  readonly set: boolean
  readonly inForce: boolean
}

export interface OperatedProvider {
  readonly service:
    | "speech-to-text"
    | "text-to-speech"
    | "reasoning"
    | "moderation"
    | "embeddings"
    | "messaging"
    | "telephony"
  readonly name: string
  readonly state: "works" | "failing" | "down"
  readonly nodes: number
  readonly failing: number
  readonly since: string | null
  readonly lastFailedAt: string | null
}

export interface Operator {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly createdAt: string
}

export interface OperatorEventsListQuery {
  /** 1 to 1,000,000. Default: 1. */
  readonly page?: number | undefined
  /** 1 to 100. Default: 20. */
  readonly limit?: number | undefined
  readonly type?:
    | "operator.added"
    | "operator.removed"
    | "operator.password_changed"
    | "session.started"
    | "session.ended"
    | "organization.changed"
    | "flag.gated"
    | "resync.started"
    | "resync.paused"
    | "resync.resumed"
    | "resync.cancelled"
    | "resync.completed"
    | "node.started"
    | "node.drained"
    | "node.opened"
    | "node.stopped"
    | "node.lost"
    | "provider.failed"
    | "provider.recovered" | undefined
  /** At most 200 characters. */
  readonly organizationId?: string | undefined
}

export interface OperatorFlagsListAnswer {
  readonly data: ReadonlyArray<FlagGate>
}

export interface OperatorNodesListAnswer {
  readonly data: ReadonlyArray<ServiceNode>
}

export interface OperatorOrganizationsListQuery {
  /** 1 to 1,000,000. Default: 1. */
  readonly page?: number | undefined
  /** 1 to 100. Default: 20. */
  readonly limit?: number | undefined
  /** 1 to 200 characters. */
  readonly search?: string | undefined
  readonly plan?: "FREE" | "STARTER" | "PRO" | "PREMIUM" | "ENTERPRISE" | undefined
  readonly stage?: "staging" | "production" | undefined
}

export interface OperatorProvidersListAnswer {
  readonly data: ReadonlyArray<OperatedProvider>
}

export interface OperatorResyncsListQuery {
  /** 1 to 1,000,000. Default: 1. */
  readonly page?: number | undefined
  /** 1 to 100. Default: 20. */
  readonly limit?: number | undefined
}

export interface OperatorSession {
  readonly operator: Operator
  readonly csrfToken: string
  readonly expiresAt: string
}

export interface OperatorSessionEndAnswer {
  readonly ended: true
}

export interface OperatorSessionStartBody {
  /** At most 254 characters. */
  readonly email: string
  /** At most 1,000 characters. */
  readonly password: string
}

export interface Resync {
  readonly id: string
  readonly organizationId: string | null
  readonly status: "running" | "paused" | "cancelled" | "completed"
  readonly reason: string
  readonly total: number | null
  readonly updated: number
  readonly unchanged: number
  readonly failed: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly endedAt: string | null
}

export interface ResyncDetail {
  readonly id: string
  readonly organizationId: string | null
  readonly status: "running" | "paused" | "cancelled" | "completed"
  readonly reason: string
  readonly total: number | null
  readonly updated: number
  readonly unchanged: number
  readonly failed: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly endedAt: string | null
  readonly failures: ReadonlyArray<ResyncDetailFailure>
}

export interface ResyncDetailFailure {
  readonly organizationId: string
  readonly agentId: string
  readonly reason: string
}

export interface ServiceNode {
  readonly id: string
  readonly role: "all" | "app" | "engine"
  readonly host: string
  readonly pid: number
  readonly startedAt: string
  readonly state: "open" | "late" | "draining" | "stopping"
  readonly lines: ServiceNodeLines | null
  readonly seenAt: string
  readonly lost: boolean
}

export interface ServiceNodeLines {
  readonly capacity: number
  readonly taken: number
  /** In milliseconds. */
  readonly lateMs: number
}
