/** How what was written goes out: a text or a file by the outbox, a note to the service. */
import type { Conversation, NewMessage } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { storeNote } from "../../api/live.ts"
import { enqueue } from "../../api/outbox.ts"
import { sayProblem } from "../../lib/toasts.ts"

const fileMessage = (to: string, mediaId: string, kind: string, filename: string, caption: string): NewMessage => {
  const said = caption === "" ? {} : { caption }
  switch (kind) {
    case "image":
    case "video":
      return { to, type: kind, mediaId, ...said }
    case "audio":
      return { to, type: "audio", mediaId }
    default:
      return { to, type: "document", mediaId, filename, ...said }
  }
}

/** Each gives whether it has gone out; why not is said. `busy`: one is on its way. */
export const useSending = ({ id, contact }: Conversation) => {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const during = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true)
    try {
      await work()
      return true
    } catch (cause) {
      sayProblem(cause)
      return false
    } finally {
      setBusy(false)
    }
  }
  return {
    busy,
    text: (text: string) => enqueue(id, { to: contact.id, type: "text", text }),
    note: (text: string) =>
      during(async () => storeNote(client, contact.id, await parley.conversationNotes.create(id, { text }))),
    file: (file: File, said: string) =>
      during(async () => {
        const { mediaId, kind } = await parley.media.upload({ file }, { timeoutMs: 120_000 })
        await enqueue(id, fileMessage(contact.id, mediaId, kind, file.name.slice(-240), said))
        if (kind === "audio" && said !== "") await enqueue(id, { to: contact.id, type: "text", text: said })
      })
  }
}
