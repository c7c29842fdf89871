/** The answer of an MCP tool as text for a model. What is not text is described, so that the model can say that it is there. Pure. */
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client"
import { mostMcpResultBytes } from "../../domain/ai/tools/McpClient.ts"
import { seenText } from "../../domain/ai/tools/McpTool.ts"
import { type ToolAnswer, toolFailed } from "../../domain/ai/tools/ToolRunner.ts"
import { cutToBytes, storable } from "../../domain/basics/PlainText.ts"

const cutNote = "\n[The rest was cut off: an answer is at most 32 KB.]"

/** A short text of the server within a description. */
const short = (text: string | undefined): string => seenText(text ?? "", 200).replace(/\s+/g, " ")

/** The size of base64 data. */
const size = (data: string): string => `${Math.ceil((data.length * 3) / 4 / 1_024)} KB`

const described = (block: ContentBlock): string => {
  switch (block.type) {
    case "text":
      return block.text
    case "image":
    case "audio":
      return `[There is ${block.type === "image" ? "an image" : "a sound"} here (${short(block.mimeType)}, ${size(block.data)}) that cannot be shown.]`
    case "resource_link":
      return `[A link to "${short(block.title ?? block.name)}": ${short(block.uri)}]`
    case "resource": {
      const { resource } = block
      const name = `${short(resource.uri)}${resource.mimeType === undefined ? "" : `, ${short(resource.mimeType)}`}`
      return "text" in resource
        ? `[The resource ${name}:]\n${resource.text}`
        : `[There is a file here (${name}, ${size(resource.blob)}) that cannot be shown.]`
    }
  }
}

const limited = (text: string): string => {
  const cut = cutToBytes(text, mostMcpResultBytes)
  return cut === text ? text : cutToBytes(text, mostMcpResultBytes - Buffer.byteLength(cutNote)) + cutNote
}

/** A tool that reports a failure of its own gives an error with its text. Structured content is told when there is no text. */
export const answerOf = ({ content, structuredContent, isError }: CallToolResult): ToolAnswer => {
  const text = content.map(described).join("\n")
  const told = text.trim() === "" && structuredContent !== undefined ? JSON.stringify(structuredContent) : text
  const result = limited(storable(told))
  return isError === true
    ? toolFailed(result === "" ? "The tool failed and did not say why." : result)
    : { outcome: "ok", result }
}
