/** The installation's log in Postgres. The service's role may add to it, and not change it. */
import { Clock, Effect, Layer, Schema } from "effect"
import { idFrom, newId } from "../../../domain/basics/Ids.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import {
  type InstallationEntry,
  InstallationEvent,
  InstallationLog
} from "../../../domain/operators/InstallationLog.ts"
import { Acting } from "../../../domain/people/access/Audit.ts"
import { holdName, iso, makeSql, within } from "../tenancy/Sql.ts"
import { expireInstallationLog } from "./AcrossTenants.ts"

interface InstallationRow {
  readonly id: string
  readonly type: string
  readonly actorType: string
  readonly actorId: string | null
  readonly actorName: string | null
  readonly organization: string | null
  readonly subjectId: string | null
  readonly details: unknown
  readonly reason: string | null
  readonly ip: string | null
  readonly requestId: string | null
  readonly createdAt: Date
}

const decodeEvent = Schema.decodeUnknownEffect(InstallationEvent)

const eventOf = ({ actorType, actorId, actorName, organization, createdAt, ...row }: InstallationRow) =>
  decodeEvent({
    ...row,
    actor: { type: actorType, id: actorId, name: actorName },
    organizationId: organization,
    createdAt: iso(createdAt)
  })

export const layer = Layer.effect(
  InstallationLog,
  Effect.gen(function* () {
    const { sql, asTenantAsOne } = yield* makeSql

    const write = Effect.fnUntraced(function* (
      id: string,
      at: number,
      { type, organizationId, subjectId, details, reason }: InstallationEntry
    ) {
      const { actor, ip, requestId } = yield* Acting
      const isOperator = actor.type === "operator"
      yield* sql`INSERT INTO installation_events
        (id, type, actor_type, actor_id, organization, subject_id, details, reason, ip, request_id, created_at)
        VALUES (${id}, ${type}, ${isOperator ? "operator" : "system"}, ${isOperator ? actor.id : null}, ${organizationId ?? null},
          ${subjectId ?? null}, ${sql.json(details ?? {})}, ${reason ?? null}, ${ip}, ${requestId}, ${new Date(at)})
        ON CONFLICT (id) DO NOTHING`
    })

    return InstallationLog.of({
      recorded: (change, entry, organizationId) => {
        const whole = organizationId === undefined ? sql.withTransaction : asTenantAsOne(organizationId)
        return within(whole)(
          Effect.tap(change, (result) =>
            Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.orDie(write(newId("iev", now), now, entry(result))))
          )
        )
      },

      inTurn: (name) => (effect) =>
        within(sql.withTransaction)(Effect.andThen(Effect.orDie(holdName(sql, `installation ${name}`)), effect)),

      saw: traced("InstallationLog.saw")((seed, entry, at) => write(idFrom("iev", seed), at, entry), Effect.orDie),

      list: traced("InstallationLog.list")(function* ({ type, organizationId }, page, limit) {
        const chosen = sql.and([
          sql`true`,
          ...(type === undefined ? [] : [sql`e.type = ${type}`]),
          ...(organizationId === undefined ? [] : [sql`e.organization = ${organizationId}`])
        ])
        const rows = yield* sql<InstallationRow>`SELECT e.*, o.name AS actor_name
          FROM installation_events e LEFT JOIN operators o ON o.id = e.actor_id
          WHERE ${chosen} ORDER BY e.created_at DESC, e.id DESC LIMIT ${limit} OFFSET ${(page - 1) * limit}`
        const [{ total }] = yield* sql<{
          total: number
        }>`SELECT count(*)::int AS total FROM installation_events e WHERE ${chosen}`
        return { data: yield* Effect.forEach(rows, eventOf), total }
      }, Effect.orDie),

      expire: traced("InstallationLog.expire")(
        ({ seen, done }, most) => expireInstallationLog(sql, seen, done, most),
        Effect.orDie
      )
    })
  })
)
