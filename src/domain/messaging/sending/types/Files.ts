/** Messages with a picture, a document, audio or video: the file has an address of its own, or was uploaded here before. */
import { Schema } from "effect"
import { lines, oneLine, plainText } from "../../../basics/PlainText.ts"

const isWebAddress = (text: string): boolean => {
  if (/\s/.test(text) || !URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && hostname !== "" && username === "" && password === ""
}

/** A public address, from which the channel fetches the file. */
export const WebAddress = oneLine(2_048).check(
  Schema.makeFilter(
    (text: string) => isWebAddress(text) || "must be an http or https address without user name and password."
  )
)

const MediaId = plainText(64).check(
  Schema.makeFilter(
    (text: string) => /^med_[0-9A-Za-z]+$/.test(text) || "must be the id of an upload, like med_01KAJ3…."
  )
)

/** Exactly one of the two; see `oneSource`. */
const source = { mediaUrl: Schema.optionalKey(WebAddress), mediaId: Schema.optionalKey(MediaId) }

interface Source {
  readonly mediaUrl?: string
  readonly mediaId?: string
}

/** Exactly one of `mediaUrl` and `mediaId` must be given. */
export const oneSource = Schema.makeFilter(({ mediaUrl, mediaId }: Source) => {
  if (mediaUrl === undefined && mediaId === undefined)
    return { path: ["mediaUrl"], issue: "it is missing: send mediaUrl, or mediaId of an upload." }
  return mediaUrl !== undefined && mediaId !== undefined
    ? { path: ["mediaUrl"], issue: "send either mediaUrl or mediaId, not both." }
    : undefined
})

const caption = Schema.optionalKey(lines(1_024))

/** A file name that a telephone can show and store. */
const Filename = plainText(240).check(
  Schema.makeFilter((name: string) => !/[/\\]/.test(name) || "must be a file's name without folders.")
)

export const Image = Schema.Struct({ type: Schema.Literal("image"), ...source, caption }).check(oneSource)
export const Document = Schema.Struct({
  type: Schema.Literal("document"),
  ...source,
  filename: Filename,
  caption
}).check(oneSource)
export const Audio = Schema.Struct({ type: Schema.Literal("audio"), ...source }).check(oneSource)
export const Video = Schema.Struct({ type: Schema.Literal("video"), ...source, caption }).check(oneSource)
