/** Pictures in requests: a model that takes them sees their size and colour, which stand in its words for them. */
import { z } from "zod"
import { look } from "../support/Look.ts"
import { ChatRequest } from "./Messages.ts"

const Part = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("image_url"), image_url: z.object({ url: z.string() }) })
])
const Illustrated = z.object({ role: z.literal("user"), content: z.array(Part).min(1) })

/** The most pictures in a request, as providers have it. */
const mostPictures = 5

/** The request with the pictures in words, or the sentence of the provider's refusal. */
export const seen = async (json: unknown, takes: (model: string) => boolean): Promise<ChatRequest | string> => {
  const asked = z
    .object({ model: z.string(), messages: z.array(z.unknown()) })
    .loose()
    .safeParse(json)
  let pictures = 0
  const messages: Array<unknown> = []
  for (const message of asked.success ? asked.data.messages : []) {
    const illustrated = Illustrated.safeParse(message)
    if (!illustrated.success) {
      messages.push(message)
      continue
    }
    const words: Array<string> = []
    for (const part of illustrated.data.content) {
      if (part.type === "text") words.push(part.text)
      else {
        const sight = await look(part.image_url.url)
        if (sight === undefined) return "Invalid image data"
        pictures++
        words.push(`<a ${sight.colour} picture of ${sight.width} x ${sight.height}>`)
      }
    }
    messages.push({ role: "user", content: words.join("\n") })
  }
  if (pictures > mostPictures) return `Too many images provided. This model supports up to ${mostPictures} images`
  if (asked.success && pictures > 0 && !takes(asked.data.model))
    return "messages: content must be a string: this model does not take images"
  const parsed = ChatRequest.safeParse(asked.success ? { ...asked.data, messages } : json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return `'${issue.path.join(".")}': ${issue.message}`
}
