/** A contact with all kinds of data that a contact can have, and the worker that exports it. */
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { makeExpireExports, makeProcessExport } from "../../src/actors/privacy/ExportWorker.ts"
import { ObjectStorage } from "../../src/domain/basics/ObjectStorage.ts"
import { wavHeaderBytes } from "../../src/domain/basics/Wav.ts"
import { Imports } from "../../src/domain/imports/Imports.ts"
import { ConversationNotes } from "../../src/domain/messaging/conversations/ConversationNote.ts"
import { Messages } from "../../src/domain/messaging/conversations/Message.ts"
import { ContactExports } from "../../src/domain/privacy/ContactExport.ts"
import { VoiceAgents } from "../../src/domain/voice/agents/VoiceAgent.ts"
import { Calls } from "../../src/domain/voice/calls/records/CallRecord.ts"
import { recordingKey } from "../../src/domain/voice/engine/Recordings.ts"
import * as ZipArchives from "../../src/integrations/archive/ZipArchives.ts"
import * as StoredMedia from "../../src/integrations/media/StoredMedia.ts"
import { tenant } from "../../src/integrations/postgres/tenancy/Tenant.ts"
import type { Messaging } from "./messaging.ts"
import { agentOf } from "./tenants.ts"

export const marker = "zebulon-quartz-77"
export const markerPhone = "+14155559876"

/** A picture with unique content. */
const picture = (text: string) =>
  Buffer.concat([
    Buffer.from(
      "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360000002000001e221bc330000000049454e44ae426082",
      "hex"
    ),
    Buffer.from(text)
  ])

export const uploaded = async ({ base, key }: Messaging, name: string, text = name) => {
  const form = new FormData()
  form.set("file", new Blob([picture(text)], { type: "image/png" }), name)
  const response = await fetch(`${base}/api/messaging-api/media`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: form
  })
  const body = (await response.json()) as { mediaId: string }
  if (body.mediaId === undefined) throw new Error(JSON.stringify(body))
  return body.mediaId
}

export const rowsOf = ({ run, organizationId }: Messaging, statement: string) =>
  run(
    Effect.flatMap(SqlClient.SqlClient, (sql) => tenant(organizationId)(sql.unsafe<Record<string, unknown>>(statement)))
  )

/** A row of an import that was refused, about the person with this number. */
const refusedRow = (organizationId: string, phone: string) =>
  Effect.gen(function* () {
    const imports = yield* Imports
    const given = {
      kind: "contacts",
      dryRun: false,
      onDuplicate: "skip",
      tags: [],
      fileName: null,
      actor: { type: "key", id: "key_test" },
      requestedBy: "key_test"
    } as const
    const { id } = yield* imports.begin(organizationId, given, Date.now())
    const problem = "optedIn must be true or false."
    const row = { number: 2, subject: { phone, email: null }, values: [marker], input: null, field: "optedIn", problem }
    yield* imports.stage(organizationId, id, [row], Date.now())
  })

/** Creates the contact's messages and calls; gives the ids. */
export const knownContact = async (messaging: Messaging, phone = markerPhone) => {
  const { run, organizationId, objects, conversation } = messaging
  const { contactId, conversationId } = await conversation(phone, `hello from ${marker}`)
  const mediaId = await uploaded(messaging, `${marker}.png`)
  const callId = await run(
    Effect.gen(function* () {
      const messages = yield* Messages
      const draft = { organizationId, conversationId, type: "image", content: { mediaId, caption: marker } } as const
      yield* messages.add({ ...draft, direction: "inbound" }, Date.now())
      yield* refusedRow(organizationId, phone)
      yield* (yield* ConversationNotes).write(organizationId, conversationId, "usr_1", `about ${marker}`)
      const agent = agentOf(organizationId)
      yield* (yield* VoiceAgents).create(agent)
      const calls = yield* Calls
      const { call } = yield* calls.open({
        organizationId,
        agentId: agent.id,
        direction: "inbound",
        status: "in_progress",
        from: phone,
        to: "+14155550123",
        callSid: `CA${contactId}`
      })
      const event = { organizationId, agentId: agent.id, callId: call.id }
      const said = {
        type: "transcript",
        sequence: 0,
        role: "caller",
        text: `I am ${marker}`,
        interrupted: false
      } as const
      yield* calls.apply({ ...event, ...said, id: `evt_${contactId}1`, startMs: 0, endMs: 900 })
      const tool = {
        id: `tc_${contactId}`,
        name: "look_up",
        arguments: marker,
        result: marker,
        outcome: "ok",
        durationMs: 1
      } as const
      yield* calls.recordToolCall(organizationId, call.id, tool)
      const objectKey = recordingKey(organizationId, call.id, "rec_1")
      const bytes = wavHeaderBytes + 1_000
      yield* objects.put(objectKey, Stream.make(new Uint8Array(bytes)), { contentType: "audio/wav", size: bytes })
      yield* calls.apply({
        ...event,
        id: `evt_${contactId}2`,
        type: "recording",
        key: objectKey,
        bytes,
        durationMs: 31
      })
      yield* calls.close(organizationId, call.id, "completed", "caller_hangup")
      return call.id
    })
  )
  return { contactId, conversationId, mediaId, callId }
}

/** One round of the export worker; `storage` instead of the real one. */
export const exportRound = (
  { run, objects }: Messaging,
  {
    storage = objects,
    before = Effect.void
  }: { readonly storage?: ObjectStorage["Service"]; readonly before?: Effect.Effect<void> } = {}
) =>
  run(
    Effect.gen(function* () {
      const process = yield* makeProcessExport
      const due = yield* (yield* ContactExports).claim(Date.now(), 60_000, 10)
      yield* before
      yield* Effect.forEach(due, process, { discard: true })
      yield* Effect.flatten(makeExpireExports)
    }).pipe(
      Effect.provide(
        Layer.merge(ZipArchives.layer, StoredMedia.layer({ folder: join(tmpdir(), "parley-no-uploads") })).pipe(
          Layer.provideMerge(Layer.succeed(ObjectStorage, storage))
        )
      )
    )
  )
