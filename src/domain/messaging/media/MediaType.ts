/** The types of files that we accept, and the type of a file whose content does not tell it. */
import type { MediaKind } from "./Media.ts"

export interface MediaType {
  readonly kind: MediaKind
  readonly mimeType: string
}

const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

/** The types that can be uploaded, by the type of the content. An animated PNG counts as a PNG: programs without animation show it as one. */
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

/** The content types of files that were uploaded. Contacts send others, too. */
export const uploadableTypes: ReadonlyArray<string> = [
  ...new Set(Object.values(sendable).map(({ mimeType }) => mimeType))
]

/** The accepted types, as words in a sentence for people. */
export const sendableKinds = "images (JPEG, PNG, WebP), documents (PDF, DOCX), audio (MP3, OGG) and video (MP4)"

/** The media type without its parameters, in lower case; `undefined` when the text is not a media type. */
const bare = (type: string | undefined): string | undefined =>
  /^\s*([a-z]+\/[a-z0-9][a-z0-9.+-]{0,99})\s*(?:;|$)/i.exec(type ?? "")?.[1].toLowerCase()

/** The type of an uploaded file whose content has the type `detected`; `undefined` when it is not accepted. */
export const uploadedType = (detected: string | undefined): MediaType | undefined => sendable[bare(detected) ?? ""]

/** Container formats: the sender knows better which kind of document they contain. */
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

/** The type of a contact's file: the type of its content, or the type that the channel names where the content does not tell enough. */
export const receivedType = (detected: string | undefined, claimed: string | undefined): MediaType => {
  const [found, said] = [bare(detected), bare(claimed)]
  const mimeType =
    found === undefined || (said !== undefined && isFiner(said, found)) ? (said ?? "application/octet-stream") : found
  const family = familyOf(mimeType)
  return { kind: family === "image" || family === "audio" || family === "video" ? family : "document", mimeType }
}
