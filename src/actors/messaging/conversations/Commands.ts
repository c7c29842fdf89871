/** Implements `ConversationCommands`: sends every change of a conversation to the conversation's actor, on this node or another. */
import { Effect, Layer } from "effect"
import { EntityId, Sharding } from "effect/cluster"
import { newId } from "../../../domain/basics/Ids.ts"
import {
  ConversationCommands,
  messageIdOf,
  neverWithheld
} from "../../../domain/messaging/conversations/ConversationCommand.ts"
import { Messages, type NewMessage } from "../../../domain/messaging/conversations/Message.ts"
import { Acting } from "../../../domain/people/access/Audit.ts"
import { Operation } from "../../../domain/people/access/Idempotency.ts"
import { makeAsk } from "./Ask.ts"
import * as Owner from "./Owner.ts"
import { ConversationEntity, entityId } from "./Protocol.ts"

const make = Effect.fnUntraced(function* (awake: ReadonlySet<string>) {
  const messages = yield* Messages
  const sharding = yield* Sharding.Sharding
  const clientOf = yield* ConversationEntity.client
  const ask = yield* makeAsk

  const write = (message: NewMessage, at: number) =>
    ask(message.conversationId, (expiresAt) =>
      clientOf(entityId(message.organizationId, message.conversationId)).Write({ message, at, expiresAt })
    )

  /** Conversations in which a message is being stored. One at a time each: a second one would wait for the row and hold a shared connection. */
  const storing = new Set<string>()

  /** True when the conversation's actor belongs to this process and sleeps, and no message is being stored in its place. */
  const sleepsHere = (id: string) => {
    if (awake.has(id) || storing.has(id)) return false
    const name = EntityId.make(id)
    return sharding.hasShardId(sharding.getShardId(name, ConversationEntity.getShardGroup(name)))
  }

  /**
   * Stores a message of a sleeping conversation without waking its actor, where one statement can do it. The statement takes ownership as the
   * first write of an actor does, and leaves no state in memory. Waking an actor costs as much as the rest of sending.
   */
  const send = (message: NewMessage, at: number) =>
    Effect.suspend(() => {
      const id = entityId(message.organizationId, message.conversationId)
      if (!sleepsHere(id)) return write(message, at)
      storing.add(id)
      return Effect.ensuring(
        messages.queue(message, at),
        Effect.sync(() => storing.delete(id))
      ).pipe(Effect.flatMap((stored) => (stored === undefined ? write(message, at) : Effect.succeed(stored))))
    })

  return ConversationCommands.of({
    receive: (message, now) => neverWithheld(write({ ...message, direction: "inbound" }, now)),
    send: (message, now) =>
      Effect.flatMap(Operation, (operation) =>
        send({ id: messageIdOf(operation, now), ...message, direction: "outbound" }, now)
      ),
    change: Effect.fnUntraced(function* (organizationId, conversationId, changes, now) {
      const acting = yield* Acting
      const command = { id: newId("cmd", now), changes, at: now, acting }
      const changed = yield* ask(conversationId, (expiresAt) =>
        clientOf(entityId(organizationId, conversationId)).Change({ ...command, expiresAt })
      )
      return changed ?? undefined
    }),
    checkSla: (organizationId, conversationId) =>
      ask(conversationId, (expiresAt) => clientOf(entityId(organizationId, conversationId)).CheckSla({ expiresAt })),
    runTurn: (organizationId, conversationId) =>
      ask(conversationId, (expiresAt) => clientOf(entityId(organizationId, conversationId)).RunTurn({ expiresAt }))
  })
})

/** Needs a cluster, Messages, Conversations and TurnRunner. It makes this process an owner of conversations. */
export const layer = Layer.unwrap(
  Effect.sync(() => {
    const awake = new Set<string>()
    return Layer.effect(ConversationCommands, make(awake)).pipe(Layer.provide(Owner.layer(awake)))
  })
)
