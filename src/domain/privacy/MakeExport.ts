/** Use case: build the file of an export and store it. It streams, so the whole file is never in memory. */
import { Clock, Effect, Stream } from "effect"
import { ObjectStorage } from "../basics/ObjectStorage.ts"
import { traced } from "../basics/Traced.ts"
import { MediaFiles } from "../messaging/media/Media.ts"
import { Calls } from "../voice/calls/records/CallRecord.ts"
import { CallSummaries } from "../voice/calls/records/CallSummary.ts"
import { joinedBytes, piecesWithin, type RecordingPart } from "../voice/calls/records/RecordingParts.ts"
import { type ArchiveEntry, Archives, ContactDossier, type ExportJob, exportKey } from "./ContactExport.ts"

const text = (parts: Stream.Stream<string, unknown>) => Stream.map(parts, (part) => new TextEncoder().encode(part))
const json = (value: unknown) => Stream.succeed(`${JSON.stringify(value, null, 2)}\n`)

/** A JSON array of any length, one item per line. */
const jsonLines = (items: Stream.Stream<unknown, unknown>) =>
  Stream.succeed("[").pipe(
    Stream.concat(
      items.pipe(
        Stream.zipWithIndex,
        Stream.map(([item, index]) => `${index === 0 ? "\n" : ",\n"}${JSON.stringify(item)}`)
      )
    ),
    Stream.concat(Stream.succeed("\n]\n"))
  )

/** The name of a file in the archive: its id, which makes it unique, and its former name. */
const fileName = (id: string, filename: string | null, mimeType: string): string => {
  const extension = /^[a-z0-9]+$/.exec(mimeType.split("/")[1]?.split(/[;+.]/)[0] ?? "")?.[0] ?? "bin"
  const plain = (filename ?? "")
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "_")
    .replace(/^\.+/, "")
    .slice(-100)
  return plain === "" ? `${id}.${extension}` : `${id}-${plain}`
}

/**
 * Needs the services it yields once. The function it gives stores the file and gives its size in bytes; `undefined` when the contact does not exist.
 */
export const makeExport = Effect.gen(function* () {
  const dossier = yield* ContactDossier
  const calls = yield* Calls
  const summaries = yield* CallSummaries
  const media = yield* MediaFiles
  const storage = yield* ObjectStorage
  const archives = yield* Archives

  const callOf = Effect.fnUntraced(function* (organizationId: string, callId: string) {
    const [call, summary, utterances, toolCalls] = yield* Effect.all([
      calls.find(organizationId, callId),
      summaries.find(organizationId, callId),
      calls.utterances(organizationId, callId),
      calls.toolCalls(organizationId, callId)
    ])
    return { ...call, summary, utterances, toolCalls }
  })

  const recordingBytes = (parts: ReadonlyArray<RecordingPart>) =>
    Stream.fromIterable(piecesWithin(parts, { start: 0, end: joinedBytes(parts) - 1 })).pipe(
      Stream.flatMap((piece) =>
        piece._tag === "Header" ? Stream.succeed(piece.bytes) : storage.read(piece.key, piece.range)
      )
    )

  const recordings = Effect.fnUntraced(function* (organizationId: string, callIds: ReadonlyArray<string>) {
    const found: Array<ArchiveEntry> = []
    for (const callId of callIds) {
      const parts = yield* calls.recordings(organizationId, callId)
      if (parts.length > 0) found.push({ name: `recordings/${callId}.wav`, bytes: recordingBytes(parts) })
    }
    return found
  })

  /** The media files. One that was removed meanwhile is left out and named in the manifest. */
  const files = Effect.fnUntraced(function* (organizationId: string, mediaIds: ReadonlyArray<string>) {
    const found: Array<ArchiveEntry> = []
    const missing: Array<string> = []
    for (const mediaId of mediaIds) {
      const file = yield* media.find(organizationId, mediaId)
      if (file === undefined) missing.push(mediaId)
      else
        found.push({
          name: `media/${fileName(mediaId, file.filename, file.mimeType)}`,
          bytes: media.open(organizationId, mediaId)
        })
    }
    return { found, missing }
  })

  const entriesOf = Effect.fnUntraced(function* ({ organizationId, contactId, id }: ExportJob) {
    const contact = yield* dossier.contact(organizationId, contactId)
    if (contact === undefined) return undefined
    const callIds = yield* dossier.callIds(organizationId, contactId)
    const { found, missing } = yield* files(organizationId, yield* dossier.mediaIds(organizationId, contactId))
    const records: ReadonlyArray<readonly [name: string, content: Stream.Stream<string, unknown>]> = [
      ["contact.json", json(contact)],
      ["consents.json", json(yield* dossier.consents(organizationId, contact))],
      ["conversations.json", json(yield* dossier.conversations(organizationId, contactId))],
      ["imports.json", json(yield* dossier.importRows(organizationId, contact))],
      ["agents.json", json(yield* dossier.agentThreads(organizationId, contactId))],
      ["purchases.json", json(yield* dossier.purchases(organizationId, contactId))],
      ["links.json", json(yield* dossier.links(organizationId, contactId))],
      ["notes.json", json(yield* dossier.notes(organizationId, contactId))],
      ["messages.json", jsonLines(dossier.messages(organizationId, contactId))],
      [
        "calls.json",
        jsonLines(Stream.mapEffect(Stream.fromIterable(callIds), (callId) => callOf(organizationId, callId)))
      ]
    ]
    const entries: ReadonlyArray<ArchiveEntry> = [
      ...records.map(([name, content]) => ({ name, bytes: text(content) })),
      ...found,
      ...(yield* recordings(organizationId, callIds))
    ]
    const madeAt = new Date(yield* Clock.currentTimeMillis).toISOString()
    const manifest = { exportId: id, contactId, madeAt, files: entries.map(({ name }) => name), missingMedia: missing }
    return [{ name: "manifest.json", bytes: text(json(manifest)) }, ...entries]
  })

  return traced("MakeExport")(function* (job: ExportJob) {
    const entries = yield* entriesOf(job)
    if (entries === undefined) return undefined
    return yield* archives.zip(entries, ({ size, bytes }) =>
      Effect.as(
        storage.put(exportKey(job.organizationId, job.id), bytes, { contentType: "application/zip", size }),
        size
      )
    )
  })
})
