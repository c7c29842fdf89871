/** Access stores for tests of other things: nobody can sign in, there are no idempotency keys, and audit entries can be read. */
import { Effect, Layer } from "effect"
import { PushSettings } from "../../src/domain/events/Push.ts"
import { Timelines } from "../../src/domain/messaging/conversations/Timeline.ts"
import { FlagGates } from "../../src/domain/operators/FlagGate.ts"
import { InstallationLog } from "../../src/domain/operators/InstallationLog.ts"
import { OperatedOrganizations } from "../../src/domain/operators/OperatedOrganization.ts"
import { Operators } from "../../src/domain/operators/Operator.ts"
import { OperatorSessions } from "../../src/domain/operators/OperatorSession.ts"
import { Resyncs } from "../../src/domain/operators/Resync.ts"
import { Acting, Audit, type AuditEntry } from "../../src/domain/people/access/Audit.ts"
import { Devices } from "../../src/domain/people/access/Device.ts"
import { Directory } from "../../src/domain/people/access/Directory.ts"
import { IdempotencyKeys } from "../../src/domain/people/access/Idempotency.ts"
import { PersonalSettingsStore } from "../../src/domain/people/access/PersonalSettings.ts"
import { Users } from "../../src/domain/people/access/User.ts"
import { UserSessions } from "../../src/domain/people/access/UserSession.ts"
import { MessagingConsents } from "../../src/domain/people/contacts/MessagingConsent.ts"
import { OAuthClients } from "../../src/domain/people/oauth/OAuthClient.ts"
import { OAuthGrants } from "../../src/domain/people/oauth/OAuthGrant.ts"
import { ContactExports } from "../../src/domain/privacy/ContactExport.ts"
import { ExpiredRecords } from "../../src/domain/privacy/Retention.ts"
import { ExpiredKinds } from "../../src/domain/privacy/RetentionKinds.ts"
import { AgentVersions } from "../../src/domain/voice/agents/AgentVersion.ts"

const unused = () => Effect.die("only in tests with a real database")

export interface Audited extends AuditEntry {
  readonly organizationId: string
  readonly acting: Acting
}

export const accessInMemory = (audited: Array<Audited>) =>
  Layer.mergeAll(
    Layer.succeed(Users, {
      hash: unused,
      create: unused,
      findByEmail: unused,
      verify: unused,
      isPassword: unused,
      organizationName: unused,
      setPassword: unused,
      list: unused,
      colleagues: unused,
      find: unused,
      change: unused,
      invite: unused,
      invited: unused,
      accept: unused
    }),
    Layer.mergeAll(
      Layer.mock(Operators, {}),
      Layer.mock(OperatorSessions, {}),
      Layer.mock(OperatedOrganizations, {}),
      Layer.mock(InstallationLog, { inTurn: () => (effect) => effect }),
      Layer.mock(FlagGates, {}),
      Layer.mock(Resyncs, {})
    ),
    Layer.succeed(PersonalSettingsStore, { find: unused, change: unused }),
    Layer.succeed(Directory, { list: unused, nameOf: unused }),
    Layer.succeed(Timelines, { read: unused }),
    Layer.succeed(AgentVersions, { list: unused, find: unused }),
    Layer.succeed(OAuthClients, { register: unused, find: unused, isSecret: () => false, used: unused }),
    Layer.succeed(OAuthGrants, {
      allow: unused,
      findCode: unused,
      useCode: unused,
      findToken: unused,
      whole: unused,
      lockKey: unused,
      useRefreshToken: unused,
      issue: unused
    }),
    Layer.succeed(Devices, { register: unused, list: unused, remove: unused }),
    Layer.succeed(PushSettings, { preview: unused, setPreview: unused }),
    Layer.succeed(ExpiredRecords, {
      count: unused,
      removeTranscripts: unused,
      removeToolCalls: unused,
      removeModerations: unused,
      recordings: unused,
      forgetRecordings: unused,
      wasRun: unused,
      noteRun: unused
    }),
    Layer.succeed(ExpiredKinds, {
      count: unused,
      remove: unused,
      unusedMedia: unused,
      wasRun: unused,
      noteRun: unused
    }),
    Layer.succeed(ContactExports, {
      request: unused,
      newest: unused,
      claim: unused,
      extend: unused,
      completed: unused,
      postpone: unused,
      failed: unused,
      expired: unused,
      remove: unused
    }),
    Layer.succeed(MessagingConsents, { record: unused, history: unused }),
    Layer.succeed(UserSessions, {
      list: unused,
      start: unused,
      authenticate: () => Effect.succeed(undefined),
      isGood: unused,
      end: unused
    }),
    Layer.succeed(IdempotencyKeys, { claim: unused, answered: unused, refused: unused, abandoned: unused }),
    Layer.succeed(Audit, {
      recorded: (organizationId, change, entry) =>
        Effect.tap(change, (result) =>
          Effect.map(Acting, (acting) => void audited.push({ organizationId, acting, ...entry(result) }))
        ),
      list: unused
    })
  )
