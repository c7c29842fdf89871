/** Which kinds of files are taken, and what a file is called whose content does not tell. */
import type { MediaKind } from "./Media.ts"

export interface MediaType {
  readonly kind: MediaKind
  readonly mimeType: string
}

const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

/** What can be uploaded, by the type its content has. An animated PNG is a PNG to whoever does not know animation. */
const sendable: Readonly<Record<string, MediaType>> = {
  "image/jpeg": { kind: "image", mimeType: "image/jpeg" },
  "image/png": { kind: "image", mimeType: "image/png" },
  "image/apng": { kind: "image", mimeType: "image/png" },
  "image/webp": { kind: "image", mimeType: "image/webp" },
  "application/pdf": { kind: "document", mimeType: "application/pdf" },
  [docx]: { kind: "document", mimeType: docx },
  "audio/mpeg": { kind: "audio", mimeType: "audio/mpeg" },
  "audio/ogg": { kind: "audio", mimeType: "audio/ogg" },
  "video/mp4": { kind: "video", mimeType: "video/mp4" }
}

/** For people. */
export const sendableKinds = "images (JPEG, PNG, WebP), documents (PDF, DOCX), audio (MP3, OGG) and video (MP4)"

/** Without parameters, in lower case; `undefined` for what is no type. */
const bare = (type: string | undefined): string | undefined =>
  /^\s*([a-z]+\/[a-z0-9][a-z0-9.+-]{0,99})\s*(?:;|$)/i.exec(type ?? "")?.[1].toLowerCase()

/** The kind of an uploaded file whose content has the type `detected`; `undefined` when it is not taken. */
export const uploadedType = (detected: string | undefined): MediaType | undefined => sendable[bare(detected) ?? ""]

/** Containers of many things: what is in them is known better by who made the file. */
const archives: ReadonlySet<string> = new Set(["application/x-cfb", "application/zip", "application/xml"])
const tracks: ReadonlySet<string> = new Set([
  "video/mp4",
  "video/3gpp",
  "video/3gpp2",
  "video/ogg",
  "video/webm",
  "application/ogg"
])

const familyOf = (type: string) => type.slice(0, type.indexOf("/"))

const isFiner = (claimed: string, detected: string) =>
  (archives.has(detected) && familyOf(claimed) === "application") ||
  (tracks.has(detected) && familyOf(claimed) === "audio")

/** What a contact's file is: what its content says; the channel is believed where that does not tell. */
export const receivedType = (detected: string | undefined, claimed: string | undefined): MediaType => {
  const [found, said] = [bare(detected), bare(claimed)]
  const mimeType =
    found === undefined || (said !== undefined && isFiner(said, found)) ? (said ?? "application/octet-stream") : found
  const family = familyOf(mimeType)
  return { kind: family === "image" || family === "audio" || family === "video" ? family : "document", mimeType }
}
